// Values as Go prints them, in path elements (JSON) and in the messages of the API server (the verbs %q, %v, %#v and %T).

import { goJson } from '../../kit/go-json.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../kit/json.ts';

// A backslash that is itself escaped stays.
const SHORT = /\\(\\|b|f)/g;
const longer: Readonly<Record<string, string>> = { '\\\\': '\\\\', '\\b': '\\u0008', '\\f': '\\u000c' };

// Most strings are names: nothing in them is escaped.
const PLAIN = /^[\w ./:@-]*$/;

/** JSON as path elements hold it: as kit's goJson, but the encoder used there knows no short form of \b and \f. */
export function elementJson(value: JsonValue): string {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string' && PLAIN.test(value)) return `"${value}"`;
  return goJson(value).replace(SHORT, (found) => longer[found] ?? found);
}

const QUOTED: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '"': '\\"',
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
};

/** %q of a string. */
export function goQuote(text: string): string {
  let out = '';
  for (const char of text) out += QUOTED[char] ?? (isPrintable(char) ? char : quoteRune(char.codePointAt(0) ?? 0));
  return `"${out}"`;
}

const isPrintable = (char: string): boolean => char === ' ' || /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(char);

function quoteRune(rune: number): string {
  if (rune < 0x80) return `\\x${rune.toString(16).padStart(2, '0')}`;
  return rune > 0xffff ? `\\U${rune.toString(16).padStart(8, '0')}` : `\\u${rune.toString(16).padStart(4, '0')}`;
}

/** %v of a value as decoded from JSON. */
export function goPrint(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (isJsonArray(value)) return `[${value.map(goPrint).join(' ')}]`;
  if (isJsonObject(value))
    return `map[${sorted(value)
      .map(([key, item]) => `${key}:${goPrint(item)}`)
      .join(' ')}]`;
  return String(value);
}

/** %#v of a value as decoded from JSON. */
export function goSyntax(value: JsonValue): string {
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'string') return goQuote(value);
  if (isJsonArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (!isJsonObject(value)) return String(value);
  const entries = sorted(value).map(([key, item]) => `${goQuote(key)}:${goSyntax(item)}`);
  return `map[string]interface {}{${entries.join(', ')}}`;
}

/** %T of a value as decoded from JSON. */
export function goType(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (isJsonArray(value)) return '[]interface {}';
  if (isJsonObject(value)) return 'map[string]interface {}';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'bigint' || Number.isInteger(value) ? 'int64' : 'float64';
}

const sorted = (object: Readonly<Record<string, JsonValue | undefined>>): readonly (readonly [string, JsonValue])[] =>
  Object.entries(object)
    .filter((entry): entry is [string, JsonValue] => entry[1] !== undefined)
    .sort(([a], [b]) => compareText(a, b));

/** By bytes of UTF-8, which is by code points; differs from code units only where surrogates are. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

// Surrogates stand for the highest code points.
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);
