// A daemon that was told to stop and finishes what is under way: for as long as that takes it may write, in each way of leading.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '../../testing/fake-clock.ts';
import { FakeLeases } from '../../testing/fake-leases.ts';
import { FakeLog } from '../../testing/fake-log.ts';
import { type Leadership, leadershipOf } from './leadership.ts';

const PARENT = { apiVersion: 'x/v1', kind: 'X', metadata: { name: 'x', namespace: 'team' } };

/** It leads, and has been told to stop. */
async function stopping(shards?: number) {
  const clock = new FakeClock();
  const leases = new FakeLeases();
  const leadership: Leadership = leadershipOf({
    options: { election: { name: 'l', ...(shards === undefined ? {} : { shards }) } },
    environment: { clock },
    log: new FakeLog(),
    world: { client: leases, namespace: 'n' },
  });
  const [stop, ended] = [new AbortController(), new AbortController()];
  const acquired = leadership.acquire(stop.signal);
  await clock.advanceAsync(6_000, 250);
  await acquired;
  const held = leadership.hold({ stop: stop.signal, ended: ended.signal });
  stop.abort(new Error('stopped'));
  return { clock, leases, leadership, ended, held };
}

for (const [way, shards] of [
  ['one leader', undefined],
  ['shards', 2],
] as const) {
  test(`${way}: the leases are renewed until nothing is under way any more, and given up then`, async () => {
    const { clock, leases, leadership, ended, held } = await stopping(shards);
    for (let second = 0; second < 60; second++) {
      await clock.advanceAsync(1_000, 250);
      assert.equal(leadership.mayWrite(PARENT), true, `after ${second + 1} s`);
    }
    ended.abort(new Error('the daemon has ended'));
    assert.equal(await held, 'stopped');
    const released = leadership.release();
    await clock.advanceAsync(2_000, 250);
    await released;
    assert.equal(leadership.mayWrite(PARENT), false);
    assert.ok([...leases.all.values()].every(({ holder }) => holder === ''));
  });

  test(`${way}: cut off meanwhile, it may not write any more`, async () => {
    const { clock, leases, leadership, ended, held } = await stopping(shards);
    leases.trouble = 'refuses';
    await clock.advanceAsync(10_500, 250);
    assert.equal(leadership.mayWrite(PARENT), false);
    ended.abort(new Error('the daemon has ended'));
    // With shards each is lost on its own, and the process has not lost everything by that.
    assert.equal(await held, shards === undefined ? 'lost' : 'stopped');
    leases.trouble = 'none';
    const released = leadership.release();
    await clock.advanceAsync(2_000, 250);
    await released;
  });
}
