import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '../testing/fake-clock.ts';
import { FakeLeases } from '../testing/fake-leases.ts';
import { FakeLog } from '../testing/fake-log.ts';
import { Election } from './election.ts';

const STOP = new Error('stopped');

function bench() {
  const clock = new FakeClock();
  const leases = new FakeLeases();
  const began = clock.now();
  let jumped = 0;
  const log = new FakeLog();
  const candidate = (identity: string, version?: string) => {
    const stop = new AbortController();
    const monotonic = (): number => clock.now() - began + jumped;
    const election = new Election({ leases, clock, monotonic, log, namespace: 'n', name: 'l', identity, version });
    return { election, stop, signal: stop.signal };
  };
  return {
    ...{ clock, leases, log, candidate },
    /** Time passes that no timer saw: the process was asleep. */
    sleep: (ms: number) => {
      jumped += ms;
    },
    pass: (ms: number) => clock.advanceAsync(ms, 250),
  };
}

test('the first one takes the lease and renews it; the second waits for as long as it holds', async () => {
  const { leases, pass, candidate } = bench();
  const [a, b] = [candidate('a'), candidate('b')];
  await a.election.acquire(a.signal);
  const held = a.election.hold(a.signal);
  let second = false;
  const waiting = b.election.acquire(b.signal).then(() => {
    second = true;
  });
  await pass(60_000);
  assert.deepEqual([a.election.isLeader(), b.election.isLeader(), second], [true, false, false]);
  assert.ok(leases.holders.length > 20 && leases.holders.every((holder) => holder === 'a'));
  a.stop.abort(STOP);
  assert.equal(await held, 'stopped');
  await a.election.release();
  assert.deepEqual([a.election.isLeader(), leases.lease?.holder], [false, '']);
  await pass(2_250);
  await waiting;
  assert.deepEqual([b.election.isLeader(), leases.lease?.transitions], [true, 1]);
});

test('of a leader that is gone the lease is taken when it has stood still for its duration, not before', async () => {
  const { pass, candidate } = bench();
  const [a, b] = [candidate('a'), candidate('b')];
  await a.election.acquire(a.signal);
  const waiting = b.election.acquire(b.signal);
  await pass(14_000);
  assert.deepEqual([a.election.isLeader(), b.election.isLeader()], [false, false], 'nobody may write in between');
  await pass(4_000);
  await waiting;
  assert.equal(b.election.isLeader(), true);
});

for (const trouble of ['refuses', 'hangs'] as const)
  test(`a server that ${trouble}: the leader stops before anybody else may take over`, async () => {
    const { leases, pass, candidate } = bench();
    const a = candidate('a');
    await a.election.acquire(a.signal);
    const held = a.election.hold(a.signal);
    leases.trouble = trouble;
    await pass(9_000);
    assert.equal(a.election.isLeader(), true);
    await pass(1_500);
    assert.equal(a.election.isLeader(), false);
    await pass(6_000);
    assert.equal(await held, 'lost');
  });

test('trouble that passes costs nothing', async () => {
  const { leases, pass, candidate } = bench();
  const a = candidate('a');
  await a.election.acquire(a.signal);
  const held = a.election.hold(a.signal);
  leases.trouble = 'hangs';
  await pass(6_000);
  leases.trouble = 'none';
  await pass(20_000);
  assert.equal(a.election.isLeader(), true);
  a.stop.abort(STOP);
  assert.equal(await held, 'stopped');
});

test('a process that was asleep knows at once that its lease is over', async () => {
  const { sleep, candidate } = bench();
  const a = candidate('a');
  await a.election.acquire(a.signal);
  assert.equal(a.election.isLeader(), true);
  sleep(10_000);
  assert.equal(a.election.isLeader(), false);
});

test('a lease that somebody else has taken is lost at the next look', async () => {
  const { leases, pass, candidate } = bench();
  const a = candidate('a');
  await a.election.acquire(a.signal);
  const held = a.election.hold(a.signal);
  assert.ok(leases.lease);
  leases.lease = { ...leases.lease, holder: 'b', resourceVersion: 'x' };
  await pass(2_250);
  assert.equal(a.election.isLeader(), false);
  assert.equal(await held, 'lost');
  await a.election.release();
  assert.equal(leases.lease.holder, 'b', 'what is not ours is not given up');
});

test('of two that see a free lease at once, one gets it', async () => {
  const { pass, candidate } = bench();
  const [a, b] = [candidate('a'), candidate('b')];
  void a.election.acquire(a.signal);
  b.election.acquire(b.signal).catch((error) => assert.equal(error, STOP));
  await pass(1_000);
  assert.deepEqual([a.election.isLeader(), b.election.isLeader()].sort(), [false, true]);
  b.stop.abort(STOP);
  a.stop.abort(STOP);
  await pass(5_000);
});

test('two versions with one lease: the second says so and waits, and takes over at once, as in a rolling update', async () => {
  const { leases, log, pass, candidate } = bench();
  const [old, fresh] = [candidate('a', '1.0.0'), candidate('b', '1.1.0')];
  await old.election.acquire(old.signal);
  const waiting = fresh.election.acquire(fresh.signal);
  await pass(5_000);
  assert.deepEqual([old.election.isLeader(), fresh.election.isLeader()], [true, false]);
  const said = log.lines.findIndex((line) => line.startsWith('warn The leader is of another version'));
  assert.deepEqual(log.fields[said], { theirs: '1.0.0', version: '1.1.0' });
  old.stop.abort(STOP);
  await old.election.release();
  await pass(2_250);
  await waiting;
  assert.equal(leases.lease?.annotations?.['metactl.dev/version'], '1.1.0');
});

test('what other people put on the lease stays; a version that a former holder left is nobody else', async () => {
  const { leases, log, pass, candidate } = bench();
  const first = candidate('a', '1.0.0');
  await first.election.acquire(first.signal);
  assert.ok(leases.lease);
  const annotations = { ...leases.lease.annotations, theirs: 'stays' };
  // Another program took it, and left the annotations as they were.
  leases.lease = { ...leases.lease, holder: 'metacontroller-0', annotations, labels: { theirs: 'stays' } };
  const second = candidate('b', '1.1.0');
  const waiting = second.election.acquire(second.signal);
  await pass(1_000);
  assert.equal(log.lines.filter((line) => line.includes('another version')).length, 0);
  await pass(17_000);
  await waiting;
  assert.deepEqual(
    [leases.lease.holder, leases.lease.labels?.['theirs'], leases.lease.annotations?.['theirs']],
    ['b', 'stays', 'stays'],
  );
});
