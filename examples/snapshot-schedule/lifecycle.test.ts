// A SnapshotSchedule through a week of virtual time: one daemon, whose clock only the test moves.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SnapshotWeek } from '../../src/testing/snapshot-week.ts';

test('a week: one every six hours, each for fifty hours, whether its claim is still there or not', async (t) => {
  const week = await SnapshotWeek.start();
  t.after(() => week.close());
  const live = async (until: number): Promise<number> => {
    let steps = 0;
    for (const { hour, snapshots } of week.due(until)) {
      await week.moveTo(hour);
      assert.deepEqual(await week.snapshots(), snapshots, `after ${hour} hours`);
      steps++;
    }
    return steps;
  };
  // Once when the daemon starts; then when one is due, and when it is there or gone: never in between.
  const steps = await live(5 * 24);
  assert.equal(steps, 20 + 12);
  assert.deepEqual(await week.hookCalls(), { map: 1 + 2 * steps });
  assert.deepEqual(await week.counts(), { inputs: 1, outputs: 9 });

  await week.deleteClaim();
  assert.equal((await week.snapshots()).length, 9);
  const later = await live(7 * 24);
  assert.equal(later, 8);
  const { tombstone } = await week.hookCalls();
  assert.equal(tombstone, 1 + 2 * later);
  assert.deepEqual(await week.counts(), { inputs: 0, outputs: 1 });
});
