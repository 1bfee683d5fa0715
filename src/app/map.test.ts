// Map controllers on both servers, in both apply modes: each input by itself, what becomes of outputs when it changes or goes,
// and what the parent's status counts.

import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createClient } from '../cluster/index.ts';
import type { ApplyModeName } from '../model/definition.ts';
import type { KubeObject } from '../model/object.ts';
import { changesOf } from '../model/plan.ts';
import { type CallCounter, callCounter } from '../testing/call-counter.ts';
import { HELD, startHeldApply } from '../testing/held-apply.ts';
import { KEEP_UNTIL, MapProject, type MapProjectOptions } from '../testing/map-project.ts';
import { CONFIG_MAPS } from '../testing/objects.ts';
import { forEachTarget, type TestTarget } from '../testing/targets.ts';
import { type UseCases, useCases } from '../testing/use-cases.ts';

interface Stage extends UseCases {
  readonly project: MapProject;
  readonly namespace: string;
  readonly client: ReturnType<typeof createClient>;
  readonly counter: CallCounter;
  /** Creates the input, or gives it other data. */
  input(name: string, data?: Record<string, string>): Promise<void>;
  remove(name: string): Promise<void>;
  /** "name ← input": the outputs that the parent owns. */
  outputs(): Promise<string[]>;
  /** resourceVersions of the outputs and of the parent. */
  versions(): Promise<unknown[]>;
  dataOf(name: string): Promise<unknown>;
  status(): Promise<unknown>;
  parent(): Promise<KubeObject | undefined>;
  /** What hooks were asked since the last time, sorted. */
  asked(): Promise<string[]>;
}

let stages = 0;

async function stage(target: TestTarget, options: Partial<MapProjectOptions> = {}): Promise<Stage> {
  const namespace = await target.namespace();
  const group = `map-${++stages}-${target.kind}.example.com`;
  const project = await MapProject.create({ group, namespace, ...options });
  after(() => project.remove());
  const client = createClient(target.transport);
  const kubeconfig = join(project.path, 'kubeconfig');
  const counter = await callCounter(target.transport, kubeconfig);
  after(() => counter.close());
  const things = { ...CONFIG_MAPS, group, kind: 'Thing', resource: 'things' };
  const write = { type: CONFIG_MAPS, fieldManager: 'someone' };
  const owned = async (): Promise<readonly KubeObject[]> => {
    const { items } = await client.list(CONFIG_MAPS, { namespace });
    return items.filter(({ metadata }) => metadata.ownerReferences?.[0]?.kind === 'Thing');
  };
  const parent = () => client.get(things, 'one', namespace);
  let told = 0;
  return {
    ...useCases({ cluster: { kubeconfig }, paths: [project.path], namespace }),
    project,
    namespace,
    client,
    counter,
    input: async (name, data = {}) => {
      const live = await client.get(CONFIG_MAPS, name, namespace);
      const metadata = live?.metadata ?? { name, namespace, labels: { app: 'thing' } };
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
      await client.write({ ...write, verb: live ? 'update' : 'create', object });
    },
    remove: async (name) => void (await client.write({ ...write, verb: 'delete', name, namespace })),
    outputs: async () =>
      (await owned())
        .map(
          ({ metadata: { name, annotations } }) => `${name} ← ${annotations?.['metactl.dev/map-key']?.split('/')[3]}`,
        )
        .sort(),
    versions: async () => [...(await owned()), await parent()].map((object) => object?.metadata.resourceVersion),
    dataOf: async (name) => (await client.get(CONFIG_MAPS, name, namespace))?.['data'],
    status: async () => (await parent())?.['status'],
    parent,
    asked: async () => {
      const log = await readFile(join(project.path, 'calls.log'), 'utf8').catch(() => '');
      // The last line may be on its way.
      const lines = log.split('\n').slice(0, -1);
      const news = lines.slice(told).sort();
      told = lines.length;
      return news;
    },
  };
}

async function applied(on: Stage): Promise<void> {
  const { status, diagnostics } = await on.apply();
  assert.ok(status === 'settled' || status === 'nothing', JSON.stringify({ status, diagnostics }));
}

const counted = (inputs: number, outputs: number, observedGeneration = 1) => ({
  inputs: { configmaps: { total: inputs } },
  outputs: { configmaps: { total: outputs } },
  observedGeneration,
});

const MODES: readonly ApplyModeName[] = ['dynamic', 'server-side'];

forEachTarget('map controllers', (target) => {
  for (const mode of MODES) {
    const controllerSpec = { apply: { mode } };

    test(`${mode}: outputs of each input, one write of the status, and nothing on the second run`, async () => {
      const on = await stage(target, { controllerSpec });
      await on.input('a', { x: '1' });
      await on.input('b', { copies: '2' });
      on.counter.take();
      await applied(on);
      const calls = on.counter.take();
      assert.deepEqual(await on.outputs(), ['a-0 ← a', 'b-0 ← b', 'b-1 ← b']);
      assert.deepEqual(await on.dataOf('a-0'), { x: '1' });
      assert.deepEqual(await on.status(), counted(2, 3));
      assert.equal(calls['update things/status'], 1);
      if (mode === 'dynamic') assert.equal(calls['create configmaps'], 3);
      const versions = await on.versions();
      const second = await on.apply();
      assert.equal(second.status, 'nothing', JSON.stringify(second.diagnostics));
      assert.deepEqual(await on.versions(), versions);
    });

    test(`${mode}: a change of one input is a question about that one, and its outputs follow`, async () => {
      const on = await stage(target, { controllerSpec });
      for (const name of ['a', 'b', 'c']) await on.input(name, { x: '1' });
      await on.input('holding', { as: HELD });
      const held = await startHeldApply(() => on.apply(), on.client, on.namespace);
      await held.until('the outputs', async () => (await on.outputs()).length === 3);
      // For the plan, with the first round, and when their outputs are there.
      const calls: string[] = [];
      const timesAsked = async (): Promise<number[]> => {
        calls.push(...(await on.asked()));
        return ['a', 'b', 'c'].map((name) => calls.filter((call) => call === `map ${name}`).length);
      };
      await held.until('three questions each', async () => (await timesAsked()).every((times) => times === 3));
      await on.input('b', { x: '2' });
      await held.until('the update', async () => JSON.stringify(await on.dataOf('b-0')) === '{"x":"2"}');
      const asked = await on.asked();
      assert.deepEqual([...new Set(asked)], ['map b']);
      assert.ok(asked.length <= 2, 'once for the input, once for the output that came of it');
      assert.equal((await held.release()).status, 'settled');
    });
  }

  test('an input that is gone takes its outputs along', async () => {
    const on = await stage(target);
    await on.input('a');
    await on.input('b', { copies: '2' });
    await applied(on);
    await on.remove('b');
    await applied(on);
    assert.deepEqual(await on.outputs(), ['a-0 ← a']);
    assert.deepEqual(await on.status(), counted(1, 1));
  });

  test('a tombstone hook keeps outputs until they expire', async () => {
    const on = await stage(target, { hooks: { tombstone: KEEP_UNTIL }, spec: { now: 1 } });
    await on.input('a', { until: '5' });
    await on.input('b', { until: '2' });
    await applied(on);
    assert.deepEqual(
      (await on.asked()).filter((line) => line.startsWith('tombstone')),
      [],
    );
    await on.remove('a');
    await on.remove('b');
    await applied(on);
    assert.deepEqual(await on.outputs(), ['a-0 ← a', 'b-0 ← b'], 'not expired yet');
    assert.deepEqual(await on.status(), counted(0, 2));
    await on.project.parent({ now: 3 });
    await applied(on);
    assert.deepEqual(await on.outputs(), ['a-0 ← a']);
    assert.equal((await on.apply()).status, 'nothing');
    await on.project.parent({ now: 9 });
    await applied(on);
    assert.deepEqual(await on.outputs(), []);
    assert.deepEqual(await on.status(), counted(0, 0, 3));
  });

  test('an input that is made anew takes over what was made of the old one', async () => {
    const on = await stage(target, { hooks: { tombstone: KEEP_UNTIL }, spec: { now: 1 } });
    await on.input('a', { until: '5' });
    await applied(on);
    await on.remove('a');
    await on.input('a', { until: '7' });
    await applied(on);
    assert.deepEqual(await on.dataOf('a-0'), { until: '7' });
    await on.asked();
    assert.equal((await on.apply()).status, 'nothing');
    assert.deepEqual(await on.asked(), ['map a'], 'nothing is detached any more');
  });

  test('an empty selector takes all of the namespace, and still not what is made of it', async () => {
    const on = await stage(target, { spec: { selector: {} } });
    await on.input('a');
    const before = (await on.client.list(CONFIG_MAPS, { namespace: on.namespace })).items.length;
    await applied(on);
    assert.equal((await on.outputs()).length, before);
    assert.equal((await on.apply()).status, 'nothing');
  });

  test('Recreate, and an output that somebody deletes', async () => {
    const on = await stage(target, { method: 'Recreate' });
    await on.input('a', { x: '1' });
    await applied(on);
    const before = await on.client.get(CONFIG_MAPS, 'a-0', on.namespace);
    await on.input('a', { x: '2' });
    await applied(on);
    const recreated = await on.client.get(CONFIG_MAPS, 'a-0', on.namespace);
    assert.notEqual(recreated?.metadata.uid, before?.metadata.uid);
    await on.remove('a-0');
    await applied(on);
    assert.deepEqual(await on.outputs(), ['a-0 ← a']);
  });

  test('inputs from the files: the plan shows what apply makes of them', async () => {
    const on = await stage(target);
    const metadata = { name: 'filed', namespace: on.namespace, labels: { app: 'thing' } };
    await on.project.write('input.json', { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { copies: '2' } });
    const { plan } = await on.plan();
    const planned = plan && changesOf(plan).flatMap(({ action, object }) => (action === 'create' ? object.name : []));
    assert.deepEqual(planned?.slice(-2), ['filed-0', 'filed-1']);
    await applied(on);
    assert.deepEqual(await on.outputs(), ['filed-0 ← filed', 'filed-1 ← filed']);
    assert.equal((await on.apply()).status, 'nothing');
  });

  test('two inputs with one output: both are named, and nothing is written', async () => {
    const on = await stage(target);
    await on.input('a', { as: 'same' });
    await applied(on);
    await on.input('b', { as: 'same', other: 'data' });
    const { status, diagnostics } = await on.apply();
    assert.equal(status, 'failed');
    assert.match(
      diagnostics[0]?.summary ?? '',
      /ConfigMap .*same is returned for 2 inputs: ConfigMap .*a, ConfigMap .*b/,
    );
    assert.deepEqual(await on.outputs(), ['same ← a']);
    assert.equal(await on.dataOf('same'), undefined);
  });

  test('finalize is asked about all outputs, and the parent goes when it is done', async () => {
    const finalize = `
      const outputs = Object.values(request.outputs['ConfigMap.v1']);
      return { outputs: outputs.slice(1), finalized: outputs.length === 0 };
    `;
    const on = await stage(target, { hooks: { finalize } });
    await on.input('a', { copies: '2' });
    await applied(on);
    const parent = await on.parent();
    assert.deepEqual(parent?.metadata.finalizers, ['metacontroller.io/mapcontroller-copier']);
    const { group, version } = { group: parent?.apiVersion.split('/')[0] ?? '', version: 'v1' };
    const type = { ...CONFIG_MAPS, group, version, kind: 'Thing', resource: 'things' };
    await rm(join(on.project.path, 'parent.json'));
    await on.asked();
    await on.client.write({ type, fieldManager: 'x', verb: 'delete', name: 'one', namespace: on.namespace });
    await applied(on);
    assert.equal(await on.parent(), undefined);
    assert.deepEqual(await on.outputs(), []);
    assert.ok((await on.asked()).every((line) => line === 'finalize'));
  });

  test('related objects are shown to every map hook', async () => {
    const customize = `return { relatedResources: [{ apiVersion: 'v1', resource: 'configmaps', names: ['settings'] }] };`;
    const map = `
      const settings = request.related['ConfigMap.v1'].settings?.data ?? {};
      const name = request.input.metadata.name + '-0';
      return { outputs: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: settings }] };
    `;
    const on = await stage(target, { hooks: { customize, map } });
    await on.input('a');
    await applied(on);
    assert.equal(await on.dataOf('a-0'), undefined);
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', namespace: on.namespace } };
    await on.client.write({
      type: CONFIG_MAPS,
      fieldManager: 'x',
      verb: 'create',
      object: { ...object, data: { colour: 'red' } },
    });
    await applied(on);
    assert.deepEqual(await on.dataOf('a-0'), { colour: 'red' });
  });
});
