import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nanosOf, parseQuantity, resourceAmount } from './quantity.ts';

// Canonical texts of many notations are in testdata/sandbox/recorded/reading.json, from a real server.

test('amounts compare by value, whatever their notation', () => {
  const same: readonly (readonly string[])[] = [
    ['1', '1000m', '1e0', '1000000u', '0.001k'],
    ['1Ki', '1024', '1.024k'],
    ['1.5Gi', '1536Mi', '1610612736'],
    ['0', '-0', '0Ki'],
  ];
  for (const texts of same) assert.equal(new Set(texts.map((text) => nanosOf(text))).size, 1, texts.join(' '));
  assert.ok(nanosOf('1G') < nanosOf('1Gi'));
  assert.ok(nanosOf('-1') < nanosOf(undefined));
});

test('less than a nano is a nano, less than a thousandth of a resource a thousandth', () => {
  assert.equal(nanosOf('0.0000000001'), 1n);
  assert.equal(resourceAmount('1n'), '1m');
  assert.equal(resourceAmount('1.0001'), '1001m');
  assert.equal(resourceAmount('2'), '2');
});

test('what is no amount', () => {
  for (const text of ['', 'x', '1x', '1.2.3', '1ee3', '--1', '0x5', '1e99999999999']) {
    assert.throws(() => parseQuantity(text), { name: 'QuantityError' }, text);
  }
});
