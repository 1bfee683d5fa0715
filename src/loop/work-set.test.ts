import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '../testing/fake-clock.ts';
import { WorkSet } from './work-set.ts';

function workSet(perGroup = 100) {
  const clock = new FakeClock();
  const groupOf = (key: string): string => key.split('/')[0] ?? '';
  return { clock, work: new WorkSet({ clock, onReady: () => undefined, groupOf, perGroup }) };
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

test('groups take turns: one with many keys holds up nobody', () => {
  const { work } = workSet();
  for (const key of ['a/1', 'a/2', 'a/3', 'b/1', 'c/1', 'c/2']) work.add(key);
  const taken = Array.from({ length: 6 }, () => work.take());
  assert.deepEqual(taken, ['a/1', 'b/1', 'c/1', 'a/2', 'c/2', 'a/3']);
});

test('a group has no more in hand than its share, and the others go on', () => {
  const { work } = workSet(1);
  for (const key of ['a/1', 'a/2', 'b/1']) work.add(key);
  assert.deepEqual([work.take(), work.take(), work.take()], ['a/1', 'b/1', undefined]);
  assert.deepEqual([work.running, work.idle], [2, false]);
  work.done('a/1');
  assert.deepEqual([work.take(), work.take()], ['a/2', undefined]);
});

test('a group that goes: what waits is forgotten, what is in hand does not come again', () => {
  const { clock, work } = workSet();
  for (const key of ['a/1', 'a/2', 'b/1']) work.add(key);
  assert.equal(work.take(), 'a/1');
  work.add('a/1');
  work.addAfter('a/3', 10);
  work.drop('a');
  work.done('a/1');
  clock.advance(100);
  assert.deepEqual([work.take(), work.take()], ['b/1', undefined]);
});

test('the load of a group: how many wait, how many are in hand, and for how long the first has waited', () => {
  const { clock, work } = workSet();
  for (const key of ['a/1', 'a/2']) work.add(key);
  clock.advance(50);
  work.add('b/1');
  work.take();
  assert.deepEqual(Object.fromEntries(work.loads()), {
    a: { ready: 1, running: 1, oldestMs: 50, unfinishedMs: 0, longestMs: 0 },
    b: { ready: 1, running: 0, oldestMs: 0, unfinishedMs: 0, longestMs: 0 },
  });
});

test('what it tells of itself: a key is added once while it is in line, and waits and works for so long', () => {
  const told: string[] = [];
  const clock = new FakeClock();
  const observer = {
    added: (group: string) => told.push(`added ${group}`),
    taken: (group: string, ms: number) => told.push(`taken ${group} ${ms}`),
    done: (group: string, ms: number) => told.push(`done ${group} ${ms}`),
    delayed: (group: string) => told.push(`delayed ${group}`),
  };
  const work = new WorkSet({ clock, observer, onReady: () => undefined, groupOf: () => 'g', perGroup: 9 });
  work.add('a');
  work.add('a');
  clock.advance(10);
  work.take();
  work.add('a');
  work.add('a');
  clock.advance(5);
  assert.deepEqual(work.loads().get('g'), { ready: 0, running: 1, oldestMs: 0, unfinishedMs: 5, longestMs: 5 });
  work.done('a');
  work.addAfter('b', 100);
  assert.deepEqual(told, ['added g', 'taken g 10', 'added g', 'done g 5', 'delayed g']);
  clock.advance(100);
  assert.equal(told.at(-1), 'added g');
});

test('the sooner of two delays is the one that passes sooner, whatever the clock was set to between them', () => {
  for (const setBy of [7_200_000, -7_200_000]) {
    const { clock, work } = workSet();
    work.addAfter('a', 60_000);
    clock.set(setBy);
    work.addAfter('a', 1_000);
    clock.advance(1_000);
    assert.equal(work.take(), 'a', `set by ${setBy} ms`);
  }
});
