import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goJson } from './go-json.ts';
import type { JsonValue } from './json.ts';

const TABLE: readonly { readonly value: JsonValue; readonly text: string; readonly why: string }[] = [
  {
    value: { b: 1, a: { d: null, c: [] } },
    text: '{"a":{"c":[],"d":null},"b":1}',
    why: 'keys are sorted at every level',
  },
  {
    value: 'a < b && c > d',
    text: '"a \\u003c b \\u0026\\u0026 c \\u003e d"',
    why: 'what HTML gives a meaning is escaped',
  },
  { value: 'a\u2028b\u2029', text: '"a\\u2028b\\u2029"', why: 'and what JavaScript takes for line ends' },
  { value: { 'a&b': 'é "x" \\' }, text: '{"a\\u0026b":"é \\"x\\" \\\\"}', why: 'keys too; other characters stay' },
  { value: [9007199254740993n, 0.5, 1e21, 1e-7], text: '[9007199254740993,0.5,1e+21,1e-7]', why: 'numbers' },
];

for (const { value, text, why } of TABLE) test(`goJson: ${why}`, () => assert.equal(goJson(value), text));
