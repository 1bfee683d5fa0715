// Replicas of a group on one clock and one server. After every quarter of a second: no shard has two who may write.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sleep } from '../../kit/clock.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { FakeLeases, type LeaseWay } from '../../testing/fake-leases.ts';
import { FakeLog } from '../../testing/fake-log.ts';
import { pick, withSeedsAsync } from '../../testing/random-json.ts';
import { Election } from '../election.ts';
import { ShardGroup } from './shard-group.ts';

const STOP = new Error('stopped');

interface Replica {
  readonly name: string;
  readonly group: ShardGroup;
  readonly log: FakeLog;
  readonly way: LeaseWay;
  readonly lost: number[];
  /** What is under way in a shard that is lost ends then. */
  unfinished: Promise<void>;
  /** Those that it may write to, in order. */
  mine(): number[];
  /** In good order. */
  stop(): Promise<void>;
  /** As kill -9 would. */
  kill(): void;
  sleep(ms: number): void;
}

class Bench {
  readonly clock = new FakeClock();
  readonly leases = new FakeLeases();
  readonly replicas: Replica[] = [];
  readonly #began = this.clock.now();

  replica(name: string, { shards = 4, version }: { shards?: number; version?: string } = {}): Replica {
    const way: LeaseWay = { trouble: 'none' };
    const log = new FakeLog();
    let jumped = 0;
    let dead = false;
    const group = new ShardGroup({
      ...{
        leases: this.leases.of(way),
        clock: this.clock,
        log,
        namespace: 'n',
        name: 'l',
        identity: name,
        shards,
        version,
      },
      monotonic: () => this.clock.now() - this.#began + jumped,
    });
    const lost: number[] = [];
    const stop = new AbortController();
    const worker = {
      onGained: () => undefined,
      onLost: async (shard: number): Promise<void> => {
        lost.push(shard);
        await replica.unfinished;
      },
      onLeaving: () => Promise.resolve(),
    };
    const running = group.run(worker, stop.signal);
    const replica: Replica = {
      ...{ name, group, log, way, lost, unfinished: Promise.resolve() },
      mine: () =>
        dead ? [] : Array.from({ length: shards }, (_, shard) => shard).filter((one) => group.mayWrite(one)),
      stop: async () => {
        stop.abort(STOP);
        await running;
        await group.leave();
        dead = true;
      },
      kill: () => {
        way.trouble = 'hangs';
        stop.abort(STOP);
        dead = true;
      },
      sleep: (ms) => {
        jumped += ms;
      },
    };
    this.replicas.push(replica);
    return replica;
  }

  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 250) {
      await this.clock.advanceAsync(250, 50);
      this.check();
    }
  }

  check(): void {
    const taken = this.replicas.flatMap((replica) => replica.mine());
    assert.equal(new Set(taken).size, taken.length, `a shard has two masters: ${this.shape()}`);
  }

  shape(): string {
    return this.replicas.map((replica) => `${replica.name}:${replica.mine().length}`).join(' ');
  }
}

test('replicas that start together share the shards without taking what they would give up', async () => {
  const bench = new Bench();
  const all = ['a', 'b'].map((name) => bench.replica(name));
  await bench.pass(6_000);
  assert.equal(bench.shape(), 'a:2 b:2');
  assert.ok(all.every(({ log }) => !log.lines.some((line) => line.includes('Gave a shard up'))));
});

test('one that joins gets its share, and only that moves; one that stops hands over at once', async () => {
  const bench = new Bench();
  const a = bench.replica('a');
  await bench.pass(5_000);
  assert.equal(bench.shape(), 'a:4');
  const before = a.mine();
  const b = bench.replica('b');
  await bench.pass(8_000);
  assert.equal(bench.shape(), 'a:2 b:2');
  assert.ok(a.mine().every((shard) => before.includes(shard)));
  await b.stop();
  await bench.pass(2_500);
  assert.equal(bench.shape(), 'a:4 b:0');
  await a.stop();
  const holders = [...bench.leases.all.values()].map(({ holder }) => holder);
  assert.deepEqual(new Set(holders), new Set(['']), 'nothing is left to wait for');
  assert.ok([...bench.leases.all.keys()].every((name) => !name.includes('replica')));
});

test('one that joins is in step with one that renews, and slower every time: it gets its share all the same', async () => {
  const bench = new Bench();
  bench.replica('a');
  await bench.pass(6_000);
  const b = bench.replica('b');
  let last = Number.NaN;
  let times = 0;
  b.way.beforePut = ({ name }) => {
    const lease = bench.leases.all.get(name);
    if (name !== 'l' || !lease || last === bench.clock.now()) return;
    last = bench.clock.now();
    times++;
    bench.leases.all.set(name, { ...lease, resourceVersion: `a-${last}` });
  };
  await bench.pass(10_000);
  assert.ok(times > 0);
  assert.equal(bench.shape(), 'a:2 b:2');
});

test('the shards of a dead one move when its leases have stood still, not before', async () => {
  const bench = new Bench();
  const a = bench.replica('a');
  const b = bench.replica('b');
  await bench.pass(8_000);
  b.kill();
  await bench.pass(12_000);
  assert.equal(a.mine().length, 2);
  await bench.pass(7_000);
  assert.equal(a.mine().length, 4);
  await bench.pass(60_000);
  assert.ok(
    [...bench.leases.all.keys()].filter((name) => name.includes('replica')).length === 1,
    'what it left behind is taken away',
  );
});

test('what a dead one left behind may not be deleted: it stays dead, and that is tried again now and then', async () => {
  const bench = new Bench();
  const [a, b] = [bench.replica('a'), bench.replica('b')];
  a.way.refusedDeletes = 0;
  await bench.pass(8_000);
  b.kill();
  await bench.pass(30_000);
  for (let quarter = 0; quarter < 1_200; quarter++) {
    await bench.pass(250);
    assert.equal(a.mine().length, 4);
  }
  assert.equal(a.way.refusedDeletes, 5, 'once a minute');
});

/** Of two replicas `a` gives up a shard for a third one, which has begun, and which the server takes so long for. */
async function givingUpSlowly(ms: number) {
  const bench = new Bench();
  const a = bench.replica('a', { shards: 3 });
  // So the other one looks between two looks of the first.
  await bench.pass(7_000);
  const other = bench.replica('0c', { shards: 3 });
  await bench.pass(12_000);
  assert.equal(bench.shape(), 'a:2 0c:1');
  const before = a.mine();
  a.way.beforePut = ({ holder }) => {
    if (holder !== '') return undefined;
    a.way.beforePut = undefined;
    return sleep(bench.clock, ms);
  };
  const third = bench.replica('b', { shards: 3 });
  for (let tries = 0; tries < 40 && a.mine().length === 2; tries++) await bench.pass(250);
  const [shard = assert.fail()] = before.filter((one) => !a.mine().includes(one));
  return { bench, a, other, third, holder: () => bench.leases.all.get(`l-shard-${shard}`)?.holder };
}

test('given up slowly, and it falls to the same one again meanwhile: who may write has its lease', async () => {
  const { bench, a, other, third } = await givingUpSlowly(2_500);
  await third.stop();
  for (let quarter = 0; quarter < 40; quarter++) {
    await bench.pass(250);
    for (const shard of a.mine()) assert.equal(bench.leases.all.get(`l-shard-${shard}`)?.holder, 'a');
  }
  assert.equal(a.mine().length + other.mine().length, 3);
});

test('given up slowly, and stopped meanwhile: it is waited for, and nothing is left to wait for', async () => {
  const { bench, a, other, third, holder } = await givingUpSlowly(4_000);
  await Promise.all([other.stop(), third.stop()]);
  const stopped = a.stop();
  assert.equal(holder(), 'a');
  await bench.pass(4_000);
  await stopped;
  assert.deepEqual(new Set([...bench.leases.all.values()].map((lease) => lease.holder)), new Set(['']));
});

for (const trouble of ['refuses', 'hangs'] as const)
  test(`a server that ${trouble} when a shard is given up: somebody has it again all the same`, async () => {
    const { bench, a, third, holder } = await givingUpSlowly(500);
    a.way.trouble = trouble;
    await bench.pass(6_000);
    assert.equal(holder(), 'a');
    a.way.trouble = 'none';
    await third.stop();
    await bench.pass(20_000);
    assert.equal(bench.shape(), 'a:2 0c:1 b:0');
  });

test('a renewal that was under way, or came through unseen, when it is given up: it is given up all the same', async () => {
  const bench = new Bench();
  const a = bench.replica('a');
  await bench.pass(5_000);
  const lease = bench.leases.all.get('l-shard-1');
  assert.ok(lease);
  bench.leases.all.set('l-shard-1', { ...lease, resourceVersion: 'unseen' });
  await a.stop();
  assert.ok([...bench.leases.all.values()].every(({ holder }) => holder === ''));
});

for (const trouble of ['refuses', 'hangs'] as const)
  test(`cut off (${trouble}): it stops writing before anybody else may, and takes part again afterwards`, async () => {
    const bench = new Bench();
    const a = bench.replica('a');
    const b = bench.replica('b');
    await bench.pass(8_000);
    b.way.trouble = trouble;
    await bench.pass(10_500);
    assert.deepEqual(b.mine(), []);
    await bench.pass(10_000);
    assert.equal(bench.shape(), 'a:4 b:0');
    assert.equal(b.lost.length, 2);
    b.way.trouble = 'none';
    await bench.pass(9_000);
    assert.equal(bench.shape(), 'a:2 b:2');
    assert.deepEqual(a.lost, [], 'the other one has lost nothing');
  });

test('as long as something hangs of what was lost it takes nothing, and the others reckon without it', async () => {
  const bench = new Bench();
  const a = bench.replica('a');
  const b = bench.replica('b');
  await bench.pass(8_000);
  const hanging = Promise.withResolvers<void>();
  b.unfinished = hanging.promise;
  b.way.trouble = 'hangs';
  await bench.pass(22_000);
  b.way.trouble = 'none';
  await bench.pass(30_000);
  assert.deepEqual([bench.shape(), a.lost], ['a:4 b:0', []]);
  hanging.resolve();
  await bench.pass(9_000);
  assert.equal(bench.shape(), 'a:2 b:2');
});

test('trouble that passes costs nothing', async () => {
  const bench = new Bench();
  const a = bench.replica('a');
  await bench.pass(8_000);
  a.way.trouble = 'hangs';
  await bench.pass(5_000);
  a.way.trouble = 'none';
  await bench.pass(10_000);
  assert.deepEqual([bench.shape(), a.lost], ['a:4', []]);
});

test('a process that was asleep knows at once that its leases are over', async () => {
  const bench = new Bench();
  const a = bench.replica('a');
  await bench.pass(6_000);
  assert.equal(a.mine().length, 4);
  a.sleep(10_000);
  assert.equal(a.mine().length, 0);
});

test('the lease of one shard is taken by somebody: only that shard is lost', async () => {
  const bench = new Bench();
  const a = bench.replica('a');
  await bench.pass(6_000);
  const lease = bench.leases.all.get('l-shard-1');
  assert.ok(lease);
  bench.leases.all.set('l-shard-1', { ...lease, holder: 'x', resourceVersion: 'x' });
  await bench.pass(2_500);
  assert.deepEqual([a.lost, a.mine()], [[1], [0, 2, 3]]);
});

test('another number of shards: it says so and waits, and takes over when the last of them has gone', async () => {
  const bench = new Bench();
  const [a, b] = [bench.replica('a'), bench.replica('b')];
  await bench.pass(6_000);
  const c = bench.replica('c', { shards: 8 });
  await bench.pass(30_000);
  assert.equal(bench.shape(), 'a:2 b:2 c:0');
  const said = c.log.lines.findIndex((line) =>
    line.startsWith('error Other replicas share the parents in another way'),
  );
  assert.deepEqual([c.log.fields[said]?.['shards'], c.log.fields[said]?.['theirs']], [8, '4'], c.log.lines.join('\n'));
  await a.stop();
  await bench.pass(10_000);
  assert.equal(bench.shape(), 'a:0 b:4 c:0', 'as long as one is left, it waits');
  await b.stop();
  await bench.pass(7_000);
  assert.equal(bench.shape(), 'a:0 b:0 c:8');
});

test('two numbers of shards at the same moment: one of them works', async () => {
  const bench = new Bench();
  bench.replica('a');
  bench.replica('b', { shards: 3 });
  await bench.pass(10_000);
  assert.ok(['a:4 b:0', 'a:0 b:3'].includes(bench.shape()), bench.shape());
});

test('beside a leader without shards: it waits, and the other way round', async () => {
  const bench = new Bench();
  const { leases, clock } = bench;
  const log = new FakeLog();
  const monotonic = (): number => clock.now();
  const leader = new Election({ leases, clock, monotonic, log, namespace: 'n', name: 'l', identity: 'leader' });
  const stop = new AbortController();
  await leader.acquire(stop.signal);
  const held = leader.hold(stop.signal);
  const a = bench.replica('a');
  await bench.pass(20_000);
  assert.equal(bench.shape(), 'a:0');
  stop.abort(STOP);
  await held;
  await leader.release();
  await bench.pass(6_000);
  assert.equal(bench.shape(), 'a:4');
  const again = new AbortController();
  const waiting = leader.acquire(again.signal);
  await bench.pass(20_000);
  assert.equal(leader.isLeader(), false);
  await a.stop();
  await bench.pass(2_500);
  await waiting;
  assert.equal(leader.isLeader(), true);
});

test('a rolling update: replicas of two versions share, and the version is on the leases', async () => {
  const bench = new Bench();
  const old = bench.replica('old', { version: '1.0.0' });
  await bench.pass(6_000);
  bench.replica('new', { version: '1.1.0' });
  await bench.pass(8_000);
  assert.equal(bench.shape(), 'old:2 new:2');
  const versions = [0, 1, 2, 3].map(
    (shard) => bench.leases.all.get(`l-shard-${shard}`)?.annotations?.['metactl.dev/version'],
  );
  assert.deepEqual(versions.sort(), ['1.0.0', '1.0.0', '1.1.0', '1.1.0']);
  await old.stop();
  await bench.pass(2_500);
  assert.equal(bench.shape(), 'old:0 new:4');
});

test('replicas start, stop, die and are cut off at random: never two masters, and in the end all shards have one', async () => {
  await withSeedsAsync(1, 25, async (random) => {
    const bench = new Bench();
    const shards = 1 + Math.floor(random() * 9);
    const alive: Replica[] = [];
    for (let step = 0; step < 14; step++) {
      const one = alive.length > 0 ? pick(random, alive) : undefined;
      const leave = (): void => void alive.splice(alive.indexOf(one as Replica), 1);
      const what = one ? pick(random, ['start', 'stop', 'kill', 'cut', 'mend', 'sleep'] as const) : 'start';
      if (what === 'start' && alive.length < 5) alive.push(bench.replica(`r${step}`, { shards }));
      if (what === 'stop' && one?.way.trouble === 'none') {
        leave();
        await one.stop();
      }
      if (what === 'kill') {
        leave();
        one?.kill();
      }
      if (one && what === 'cut') one.way.trouble = pick(random, ['refuses', 'hangs'] as const);
      if (one && what === 'mend') one.way.trouble = 'none';
      if (what === 'sleep') one?.sleep(Math.floor(random() * 20_000));
      await bench.pass(250 * (1 + Math.floor(random() * 40)));
    }
    for (const { way } of alive) way.trouble = 'none';
    if (alive.length === 0) alive.push(bench.replica('last', { shards }));
    await bench.pass(45_000);
    const taken = alive.flatMap((replica) => replica.mine());
    assert.equal(taken.length, shards, bench.shape());
    const each = alive.map((replica) => replica.mine().length);
    assert.ok(Math.max(...each) <= Math.ceil(shards / alive.length), bench.shape());
    for (const replica of bench.replicas) replica.kill();
  });
});
