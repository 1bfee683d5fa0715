import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HookCall } from '../model/need.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { FakeHooks } from '../testing/fake-hooks.ts';
import { hookCall, webhookHook } from '../testing/hook-calls.ts';
import { patientHooks } from './patience.ts';

const CALL: HookCall = hookCall(webhookHook('http://x/', { timeoutMs: 10_000 }));
const never = new AbortController().signal;

/** Each pause lets the clock go on by itself. */
function bench(failures: readonly (number | undefined)[], totalMs?: number) {
  const clock = new FakeClock();
  const hooks = new FakeHooks(() => ({ children: [] }));
  for (const seconds of failures) hooks.failNext('busy', seconds);
  const pauses: number[] = [];
  const onWait = (_: HookCall, { ms }: { ms: number }): void => {
    pauses.push(ms);
    queueMicrotask(() => clock.advance(ms));
  };
  const patient = patientHooks(hooks, { clock, totalMs, onWait });
  return { hooks, pauses, ask: (signal = never) => patient.call(CALL, signal) };
}

test('asked again when it says so, until it answers', async () => {
  const { hooks, pauses, ask } = bench([1, 2, 4]);
  assert.ok((await ask()).ok);
  assert.deepEqual(pauses, [1_000, 2_000, 4_000]);
  assert.equal(hooks.count(), 4);
});

test("the hook's timeout bounds the waiting, and what was done is said", async () => {
  const { pauses, ask } = bench([4, 4, 4]);
  const answer = await ask();
  assert.ok(!answer.ok);
  assert.deepEqual(pauses, [4_000, 4_000]);
  assert.match(answer.diagnostic.detail ?? '', /asked 3 times in 8 s, and is to be left alone for another 4 s/);
  assert.equal(answer.retryAfterSeconds, 4);
});

test('a patience of its own counts instead, over all calls', async () => {
  const { ask } = bench([30, 20, 20], 60_000);
  assert.ok((await ask()).ok === false, '30 + 20 + 20 s are more than 60 s');
  const { pauses, ask: once } = bench([30], 60_000);
  assert.ok((await once()).ok);
  assert.deepEqual(pauses, [30_000]);
});

test('a pause that is too long is not begun; another failure is passed on at once', async () => {
  const far = bench([3600]);
  const answer = await far.ask();
  assert.ok(!answer.ok);
  assert.match(answer.diagnostic.detail ?? '', /asked once/);
  const broken = bench([undefined]);
  assert.equal((await broken.ask()).ok, false);
  assert.deepEqual([...far.pauses, ...broken.pauses], []);
});

test('an abort ends the pause', async () => {
  const controller = new AbortController();
  const clock = new FakeClock();
  const hooks = new FakeHooks(() => ({}));
  hooks.failNext('busy', 1);
  const patient = patientHooks(hooks, { clock, onWait: () => controller.abort(new Error('interrupted')) });
  await assert.rejects(patient.call(CALL, controller.signal), /interrupted/);
});
