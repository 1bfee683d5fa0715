// Values in one line: as people write them, shortened so that what differs stays in sight.

import { parseMask } from '../../diff/index.ts';
import { type JsonValue, stringifyJson } from '../../kit/json.ts';
import { isUnknown } from '../../kit/unknown.ts';
import { takeColumns, takeLastColumns, visibleWidth } from './line.ts';

// What needs no quotes: nothing that could be read as a number, a boolean, null, a list, an object or two words.
const PLAIN = /^(?!(?:true|false|null)$)(?![\d.+-]+$)[^\s"'{}[\],\\]+$/;
const MASKED = /^\(value #\d+(?:, \d+ bytes)?\)$/;
/** Around the place where two texts differ, so much of what they share stays visible. */
const CONTEXT = 12;

export function showValue(value: JsonValue): string {
  if (typeof value !== 'string') return stringifyJson(value);
  if (isUnknown(value) || MASKED.test(value) || PLAIN.test(value)) return value;
  return JSON.stringify(value);
}

/** The value in at most `room` columns, the middle left out where it is longer. */
export function shortValue(value: JsonValue, room: number): string {
  return shortenMiddle(showValue(value), room);
}

export function shortenMiddle(text: string, room: number): string {
  if (visibleWidth(text) <= room) return text;
  const kept = Math.max(2, room - 1);
  return `${takeColumns(text, Math.ceil(kept / 2))}…${takeLastColumns(text, Math.floor(kept / 2))}`;
}

/** "before → after" in at most `room` columns. Long texts lose what they have in common first. */
export function shortPair(before: JsonValue, after: JsonValue, room: number): string {
  const masked = maskedPair(before, after);
  if (masked !== undefined) return masked;
  const [old, now] = [showValue(before), showValue(after)];
  const whole = `${old} → ${now}`;
  if (visibleWidth(whole) <= room) return whole;
  const [a, b] = withoutCommonParts(old, now);
  const half = Math.floor((room - 3) / 2);
  const spare = half - Math.min(visibleWidth(a), half);
  const shortB = shortenMiddle(b, half + spare);
  return `${shortenMiddle(a, Math.max(half, room - 3 - visibleWidth(shortB)))} → ${shortB}`;
}

function maskedPair(before: JsonValue, after: JsonValue): string | undefined {
  const [old, now] = [parseMask(before), parseMask(after)];
  if (!old || !now) return undefined;
  const bytes = old.bytes === now.bytes ? `${now.bytes}` : `${old.bytes} → ${now.bytes}`;
  return `(value #${old.number} → #${now.number}, ${bytes} bytes)`;
}

function withoutCommonParts(a: string, b: string): [string, string] {
  const shorter = Math.min(a.length, b.length);
  let head = 0;
  while (head < shorter && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < shorter - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  const [from, till] = [Math.max(0, head - CONTEXT), Math.max(0, tail - CONTEXT)];
  const cut = (text: string): string =>
    `${from > 1 ? '…' : text.slice(0, from)}${text.slice(from, text.length - till)}${till > 1 ? '…' : text.slice(text.length - till)}`;
  return [wholeCharacters(cut(a)), wholeCharacters(cut(b))];
}

/** Cutting by code units may have split a character. */
const wholeCharacters = (text: string): string => text.toWellFormed().replaceAll('\uFFFD', '');
