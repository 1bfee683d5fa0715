import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JsonValue, jsonEqual, parseJson, stringifyJson } from '../kit/json.ts';
import { deepFreeze, randomJson, withSeeds } from '../testing/random-json.ts';
import { applyJsonPatch, applyMergePatch, createMergePatch, JsonPatchError } from './index.ts';

// RFC 7386, appendix A: target, patch, result.
const RFC_7386: readonly [string, string, string][] = [
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', '{}'],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['["a","b"]', '["c","d"]', '["c","d"]'],
  ['{"a":"b"}', '["c"]', '["c"]'],
  ['{"a":"foo"}', 'null', 'null'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
  ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
];
for (const [target, patch, want] of RFC_7386) {
  test(`merge patch: ${target} with ${patch}`, () => {
    assert.equal(stringifyJson(applyMergePatch(deepFreeze(parseJson(target)), deepFreeze(parseJson(patch)))), want);
  });
}

test('merge patch: the patch between two values makes the second of the first', () => {
  withSeeds(40_000, 3000, (random) => {
    const before = deepFreeze(randomJson(random, { depth: 4, nulls: true }));
    const after = deepFreeze(randomJson(random, { depth: 4 }));
    const patch = deepFreeze(createMergePatch(before, after));
    assert.ok(jsonEqual(applyMergePatch(before, patch), after), stringifyJson({ before, after, patch }));
  });
});

test('merge patch: equal objects give an empty patch', () => {
  assert.deepEqual(createMergePatch({ a: { b: 1 }, c: undefined }, { a: { b: 1 } }), {});
});

interface PatchCase {
  readonly reason: string;
  readonly target: JsonValue;
  readonly patch: JsonValue;
  readonly want: JsonValue | 'malformed' | 'failed';
}
const JSON_PATCHES: readonly PatchCase[] = [
  { reason: 'add a key', target: {}, patch: [{ op: 'add', path: '/a', value: 1 }], want: { a: 1 } },
  { reason: 'add replaces', target: { a: 0 }, patch: [{ op: 'add', path: '/a', value: 1 }], want: { a: 1 } },
  { reason: 'add null', target: {}, patch: [{ op: 'add', path: '/a', value: null }], want: { a: null } },
  { reason: 'add at the end', target: [1], patch: [{ op: 'add', path: '/-', value: 2 }], want: [1, 2] },
  { reason: 'add inside', target: [1, 3], patch: [{ op: 'add', path: '/1', value: 2 }], want: [1, 2, 3] },
  { reason: 'add beyond', target: [1], patch: [{ op: 'add', path: '/2', value: 2 }], want: 'failed' },
  { reason: 'the parent is missing', target: {}, patch: [{ op: 'add', path: '/a/b', value: 1 }], want: 'failed' },
  {
    reason: 'the parent is a scalar',
    target: { a: 1 },
    patch: [{ op: 'add', path: '/a/b', value: 1 }],
    want: 'failed',
  },
  { reason: 'no value', target: {}, patch: [{ op: 'add', path: '/a' }], want: 'failed' },
  { reason: 'whole document', target: { a: 1 }, patch: [{ op: 'replace', path: '', value: 2 }], want: 2 },
  { reason: 'escapes', target: { 'a/b~1': 1 }, patch: [{ op: 'remove', path: '/a~1b~01' }], want: {} },
  { reason: 'remove an item', target: [1, 2], patch: [{ op: 'remove', path: '/0' }], want: [2] },
  { reason: 'index from the end', target: [1, 2], patch: [{ op: 'remove', path: '/-1' }], want: [1] },
  { reason: 'remove nothing', target: {}, patch: [{ op: 'remove', path: '/a' }], want: 'failed' },
  { reason: 'remove the root', target: {}, patch: [{ op: 'remove', path: '' }], want: 'failed' },
  { reason: 'replace adds', target: {}, patch: [{ op: 'replace', path: '/a', value: 1 }], want: { a: 1 } },
  {
    reason: 'replace inside',
    target: { a: [{ b: 1 }] },
    patch: [{ op: 'replace', path: '/a/0/b', value: 2 }],
    want: { a: [{ b: 2 }] },
  },
  { reason: 'move', target: { a: 1 }, patch: [{ op: 'move', from: '/a', path: '/b' }], want: { b: 1 } },
  { reason: 'move into itself', target: { a: {} }, patch: [{ op: 'move', from: '/a', path: '/a/b' }], want: 'failed' },
  { reason: 'copy', target: { a: [1] }, patch: [{ op: 'copy', from: '/a', path: '/b' }], want: { a: [1], b: [1] } },
  { reason: 'copy nothing', target: {}, patch: [{ op: 'copy', from: '/a', path: '/b' }], want: 'failed' },
  { reason: 'from missing', target: { a: 1 }, patch: [{ op: 'copy', path: '/b' }], want: 'failed' },
  {
    reason: 'test holds',
    target: { a: { b: 1 } },
    patch: [{ op: 'test', path: '/a', value: { b: 1 } }],
    want: { a: { b: 1 } },
  },
  { reason: 'test differs', target: { a: 1 }, patch: [{ op: 'test', path: '/a', value: '1' }], want: 'failed' },
  { reason: 'test of an absent key for null', target: {}, patch: [{ op: 'test', path: '/a', value: null }], want: {} },
  { reason: 'no index', target: [1], patch: [{ op: 'remove', path: '/x' }], want: 'failed' },
  { reason: 'no pointer', target: {}, patch: [{ op: 'add', path: 'a', value: 1 }], want: 'failed' },
  { reason: 'unknown operation', target: {}, patch: [{ op: 'spin', path: '/a' }], want: 'failed' },
  { reason: 'not a list', target: {}, patch: {}, want: 'malformed' },
  { reason: 'not operations', target: {}, patch: ['add'], want: 'malformed' },
  { reason: 'op is no string', target: {}, patch: [{ op: 1, path: '/a' }], want: 'malformed' },
];
for (const { reason, target, patch, want } of JSON_PATCHES) {
  test(`JSON patch: ${reason}`, () => {
    const run = (): JsonValue => applyJsonPatch(deepFreeze(target), deepFreeze(patch));
    if (want !== 'malformed' && want !== 'failed') return assert.equal(stringifyJson(run()), stringifyJson(want));
    assert.throws(run, (error) => error instanceof JsonPatchError && error.kind === want);
  });
}

test('JSON patch: all operations or none, and the message names the one that failed', () => {
  const patch = [
    { op: 'add', path: '/a', value: 1 },
    { op: 'remove', path: '/missing' },
  ];
  assert.throws(() => applyJsonPatch(deepFreeze({}), patch), /operation 1 \(remove \/missing\)/);
});

test('JSON patch: __proto__ is a key like another', () => {
  const got = applyJsonPatch({}, parseJson('[{"op":"add","path":"/__proto__","value":{"polluted":1}}]'));
  assert.equal(stringifyJson(got), '{"__proto__":{"polluted":1}}');
  assert.equal(({} as { polluted?: number }).polluted, undefined);
  assert.throws(() => applyJsonPatch({}, [{ op: 'remove', path: '/constructor' }]), JsonPatchError);
});
