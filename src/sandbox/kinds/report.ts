// What is wrong with an object, gathered in the order in which the server finds it. Paths are texts as the server writes
// them: "spec.containers[0].name".

import { type JsonObject, type JsonValue, stringifyJson } from '../../kit/json.ts';
import { type FieldProblem, forbiddenField, invalidValue, required, unsupportedValue } from '../http/status-error.ts';

export class Report {
  readonly problems: FieldProblem[] = [];
  /** For the Warning header. */
  readonly warnings: string[] = [];

  /** True so far. */
  get clean(): boolean {
    return this.problems.length === 0;
  }

  required(path: string, detail = ''): void {
    this.problems.push(required(path, detail));
  }

  invalid(path: string, bad: JsonValue | undefined, detail: string): void {
    const text = shown(bad);
    if (text === undefined) this.problems.push(invalidValue(path, bad ?? null, detail));
    else this.problems.push({ field: path, reason: 'FieldValueInvalid', message: `Invalid value: ${text}: ${detail}` });
  }

  /** One problem for each text of a rule for names. */
  invalidBy(path: string, bad: string, texts: readonly string[]): void {
    for (const text of texts) this.invalid(path, bad, text);
  }

  unsupported(path: string, bad: string, supported: readonly string[]): void {
    this.problems.push(unsupportedValue(path, bad, supported));
  }

  forbidden(path: string, detail: string): void {
    this.problems.push(forbiddenField(path, detail));
  }

  duplicate(path: string, bad: JsonValue): void {
    const message = `Duplicate value: ${stringifyJson(bad)}`;
    this.problems.push({ field: path, reason: 'FieldValueDuplicate', message });
  }

  notFound(path: string, bad: string): void {
    this.problems.push({ field: path, reason: 'FieldValueNotFound', message: `Not found: ${JSON.stringify(bad)}` });
  }

  tooLong(path: string, limit: number): void {
    const message = `Too long: may not be more than ${limit} bytes`;
    this.problems.push({ field: path, reason: 'FieldValueTooLong', message });
  }

  /** As others, of the reasons that are rare. */
  add(field: string, reason: string, message: string): void {
    this.problems.push({ field, reason, message });
  }

  /** `optional` is text that may be one of a few; absent and "" count as not given. */
  oneOf(path: string, value: JsonValue | undefined, supported: readonly string[]): void {
    if (!supported.includes(text(value))) this.unsupported(path, text(value), supported);
  }

  notNegative(path: string, value: JsonValue | undefined): void {
    if (value !== undefined && value !== null && Number(value) < 0)
      this.invalid(path, value, 'must be greater than or equal to 0');
  }
}

/** Objects as Go writes structs: fields in the order that they have, unlike maps, whose keys it sorts. */
function shown(bad: JsonValue | undefined): string | undefined {
  return typeof bad === 'object' && bad !== null ? stringifyJson(bad) : undefined;
}

export const NOT_NEGATIVE = 'must be greater than or equal to 0';
export const IMMUTABLE = 'field is immutable';

// Readers of what decoding has made sure of: types are right, fields may be absent.

export const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
export const number = (value: JsonValue | undefined): number =>
  value === undefined || value === null ? 0 : Number(value);
export const fields = (value: JsonValue | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
export const optional = (value: JsonValue | undefined): JsonObject | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
export const items = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as JsonObject[]) : [];
export const texts = (value: JsonValue | undefined): readonly string[] =>
  Array.isArray(value) ? (value as string[]) : [];
export const present = (value: JsonValue | undefined): value is JsonValue => value !== undefined && value !== null;

/** Keys of a map in order: the server meets them in a random one. */
export const keysOf = (value: JsonValue | undefined): readonly string[] => Object.keys(fields(value)).sort();
