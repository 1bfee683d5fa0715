// Metacontroller's dynamic apply: what was applied last time tells a field that somebody else set (it stays) from one
// that the hook no longer returns (it goes). Where a type changes (map to scalar, list to map) desired wins: the
// reference loses or nulls the value there. An explicit null in desired removes the key, as in a JSON merge patch.
// Nothing of the inputs is changed; parts of them may be shared by the result, and what stays as observed is observed itself.

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
  let merged: MutableJsonObject | undefined;
  for (const key of Object.keys(lastApplied === desired ? desired : { ...desired, ...lastApplied })) {
    const [present, mine, wanted] = [getOwn(observed, key), getOwn(lastApplied, key), getOwn(desired, key)];
    if (wanted === undefined && mine === undefined) continue;
    const value = wanted === undefined || wanted === null ? undefined : mergeValue(present, mine, wanted);
    if (value === present) continue;
    merged ??= { ...observed };
    if (value === undefined) delete merged[key];
    else setOwn(merged, key, value);
  }
  return merged ?? observed;
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
  const stays = merged.length === observed.length && merged.every((item, index) => item === observed[index]);
  return stays ? observed : merged;
}

const listOr = (value: Maybe): readonly JsonValue[] => (isJsonArray(value) ? value : []);
const objectOr = (value: Maybe): JsonObject => (isJsonObject(value) ? value : {});
