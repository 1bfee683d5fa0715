// Sharding by pure functions and by a clock that is moved: a million keys into shards, shards to replicas that come and go,
// and how long the shards of a dead replica have nobody. No server, no cluster, a seed.

import { assignShards } from '../src/daemon/shards/assignment.ts';
import { ShardGroup } from '../src/daemon/shards/shard-group.ts';
import { shardOf } from '../src/daemon/shards/shard-of.ts';
import { FakeClock } from '../src/testing/fake-clock.ts';
import { FakeLeases } from '../src/testing/fake-leases.ts';
import { FakeLog } from '../src/testing/fake-log.ts';
import { randomFrom } from '../src/testing/random-json.ts';

export const KEYS = 1_000_000;

export interface Population {
  readonly name: string;
  /** Keys of one namespace, or of one cluster-scoped name, each: they stay together. */
  readonly groups: readonly number[];
}

/** The largest namespace of the skewed one has a tenth of all keys: no assignment of whole namespaces can make that even. */
export function populations(): readonly Population[] {
  const spaces = 10_000;
  const harmonic = Array.from({ length: spaces }, (_, rank) => 1 / (rank + 1));
  const whole = harmonic.reduce((sum, weight) => sum + weight, 0);
  return [
    { name: '10,000 namespaces of 100', groups: new Array<number>(spaces).fill(KEYS / spaces) },
    {
      name: '10,000 namespaces, the r-th as large as 1/r',
      groups: harmonic.map((one) => Math.round((one / whole) * KEYS)),
    },
    { name: 'cluster-scoped', groups: new Array<number>(KEYS).fill(1) },
  ];
}

/** Keys in each shard. */
export function sizesOf({ groups }: Population, shards: number): readonly number[] {
  const sizes = new Array<number>(shards).fill(0);
  for (const [index, count] of groups.entries()) {
    const shard = shardOf({ name: `team-${index}` }, shards);
    sizes[shard] = (sizes[shard] ?? 0) + count;
  }
  return sizes;
}

export interface Step {
  readonly what: string;
  /** Of all keys, whose replica was alive before and after, and is another one. */
  readonly movedOfLiving: number;
  /** Of all keys, whose replica is another one. */
  readonly moved: number;
  /** The largest replica's keys over the mean. */
  readonly largest: number;
}

const NAMES = ['replica-a', 'replica-b', 'replica-c', 'replica-d', 'replica-e'];

/** Replicas come one after the other, and go again. */
export function comingsAndGoings(sizes: readonly number[]): readonly Step[] {
  let holders: ReadonlyMap<number, string> = new Map();
  const alive: string[] = [];
  const step = (what: string): Step => {
    const assigned = assignShards({ shards: sizes.length, replicas: alive, holders });
    const changed = [...assigned].filter(([shard, replica]) => holders.get(shard) !== replica);
    const living = changed.filter(([shard]) => alive.includes(holders.get(shard) ?? ''));
    const keysOf = (entries: readonly (readonly [number, string])[]): number =>
      entries.reduce((sum, [shard]) => sum + (sizes[shard] ?? 0), 0) / KEYS;
    const each = alive.map((one) => keysOf([...assigned].filter(([, replica]) => replica === one)));
    holders = assigned;
    return { what, moved: keysOf(changed), movedOfLiving: keysOf(living), largest: Math.max(...each) * alive.length };
  };
  const steps = NAMES.map((name, index) => {
    alive.push(name);
    return step(index === 0 ? 'the first' : `${index} → ${index + 1}`);
  });
  for (const name of ['replica-b', 'replica-d']) {
    const before = alive.length;
    alive.splice(alive.indexOf(name), 1);
    steps.push(step(`${before} → ${before - 1}`));
  }
  return steps.slice(1);
}

/** Seconds for which shards have nobody, over many runs: three replicas, one of which is killed, or stops in good order. */
export async function failovers(how: 'killed' | 'stopped', runs: number): Promise<readonly number[]> {
  const gaps: number[] = [];
  for (let seed = 1; seed <= runs; seed++) gaps.push(await failover(how, randomFrom(seed)));
  return gaps.sort((a, b) => a - b);
}

async function failover(how: 'killed' | 'stopped', random: () => number): Promise<number> {
  const shards = 16;
  const clock = new FakeClock();
  const leases = new FakeLeases();
  const began = clock.steady();
  const start = (identity: string) => {
    const way = { trouble: 'none' as 'none' | 'hangs' };
    const stop = new AbortController();
    const monotonic = (): number => clock.steady() - began;
    const log = new FakeLog();
    const group = new ShardGroup({
      leases: leases.of(way),
      clock,
      monotonic,
      log,
      namespace: 'n',
      name: 'l',
      identity,
      shards,
    });
    const worker = { onGained: () => undefined, onLost: () => Promise.resolve(), onLeaving: () => Promise.resolve() };
    return { way, stop, group, running: group.run(worker, stop.signal) };
  };
  const replicas = [];
  for (const name of NAMES.slice(0, 3)) {
    replicas.push(start(name));
    await clock.advanceAsync(Math.floor(random() * 4_000) + 50, 50);
  }
  await clock.advanceAsync(20_000 + Math.floor(random() * 2_000), 50);
  const [gone, ...others] = replicas;
  if (!gone) throw new Error('there is no replica');
  const at = clock.steady();
  if (how === 'killed') gone.way.trouble = 'hangs';
  gone.stop.abort(new Error(how));
  await gone.running;
  if (how === 'stopped') await gone.group.leave();
  const held = (): number =>
    others.reduce(
      (sum, { group }) =>
        sum + Array.from({ length: shards }, (_, shard) => group.mayWrite(shard)).filter(Boolean).length,
      0,
    );
  while (held() < shards) await clock.advanceAsync(50, 50);
  const seconds = (clock.steady() - at) / 1_000;
  for (const { stop, running } of others) {
    stop.abort(new Error('the run has ended'));
    await running;
  }
  return seconds;
}
