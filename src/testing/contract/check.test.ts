// A suite that can't fail shows nothing: what differs must be found.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { JsonValue } from '../../kit/json.ts';
import { absent, any, changed, containing, differences, type Expected, including, matching } from './check.ts';

const known = new Map([
  ['ns', 'n1'],
  ['rv', '7'],
]);

const CASES: readonly [reason: string, actual: JsonValue, expected: Expected, wrong: number][] = [
  ['equal values', { a: 1, b: ['x', null, true] }, { a: 1, b: ['x', null, true] }, 0],
  ['fields that nobody asked for do not matter', { a: 1, b: 2 }, { a: 1 }, 0],
  ['a missing field', { a: 1 }, { b: 1 }, 1],
  ['another value', { a: 1 }, { a: 2 }, 1],
  ['a number is not its text', { a: 1 }, { a: '1' }, 1],
  ['null is not nothing', { a: null }, { a: absent }, 1],
  ['nothing is not null', {}, { a: null }, 1],
  ['an item too many', [1, 2], [1], 1],
  ['an item too few', [1], [1, 2], 2],
  ['another order', [1, 2], [2, 1], 2],
  ['an object where a list is wanted', {}, [], 1],
  ['a list where an object is wanted', [], { a: 1 }, 1],
  ['two differences', { a: { b: 1, c: 2 } }, { a: { b: 2, c: 1 } }, 2],
  ['integers above 2^53', { a: 9007199254740993n }, { a: 9007199254740993n }, 0],
  ['the next of them', { a: 9007199254740993n }, { a: 9007199254740992n }, 1],
  ['a name from a prototype is not a field', {}, { toString: any }, 1],
  ['placeholders', { a: 'in n1' }, { a: 'in {ns}' }, 0],
  ['unknown placeholders are plain text', { a: '{x}' }, { a: '{x}' }, 0],
  ['any', { a: 'x', b: 0 }, { a: any, b: any }, 0],
  ['any of nothing', { a: '' }, { a: any, b: any }, 2],
  ['changed', { a: '8' }, { a: changed('rv') }, 0],
  ['not changed', { a: '7' }, { a: changed('rv') }, 1],
  ['changed, and gone', {}, { a: changed('rv') }, 1],
  ['matching', { a: 'abc' }, { a: matching(/^a.c$/) }, 0],
  ['not matching', { a: 'abd' }, { a: matching(/^a.c$/) }, 1],
  ['containing', { a: 'x n1 y' }, { a: containing('{ns}', 'y') }, 0],
  ['not containing', { a: 'x n1 y' }, { a: containing('{ns}', 'z') }, 1],
  ['including', { a: [{ n: 1 }, { n: 2, m: 3 }] }, { a: including({ n: 2 }) }, 0],
  ['not including', { a: [{ n: 1 }] }, { a: including({ n: 2 }) }, 1],
];

for (const [reason, actual, expected, wrong] of CASES) {
  it(`expectations: ${reason}`, () => {
    const found = differences(actual, expected, known);
    assert.equal(found.length, wrong, found.join('\n'));
  });
}
