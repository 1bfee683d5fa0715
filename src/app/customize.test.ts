// Related objects on both servers: what the hooks are shown, what makes them be asked again, how little is read for it, and
// rules that are wrong.

import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type ClusterClient, createClient } from '../cluster/index.ts';
import type { KubeObject, ObjectMeta } from '../model/object.ts';
import { changesOf } from '../model/plan.ts';
import { type CallCounter, callCounter } from '../testing/call-counter.ts';
import { HELD, startHeldApply } from '../testing/held-apply.ts';
import { CONFIG_MAPS, NAMESPACES } from '../testing/objects.ts';
import { PROJECT_KINDS, ProjectDirectory, type ProjectOptions } from '../testing/project-directory.ts';
import { forEachTarget, type TestTarget } from '../testing/targets.ts';
import { type UseCases, useCases } from '../testing/use-cases.ts';

// What it is shown goes into the config map "copy", as text: group → key=data.
const SYNC = `
  const seen = Object.fromEntries(Object.entries(request.related).map(([group, objects]) =>
    [group, Object.entries(objects).map(([key, object]) => key + '=' + Object.values(object.data ?? {}).join('+')).sort()]));
  const map = (name, data) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { app: 'thing' } }, data });
  return { status: {}, children: [map('copy', { seen: JSON.stringify(seen) }), map('${HELD}', {})] };`;

interface Stage extends UseCases {
  readonly project: ProjectDirectory;
  readonly client: ClusterClient;
  readonly namespace: string;
  readonly counter: CallCounter;
  put(name: string, data: Record<string, string>, metadata?: ObjectMeta): Promise<void>;
  /** What the hook was shown when it was asked last. */
  seen(): Promise<Record<string, string[]> | undefined>;
  customizeCalls(): Promise<number>;
}

interface StageOptions extends Partial<ProjectOptions> {
  readonly rules: readonly object[];
}

let stages = 0;

async function stage(target: TestTarget, { rules, ...options }: StageOptions): Promise<Stage> {
  const namespace = await target.namespace();
  const group = `customize-${++stages}-${target.kind}.example.com`;
  const base = { group, namespace, hook: SYNC, spec: { rules }, moreHooks: { customize: '' } };
  const project = await ProjectDirectory.create({ ...base, ...options });
  after(() => project.remove());
  const log = join(project.path, 'calls.log');
  const note = `process.getBuiltinModule('node:fs').appendFileSync(${JSON.stringify(log)}, '.');`;
  await project.hook(SYNC, { customize: `${note}\nreturn { relatedResources: request.parent.spec.rules };` });
  const kubeconfig = join(project.path, 'kubeconfig');
  const counter = await callCounter(target.transport, kubeconfig);
  after(() => counter.close());
  const client = createClient(target.transport);
  return {
    ...useCases({ cluster: { kubeconfig }, paths: [project.path], namespace }),
    project,
    client,
    namespace,
    counter,
    put: (name, data, metadata = {}) => put(client, { data, metadata: { namespace, ...metadata, name } }),
    seen: async () => {
      const copy = await client.get(CONFIG_MAPS, 'copy', namespace);
      return copy && JSON.parse(String((copy['data'] as Record<string, string>)['seen']));
    },
    customizeCalls: async () => {
      const calls = (await readFile(log, 'utf8').catch(() => '')).length;
      await rm(log, { force: true });
      return calls;
    },
  };
}

async function put(client: ClusterClient, { data, metadata }: { data: object; metadata: ObjectMeta }): Promise<void> {
  const write = { type: CONFIG_MAPS, fieldManager: 'someone' };
  const live = await client.get(CONFIG_MAPS, metadata.name ?? '', metadata.namespace);
  const object = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { ...live?.metadata, ...metadata },
    data,
  } as KubeObject;
  await client.write({ ...write, verb: live ? 'update' : 'create', object });
}

async function relabelNamespace(client: ClusterClient, name: string, labels: Record<string, string>): Promise<void> {
  const live = await client.get(NAMESPACES, name);
  assert.ok(live);
  const object = { ...live, metadata: { ...live.metadata, labels: { ...live.metadata.labels, ...labels } } };
  await client.write({ verb: 'update', type: NAMESPACES, fieldManager: 'someone', object });
}

const BY_NAME = { apiVersion: 'v1', resource: 'configmaps', names: ['source', 'missing'] };
const BY_LABEL = { apiVersion: 'v1', resource: 'configmaps', labelSelector: { matchLabels: { pick: 'me' } } };

for (const kind of PROJECT_KINDS)
  forEachTarget(`customize ${kind}`, (target) => {
    test('what is named or selected is shown; an empty kind is there; a second run has nothing to do', async () => {
      const none = { apiVersion: 'v1', resource: 'secrets', names: ['none'] };
      const { apply, put: store, seen, plan } = await stage(target, { kind, rules: [BY_NAME, BY_LABEL, none] });
      await store('source', { k: '1' });
      await store('picked', { k: '2' }, { labels: { pick: 'me' } });
      await store('other', { k: '3' });
      const outcome = await apply();
      assert.equal(outcome.status, 'settled', JSON.stringify(outcome.diagnostics));
      assert.deepEqual(await seen(), { 'ConfigMap.v1': ['picked=2', 'source=1'], 'Secret.v1': [] });
      assert.deepEqual(
        (await plan()).plan?.parents.flatMap(({ steps }) => steps),
        [],
      );
    });

    test('a plan shows the hook what the files bring; apply sees the same', async () => {
      const { project, plan, apply, namespace, seen } = await stage(target, { kind, rules: [BY_NAME] });
      const metadata = { name: 'source', namespace };
      await project.write('source.json', { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { k: 'from a file' } });
      const { plan: first } = await plan();
      const copy = changesOf(first ?? assert.fail()).find(({ object }) => object.name === 'copy')?.after;
      assert.deepEqual(copy?.['data'], { seen: '{"ConfigMap.v1":["source=from a file"]}' });
      assert.equal((await apply()).status, 'settled');
      assert.deepEqual(await seen(), { 'ConfigMap.v1': ['source=from a file'] });
    });

    test('a related object that comes, changes and goes; the customize hook is asked once', async () => {
      const {
        apply,
        client,
        namespace,
        put: store,
        seen,
        customizeCalls,
      } = await stage(target, { kind, rules: [BY_NAME] });
      const held = await startHeldApply(apply, client, namespace);
      const shows = (...want: string[]) =>
        held.until(want.join(), async () => String((await seen())?.['ConfigMap.v1']) === String(want));
      await shows();
      // The plan and the first real look.
      assert.equal(await customizeCalls(), 2);
      await store('source', { k: '1' });
      await shows('source=1');
      await store('source', { k: '2' });
      await shows('source=2');
      await client.write({ verb: 'delete', type: CONFIG_MAPS, fieldManager: 'someone', name: 'source', namespace });
      await shows();
      assert.equal((await held.release()).status, 'settled');
      assert.equal(await customizeCalls(), 0);
    });

    test('v2: other namespaces by their labels; a namespace that is labelled, and a new one', async () => {
      const mark = `customize-${target.kind}`;
      const rule = {
        apiVersion: 'v1',
        resource: 'configmaps',
        namespaceSelector: { matchLabels: { [mark]: 'yes' } },
        labelSelector: { matchLabels: { pick: 'me' } },
      };
      const { apply, client, namespace, seen } = await stage(target, { kind, rules: [rule], hookVersion: 'v2' });
      const [first, second] = [await target.namespace(), await target.namespace()];
      for (const place of [first, second])
        await put(client, { data: { k: 'x' }, metadata: { name: 'far', namespace: place, labels: { pick: 'me' } } });
      const held = await startHeldApply(apply, client, namespace);
      const shows = (...want: string[]) =>
        held.until(want.join(), async () => String((await seen())?.['ConfigMap.v1']) === String(want));
      await shows();
      await relabelNamespace(client, first, { [mark]: 'yes' });
      await shows(`${first}/far=x`);
      await relabelNamespace(client, second, { [mark]: 'yes' });
      await shows(...[`${first}/far=x`, `${second}/far=x`].sort());
      await relabelNamespace(client, first, { [mark]: 'no' });
      await shows(`${second}/far=x`);
      assert.equal((await held.release()).status, 'settled');
      await relabelNamespace(client, second, { [mark]: 'no' });
    });

    test('a parent that changes its labels is asked again which objects it looks at', async () => {
      const {
        apply,
        client,
        namespace,
        project,
        put: store,
        seen,
        customizeCalls,
      } = await stage(target, { kind, rules: [] });
      await project.hook(SYNC, {
        customize:
          'return { relatedResources: [{ apiVersion: "v1", resource: "configmaps", names: [request.parent.metadata.labels?.look ?? "nothing"] }] };',
      });
      await store('here', { k: '1' });
      const held = await startHeldApply(apply, client, namespace);
      await held.until('nothing', async () => (await seen())?.['ConfigMap.v1']?.length === 0);
      const group = `customize-${stages}-${target.kind}.example.com`;
      const type = { ...CONFIG_MAPS, group, version: 'v1', kind: 'Thing', resource: 'things' };
      await client.write({
        ...{ verb: 'patch', contentType: 'application/merge-patch+json', fieldManager: 'someone' },
        ...{ type, name: 'one', namespace, patch: { metadata: { labels: { look: 'here' } } } },
      });
      await held.until('here', async () => String((await seen())?.['ConfigMap.v1']) === 'here=1');
      assert.equal((await held.release()).status, 'settled');
      assert.equal(await customizeCalls(), 0);
    });

    test('named Secrets are read by name: never a list of all', async () => {
      const rules = [{ apiVersion: 'v1', resource: 'secrets', names: ['a', 'b'] }];
      const { apply, counter, namespace, client, seen } = await stage(target, { kind, rules });
      const type = { ...CONFIG_MAPS, kind: 'Secret', resource: 'secrets' };
      const data = { k: Buffer.from('sesame').toString('base64') };
      const object: KubeObject = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a', namespace }, data };
      await client.write({ verb: 'create', type, fieldManager: 'someone', object });
      const { status, plan } = await apply();
      assert.equal(status, 'settled');
      assert.deepEqual(await seen(), { 'Secret.v1': [`a=${data.k}`] });
      assert.deepEqual(
        plan?.secrets?.map(({ metadata }) => metadata.name),
        ['a'],
      );
      const calls = Object.entries(counter.take()).filter(([name]) => name.includes('secrets'));
      assert.deepEqual(calls, [['watch secrets', 2]]);
    });
  });
