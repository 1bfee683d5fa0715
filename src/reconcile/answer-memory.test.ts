import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answers, HookAnswer, HookCall } from '../model/need.ts';
import { hookCall, moduleHook } from '../testing/hook-calls.ts';
import { AnswerMemory } from './answer-memory.ts';

const call = (id: string): HookCall => hookCall(moduleHook('/hooks/sync.js'), { id });
const answer: HookAnswer = { kind: 'hook', id: 'first', ok: true, body: { labels: { a: 'b' } } };
const { controller, parent } = call('first');

test('an answer stands for the call that its own writes lead to, and is found there as the answer to that call', () => {
  const memory = new AnswerMemory();
  memory.keep(call('first'), answer);
  memory.keepEcho({ controller, parent }, { call: 'first', next: 'second' });
  assert.deepEqual(memory.recall(call('second')), { ...answer, id: 'second' });
  assert.deepEqual(memory.recall(call('first')), answer);
  const asked: Answers = new Map([['second', { ...answer, id: 'second' }]]);
  memory.keepOnly({ controller, parent }, asked);
  assert.equal(memory.recall(call('first')), undefined);
});
