import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sleep } from '../kit/clock.ts';
import { FAKE_CLOCK_START, FakeClock } from './fake-clock.ts';

test('callbacks run in the order of their times, at their times', () => {
  const clock = new FakeClock();
  const seen: [string, number][] = [];
  const note = (name: string) => () => seen.push([name, clock.now() - FAKE_CLOCK_START]);
  clock.schedule(20, note('second'));
  clock.schedule(10, () => {
    note('first')();
    clock.schedule(5, note('scheduled inside'));
  });
  clock.schedule(20, note('third'));
  const cancel = clock.schedule(15, note('cancelled'));
  clock.schedule(31, note('not yet'));
  cancel();
  clock.advance(30);
  assert.deepEqual(seen, [
    ['first', 10],
    ['scheduled inside', 15],
    ['second', 20],
    ['third', 20],
  ]);
  assert.equal(clock.now(), FAKE_CLOCK_START + 30);
  assert.equal(clock.pending, 1);
  assert.equal(clock.advanceToNext(), true);
  assert.equal(clock.now(), FAKE_CLOCK_START + 31);
  assert.equal(clock.advanceToNext(), false);
});

test('advanceAsync lets promises go on between the steps', async () => {
  const clock = new FakeClock();
  const woken: number[] = [];
  const sleeper = (async () => {
    for (let i = 0; i < 3; i++) {
      await sleep(clock, 10);
      woken.push(clock.now() - FAKE_CLOCK_START);
    }
  })();
  await clock.advanceAsync(30, 10);
  await sleeper;
  assert.deepEqual(woken, [10, 20, 30]);
});
