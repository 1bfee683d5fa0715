import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLimiter, mapLimited } from './concurrency.ts';

test('never more than the limit, also for who comes while a slot changes hands', async () => {
  const run = createLimiter(1);
  let running = 0;
  let most = 0;
  const task = async (): Promise<void> => {
    most = Math.max(most, ++running);
    await Promise.resolve();
    running--;
  };
  const first = run(task);
  const second = run(task);
  const third = first.then(() => run(task));
  await Promise.all([first, second, third]);
  assert.equal(most, 1);
});

test('a task that fails gives its slot back; results keep the order of the items', async () => {
  const run = createLimiter(1);
  await assert.rejects(run(async () => Promise.reject(new Error('no'))));
  assert.equal(await run(async () => 'after'), 'after');
  assert.deepEqual(await mapLimited([3, 1, 2], 2, async (item) => item * 2), [6, 2, 4]);
});
