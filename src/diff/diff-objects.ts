// Two states of one object as a list of changed fields, sorted by path: keys by code unit, list items in the order of
// the earlier state with new ones behind. An added or removed subtree is one change, at its topmost place.

import { getOwn, isJsonArray, isJsonObject, type JsonObject, type JsonValue, jsonEqual } from '../kit/json.ts';
import type { Path } from '../kit/path.ts';
import { indexByKey, MERGE_KEYS, type MergeKeyValue, mergeKeyOf } from '../merge/index.ts';
import type { KubeObject } from '../model/object.ts';
import type { FieldChange } from '../model/plan.ts';
import { dropKeys, withoutNoise } from './noise.ts';

// Conditions have a type, tolerations and match expressions a key: good enough to name an item to a person.
const ITEM_KEYS = [...MERGE_KEYS, 'type', 'key'];
/** Lists of objects without a key are shown whole up to this many characters of JSON, item by item beyond. */
const SHORT_LIST = 120;

type Maybe = JsonValue | undefined;

/** What differs. Absent on one side: created or deleted; what only names the object is left out then. */
export function diffObjects(before: KubeObject | undefined, after: KubeObject | undefined): FieldChange[] {
  const [old, now] = [comparable(before), comparable(after)];
  return before && after ? diffMaps(old, now, []) : diffMaps(withoutIdentity(old), withoutIdentity(now), []);
}

const comparable = (object: KubeObject | undefined): JsonObject =>
  object === undefined ? { metadata: {} } : withoutNoise(object);

function withoutIdentity(object: JsonObject): JsonObject {
  const metadata = getOwn(object, 'metadata');
  return {
    ...dropKeys(object, ['apiVersion', 'kind']),
    ...(isJsonObject(metadata) ? { metadata: dropKeys(metadata, ['name', 'namespace']) } : {}),
  };
}

function diffMaps(before: JsonObject, after: JsonObject, path: Path): FieldChange[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return keys.flatMap((key) => diffValues(getOwn(before, key), getOwn(after, key), [...path, key]));
}

function diffValues(before: Maybe, after: Maybe, path: Path): FieldChange[] {
  if (before === undefined && after === undefined) return [];
  if (before === undefined) return [{ path, op: 'add', after: after as JsonValue }];
  if (after === undefined) return [{ path, op: 'remove', before }];
  if (isJsonObject(before) && isJsonObject(after)) return diffMaps(before, after, path);
  if (jsonEqual(before, after)) return [];
  if (isJsonArray(before) && isJsonArray(after)) return diffLists(before, after, path);
  return [{ path, op: 'change', before, after }];
}

function diffLists(before: readonly JsonValue[], after: readonly JsonValue[], path: Path): FieldChange[] {
  const key = mergeKeyOf([before, after], ITEM_KEYS);
  if (key !== undefined) return diffKeyedLists({ before, after, key }, path);
  if (isShort(before) && isShort(after)) return [{ path, op: 'change', before, after }];
  if (![...before, ...after].every(isJsonObject)) return [{ path, op: 'change', before, after }];
  const length = Math.max(before.length, after.length);
  return Array.from({ length }, (_, index) => diffValues(before[index], after[index], [...path, index])).flat();
}

const isShort = (list: readonly JsonValue[]): boolean => jsonLength(list, SHORT_LIST) <= SHORT_LIST;

/** Roughly the length of a value as JSON; stops counting soon after `limit`. */
function jsonLength(value: JsonValue, limit: number): number {
  if (typeof value === 'string') return value.length + 2;
  if (!isJsonArray(value) && !isJsonObject(value)) return String(value).length;
  let length = 2;
  for (const [key, inner] of Object.entries(value)) {
    if (length > limit) break;
    length += (isJsonArray(value) ? 1 : key.length + 4) + jsonLength(inner ?? null, limit - length);
  }
  return length;
}

interface KeyedLists {
  readonly before: readonly JsonValue[];
  readonly after: readonly JsonValue[];
  readonly key: string;
}

function diffKeyedLists({ before, after, key }: KeyedLists, path: Path): FieldChange[] {
  const [old, now] = [indexByKey(before, key), indexByKey(after, key)];
  // A new order of the same items can matter (environment variables, init containers), and no item would show it.
  if (!sameOrder([...old.keys()], [...now.keys()])) return [{ path, op: 'change', before, after }];
  const names = new Set([...old.keys(), ...now.keys()]);
  return [...names].flatMap((value) => diffValues(old.get(value), now.get(value), [...path, { key, value }]));
}

function sameOrder(before: readonly MergeKeyValue[], after: readonly MergeKeyValue[]): boolean {
  const [old, now] = [new Set(before), new Set(after)];
  const stayed = after.filter((value) => old.has(value));
  return before.filter((value) => now.has(value)).every((value, index) => value === stayed[index]);
}
