import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../model/object.ts';
import { changesOfParent } from '../model/plan.ts';
import { FakeCache } from '../testing/fake-cache.ts';
import { FakeHooks } from '../testing/fake-hooks.ts';
import { nothingRelated } from '../testing/fake-related.ts';
import { FakeStore } from '../testing/fake-store.ts';
import {
  CONFIG_MAPS,
  configMap,
  ofWidgets,
  ownedMetadata,
  WIDGETS,
  widget,
  widgetController,
} from '../testing/objects.ts';
import { AnswerMemory, type Controller, reconcileParent } from './index.ts';

const controller: Controller = {
  ...ofWidgets(widgetController()),
  parentType: WIDGETS,
  childTypes: [CONFIG_MAPS],
  parentScope: { type: WIDGETS },
  childScopes: [{ type: CONFIG_MAPS }],
};

const answer = { children: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', labels: { app: 'w' } } }] };

/** What only server-side apply asks for. */
const noServerSide = {
  schemas: { schemaOf: async () => undefined },
  dryRuns: { ask: () => Promise.reject(new Error('nothing is tried')) },
};

function bench(objects: readonly KubeObject[] = []) {
  const hooks = new FakeHooks(() => answer);
  const cache = new FakeCache(objects);
  const memory = new AnswerMemory();
  const ports = { hooks, cache, related: nothingRelated, reader: new FakeStore(), ...noServerSide };
  const options = { foresee: false, signal: new AbortController().signal, memory };
  const run = (parent = widget(), given: Controller = controller) =>
    reconcileParent(given, { object: parent, live: true }, ports, options);
  return { hooks, cache, memory, run };
}

const outline = async (run: ReturnType<ReturnType<typeof bench>['run']>) =>
  changesOfParent((await run).plan).map(({ action, object }) => `${action} ${object.kind} ${object.name}`);

test('the view holds what the parent owns and orphans of its namespace, and the hook sees what is claimed', async () => {
  const own = configMap('own', {}, ownedMetadata('own'));
  const elsewhere = configMap('elsewhere', {}, { namespace: 'other', uid: 'e' });
  const { hooks, run } = bench([own, elsewhere]);
  assert.deepEqual(await outline(run()), ['delete ConfigMap own', 'create ConfigMap a', 'status Widget w']);
  const children = hooks.calls[0]?.request['children'] as Record<string, Record<string, unknown>>;
  assert.deepEqual(Object.keys(children['ConfigMap.v1'] ?? {}), ['own']);
});

test('a name that is taken is looked up in the cache, at no call to the server', async () => {
  const foreign = configMap('a', {}, { uid: 'f', labels: { app: 'other' } });
  const { run } = bench([foreign]);
  assert.deepEqual(await outline(run()), ['blocked ConfigMap a', 'status Widget w']);
});

test('the transcript holds every answer by the id of its need', async () => {
  const { transcript } = await bench().run();
  assert.deepEqual(
    [...transcript.values()].map(({ kind }) => kind),
    ['hook', 'lookup'],
  );
});

test('a hook whose request did not change is not called again; one whose request did is', async () => {
  const { hooks, run } = bench();
  await run();
  await run(widget({}, { resourceVersion: '11' }));
  assert.equal(hooks.count(), 1);
  await run(widget({ replicas: 2 }));
  assert.equal(hooks.count(), 2);
});

test('a failed answer is not kept', async () => {
  const { hooks, run } = bench();
  hooks.failNext('down');
  const { plan } = await run();
  assert.deepEqual([plan.result.kind, plan.diagnostics[0]?.code], ['retry', 'hook-failed']);
  await run();
  assert.equal(hooks.count(), 2);
});

test('a forgotten answer is asked for again: a resync is due', async () => {
  const { hooks, memory, run } = bench();
  const { plan } = await run();
  memory.forget(plan.controller, plan.parent);
  await run();
  assert.equal(hooks.count(), 2);
});

test('a resource that is not served yet has no objects: its CRD comes with this plan', async () => {
  const { run } = bench();
  const coming: Controller = { ...controller, childScopes: [undefined] };
  assert.deepEqual(await outline(run(widget(), coming)), ['create ConfigMap a', 'status Widget w']);
});
