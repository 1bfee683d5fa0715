// Why a strategic merge patch can't be made or applied, in the words of the server's library, and how its values print.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../kit/json.ts';

/**
 * How the API server answers: `format` is a patch that is none (400), `unprocessable` one that can't be carried out (422);
 * everything else it takes for a failure of its own (500).
 */
export type StrategicPatchProblem = 'format' | 'unprocessable' | 'other';

export class StrategicPatchError extends Error {
  override readonly name = 'StrategicPatchError';
  readonly problem: StrategicPatchProblem;
  constructor(message: string, problem: StrategicPatchProblem = 'other') {
    super(message);
    this.problem = problem;
  }
}

export const badPrimitiveList = (): StrategicPatchError =>
  new StrategicPatchError('invalid patch format of primitive list', 'format');
export const badRetainKeys = (): StrategicPatchError =>
  new StrategicPatchError('invalid patch format of retainKeys', 'format');
export const badElementOrder = (): StrategicPatchError =>
  new StrategicPatchError('invalid patch format of setElementOrder list', 'format');
export const noListsOfLists = (): StrategicPatchError =>
  new StrategicPatchError('lists of lists are not supported', 'unprocessable');
export const noMergeKey = (item: JsonObject, key: string): StrategicPatchError =>
  new StrategicPatchError(`map: ${goText(item)} does not contain declared merge key: ${key}`);
export const badArgument = (expected: 'list' | 'map', actual: JsonValue | undefined): StrategicPatchError => {
  const type = expected === 'list' ? '[]interface {}' : 'map[string]interface {}';
  return new StrategicPatchError(`expected a ${type}, but received a ${goType(actual)}`);
};

/** The name of a JSON value's type in Go. */
export function goType(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '%!s(<nil>)';
  if (isJsonArray(value)) return '[]interface {}';
  if (isJsonObject(value)) return 'map[string]interface {}';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  if (typeof value === 'bigint') return 'int64';
  return typeof value === 'boolean' ? 'bool' : 'string';
}

/** A value as Go prints it with %v: map[a:1 b:[x y]]. Lists of patches are sorted by this text, too. */
export function goText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '<nil>';
  if (isJsonArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (!isJsonObject(value)) return String(value);
  const keys = Object.keys(value).sort();
  return `map[${keys.map((key) => `${key}:${goText(value[key])}`).join(' ')}]`;
}
