// A problem of one field in the words of the API server (apimachinery's field errors): a reason from its list, and
// "Invalid value: …: must be …". Values are shown as Go's %q, %v and JSON show them.

import { goJson } from '../kit/go-json.ts';
import type { JsonValue } from '../kit/json.ts';

export interface FieldProblem {
  readonly field: string;
  readonly reason: string;
  readonly message: string;
}

const ESCAPES: Readonly<Record<string, string>> = { '\u0007': '\\a', '\u000b': '\\v', '\b': '\\b', '\f': '\\f' };

/** As Go's %q: control characters are \x01, not \u0001. */
export function goQuote(text: string): string {
  return JSON.stringify(text).replaceAll(/\\u00([01][0-9a-f])|\u007f/g, (_whole, code: string | undefined) => {
    if (code === undefined) return '\\x7f';
    return ESCAPES[String.fromCharCode(Number.parseInt(code, 16))] ?? `\\x${code}`;
  });
}

/** A number as Go's %v prints a float64 or an int64. */
export function goNumber(value: number | bigint): string {
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) {
    return String(value);
  }
  const magnitude = Math.abs(value);
  if (magnitude !== 0 && (magnitude < 1e-4 || magnitude >= 1e21)) return exponential(value);
  return Number.isInteger(value) ? BigInt(value).toString() : String(value);
}

/** 1e-07, 1.5e+21: at least two digits of exponent. */
function exponential(value: number): string {
  return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
}

/** A value that is shown by a text of its own: JSON of a Go struct, whose fields are not sorted. */
export class Shown {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export function showValue(value: unknown): string {
  if (value instanceof Shown) return value.text;
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number' || typeof value === 'bigint') return goNumber(value);
  return typeof value === 'boolean' ? String(value) : goJson((value ?? null) as JsonValue);
}

const withDetail = (head: string, detail: string): string => (detail === '' ? head : `${head}: ${detail}`);

export const required = (field: string, detail = ''): FieldProblem => ({
  field,
  reason: 'FieldValueRequired',
  message: withDetail('Required value', detail),
});
export const invalidValue = (field: string, bad: unknown, detail: string): FieldProblem => ({
  field,
  reason: 'FieldValueInvalid',
  message: withDetail(`Invalid value: ${showValue(bad)}`, detail),
});
/** As invalidValue, for a value that is too big to be shown. */
export const invalidField = (field: string, detail: string): FieldProblem => ({
  field,
  reason: 'FieldValueInvalid',
  message: withDetail('Invalid value', detail),
});
export const wrongType = (field: string, bad: unknown, detail: string): FieldProblem => ({
  field,
  reason: 'FieldValueTypeInvalid',
  message: withDetail(`Invalid value: ${showValue(bad)}`, detail),
});
export const forbiddenField = (field: string, detail: string): FieldProblem => ({
  field,
  reason: 'FieldValueForbidden',
  message: withDetail('Forbidden', detail),
});
export const duplicateValue = (field: string, bad: unknown): FieldProblem => ({
  field,
  reason: 'FieldValueDuplicate',
  message: `Duplicate value: ${showValue(bad)}`,
});
export const unsupportedValue = (field: string, bad: unknown, supported: readonly string[]): FieldProblem => ({
  field,
  reason: 'FieldValueNotSupported',
  message: withDetail(
    `Unsupported value: ${showValue(bad)}`,
    supported.length === 0 ? '' : `supported values: ${supported.map(goQuote).join(', ')}`,
  ),
});
export const tooLong = (field: string, limit: number): FieldProblem => ({
  field,
  reason: 'FieldValueTooLong',
  message: `Too long: may not be more than ${limit} ${limit === 1 ? 'byte' : 'bytes'}`,
});
export const tooMany = (field: string, actual: number, limit: number): FieldProblem => ({
  field,
  reason: 'FieldValueTooMany',
  message: `Too many: ${actual}: must have at most ${limit} ${limit === 1 ? 'item' : 'items'}`,
});
