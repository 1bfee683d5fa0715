import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goPattern } from './go-pattern.ts';

const matches: readonly (readonly [pattern: string, text: string, want: boolean, reason: string])[] = [
  ['^[a-z\\-_]+$', 'a-_', true, 'a dash may be escaped in a class'],
  ['^\\w+\\-\\w+$', 'a-b', true, 'and outside of one'],
  ['(?i)^abc$', 'ABC', true, 'flags at the start'],
  ['(?P<year>\\d{4})', '2024', true, 'named groups in the style of Python'],
  ['^a\\z', 'a\n', false, '\\z is the very end'],
  ['\\Aa', 'ba', false, '\\A the very start'],
  ['^[[:alpha:]]+$', 'aZ', true, 'POSIX classes'],
  ['^[^[:space:]]+$', 'a b', false, 'and their opposite'],
  ['^\\pL+$', 'äß', true, 'Unicode classes of one letter'],
  ['^\\p{Greek}+$', 'αβ', true, 'scripts'],
  ['^\\Qa.b\\E$', 'a.b', true, 'literal text'],
  ['^\\Qa.b\\E$', 'axb', false, 'of which nothing means anything'],
  ['^a{,2}$', 'a{,2}', true, 'braces that are no repetition'],
  ['^x]$', 'x]', true, 'a bracket that closes nothing'],
  ['^[]a]$', ']', true, 'a bracket that comes first in a class'],
  ['^\\x{1F600}$', '😀', true, 'code points'],
  ['^.$', '😀', true, 'one character, not two units'],
];

for (const [pattern, text, want, reason] of matches) {
  test(`${pattern} on ${JSON.stringify(text)}: ${reason}`, () => {
    const read = goPattern(pattern);
    assert.ok('regexp' in read, JSON.stringify(read));
    assert.equal(read.regexp.test(text), want);
  });
}

test('what RE2 has not is refused in its words', () => {
  for (const [pattern, problem] of [
    ['a(?=b)', 'invalid or unsupported Perl syntax: `(?=`'],
    ['(?<!a)b', 'invalid or unsupported Perl syntax: `(?<`'],
    ['(a)\\1', 'invalid escape sequence: `\\1`'],
    ['a{2,1}', 'invalid repeat count: `{2,1}`'],
    ['(a', 'missing closing ): `(a`'],
  ] as const) {
    assert.deepEqual(goPattern(pattern), { problem: `error parsing regexp: ${problem}` });
  }
});
