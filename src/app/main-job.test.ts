// The main job on both servers, through the use cases: what the planner says is what happens, and a second run is empty.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type ClusterClient, createClient } from '../cluster/index.ts';
import type { KubeObject } from '../model/object.ts';
import { changesOf, isWrite, type Plan } from '../model/plan.ts';
import { planToJson } from '../render/index.ts';
import { CONFIG_MAPS } from '../testing/objects.ts';
import { ProjectDirectory, type ProjectOptions } from '../testing/project-directory.ts';
import { forEachTarget, type TestTarget } from '../testing/targets.ts';
import { runApply, runPlan, systemClock } from './index.ts';
import { createNodeFiles } from './node-files.ts';
import type { AppEnvironment, ApplyOptions, ClusterChoice, PlanOptions } from './options.ts';

// One config map for each entry of spec.maps, with what is in it.
const MAPS_HOOK = `
  const maps = request.parent.spec.maps ?? {};
  const children = Object.entries(maps).map(([name, data]) => ({
    apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { app: 'thing' } }, data,
  }));
  return { status: { maps: children.length, seen: Object.keys(request.children['ConfigMap.v1']).length }, children };
`;

const environment: AppEnvironment = {
  variables: process.env,
  clock: systemClock,
  files: createNodeFiles({ stdin: process.stdin, workingDirectory: process.cwd() }),
  signal: new AbortController().signal,
};

interface Stage {
  readonly project: ProjectDirectory;
  readonly client: ClusterClient;
  readonly namespace: string;
  plan(more?: Partial<PlanOptions>): Promise<Plan>;
  apply(more?: Partial<ApplyOptions>): ReturnType<typeof runApply>;
  outline(): Promise<string[]>;
  /** metadata.name → data, of the config maps that the parent owns. */
  children(): Promise<Record<string, unknown>>;
}

let counter = 0;

async function stage(target: TestTarget, options: Partial<ProjectOptions> = {}): Promise<Stage> {
  const namespace = await target.namespace();
  const group = `main-job-${++counter}-${target.kind}.example.com`;
  const project = await ProjectDirectory.create({ group, namespace, hook: MAPS_HOOK, ...options });
  after(() => project.remove());
  const cluster: ClusterChoice = target.choice;
  const base = { cluster, paths: [project.path], concurrency: 8, namespace, allowLocalHooks: true };
  const plan = async (more: Partial<PlanOptions> = {}): Promise<Plan> => {
    const outcome = await runPlan({ ...base, ...more }, environment);
    assert.ok(outcome.plan, JSON.stringify(outcome.diagnostics));
    return outcome.plan;
  };
  const client = createClient(target.transport);
  return {
    project,
    client,
    namespace,
    plan,
    apply: (more = {}) =>
      runApply({ ...base, confirm: async () => 'yes', timeoutMs: 60_000, wait: true, ...more }, environment),
    outline: async () =>
      changesOf(await plan())
        .filter((change) => change.action !== 'status')
        .map(({ action, object }) => `${action} ${object.kind} ${object.name}`),
    children: async () => {
      const { items } = await client.list(CONFIG_MAPS, { namespace });
      const owned = items.filter(({ metadata }) => metadata.ownerReferences?.[0]?.kind === 'Thing');
      return Object.fromEntries(owned.map((item) => [item.metadata.name, item['data'] ?? {}]));
    },
  };
}

const statusOf = (object: KubeObject | undefined): unknown => object?.['status'];

forEachTarget('main job', (target) => {
  test(`${target.kind}: plan, apply, plan again: empty; plans are the same bytes`, async () => {
    const { plan, apply, outline, children, project } = await stage(target, {
      spec: { maps: { a: { k: '1' }, b: {} } },
    });
    assert.deepEqual(await outline(), [
      `create CustomResourceDefinition ${(await plan()).inputs[0]?.object.name}`,
      'create Thing one',
      'create ConfigMap a',
      'create ConfigMap b',
    ]);
    assert.equal(JSON.stringify(planToJson(await plan())), JSON.stringify(planToJson(await plan())));
    const applied = await apply();
    assert.equal(applied.status, 'settled', JSON.stringify(applied.diagnostics));
    assert.deepEqual(await children(), { a: { k: '1' }, b: {} });
    assert.equal(changesOf(await plan()).length, 0);
    assert.equal((await apply()).status, 'nothing');
    await project.parent({ maps: { a: { k: '2' }, c: {} } });
    assert.deepEqual(await outline(), [
      'update Thing one',
      'delete ConfigMap b',
      'update ConfigMap a',
      'create ConfigMap c',
    ]);
    assert.equal((await apply()).status, 'settled');
    assert.deepEqual(await children(), { a: { k: '2' }, c: {} });
    assert.equal(changesOf(await plan()).length, 0);
  });

  test(`${target.kind}: the status is what the hook says of the state at the end`, async () => {
    const { apply, client, namespace, plan } = await stage(target, { spec: { maps: { a: {}, b: {}, c: {} } } });
    await apply();
    const things = (await plan()).inputs.length === 0 ? await client.all() : [];
    const type = things.find(
      ({ kind, group }) => kind === 'Thing' && group === `main-job-${counter}-${target.kind}.example.com`,
    );
    assert.ok(type);
    assert.deepEqual(statusOf(await client.get(type, 'one', namespace)), { maps: 3, seen: 3, observedGeneration: 1 });
  });

  test(`${target.kind}: what others own in a child stays, drift of ours is put back`, async () => {
    const { apply, client, namespace, children, outline } = await stage(target, { spec: { maps: { a: { k: '1' } } } });
    await apply();
    const live = await client.get(CONFIG_MAPS, 'a', namespace);
    assert.ok(live);
    const object = { ...live, data: { k: 'edited', foreign: 'x' } };
    await client.write({ verb: 'update', type: CONFIG_MAPS, fieldManager: 'someone', object });
    assert.deepEqual(await outline(), ['update ConfigMap a']);
    await apply();
    assert.deepEqual(await children(), { a: { k: '1', foreign: 'x' } });
  });

  test(`${target.kind}: an orphan that matches is adopted, one that belongs to nobody we know blocks`, async () => {
    const { apply, client, namespace, children, outline } = await stage(target, { spec: { maps: {} } });
    await apply();
    const orphan = (name: string, labels: Record<string, string>): KubeObject => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace, labels },
      data: { old: 'x' },
    });
    for (const object of [orphan('mine', { app: 'thing' }), orphan('foreign', { app: 'other' })])
      await client.write({ verb: 'create', type: CONFIG_MAPS, fieldManager: 'someone', object });
    assert.deepEqual(await outline(), ['adopt ConfigMap mine', 'delete ConfigMap mine']);
    const { project } = await stage(target);
    await project.remove();
    assert.equal((await apply({ allowEmpty: true })).status, 'settled');
    assert.deepEqual(await children(), {});
    const foreign = await client.get(CONFIG_MAPS, 'foreign', namespace);
    assert.deepEqual(foreign?.metadata.ownerReferences, undefined);
  });

  test(`${target.kind}: a name that is taken blocks that child, is an error, and nothing takes it over`, async () => {
    const { apply, client, namespace, children } = await stage(target, { spec: { maps: { a: {}, b: {} } } });
    const object: KubeObject = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', namespace },
      data: { mine: '1' },
    };
    await client.write({ verb: 'create', type: CONFIG_MAPS, fieldManager: 'someone', object });
    const { status, diagnostics } = await apply({ timeoutMs: 20_000 });
    assert.equal(status, 'failed');
    assert.deepEqual([...new Set(diagnostics.map(({ code }) => code))], ['child-not-owned']);
    assert.deepEqual(await children(), { b: {} });
    assert.deepEqual((await client.get(CONFIG_MAPS, 'a', namespace))?.['data'], { mine: '1' });
  });

  test(`${target.kind}: a parent deleted and applied again at once: its children are waited for, then made anew`, async () => {
    const { apply, client, namespace, children } = await stage(target, { spec: { maps: { a: { k: '1' } } } });
    await apply();
    const before = await client.get(CONFIG_MAPS, 'a', namespace);
    const type = (await client.all()).find(({ group }) => group === `main-job-${counter}-${target.kind}.example.com`);
    assert.ok(type && before);
    await client.write({
      verb: 'delete',
      type,
      fieldManager: 'someone',
      name: 'one',
      namespace,
      propagation: 'Background',
    });
    const { status, diagnostics } = await apply();
    assert.equal(status, 'settled', JSON.stringify(diagnostics));
    assert.deepEqual(await children(), { a: { k: '1' } });
    assert.notEqual((await client.get(CONFIG_MAPS, 'a', namespace))?.metadata.uid, before.metadata.uid);
  });

  test(`${target.kind}: Recreate replaces, OnDelete leaves`, async () => {
    for (const [method, want] of [
      ['Recreate', { a: { k: '2' } }],
      ['OnDelete', { a: { k: '1' } }],
    ] as const) {
      const { apply, children, project, plan, client, namespace } = await stage(target, {
        method,
        spec: { maps: { a: { k: '1' } } },
      });
      await apply();
      const before = await client.get(CONFIG_MAPS, 'a', namespace);
      await project.parent({ maps: { a: { k: '2' } } });
      assert.equal((await apply()).status, 'settled');
      assert.deepEqual(await children(), want);
      const now = await client.get(CONFIG_MAPS, 'a', namespace);
      assert.equal(now?.metadata.uid === before?.metadata.uid, method === 'OnDelete');
      assert.equal(changesOf(await plan()).filter(isWrite).length, 0);
    }
  });

  test(`${target.kind}: generateSelector, and a hook that returns what it observed`, async () => {
    const hook = `
      const observed = Object.values(request.children['ConfigMap.v1']);
      const children = observed.length > 0 ? observed : [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { k: '1' } }];
      return { children };`;
    const { apply, plan, children } = await stage(target, { generateSelector: true, hook });
    assert.equal((await apply()).status, 'settled');
    assert.deepEqual(await children(), { a: { k: '1' } });
    assert.equal(changesOf(await plan()).length, 0);
  });

  test(`${target.kind}: a hook that fails or answers nonsense: nothing is written for that parent`, async () => {
    const { apply, children, project } = await stage(target, { spec: { maps: { a: {} } } });
    await apply();
    for (const [hook, code] of [
      ['throw new Error("boom")', 'hook-failed'],
      ['return { children: [null] }', 'answer-invalid'],
      [
        'return { children: [{ apiVersion: "v1", kind: "Secret", metadata: { name: "s" } }] }',
        'answer-undeclared-kind',
      ],
    ] as const) {
      await project.hook(hook);
      const { status, diagnostics, applied } = await apply();
      assert.equal(status, 'failed');
      assert.equal(diagnostics[0]?.code, code);
      assert.deepEqual(applied, []);
      assert.deepEqual(await children(), { a: {} });
    }
  });

  test(`${target.kind}: guards stop before the first write, flags lift them`, async () => {
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`m-${index}`, {}]));
    const { apply, children, project } = await stage(target, { spec: { maps: many } });
    await apply();
    await project.parent({ maps: {} });
    const stopped = await apply();
    assert.equal(stopped.status, 'guarded');
    assert.deepEqual(
      stopped.diagnostics.map(({ code }) => code),
      ['guard-max-deletes', 'guard-allow-empty'],
    );
    assert.equal(Object.keys(await children()).length, 12);
    assert.equal((await apply({ maxDeletes: 12, allowEmpty: true })).status, 'settled');
    assert.deepEqual(await children(), {});
  });

  test(`${target.kind}: declined: nothing is written`, async () => {
    const { apply, outline } = await stage(target, { spec: { maps: { a: {} } } });
    const before = await outline();
    assert.equal((await apply({ confirm: async () => 'no' })).status, 'declined');
    assert.equal((await apply({ confirm: async () => 'impossible' })).status, 'unconfirmed');
    assert.deepEqual(await outline(), before);
  });
});

test('a target that names no parent is an error; an empty path is not the working directory', async () => {
  const project = await ProjectDirectory.create({ group: 'y.example.com', namespace: 'default', hook: MAPS_HOOK });
  after(() => project.remove());
  const base = { paths: [project.path], concurrency: 4, cluster: { sandbox: true }, allowLocalHooks: true };
  const codes = async (options: Partial<PlanOptions>): Promise<string[]> =>
    (await runPlan({ ...base, ...options }, environment)).diagnostics.map(({ code }) => code);
  assert.deepEqual(await codes({ targets: [{ kind: 'thing', name: 'one' }] }), []);
  assert.deepEqual(await codes({ targets: [{ kind: 'Thing', namespace: 'other', name: 'one' }] }), ['usage']);
  assert.deepEqual(await codes({ paths: [''] }), ['file-unreadable']);
});

test('files with errors, a context that is not there and no cluster under CI are errors with a code', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'metactl-empty-'));
  after(() => rm(directory, { recursive: true }));
  const base = { paths: [join(directory, 'missing.yaml')], concurrency: 4 };
  const missing = await runPlan({ ...base, cluster: { sandbox: true } }, environment);
  assert.equal(missing.diagnostics[0]?.severity, 'error');
  assert.equal(missing.plan, undefined);
  const variables = { HOME: directory, CI: 'true' };
  const project = await ProjectDirectory.create({ group: 'x.example.com', namespace: 'default', hook: MAPS_HOOK });
  after(() => project.remove());
  const inCi = await runPlan({ paths: [project.path], concurrency: 4, cluster: {} }, { ...environment, variables });
  assert.equal(inCi.diagnostics[0]?.code, 'kubeconfig-invalid');
  const outside = await runPlan(
    { paths: [project.path], concurrency: 4, cluster: {} },
    { ...environment, variables: { HOME: directory } },
  );
  assert.equal(outside.plan?.target.kind, 'sandbox');
  assert.match(outside.diagnostics[0]?.summary ?? '', /using the sandbox/);
});
