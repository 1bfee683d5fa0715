// Tables for what is easily said, and random histories (the seed is printed where one fails) for what must always hold.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withSeeds } from '../../testing/random-json.ts';
import { assignShards } from './assignment.ts';
import { shardOf } from './shard-of.ts';

/** "a a b": the holders of shards 0, 1 and 2; "-": nobody. */
const holdersOf = (text: string): ReadonlyMap<number, string> =>
  new Map(text.split(' ').flatMap((replica, shard) => (replica === '-' ? [] : [[shard, replica] as const])));

/** How many each has, the most first: which of two equals gets the odd one is the hashing's affair. */
function sizes(assigned: ReadonlyMap<number, string>): string {
  const each = new Map<string, number>();
  for (const replica of assigned.values()) each.set(replica, (each.get(replica) ?? 0) + 1);
  return [...each.values()].sort((a, b) => b - a).join(' ');
}

const ASSIGNED: readonly { reason: string; alive: string; holders: string; want: string; moved: number }[] = [
  { reason: 'one replica has all', alive: 'a', holders: '- - - -', want: '4', moved: 0 },
  { reason: 'what is held stays', alive: 'a b', holders: 'a b a b', want: '2 2', moved: 0 },
  { reason: 'a new one gets its share, and no more moves', alive: 'a b', holders: 'a a a a', want: '2 2', moved: 2 },
  {
    reason: 'a third takes from those who have too many',
    alive: 'a b c',
    holders: 'a b a b a b',
    want: '2 2 2',
    moved: 2,
  },
  { reason: 'four for three: nobody goes without', alive: 'a b c', holders: 'a a b b', want: '2 1 1', moved: 1 },
  {
    reason: "a dead one's are shared out, the others keep theirs",
    alive: 'a c',
    holders: 'a b c a b c',
    want: '3 3',
    moved: 2,
  },
  { reason: 'more replicas than shards', alive: 'a b c', holders: 'a a', want: '1 1', moved: 1 },
  { reason: 'a holder of a number that is none counts for nothing', alive: 'a', holders: '- - b', want: '3', moved: 1 },
];

for (const { reason, alive, holders, want, moved } of ASSIGNED)
  test(`assignment: ${reason}`, () => {
    const before = holdersOf(holders);
    const shards = holders.split(' ').length;
    const assigned = assignShards({ shards, replicas: alive.split(' '), holders: before });
    assert.equal(sizes(assigned), want);
    assert.equal([...before].filter(([shard, replica]) => assigned.get(shard) !== replica).length, moved);
  });

test('nobody alive: nothing is assigned', () => {
  assert.equal(assignShards({ shards: 3, replicas: [], holders: holdersOf('a b c') }).size, 0);
});

test('replicas come and go at random: balanced, all see the same, and only what must moves', () => {
  withSeeds(1, 300, (random) => {
    const shards = 1 + Math.floor(random() * 64);
    let holders: ReadonlyMap<number, string> = new Map();
    const alive = new Set<string>();
    for (let step = 0; step < 20; step++) {
      const one = `replica-${Math.floor(random() * 8)}`;
      if (!alive.delete(one)) alive.add(one);
      if (alive.size === 0) continue;
      const replicas = [...alive];
      const assigned = assignShards({ shards, replicas, holders });
      assert.deepEqual(
        assignShards({ shards, replicas: replicas.reverse(), holders: new Map([...holders].reverse()) }),
        assigned,
      );
      assert.equal(assigned.size, shards);
      const each = replicas.map((replica) => [...assigned.values()].filter((holder) => holder === replica).length);
      assert.ok(Math.max(...each) - Math.min(...each) <= 1, `${each}`);
      assert.ok(Math.max(...each) <= Math.ceil(shards / alive.size));
      const held = replicas.map((replica) => [...holders.values()].filter((holder) => holder === replica).length);
      const surplus = held.reduce((sum, count) => sum + Math.max(0, count - Math.floor(shards / alive.size)), 0);
      const moved = [...holders].filter(([shard, replica]) => alive.has(replica) && assigned.get(shard) !== replica);
      assert.ok(moved.length <= surplus, `${moved.length} moved`);
      holders = assigned;
    }
  });
});

test('a namespace is in one shard with all that is in it, and with the Namespace itself', () => {
  for (const shards of [1, 2, 7, 64]) {
    const shard = shardOf({ namespace: 'team-a', name: 'x' }, shards);
    assert.ok(shard >= 0 && shard < shards);
    assert.equal(shardOf({ namespace: 'team-a', name: 'y' }, shards), shard);
    assert.equal(shardOf({ name: 'team-a' }, shards), shard);
    assert.equal(shardOf({ namespace: '', name: 'team-a' }, shards), shard);
  }
});

test('the scheme is what it was: replicas of all versions agree', () => {
  const names = ['', 'default', 'kube-system', 'team-1', 'team-2', 'ä'];
  assert.deepEqual(
    names.map((name) => shardOf({ name }, 1_000)),
    [923, 652, 651, 289, 162, 704],
  );
});

test('ten thousand namespaces in sixteen shards: each within a tenth of its share', () => {
  const sizesOf = new Array<number>(16).fill(0);
  for (let index = 0; index < 10_000; index++) {
    const shard = shardOf({ namespace: `team-${index}`, name: 'x' }, 16);
    sizesOf[shard] = (sizesOf[shard] ?? 0) + 1;
  }
  for (const size of sizesOf) assert.ok(Math.abs(size - 625) < 100, `${sizesOf}`);
});
