// Two states of one object as a list of changed fields, sorted by path: keys by code unit, list items in the order of
// the earlier state with new ones behind. An added or removed subtree is one change, at its topmost place.

import {
  getOwn,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  sortKeys,
} from '../kit/json.ts';
import type { Path } from '../kit/path.ts';
import { indexByKey, MERGE_KEYS, type MergeKeyValue, mergeKeyOf } from '../merge/index.ts';
import type { KubeObject } from '../model/object.ts';
import type { FieldChange } from '../model/plan.ts';
import { dropKeys, withoutNoise } from './noise.ts';

// For a person: a name before a number, so that a port that gets another number is one change and not two. Conditions
// have a type, tolerations and match expressions a key.
const ITEM_KEYS = ['name', ...MERGE_KEYS, 'type', 'key'];
/** Lists of objects without a key are shown whole up to this many characters of JSON, item by item beyond. */
const SHORT_LIST = 120;

type Maybe = JsonValue | undefined;

/** A value that both states have, at the topmost place where they agree. */
export interface SameField {
  readonly path: Path;
  readonly value: JsonValue;
}

export interface Comparison {
  readonly changes: readonly FieldChange[];
  readonly same: readonly SameField[];
}

/** What differs. Absent on one side: created or deleted; what only names the object is left out then. */
export function diffObjects(before: KubeObject | undefined, after: KubeObject | undefined): FieldChange[] {
  const [old, now] = [comparable(before), comparable(after)];
  const sink: Sink = { changes: [] };
  if (before && after) compareMaps(sink, [], [old, now]);
  else compareMaps(sink, [], [withoutIdentity(old), withoutIdentity(now)]);
  return sink.changes;
}

/** The same, with what stays as it is. */
export function compareObjects(before: KubeObject, after: KubeObject): Comparison {
  const same: SameField[] = [];
  const sink: Sink = { changes: [], same };
  compareMaps(sink, [], [comparable(before), comparable(after)]);
  return { changes: sink.changes, same };
}

interface Sink {
  readonly changes: FieldChange[];
  /** Absent: nobody asks for what is the same. */
  readonly same?: SameField[];
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

function compareMaps(sink: Sink, path: Path, [before, after]: readonly [JsonObject, JsonObject]): void {
  const added = Object.keys(after).filter((key) => !Object.hasOwn(before, key));
  const stayed = Object.keys(before).filter((key) => sink.same || before[key] !== getOwn(after, key));
  for (const key of sortKeys([...stayed, ...added]))
    compareValues(sink, [...path, key], [getOwn(before, key), getOwn(after, key)]);
}

function compareValues(sink: Sink, path: Path, [before, after]: readonly [Maybe, Maybe]): void {
  if (before === undefined && after === undefined) return;
  if (before === undefined) sink.changes.push({ path, op: 'add', after: after as JsonValue });
  else if (after === undefined) sink.changes.push({ path, op: 'remove', before });
  else if (jsonEqual(before, after)) sink.same?.push({ path, value: after });
  else if (isJsonObject(before) && isJsonObject(after)) compareMaps(sink, path, [before, after]);
  else if (isJsonArray(before) && isJsonArray(after)) compareLists(sink, path, [before, after]);
  else sink.changes.push({ path, op: 'change', before, after });
}

type Lists = readonly [readonly JsonValue[], readonly JsonValue[]];

function compareLists(sink: Sink, path: Path, [before, after]: Lists): void {
  const key = mergeKeyOf([before, after], ITEM_KEYS);
  if (key !== undefined) compareKeyedLists(sink, path, { before, after, key });
  else if (isShort(before) && isShort(after)) sink.changes.push({ path, op: 'change', before, after });
  else if (![...before, ...after].every(isJsonObject)) sink.changes.push({ path, op: 'change', before, after });
  else compareByIndex(sink, path, [before, after]);
}

function compareByIndex(sink: Sink, path: Path, [before, after]: Lists): void {
  const length = Math.max(before.length, after.length);
  for (let index = 0; index < length; index++) compareValues(sink, [...path, index], [before[index], after[index]]);
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

function compareKeyedLists(sink: Sink, path: Path, { before, after, key }: KeyedLists): void {
  const [old, now] = [indexByKey(before, key), indexByKey(after, key)];
  // A new order of the same items can matter (environment variables, init containers), and no item would show it.
  if (!sameOrder([...old.keys()], [...now.keys()])) {
    sink.changes.push({ path, op: 'change', before, after });
    return;
  }
  for (const value of new Set([...old.keys(), ...now.keys()])) {
    compareValues(sink, [...path, { key, value }], [old.get(value), now.get(value)]);
  }
}

function sameOrder(before: readonly MergeKeyValue[], after: readonly MergeKeyValue[]): boolean {
  const [old, now] = [new Set(before), new Set(after)];
  const stayed = after.filter((value) => old.has(value));
  return before.filter((value) => now.has(value)).every((value, index) => value === stayed[index]);
}
