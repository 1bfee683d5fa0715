// Predictions and writes in every order that they may come in. Times are whole seconds; the window is ten.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { widget } from '../testing/objects.ts';
import { child, foretold, OTHER, planOf, seenChild } from '../testing/shadow-world.ts';
import { Book, type Finding } from './book.ts';

function bookOf() {
  const found: string[] = [];
  const onFinding = (finding: Finding): void => {
    if (finding.kind !== 'miss') return void found.push(finding.kind);
    const { seen, predicted } = finding;
    found.push(`${finding.how} ${(seen?.object ?? predicted?.object)?.name}`);
  };
  const book = new Book({ windowMs: 10, managers: OTHER, onFinding });
  const at = (now: number): string => {
    book.settle(now, () => true);
    return found.splice(0).join(', ');
  };
  const open = (): number => [...book.open().values()].reduce((sum, count) => sum + count, 0);
  return { book, at, open };
}

const parent = widget();
const one = child('a', { text: '1' });
const two = child('a', { text: '2' }, { version: '8' });
const three = child('a', { text: '3' }, { version: '9' });

test('foretold, and then seen: a hit, and nothing is left', () => {
  const { book, at, open } = bookOf();
  book.planned(planOf(parent, foretold(undefined, one)), 0);
  assert.equal(open(), 1);
  assert.ok(book.matches(seenChild(undefined, one)));
  assert.deepEqual([at(100), open()], ['hit', 0]);
});

test('foretold and never seen: a miss when the window is over, once', () => {
  const { book, at, open } = bookOf();
  book.planned(planOf(parent, foretold(undefined, one)), 0);
  book.planned(planOf(parent, foretold(undefined, one)), 8);
  assert.equal(at(9), '');
  assert.equal(at(10), 'never-seen a');
  book.planned(planOf(parent, foretold(undefined, one)), 12);
  assert.deepEqual([at(100), open()], ['', 0]);
});

test('a later plan does not hold it any more: it counts for nothing', () => {
  const { book, at, open } = bookOf();
  book.planned(planOf(parent, foretold(undefined, one)), 0);
  book.planned(planOf(parent), 5);
  assert.deepEqual([at(100), open()], ['', 0]);
});

test('the parent is gone: what was foretold of it counts for nothing', () => {
  const { book, at } = bookOf();
  book.planned(planOf(parent, foretold(undefined, one)), 0);
  book.settle(100, () => false);
  assert.equal(at(200), '');
});

test('whoever writes is behind: what was foretold before counts', () => {
  const { book, at } = bookOf();
  book.planned(planOf(parent, foretold(one, two)), 0);
  book.planned(planOf(parent, foretold(one, three)), 1);
  assert.ok(book.matches(seenChild(one, two)));
  assert.ok(book.matches(seenChild(two, three)));
  assert.equal(at(100), 'hit, hit');
});

test('the shadow is behind: the write is disputed until the plan comes, or the plan of the state before', () => {
  const { book, at, open } = bookOf();
  const late = seenChild(undefined, one);
  assert.ok(!book.matches(late));
  book.dispute(late, 0);
  assert.ok(book.isDisputed(late));
  book.planned(planOf(parent, foretold(undefined, one)), 1);
  assert.deepEqual([book.isDisputed(late), at(1), open()], [false, 'hit', 0]);
  const later = seenChild(one, two);
  book.dispute(later, 2);
  assert.ok(book.wouldHave(later, [foretold(one, two)]));
  assert.deepEqual([book.isDisputed(later), at(100)], [false, 'hit']);
});

test('written otherwise, and then as foretold: the first was on the way', () => {
  const { book, at } = bookOf();
  const first = seenChild(one, two);
  book.dispute(first, 0);
  book.judged(first, { expected: foretold(one, three) });
  book.planned(planOf(parent, foretold(two, three)), 1);
  assert.ok(book.matches(seenChild(two, three)));
  assert.equal(at(100), 'hit, passing');
});

test('written otherwise, and it stays so: different, once, whatever the plan goes on to say', () => {
  const { book, at } = bookOf();
  const seen = seenChild(one, two);
  book.dispute(seen, 0);
  book.judged(seen, { expected: foretold(one, three) });
  book.planned(planOf(parent, foretold(two, three)), 3);
  assert.equal(at(9), '');
  assert.equal(at(10), 'different a');
  book.planned(planOf(parent, foretold(two, three)), 20);
  assert.equal(at(100), '');
});

test('what nobody would have written: not predicted; and not before it was judged', () => {
  const { book, at, open } = bookOf();
  const seen = seenChild(undefined, one);
  book.dispute(seen, 0);
  assert.deepEqual([at(50), open()], ['', 1]);
  book.judged(seen, {});
  assert.deepEqual([at(51), open()], ['not-predicted a', 0]);
});

test('a deletion of a child is as foretold whoever did it', () => {
  const { book, at } = bookOf();
  book.planned(planOf(parent, foretold(one, undefined)), 0);
  assert.ok(book.matches(seenChild(one, undefined)));
  assert.equal(at(100), 'hit');
});

test('a watch fails: what is open gets its whole time again, and what is told is not told again', () => {
  const { book, at } = bookOf();
  book.planned(planOf(parent, foretold(undefined, one)), 0);
  book.startWindowsAnew(8);
  assert.equal(at(17), '');
  assert.equal(at(18), 'never-seen a');
  book.startWindowsAnew(20);
  assert.equal(at(100), '');
});
