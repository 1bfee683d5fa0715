// Field sets against the Go library's answers, read in place, and the texts of single steps.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, JsonValue } from '../../kit/json.ts';
import { recordings } from '../../testing/smd-recordings.ts';
import {
  difference,
  equalSets,
  type FieldSet,
  hasPath,
  intersection,
  leavesOf,
  pathsOf,
  recursiveDifference,
  setOfPaths,
  sizeOf,
  union,
} from './field-set.ts';
import { fieldsV1Of, parseFieldsV1 } from './fields-v1.ts';
import {
  compareElements,
  fieldElement,
  keyElement,
  parsePathElement,
  showElement,
  showPath,
  valueElement,
} from './path-element.ts';

interface Case extends JsonObject {
  readonly a: JsonObject;
  readonly b: JsonObject;
  readonly pathsA: readonly string[];
}

const file = recordings('smd-sets.json');

test('set algebra, order of FieldsV1 and paths as text', { skip: file.skip }, () => {
  const operations: Readonly<Record<string, (a: FieldSet, b: FieldSet) => FieldSet>> = {
    union,
    intersection,
    difference,
    recursiveDifference,
    leavesA: (a) => leavesOf(a),
  };
  for (const [index, recorded] of (file.read() as { cases: Case[] }).cases.entries()) {
    const a = parseFieldsV1(recorded.a);
    const b = parseFieldsV1(recorded.b);
    for (const [name, operation] of Object.entries(operations))
      assert.equal(text(operation(a, b)), JSON.stringify(recorded[name]), `case ${index}: ${name}`);
    assert.equal(text(a), JSON.stringify(recorded.a), `case ${index}: read and written`);
    assert.equal(sizeOf(a), recorded['size'], `case ${index}: size`);
    assert.equal(equalSets(a, b), recorded['equal'], `case ${index}: equal`);
    assert.deepEqual([...pathsOf(a)].map(showPath), recorded.pathsA, `case ${index}: paths`);
    for (const path of pathsOf(a)) assert.ok(hasPath(a, path));
    assert.ok(equalSets(setOfPaths(pathsOf(a)), a), `case ${index}: from its paths`);
  }
});

// Written anew, not taken from memory: what was read is forgotten by copying it.
const text = (set: FieldSet): string => JSON.stringify(fieldsV1Of({ ...set }));

const shown: readonly [string, string, string][] = [
  ['f:name', '.name', 'a field'],
  ['k:{"name":"a<b"}', '[name="a<b"]', 'a key'],
  ['k:{"port":80,"protocol":"TCP"}', '[port=80,protocol="TCP"]', 'two keys'],
  ['v:"x"', '[="x"]', 'an item of a set'],
  ['v:1.5', '[=1.5]', 'a number'],
  ['i:3', '[3]', 'an index'],
  ['v:"\\n\\u0001é"', '[="\\n\\x01é"]', 'quoted as Go does'],
];
for (const [element, want, reason] of shown)
  test(`shown: ${reason}`, () => assert.equal(showElement(parsePathElement(element) ?? ''), want));

test('a key is the same however it was written', () => {
  assert.equal(
    parsePathElement('k:{ "b": 2, "a": 1 }'),
    keyElement([
      ['a', 1],
      ['b', 2],
    ]),
  );
  assert.equal(parsePathElement('v:1.0'), valueElement(1));
  assert.equal(valueElement('a<b'), 'v:"a\\u003cb"', 'HTML is escaped, as Go does');
});

test('order: fields, keys, values, indexes; numbers by size, names by bytes', () => {
  const wanted = [
    'f:a',
    'f:b',
    'f:\uffff',
    'f:\u{1f600}',
    'k:{"n":2}',
    'k:{"n":10}',
    'v:2',
    'v:10',
    'v:"a"',
    'v:true',
    'i:2',
    'i:10',
  ];
  assert.deepEqual([...wanted].reverse().sort(compareElements), wanted);
});

const broken: readonly [JsonValue, string][] = [
  [{ x: {} }, 'too short'],
  [{ noColon: {} }, 'no colon'],
  [{ 'k:{': {} }, 'a broken key'],
  [{ 'i:x': {} }, 'no index'],
  [{ 'f:a': 'text' }, 'a value that is no object'],
  ['text', 'no object at all'],
];
for (const [fields, reason] of broken)
  test(`FieldsV1 refused: ${reason}`, () => assert.throws(() => parseFieldsV1(fields), SyntaxError));

test('steps of unknown kinds are left out; a field may be called __proto__', () => {
  assert.equal(text(parseFieldsV1({ 'z:later': {}, 'f:a': {} })), '{"f:a":{}}');
  assert.equal(text(setOfPaths([[fieldElement('__proto__')]])), '{"f:__proto__":{}}');
});
