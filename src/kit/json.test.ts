import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalJson, parseJson, sortKeys, stringifyJson } from './json.ts';

const LONG = 9007199254740993n;

const TABLE: readonly { readonly text: string; readonly value: unknown; readonly why: string }[] = [
  { text: '9007199254740993', value: LONG, why: 'the whole document' },
  { text: '-9007199254740993', value: -LONG, why: 'negative' },
  { text: '{"a":9007199254740993}', value: { a: LONG }, why: 'a property' },
  { text: '{"a" :\n9007199254740993}', value: { a: LONG }, why: 'white space before it' },
  { text: '[1,9007199254740993]', value: [1, LONG], why: 'behind a comma' },
  { text: '[9007199254740993]', value: [LONG], why: 'first in a list' },
  { text: '{"a":"9007199254740993"}', value: { a: '9007199254740993' }, why: 'digits of a text stay text' },
  { text: '{"a":"x:9007199254740993"}', value: { a: 'x:9007199254740993' }, why: 'also where they look like a number' },
  { text: '{"a":1000000000000000}', value: { a: 1_000_000_000_000_000 }, why: '16 digits that a number can hold' },
  { text: '{"a":0.1234567890123456789}', value: { a: 0.123_456_789_012_345_68 }, why: 'fractions are numbers' },
];

for (const { text, value, why } of TABLE)
  test(`parseJson: ${why}`, () => {
    assert.deepEqual(parseJson(text), value);
    assert.deepEqual(parseJson(stringifyJson(parseJson(text) as object)), value);
  });

test('stringifyJson: what JSON can not hold is still refused', () => {
  const circle: Record<string, unknown> = { long: LONG };
  circle['self'] = circle;
  assert.throws(() => stringifyJson(circle), TypeError);
});

test('stringifyJson: indented, with and without long integers', () => {
  assert.equal(stringifyJson({ a: 1, b: undefined }, 1), '{\n "a": 1\n}');
  assert.equal(stringifyJson({ a: LONG }, 1), '{\n "a": 9007199254740993\n}');
});

test('canonical JSON: keys by code unit at every level, numbers among them too, and nothing that JSON does not escape', () => {
  const value = {
    b: [{ z: 1, a: undefined, '10': 2, '9': LONG }],
    a: 'q"\\\u0001\ud800\u2028',
    [String.raw`\k`]: null,
  };
  const want = '{"\\\\k":null,"a":"q\\"\\\\\\u0001\\ud800\u2028","b":[{"10":2,"9":9007199254740993,"z":1}]}';
  assert.equal(canonicalJson(value), want);
  assert.deepEqual(parseJson(canonicalJson(value)), parseJson(want));
});

test('keys are sorted by code unit, however many they are', () => {
  for (const count of [0, 1, 2, 31, 32, 33, 200]) {
    const keys = Array.from({ length: count }, (_, index) => `${(index * 37) % 101}-${index % 2 === 0 ? 'a' : 'Z'}`);
    assert.deepEqual(sortKeys([...keys]), [...keys].sort(), `${count} keys`);
  }
});
