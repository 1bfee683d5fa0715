// x-kubernetes-list-type "set" and "map": no item, and no combination of keys, twice.

import {
  canonicalJson,
  isJsonArray,
  isJsonObject,
  type JsonValue,
  type MutableJsonObject,
  setOwn,
} from '../../kit/json.ts';
import { duplicateValue, type FieldProblem, invalidValue } from '../field-problem.ts';
import type { Structural } from './structural.ts';

export function listTypeProblems(
  schema: Structural | undefined,
  value: JsonValue | undefined,
  path = '',
): FieldProblem[] {
  if (!schema?.has.listTypes) return [];
  if (isJsonArray(value)) return arrayProblems(schema, value, path);
  if (!isJsonObject(value)) return [];
  const problems: FieldProblem[] = [];
  for (const key of Object.keys(value)) {
    const child = value[key];
    if (typeof schema.additional === 'object') {
      problems.push(...listTypeProblems(schema.additional, child, `${path}[${key}]`));
    }
    const property = schema.properties.get(key);
    if (property) problems.push(...listTypeProblems(property, child, path === '' ? key : `${path}.${key}`));
  }
  return problems;
}

function arrayProblems(schema: Structural, items: readonly JsonValue[], path: string): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (schema.listType === 'set') {
    for (const index of repeated(items)) problems.push(duplicateValue(`${path}[${index}]`, items[index]));
  } else if (schema.listType === 'map') problems.push(...mapProblems(schema.listMapKeys, items, path));
  items.forEach((item, index) => {
    problems.push(...listTypeProblems(schema.items, item, `${path}[${index}]`));
  });
  return problems;
}

function mapProblems(keys: readonly string[], items: readonly JsonValue[], path: string): FieldProblem[] {
  const stranger = items.findIndex((item) => item !== null && !isJsonObject(item));
  if (stranger >= 0) {
    const detail = 'must be an object for an array of list-type map';
    return [invalidValue(`${path}[${stranger}]`, items[stranger], detail)];
  }
  const [only, ...others] = keys;
  const ids =
    only !== undefined && others.length === 0
      ? items.map((item) => onlyKey(only, item))
      : items.map((item) => keysOf(keys, item));
  return repeated(ids).map((index) => duplicateValue(`${path}[${index}]`, keysOf(keys, items[index] ?? null)));
}

const onlyKey = (key: string, item: JsonValue): JsonValue => {
  const value = isJsonObject(item) && Object.hasOwn(item, key) ? item[key] : undefined;
  return typeof value === 'string' ? value : keysOf([key], item);
};

function keysOf(keys: readonly string[], item: JsonValue): JsonValue {
  const id: MutableJsonObject = {};
  if (!isJsonObject(item)) return id;
  for (const key of keys) if (Object.hasOwn(item, key)) setOwn(id, key, item[key]);
  return id;
}

/** Where an item comes for the second time (not for the third). */
function repeated(items: readonly JsonValue[]): number[] {
  if (items.length < 2) return [];
  const seen = new Map<string, number>();
  const indices: number[] = [];
  items.forEach((item, index) => {
    // Most are text, and most keys one text: no need to sort and print those.
    const text = typeof item === 'string' ? `"${item}` : canonicalJson(item);
    const times = (seen.get(text) ?? 0) + 1;
    seen.set(text, times);
    if (times === 2) indices.push(index);
  });
  return indices;
}
