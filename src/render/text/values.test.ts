import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonValue } from '../../kit/json.ts';
import { visibleWidth, wrapWords } from './line.ts';
import { shortPair, shortValue, showValue } from './values.ts';

const SHOWN: readonly (readonly [JsonValue, string, string])[] = [
  ['nginx:1.27', 'nginx:1.27', 'a plain word needs no quotes'],
  ['two words', '"two words"', 'white space does'],
  ['80', '"80"', 'it would read as a number'],
  ['true', '"true"', 'it would read as a boolean'],
  ['', '""', 'nothing would be seen'],
  [80, '80', 'a number'],
  [9007199254740993n, '9007199254740993', 'a large integer whole'],
  [null, 'null', 'null'],
  [{ a: [1] }, '{"a":[1]}', 'JSON'],
  ['(known after apply)', '(known after apply)', 'no text of the object'],
  ['(value #1, 3 bytes)', '(value #1, 3 bytes)', 'a mask'],
];
for (const [value, want, reason] of SHOWN) {
  test(`value: ${want}: ${reason}`, () => assert.equal(showValue(value), want));
}

const PAIRS: readonly { before: JsonValue; after: JsonValue; room: number; want: string; reason: string }[] = [
  { before: 1, after: '1', room: 40, want: '1 → "1"', reason: 'the type shows' },
  {
    before: `${'x'.repeat(60)}/a`,
    after: `${'x'.repeat(60)}/b`,
    room: 40,
    want: '…xxxxxxxxxxx/a → …xxxxxxxxxxx/b',
    reason: 'what differs stays in sight',
  },
  {
    before: '(value #1, 24 bytes)',
    after: '(value #2, 32 bytes)',
    room: 60,
    want: '(value #1 → #2, 24 → 32 bytes)',
    reason: 'masks are told together',
  },
];
for (const { before, after, room, want, reason } of PAIRS) {
  test(`pair: ${reason}`, () => assert.equal(shortPair(before, after, room), want));
}

test('pair: fits its room whatever the texts are', () => {
  const texts = ['a'.repeat(200), `${'b'.repeat(90)}x${'b'.repeat(90)}`, '日本'.repeat(60), 'short', ''];
  for (const before of texts) {
    for (const after of texts) {
      for (const room of [24, 41, 80])
        assert.ok(visibleWidth(shortPair(before, after, room)) <= room, `${before} ${after}`);
    }
  }
});

test('value: shortened in the middle', () => assert.equal(shortValue('abcdefghijklmnopqrstuvwxyz', 9), 'abcd…wxyz'));

test('words: wrapped at spaces, broken only when longer than a line', () => {
  assert.deepEqual(wrapWords('one two  three', 8), ['one two', 'three']);
  assert.deepEqual(wrapWords('a 0123456789 b', 4), ['a', '0123', '4567', '89 b']);
});
