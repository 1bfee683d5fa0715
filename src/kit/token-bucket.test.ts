import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '../testing/fake-clock.ts';
import { TokenBucket } from './token-bucket.ts';

test('a burst goes at once, the rest in turns; what was not used comes back, up to the burst', () => {
  const clock = new FakeClock();
  const bucket = new TokenBucket(clock, { perSecond: 10, burst: 2 });
  assert.deepEqual([bucket.take(), bucket.take(), bucket.take(), bucket.take()], [0, 0, 100, 200]);
  clock.advance(1_000);
  assert.deepEqual([bucket.take(), bucket.take(), bucket.take()], [0, 0, 100]);
});

test('who may not wait gets a token that is there, or nothing, which costs nothing', () => {
  const clock = new FakeClock();
  const bucket = new TokenBucket(clock, { perSecond: 10, burst: 2 });
  assert.deepEqual(
    [bucket.tryTake(), bucket.tryTake(), bucket.tryTake(), bucket.tryTake()],
    [true, true, false, false],
  );
  clock.advance(100);
  assert.deepEqual([bucket.tryTake(), bucket.tryTake()], [true, false]);
});
