import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '../testing/fake-clock.ts';
import { WorkSet } from './work-set.ts';

function workSet() {
  const clock = new FakeClock();
  return { clock, work: new WorkSet(clock, () => undefined) };
}

test('a key that comes twice before it is taken is one entry', () => {
  const { work } = workSet();
  work.add('a');
  work.add('b');
  work.add('a');
  assert.deepEqual([work.take(), work.take(), work.take()], ['a', 'b', undefined]);
});

test('a key that comes while it is worked on is not given out twice at once, and comes again afterwards', () => {
  const { work } = workSet();
  work.add('a');
  assert.equal(work.take(), 'a');
  work.add('a');
  assert.equal(work.take(), undefined);
  assert.equal(work.idle, false);
  work.done('a');
  assert.equal(work.take(), 'a');
  work.done('a');
  assert.equal(work.idle, true);
});

test('a delayed key becomes ready when its time has come; of two delays the sooner wins', () => {
  const { clock, work } = workSet();
  work.addAfter('a', 1_000);
  work.addAfter('a', 100);
  work.addAfter('a', 500);
  assert.equal(work.delayed, 1);
  clock.advance(99);
  assert.equal(work.take(), undefined);
  clock.advance(1);
  assert.equal(work.take(), 'a');
  work.done('a');
  clock.advance(10_000);
  assert.equal(work.take(), undefined);
});

test('closing drops what waits', () => {
  const { clock, work } = workSet();
  work.add('a');
  work.addAfter('b', 10);
  work.close();
  clock.advance(100);
  assert.equal(work.take(), undefined);
});
