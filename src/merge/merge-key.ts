// Which lists are maps in disguise. Metacontroller has no schema at hand: it takes a list for a map when every item is
// an object and all items share one of these keys. Order matters: the first that fits wins.

import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../kit/json.ts';

export const MERGE_KEYS = ['containerPort', 'port', 'mountPath', 'name', 'uid', 'ip', 'path'] as const;

export type MergeKeyValue = string | number | boolean;

/**
 * The key that identifies the items of all given lists, or undefined when the lists are to be taken as a whole: an item
 * is not an object, no key is shared, there is no item at all, or no shared key tells the items of each list apart. The
 * last is where we leave Metacontroller: it would lose one of two ports that have the same number (53/TCP and 53/UDP).
 */
export function mergeKeyOf(
  lists: readonly (readonly JsonValue[])[],
  candidates: readonly string[] = MERGE_KEYS,
): string | undefined {
  if (lists.every((list) => list.length === 0)) return undefined;
  if (!lists.every((list) => list.every(isJsonObject))) return undefined;
  return candidates.find((key) => lists.every((list) => identifies(list, key)));
}

/** The value of an item's merge key; undefined when it has none that could be one. */
export function mergeKeyValue(item: JsonValue, key: string): MergeKeyValue | undefined {
  const value = isJsonObject(item) ? getOwn(item, key) : undefined;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
}

/** Items by the value of their key: for lists that mergeKeyOf has accepted. */
export function indexByKey(list: readonly JsonValue[], key: string): Map<MergeKeyValue, JsonObject> {
  const index = new Map<MergeKeyValue, JsonObject>();
  for (const item of list) {
    const value = mergeKeyValue(item, key);
    if (value !== undefined && isJsonObject(item)) index.set(value, item);
  }
  return index;
}

function identifies(list: readonly JsonValue[], key: string): boolean {
  const seen = new Set<MergeKeyValue>();
  for (const item of list) {
    const value = mergeKeyValue(item, key);
    if (value === undefined || seen.has(value)) return false;
    seen.add(value);
  }
  return true;
}
