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

test('what is too much is forgotten, of the parent first that was asked about longest ago, and never of the one in hand', () => {
  const memory = new AnswerMemory(3);
  const callAbout = (name: string, id: string): HookCall => ({ ...call(id), parent: { ...parent, name } });
  const keep = (name: string, id: string): void => memory.keep(callAbout(name, id), { ...answer, id });
  const known = (name: string, id: string): boolean => memory.recall(callAbout(name, id)) !== undefined;
  keep('a', '1');
  keep('b', '1');
  keep('b', '2');
  keep('a', '2');
  assert.deepEqual([known('a', '1'), known('a', '2'), known('b', '1'), known('b', '2')], [true, true, false, false]);
  for (const id of ['3', '4', '5']) keep('a', id);
  assert.ok(known('a', '1') && known('a', '5'), 'more than all the room is one parent');
  keep('c', '1');
  assert.deepEqual([known('a', '1'), known('c', '1')], [false, true]);
  memory.drop(controller, { ...parent, name: 'c' });
  keep('b', '1');
  assert.ok(known('b', '1'));
});
