import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Gate } from './gate.ts';

const never = new AbortController().signal;

test('lets so many in at once, in the order in which they came', async () => {
  const gate = new Gate(2);
  const order: string[] = [];
  let inside = 0;
  let most = 0;
  const work = (name: string) => async (): Promise<void> => {
    most = Math.max(most, ++inside);
    await new Promise(setImmediate);
    order.push(name);
    inside--;
  };
  await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => gate.through(never, work(name))));
  assert.deepEqual(order, ['a', 'b', 'c', 'd', 'e']);
  assert.equal(most, 2);
});

test('a place is free again after a failure', async () => {
  const gate = new Gate(1);
  await assert.rejects(
    gate.through(never, () => Promise.reject(new Error('no'))),
    /no/,
  );
  assert.equal(await gate.through(never, async () => 'in'), 'in');
});

test('whoever waits can be called off, and does not get in later', async () => {
  const gate = new Gate(1);
  const first = Promise.withResolvers<void>();
  const inside = gate.through(never, () => first.promise);
  const waiting = new AbortController();
  const called = gate.through(waiting.signal, async () => assert.fail('got in'));
  waiting.abort(new Error('called off'));
  await assert.rejects(called, /called off/);
  first.resolve();
  await inside;
  assert.equal(await gate.through(never, async () => 'in'), 'in');
});
