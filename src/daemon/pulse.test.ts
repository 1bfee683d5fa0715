import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HookAnswer, HookCall } from '../model/need.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { Pulse } from './pulse.ts';

test('quiet is when nothing is under way and nothing has ended', async () => {
  const clock = new FakeClock();
  const pulse = new Pulse(clock);
  clock.advance(1_000);
  assert.equal(pulse.quietMs(), 1_000);
  const answer = Promise.withResolvers<HookAnswer>();
  const caller = pulse.aroundHooks({ call: () => answer.promise, close: async () => undefined });
  const call = caller.call({} as HookCall, new AbortController().signal);
  clock.advance(3_600_000);
  assert.equal(pulse.quietMs(), 0, 'a hook may take an hour: it has its own deadline');
  answer.reject(new Error('stopped'));
  await assert.rejects(call);
  clock.advance(500);
  assert.equal(pulse.quietMs(), 500);
  pulse.beat();
  assert.equal(pulse.quietMs(), 0);
});

test('a watch is no sign of life, a request is', async () => {
  const clock = new FakeClock();
  const pulse = new Pulse(clock);
  const never = new Promise<never>(() => undefined);
  const transport = pulse.aroundRequests({ request: () => never, close: async () => undefined });
  void transport.request({ method: 'GET', path: '/api/v1/pods?watch=true', longLived: true });
  clock.advance(100);
  assert.equal(pulse.quietMs(), 100);
  void transport.request({ method: 'GET', path: '/api/v1/pods' });
  clock.advance(100);
  assert.equal(pulse.quietMs(), 0);
});
