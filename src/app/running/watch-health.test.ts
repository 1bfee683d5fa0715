import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CacheChange, CacheScope } from '../../ports/cache.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { CONFIG_MAPS } from '../../testing/objects.ts';
import { WatchHealth } from './watch-health.ts';

function bench() {
  const clock = new FakeClock();
  let fails = (_error: Error, _scope: CacheScope): void => undefined;
  let changes = (_change: CacheChange): void => undefined;
  const health = new WatchHealth(
    {
      onError: (listener) => {
        fails = listener;
        return () => undefined;
      },
      onChange: (listener) => {
        changes = listener;
        return () => undefined;
      },
    },
    clock,
  );
  return {
    ...{ clock, health },
    fail: () => fails(new Error('connection refused'), { type: CONFIG_MAPS }),
    change: () => changes({ type: CONFIG_MAPS, before: undefined, after: undefined }),
  };
}

test('trouble for a minute is ordinary; after that the watch is lost, until it tells something', () => {
  const { clock, health, fail, change } = bench();
  fail();
  clock.advance(59_000);
  fail();
  assert.deepEqual(health.lost(), []);
  clock.advance(16_000);
  assert.deepEqual(health.lost(), ['configmaps (for 75 s: connection refused)']);
  change();
  assert.deepEqual(health.lost(), []);
});

test('one that fails no longer is not lost, though it tells nothing', () => {
  const { clock, health, fail } = bench();
  for (let times = 0; times < 4; times++) {
    fail();
    clock.advance(30_000);
  }
  assert.equal(health.lost().length, 1);
  clock.advance(90_000);
  assert.deepEqual(health.lost(), []);
  fail();
  assert.deepEqual(health.lost(), [], 'a new trouble begins anew');
});
