import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLimiter } from '../kit/concurrency.ts';
import type { KubeObject } from '../model/object.ts';
import type { ParentPlan, Step } from '../model/plan.ts';
import { planParent } from '../plan/index.ts';
import { ConnectionError } from '../ports/errors.ts';
import { FakeStore, fail } from '../testing/fake-store.ts';
import {
  CONFIG_MAPS,
  configMap,
  ofWidgets,
  ownedMetadata,
  WIDGETS,
  widget,
  widgetController,
} from '../testing/objects.ts';
import { executeStep } from './execute.ts';

/** Plans the answer over what the store holds, as apply would. */
function planOver(store: FakeStore, children: readonly KubeObject[]): ParentPlan {
  const parent = [...store.objects.values()].find(({ kind }) => kind === 'Widget') ?? widget();
  const objects = [...store.objects.values()].filter(({ kind }) => kind === 'ConfigMap');
  const view = { parent, parentType: WIDGETS, parentLive: true, children: [{ type: CONFIG_MAPS, objects }] };
  const answers = new Map();
  for (;;) {
    const step = planParent(ofWidgets(widgetController()), view, answers, { foresee: false });
    if (step.kind === 'plan') return step.plan;
    for (const need of step.needs)
      answers.set(
        need.id,
        need.kind === 'hook'
          ? { kind: 'hook', id: need.id, ok: true, body: { children, status: { seen: true } } }
          : { kind: 'lookup', id: need.id, objects: [] },
      );
  }
}

function world(...objects: KubeObject[]): FakeStore {
  const store = new FakeStore();
  store.put(widget());
  for (const object of objects) store.put(object);
  return store;
}

const owned = (name: string, data: Record<string, string>): KubeObject =>
  configMap(name, data, { ...ownedMetadata(name), labels: { app: 'w' } });

async function execute(store: FakeStore, plan: ParentPlan, signal = new AbortController().signal) {
  const ports = { reader: store, writer: store, cache: { record: () => undefined } };
  const options = { limit: createLimiter(4), signal, onProgress: () => undefined };
  const applied = await Promise.all(plan.steps.map((step: Step) => executeStep(step, ports, options)));
  return applied.flat().map(({ change, outcome }) => `${change.action} ${change.object.name}: ${outcome.kind}`);
}

test('what the plan says is what is sent', async () => {
  const store = world(owned('old', {}), owned('kept', { k: '1' }));
  const plan = planOver(store, [configMap('kept', { k: '2' }), configMap('new')]);
  assert.deepEqual(await execute(store, plan), [
    'delete old: done',
    'update kept: done',
    'create new: done',
    'status w: done',
  ]);
  assert.deepEqual(
    store.writes.map(({ verb }) => verb),
    ['delete', 'update', 'create', 'update'],
  );
  assert.equal((await store.get(CONFIG_MAPS, 'kept', 'default'))?.['data']?.['k' as never], '2');
});

test('an edit of another field between plan and write is kept: the intent is rebased', async () => {
  const store = world(owned('a', { k: '1' }));
  const plan = planOver(store, [configMap('a', { k: '2' })]);
  store.put(owned('a', { k: '1', foreign: 'x' }));
  assert.deepEqual(await execute(store, plan), ['update a: done', 'status w: done']);
  assert.deepEqual((await store.get(CONFIG_MAPS, 'a', 'default'))?.['data'], { k: '2', foreign: 'x' });
});

test('a rebase that would touch what the plan does not show is stale, and nothing is written', async () => {
  const store = world(owned('a', { k: '1', l: '1' }));
  const plan = planOver(store, [configMap('a', { k: '2', l: '1' })]);
  store.put(owned('a', { k: '1', l: 'edited' }));
  assert.deepEqual(await execute(store, plan), ['update a: stale', 'status w: done']);
  assert.deepEqual((await store.get(CONFIG_MAPS, 'a', 'default'))?.['data'], { k: '1', l: 'edited' });
});

test('somebody did it already: nothing needs to be sent again', async () => {
  const store = world(owned('a', { k: '1' }));
  const plan = planOver(store, [configMap('a', { k: '2' })]);
  const wanted = plan.steps[0]?.waves[0]?.changes[0]?.after;
  assert.ok(wanted);
  store.put(wanted);
  assert.deepEqual(await execute(store, plan), ['update a: unneeded', 'status w: done']);
});

const races: readonly [string, (store: FakeStore) => void, string][] = [
  ['replaced by another object of the name', (s) => s.put(configMap('a', {}, { uid: 'other' })), 'update a: stale'],
  ['gone', (s) => s.objects.delete('ConfigMap./default/a'), 'update a: stale'],
];
for (const [what, race, want] of races)
  test(`an object ${what} is not written`, async () => {
    const store = world(owned('a', { k: '1' }));
    const plan = planOver(store, [configMap('a', { k: '2' })]);
    race(store);
    assert.equal((await execute(store, plan))[0], want);
  });

test('a delete of something that is gone is no error; of something that changed, stale', async () => {
  const store = world(owned('a', {}), owned('b', {}));
  const plan = planOver(store, []);
  store.objects.delete('ConfigMap./default/a');
  store.put(owned('b', { k: 'new' }));
  assert.deepEqual(await execute(store, plan), ['delete a: unneeded', 'delete b: stale', 'status w: done']);
});

test('an adoption needs the live parent, same UID, not deleting', async () => {
  const orphan = configMap('a', {}, { uid: 'u' });
  for (const [parent, want] of [
    [widget(), 'adopt a: done'],
    [widget({}, { uid: 'another' }), 'adopt a: stale'],
    [widget({}, { deletionTimestamp: '2026-01-01T00:00:00Z' }), 'adopt a: stale'],
  ] as const) {
    const store = world(orphan);
    const plan = planOver(store, []);
    store.put(parent);
    assert.deepEqual(await execute(store, plan), [want]);
  }
});

test('a child that fails does not stop its siblings, and the status is still written', async () => {
  const store = world();
  const plan = planOver(store, [configMap('bad'), configMap('good')]);
  store.onWrite = (request) => {
    if (request.verb === 'create' && request.object.metadata.name === 'bad') fail(422, 'Invalid', 'no good');
  };
  assert.deepEqual(await execute(store, plan), ['create bad: failed', 'create good: done', 'status w: done']);
});

test('a lost connection is a failure that may be tried again; a defect of ours is thrown', async () => {
  const store = world();
  const plan = planOver(store, [configMap('a')]);
  store.onWrite = () => {
    throw new ConnectionError('reset', 'POST /x');
  };
  assert.deepEqual(await execute(store, plan), ['create a: failed', 'status w: failed']);
  store.onWrite = () => {
    throw new TypeError('ours');
  };
  await assert.rejects(execute(store, plan), TypeError);
});

test('interrupted: what was not begun is not tried', async () => {
  const store = world();
  const abort = new AbortController();
  const plan = planOver(store, [configMap('a')]);
  store.onWrite = () => abort.abort();
  assert.deepEqual(await execute(store, plan, abort.signal), ['create a: done', 'status w: not-tried']);
});

test('within a wave a change waits for those that it depends on, and is not tried when they did not go through', async () => {
  const store = world();
  const plan = planOver(store, [configMap('a'), configMap('b'), configMap('c')]);
  const steps = plan.steps.map((step) => ({ ...step, waves: step.waves.map(hangOnFirst) }));
  store.onWrite = (request) => {
    if (request.verb === 'create' && request.object.metadata.name === 'a') fail(422, 'Invalid', 'no good');
  };
  const failed = ['create a: failed', 'create b: not-tried', 'create c: not-tried', 'status w: done'];
  assert.deepEqual(await execute(store, { ...plan, steps }), failed);
  const other = world();
  assert.deepEqual((await execute(other, { ...plan, steps })).slice(0, 2), ['create a: done', 'create b: done']);
});

/** All but the first depend on it. */
function hangOnFirst(wave: Step['waves'][number]): Step['waves'][number] {
  const [first, ...rest] = wave.changes;
  if (!first) return wave;
  return { ...wave, changes: [first, ...rest.map((change) => ({ ...change, dependsOn: [first.id] }))] };
}
