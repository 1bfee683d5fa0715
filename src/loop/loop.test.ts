// The loop without an end, on a clock that the test moves: when parents are looked at, and when their hooks are asked.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { KubeObject } from '../model/object.ts';
import { type LoopBench, loopBench, webhookController } from '../testing/loop-bench.ts';
import { CONFIG_MAPS, configMap, WIDGETS, widget } from '../testing/objects.ts';
import type { RoundReport } from './loop.ts';

const named = (name: string): KubeObject => widget({}, { name, uid: name });

const bench = (parents: readonly KubeObject[], workers?: { each: number; all: number }): LoopBench =>
  loopBench(
    parents.map((parent) => ({ ...parent, status: { observedGeneration: 1 } })),
    workers,
  );

/** The hook's answer leaves the world as it is. */
const content = { status: {}, children: [] };

test('nothing moves: no round, no call; an event that changes nothing of the request calls no hook', async () => {
  const { cache, hooks, loop, rounds, turns, pass, stop } = bench([named('a'), named('b')]);
  hooks.says = content;
  loop.add(webhookController());
  await turns();
  const calls = hooks.calls.length;
  await pass(600_000, 60_000);
  assert.equal(hooks.calls.length, calls);
  const before = rounds.length;
  const [parent] = cache.objects;
  cache.tell({ type: WIDGETS, before: parent, after: parent });
  await turns();
  assert.deepEqual([rounds.length - before, hooks.calls.length - calls], [1, 0]);
  assert.equal(await stop(), 'ended');
});

test('a hook that is down is asked ever more slowly, and for ever; an answer forgets that', async () => {
  const { hooks, loop, pass, turns, stop } = bench([named('a')]);
  hooks.down = true;
  loop.add(webhookController());
  await turns();
  const counts: number[] = [];
  for (const ms of [500, 1_000, 2_000, 4_000]) {
    await pass(ms);
    counts.push(hooks.calls.length);
  }
  assert.deepEqual(counts, [2, 3, 4, 5]);
  await pass(3_600_000, 1_000);
  const inAnHour = hooks.calls.length;
  assert.ok(inAnHour > 12 && inAnHour < 200, `${inAnHour} calls in an hour`);
  hooks.down = false;
  hooks.says = content;
  await pass(300_000, 1_000);
  assert.deepEqual(
    [...loop.standings.values()].map(({ failures }) => failures),
    [0],
  );
  await stop();
});

test('resyncAfterSeconds and the period call the hook although nothing changed', async () => {
  for (const [more, says] of [
    [{}, { ...content, resyncAfterSeconds: 20 }],
    [{ resyncPeriodSeconds: 20 }, content],
  ] as const) {
    const { hooks, loop, pass, turns, stop } = bench([named('a')]);
    hooks.says = says;
    loop.add(webhookController(more));
    await turns();
    const before = hooks.calls.length;
    await pass(100_000, 1_000);
    assert.equal(hooks.calls.length - before, 5);
    await stop();
  }
});

test('controllers come and go: one that went is asked no more, whatever its parents do', async () => {
  const { cache, hooks, loop, turns, stop } = bench([named('a')]);
  hooks.says = content;
  loop.add(webhookController());
  loop.add(webhookController({ name: 'other' }));
  await turns();
  assert.deepEqual([...new Set(hooks.calls)].sort(), ['other a', 'widgets a']);
  await loop.remove('CompositeController/widgets');
  hooks.calls.length = 0;
  const changed = {
    ...named('a'),
    spec: { ...(named('a')['spec'] as object), changed: true },
    status: { observedGeneration: 1 },
  };
  const [before] = cache.objects;
  cache.objects = [changed];
  cache.tell({ type: WIDGETS, before, after: changed });
  await turns();
  assert.deepEqual([...new Set(hooks.calls)], ['other a']);
  assert.equal(loop.standings.size, 1);
  await stop();
});

/** As `node --expose-gc` has it, for this file alone. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

test('a parent that has gone leaves nothing behind, also when its children go after it', async () => {
  const { cache, hooks, loop, turns, stop } = bench([named('a')]);
  hooks.says = content;
  loop.add(webhookController());
  await turns();
  const [parent] = cache.objects;
  cache.objects = [];
  cache.tell({ type: WIDGETS, before: parent, after: undefined });
  await turns();
  const owner = { apiVersion: 'example.com/v1', kind: 'Widget', name: 'a', uid: 'a', controller: true };
  const child = new WeakRef(configMap('gone', {}, { uid: 'gone', ownerReferences: [owner] }));
  cache.tell({ type: CONFIG_MAPS, before: child.deref(), after: undefined });
  await turns();
  collectGarbage();
  assert.equal(child.deref(), undefined);
  await stop();
});

test('a slow hook holds up no other controller, and no parent is in work twice', async () => {
  const { cache, hooks, loop, turns, stop } = bench(['a', 'b', 'c', 'd'].map(named), { each: 2, all: 10 });
  const let_ = Promise.withResolvers<void>();
  hooks.says = content;
  hooks.held = let_.promise;
  loop.add(webhookController());
  await turns();
  const [parent] = cache.objects;
  cache.tell({ type: WIDGETS, before: parent, after: parent });
  await turns();
  assert.deepEqual(hooks.calls, ['widgets a', 'widgets b']);
  hooks.held = undefined;
  loop.add(webhookController({ name: 'other' }));
  await turns();
  assert.deepEqual(new Set(hooks.calls.filter((call) => call.startsWith('other'))).size, 4);
  assert.deepEqual(loop.loads().get('CompositeController/widgets')?.running, 2);
  let_.resolve();
  await turns();
  assert.ok(hooks.calls.includes('widgets d'));
  await stop();
});

test('stopped: what is under way ends, nothing else begins', async () => {
  const { hooks, loop, turns, stop } = bench(['a', 'b', 'c'].map(named), { each: 1, all: 1 });
  const let_ = Promise.withResolvers<void>();
  hooks.says = content;
  hooks.held = let_.promise;
  loop.add(webhookController());
  await turns();
  const ended = stop();
  await turns();
  assert.equal(loop.running, 1);
  let_.resolve();
  assert.equal(await ended, 'ended');
  assert.deepEqual(hooks.calls, ['widgets a']);
});

test('a resync of all asks every hook once more', async () => {
  const { hooks, loop, turns, stop } = bench(['a', 'b', 'c'].map(named));
  hooks.says = content;
  loop.add(webhookController());
  await turns();
  hooks.calls.length = 0;
  loop.resync();
  await turns();
  assert.deepEqual(hooks.calls.sort(), ['widgets a', 'widgets b', 'widgets c']);
  await stop();
});

for (const [what, status, first] of [
  ['up to date with the parent', { observedGeneration: 1, seen: 1 }, ['create']],
  ['of another generation', { observedGeneration: 0 }, ['create', 'status']],
  ['not there yet', undefined, ['create', 'status']],
] as const)
  test(`a status that is ${what} ${first.length === 1 ? 'waits for the children, once' : 'is written with the children'}`, async () => {
    const { cache, hooks, loop, rounds, turns, stop } = bench([named('a')]);
    const [{ status: _none, ...parent } = named('a')] = cache.objects;
    cache.objects = [{ ...parent, ...(status ? { status } : {}) } as KubeObject];
    hooks.says = { status: { seen: 0 }, children: [configMap('x')] };
    loop.add(webhookController());
    await turns();
    const written = ({ applied }: RoundReport): string[] =>
      applied.map(({ change }) => change.subresource ?? change.action);
    assert.deepEqual(written(rounds[0] as RoundReport), first);
    assert.ok(
      rounds.slice(0, 2).some((round) => written(round).includes('status')),
      'not twice in a row',
    );
    await stop();
  });
