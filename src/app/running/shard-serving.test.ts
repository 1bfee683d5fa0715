// When the parents of a shard are looked at, and what of it is in the caches: in the order of events.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../model/object.ts';
import { cacheBench, listOf, object, PATH } from '../../testing/cache-bench.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { FakeStream, FakeTransport, turn } from '../../testing/fake-transport.ts';
import { CONFIG_MAPS } from '../../testing/objects.ts';
import { ShardServing } from './shard-serving.ts';

/** A parent of the shard. */
function parentIn(serving: ShardServing, shard: number): KubeObject {
  for (let index = 0; ; index++) {
    const found = { apiVersion: 'x/v1', kind: 'X', metadata: { name: 'x', namespace: `team-${index}` } };
    if (serving.shardOf(found) === shard) return found;
  }
}

function bench(shards = 4) {
  const clock = new FakeClock();
  const said: string[] = [];
  const fills = new Map<string, PromiseWithResolvers<void>>();
  /** Rounds that are under way. */
  const rounds = Promise.withResolvers<void>();
  const busy = { rounds: false };
  const serving = new ShardServing(shards);
  serving.attach({
    clock,
    drainMs: 20_000,
    cache: {
      refill: (definition) => {
        said.push(`fill ${definition}`);
        const fill = Promise.withResolvers<void>();
        fills.set(definition, fill);
        return fill.promise;
      },
      shed: () => void said.push('caches shed'),
    },
    loop: {
      lookForParents: (definition) => void said.push(`look ${definition}`),
      shed: () => {
        said.push('loop shed');
        return busy.rounds ? rounds.promise : Promise.resolve();
      },
    },
    onCrash: (error) => assert.fail(String(error)),
  });
  const parent = (shard: number): KubeObject => parentIn(serving, shard);
  const served = (definition: string): number[] =>
    [0, 1, 2, 3].filter((shard) => serving.serves(parent(shard), definition));
  const kept = (): number[] => [0, 1, 2, 3].filter((shard) => serving.keeps(parent(shard)));
  const filled = async (definition: string): Promise<void> => {
    fills.get(definition)?.resolve();
    await turn();
  };
  return { serving, clock, said, rounds, busy, parent, served, kept, filled };
}

test('what is there when the caches are opened is served at once; what comes later when it is filled, each on its own', async () => {
  const { serving, served, kept, filled, said } = bench();
  serving.onGained([0]);
  await serving.first;
  for (const definition of ['a', 'b']) {
    serving.opening(definition);
    serving.opened(definition);
  }
  assert.deepEqual([served('a'), said], [[0], []]);
  serving.onGained([1, 2]);
  assert.deepEqual([served('a'), kept()], [[0], [0, 1, 2]]);
  await filled('b');
  assert.deepEqual([served('a'), served('b'), said], [[0], [0, 1, 2], ['fill a', 'fill b', 'look b']]);
  await filled('a');
  assert.deepEqual(served('a'), [0, 1, 2]);
});

test('a shard that comes while caches are opened is filled when they are', async () => {
  const { serving, served, filled, said } = bench();
  serving.onGained([0]);
  serving.opening('a');
  serving.onGained([1]);
  assert.deepEqual(said, []);
  serving.opened('a');
  assert.deepEqual([served('a'), said], [[0], ['fill a']]);
  await filled('a');
  assert.deepEqual(served('a'), [0, 1]);
});

test('caches that are opened while a shard is being filled for another controller wait for it, too', async () => {
  const { serving, served, filled } = bench();
  serving.opening('a');
  serving.opened('a');
  serving.onGained([0]);
  serving.opening('b');
  serving.opened('b');
  assert.deepEqual(served('b'), []);
  await filled('b');
  assert.deepEqual([served('a'), served('b')], [[], [0]]);
});

test('caches that are opened beside others that are being opened: a shard that came between is filled first', async () => {
  const { serving, served, filled } = bench();
  serving.onGained([0]);
  serving.opening('a');
  serving.onGained([1]);
  serving.opening('b');
  serving.opened('b');
  assert.deepEqual(served('b'), [0]);
  await filled('b');
  assert.deepEqual([served('a'), served('b')], [[0], [0, 1]]);
});

test('what is served of a shard is whole, also of lists that were under way for another controller when it came', async () => {
  const serving = new ShardServing(2);
  const parents = [parentIn(serving, 0), parentIn(serving, 1)];
  const children = parents.map(({ metadata: { namespace } }, shard) => object('child', shard + 1, { namespace }));
  const transport = new FakeTransport().answer(`GET ${PATH}`, listOf(5, ...children));
  const { cache, clock } = cacheBench(
    transport.answer(`WATCH ${PATH}`, () => ({ stream: new FakeStream() })),
    { keeps: serving.keeps },
  );
  const looked: string[] = [];
  const loop = { lookForParents: (definition: string) => void looked.push(definition), shed: async () => undefined };
  serving.attach({ cache, loop, clock, drainMs: 20_000, onCrash: (error) => assert.fail(String(error)) });
  const scope = { type: CONFIG_MAPS, sharded: true } as const;
  const seenBy = (definition: string) =>
    parents.map((parent) => serving.serves(parent, definition) && cache.list(scope, parent.metadata.namespace).length);
  serving.onGained([0]);
  serving.opening('a');
  await cache.ensure(scope, 'a');
  serving.onGained([1]);
  serving.opening('b');
  await cache.ensure(scope, 'b');
  serving.opened('b');
  assert.deepEqual(seenBy('b'), [1, false]);
  while (looked.length === 0) await turn();
  assert.deepEqual(seenBy('b'), [1, 1]);
});

test('given up: left alone at once, out of the caches when its rounds have ended', async () => {
  const { serving, served, kept, busy, rounds, parent } = bench();
  serving.onGained([0, 1]);
  serving.opening('a');
  serving.opened('a');
  const permit = serving.permitFor(parent(0));
  busy.rounds = true;
  const gone = serving.onLeaving(0);
  await turn();
  assert.deepEqual([served('a'), kept(), permit()], [[1], [0, 1], true]);
  rounds.resolve();
  await gone;
  assert.deepEqual([kept(), permit()], [[1], false]);
});

test('given up while it is filled, beside one whose rounds go on: that fill does not count, nor when it comes back', async () => {
  const { serving, served, busy, rounds, filled } = bench();
  serving.onGained([0]);
  serving.opening('a');
  serving.opened('a');
  serving.onGained([1]);
  busy.rounds = true;
  const gone = [serving.onLeaving(0), serving.onLeaving(1)];
  await filled('a');
  assert.deepEqual(served('a'), []);
  rounds.resolve();
  await Promise.all(gone);
  serving.onGained([1]);
  assert.deepEqual(served('a'), []);
  await filled('a');
  assert.deepEqual(served('a'), [1]);
});

test('given up while a controller starts: that one leaves it alone, too, and when it comes back waits until it is filled', async () => {
  const { serving, served, said, busy, rounds, filled } = bench();
  serving.onGained([0, 1]);
  busy.rounds = true;
  const gone = serving.onLeaving(1);
  serving.opening('a');
  serving.opened('a');
  assert.deepEqual([served('a'), said], [[0], ['loop shed']], 'and nothing is filled for it');
  rounds.resolve();
  await gone;
  serving.onGained([1]);
  assert.deepEqual(served('a'), [0]);
  await filled('a');
  assert.deepEqual(served('a'), [0, 1]);
});

test('lost while it is given up, and back before that has ended: it stays', async () => {
  const { serving, served, kept, busy, rounds, filled } = bench();
  serving.onGained([0]);
  serving.opening('a');
  serving.opened('a');
  busy.rounds = true;
  const gone = serving.onLeaving(0);
  void serving.onLost(0);
  serving.onGained([0]);
  await filled('a');
  rounds.resolve();
  await gone;
  assert.deepEqual([served('a'), kept()], [[0], [0]]);
});

test('given up, and a round that does not end: not waited for longer than it may take', async () => {
  const { serving, clock, kept, busy } = bench();
  serving.onGained([0]);
  busy.rounds = true;
  const gone = serving.onLeaving(0);
  await clock.advanceAsync(20_000, 1_000);
  await gone;
  assert.deepEqual(kept(), []);
});

test('lost: out of everything at once; a round that goes on can not write, even when the shard has come back', async () => {
  const { serving, served, kept, busy, filled, parent } = bench();
  serving.onGained([0]);
  serving.opening('a');
  serving.opened('a');
  const permit = serving.permitFor(parent(0));
  busy.rounds = true;
  void serving.onLost(0);
  assert.deepEqual([served('a'), kept(), permit()], [[], [], false]);
  serving.onGained([0]);
  await filled('a');
  assert.deepEqual([served('a'), permit(), serving.permitFor(parent(0))()], [[0], false, true]);
});

test('lost while it is filled, and back: only the fill of the second time counts', async () => {
  const { serving, served, said, filled } = bench();
  serving.opening('a');
  serving.opened('a');
  serving.onGained([0]);
  void serving.onLost(0);
  await filled('a');
  assert.deepEqual(served('a'), []);
  serving.onGained([0]);
  await filled('a');
  assert.deepEqual(served('a'), [0]);
  assert.equal(said.filter((line) => line === 'fill a').length, 2);
});

test('a controller that has gone, or was started anew, is not served by a fill of before', async () => {
  const { serving, served, filled, said } = bench();
  serving.opening('a');
  serving.opened('a');
  serving.onGained([0]);
  serving.closed('a');
  await filled('a');
  assert.deepEqual([served('a'), said.includes('look a')], [[], false]);
});
