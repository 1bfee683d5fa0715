import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJson } from '../../kit/json.ts';
import { pruneNulls, pruneUnknown } from './prune.ts';
import { structuralOf } from './structural.ts';

const schema = structuralOf({
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        a: { type: 'string' },
        list: { type: 'array', items: { type: 'object', properties: { b: { type: 'string' } } } },
        map: { type: 'object', additionalProperties: { type: 'string', nullable: true } },
      },
    },
  },
});

test('unknown fields go, with their paths; metadata stays', () => {
  const value = { metadata: { x: 1 }, top: 1, spec: { a: 'x', c: 1, list: [{ b: 'y' }, { b: 'z', d: 2 }] } };
  assert.deepEqual(pruneUnknown(schema, value, true), {
    value: { metadata: { x: 1 }, spec: { a: 'x', list: [{ b: 'y' }, { b: 'z' }] } },
    unknown: ['spec.c', 'spec.list[1].d', 'top'],
  });
});

test('nothing to prune: the same value comes back', () => {
  const value = { spec: { a: 'x', list: [{ b: 'y' }], map: { k: null } } };
  assert.equal(pruneUnknown(schema, value, true).value, value);
  assert.equal(pruneNulls(schema, value), value);
});

test('a key called __proto__ is data: pruned where it is unknown, kept where it is a key of a map', () => {
  const value = parseJson('{"spec":{"__proto__":{"a":1},"map":{"__proto__":"x"}}}');
  const { value: pruned, unknown } = pruneUnknown(schema, value, true);
  assert.deepEqual(unknown, ['spec.__proto__']);
  assert.equal(JSON.stringify(pruned), '{"spec":{"map":{"__proto__":"x"}}}');
});

test('nulls go where the schema does not allow them; integers beyond int64 become floats', () => {
  const value = parseJson('{"spec":{"a":null,"map":{"k":null}},"n":9223372036854775808,"m":9007199254740993}');
  assert.deepEqual(pruneNulls(schema, value), { spec: { map: { k: null } }, n: 2 ** 63, m: 9007199254740993n });
});
