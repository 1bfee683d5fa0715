// What is wrong with a text that is no JSON, in the words of Go's decoder.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hugeNumber, jsonProblem, parseJsonText } from './json-text.ts';

const END = 'unexpected end of JSON input';

const BROKEN: readonly (readonly [text: string, problem: string])[] = [
  ['', END],
  ['  ', END],
  ['{', END],
  ['{"a"', END],
  ['{"a":', END],
  ['{"a":1', END],
  ['{"a":1,', END],
  ['[1', END],
  ['"abc', END],
  ['"a\\', END],
  ['"\\u12', END],
  ['tru', END],
  ['-', END],
  ['1.', END],
  ['1e', END],
  ['{a', "invalid character 'a' looking for beginning of object key string"],
  ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
  ['{"a" 1}', "invalid character '1' after object key"],
  ['{"a":1 "b"', "invalid character '\"' after object key:value pair"],
  ['{"a":]', "invalid character ']' looking for beginning of value"],
  ['[1 2]', "invalid character '2' after array element"],
  ['[1,]', "invalid character ']' looking for beginning of value"],
  ['[}', "invalid character '}' looking for beginning of value"],
  ['{]', "invalid character ']' looking for beginning of object key string"],
  ['{} x', "invalid character 'x' after top-level value"],
  ['1 2', "invalid character '2' after top-level value"],
  ['nul!', "invalid character '!' in literal null (expecting 'l')"],
  ['-a', "invalid character 'a' in numeric literal"],
  ['1.a', "invalid character 'a' after decimal point in numeric literal"],
  ['1e+a', "invalid character 'a' in exponent of numeric literal"],
  ['01', "invalid character '1' after top-level value"],
  ['"\\x"', "invalid character 'x' in string escape code"],
  ['"\\u00g0"', "invalid character 'g' in \\u hexadecimal character escape"],
  ['"a\nb"', "invalid character '\\n' in string literal"],
  ['"a\u0001b"', "invalid character '\\x01' in string literal"],
  ["'a'", "invalid character '\\'' looking for beginning of value"],
  ['\ufeff{}', "invalid character 'ï' looking for beginning of value"],
];

for (const [text, problem] of BROKEN)
  test(`${JSON.stringify(text)}: ${problem}`, () => {
    assert.equal(jsonProblem(text), problem);
    assert.throws(() => parseJsonText(text), { name: 'SyntaxError', message: problem });
  });

test('nothing is wrong with JSON', () => {
  for (const text of ['{}', '[]', ' {"a": [1, -0.5e+3, "x\\u00e9\\n", true, false, null, {}, []], "b": {"c": 1}}\n'])
    assert.equal(jsonProblem(text), undefined, text);
});

test('no more than 10,000 levels', () => {
  const lists = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
  assert.doesNotThrow(() => parseJsonText(lists(10_000)));
  assert.throws(() => parseJsonText(lists(10_001)), { message: "invalid character '[' exceeded max depth" });
  assert.doesNotThrow(() => parseJsonText(`[${'[],'.repeat(20_000)}[]]`), 'many lists beside each other');
});

test('a number that no float holds, as it is written', () => {
  assert.equal(hugeNumber('{"a": [-1e400]}'), '-1e400');
  assert.equal(hugeNumber('{"a": 1e300, "b": "1e400"}'), undefined);
});
