// Metacontroller's dynamic apply: what was applied last time tells a field that somebody else set (it stays) from one
// that the hook no longer returns (it goes). Where a type changes (map to scalar, list to map) desired wins: the
// reference loses or nulls the value there. An explicit null in desired removes the key, as in a JSON merge patch.
// Nothing of the inputs is changed; parts of them may be shared by the result.

import {
  getOwn,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  setOwn,
} from '../kit/json.ts';
import { indexByKey, mergeKeyOf, mergeKeyValue } from './merge-key.ts';

export interface ThreeWay {
  readonly observed: JsonValue | undefined;
  readonly lastApplied: JsonValue | undefined;
  readonly desired: JsonValue | undefined;
}

/**
 * Observed, with what desired says and without what only lastApplied said. An absent `desired` removes what was applied:
 * the result is then observed when nothing was applied, else null.
 */
export function mergeThreeWay({ observed, lastApplied, desired }: ThreeWay): JsonValue {
  if (desired === undefined) return lastApplied === undefined ? (observed ?? null) : null;
  return mergeValue(observed, lastApplied, desired);
}

/** A copy of a value as it is when nothing is there yet: without keys that are null. */
export function withoutNulls(value: JsonValue): JsonValue {
  return mergeValue(undefined, undefined, value);
}

type Maybe = JsonValue | undefined;

function mergeValue(observed: Maybe, lastApplied: Maybe, desired: JsonValue): JsonValue {
  if (isJsonArray(desired)) return mergeLists(listOr(observed), listOr(lastApplied), desired);
  if (isJsonObject(desired)) return mergeObjects(objectOr(observed), objectOr(lastApplied), desired);
  return desired;
}

function mergeObjects(observed: JsonObject, lastApplied: JsonObject, desired: JsonObject): JsonObject {
  const merged: MutableJsonObject = {};
  for (const key of Object.keys(observed)) {
    const wanted = getOwn(desired, key);
    const mine = getOwn(lastApplied, key);
    const value = wanted === undefined && mine === undefined ? observed[key] : mergedField(observed[key], mine, wanted);
    if (value !== undefined) setOwn(merged, key, value);
  }
  for (const key of Object.keys(desired)) {
    if (getOwn(observed, key) !== undefined) continue;
    const value = mergedField(undefined, getOwn(lastApplied, key), desired[key]);
    if (value !== undefined) setOwn(merged, key, value);
  }
  return merged;
}

/** One field that desired or lastApplied speaks of; undefined: not there. */
function mergedField(observed: Maybe, lastApplied: Maybe, desired: Maybe): JsonValue | undefined {
  return desired === undefined || desired === null ? undefined : mergeValue(observed, lastApplied, desired);
}

function mergeLists(
  observed: readonly JsonValue[],
  lastApplied: readonly JsonValue[],
  desired: readonly JsonValue[],
): readonly JsonValue[] {
  const key = mergeKeyOf([observed, lastApplied, desired]);
  if (key === undefined) return desired.map((item) => withoutNulls(item));
  const present = indexByKey(observed, key);
  const applied = indexByKey(lastApplied, key);
  const wanted = indexByKey(desired, key);
  const merged: JsonValue[] = [];
  for (const [value, item] of present) {
    const want = wanted.get(value);
    if (want !== undefined) merged.push(mergeValue(item, applied.get(value), want));
    else if (!applied.has(value)) merged.push(item);
  }
  for (const item of desired) {
    const value = mergeKeyValue(item, key);
    if (value !== undefined && !present.has(value)) merged.push(withoutNulls(item));
  }
  return merged;
}

const listOr = (value: Maybe): readonly JsonValue[] => (isJsonArray(value) ? value : []);
const objectOr = (value: Maybe): JsonObject => (isJsonObject(value) ? value : {});
