import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sortedBy } from './sorted.ts';

const first = (text: string): string => text.slice(0, 1);

const CASES: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['by code unit, not by alphabet', ['b', 'a', 'B'], ['B', 'a', 'b']],
  ['those of one key as they came', ['b2', 'a9', 'b1', 'a1'], ['a9', 'a1', 'b2', 'b1']],
];
for (const [why, given, wanted] of CASES) test(why, () => assert.deepEqual(sortedBy(given, first), wanted));

test('a list that is in order is itself the result', () => {
  for (const list of [[], ['a'], ['a2', 'a1', 'b']]) assert.equal(sortedBy(list, first), list);
});
