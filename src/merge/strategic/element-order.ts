// The order of lists that a strategic merge patch has merged: items of the patch as the patch says, items that only the
// server has as the server had them, interleaved so that neither order is broken.
// Sorting here is insertion sort on purpose: the comparisons of the server's library are not strict ones, and with them
// only the same steps give the same lists.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../kit/json.ts';
import { badArgument, goText, goType, noListsOfLists, noMergeKey, StrategicPatchError } from './errors.ts';

export type List = readonly JsonValue[];

export const PATCH = '$patch';
export const RETAIN_KEYS = '$retainKeys';
export const DELETE_FROM = '$deleteFromPrimitiveList';
export const ELEMENT_ORDER = '$setElementOrder';

/** Whether the items are maps. Throws when they are of different types, lists, or none at all. */
export function holdsMaps(...lists: readonly List[]): boolean {
  let type: string | undefined;
  for (const item of lists.flat()) {
    type ??= goType(item);
    if (isJsonArray(item)) throw noListsOfLists();
    if (goType(item) !== type) {
      throw new StrategicPatchError(`list element types are not identical: ${goText(lists.map((list) => list))}`);
    }
  }
  if (type === undefined) throw new StrategicPatchError('no elements in any of the given slices');
  return type === 'map[string]interface {}';
}

export function asMap(item: JsonValue | undefined): JsonObject {
  if (!isJsonObject(item)) throw badArgument('map', item);
  return item;
}

/** The value of an item's merge key. Throws where it has none. */
export function keyOf(item: JsonValue | undefined, mergeKey: string): JsonValue {
  const map = asMap(item);
  const value = map[mergeKey];
  if (value === undefined) throw noMergeKey(map, mergeKey);
  return value;
}

/** What tells items apart: the merge key of maps, plain values themselves. */
function identity(item: JsonValue, mergeKey: string, maps: boolean): JsonValue {
  if (!maps) return item;
  return (isJsonObject(item) ? item[mergeKey] : undefined) ?? null;
}

function indexIn(list: List, item: JsonValue, { mergeKey, maps }: ListShape): number {
  const wanted = identity(item, mergeKey, maps);
  return list.findIndex((other) => identity(other, mergeKey, maps) === wanted);
}

export interface ListShape {
  readonly mergeKey: string;
  readonly maps: boolean;
}

export function isDeletion(item: JsonValue): boolean {
  return asMap(item)[PATCH] === 'delete';
}

/** Sorted as in `order`; what the patch deletes goes to the end. */
export function inOrder(items: List, order: List, shape: ListShape): List {
  if (shape.maps) for (const item of [...items, ...order]) keyOf(item, shape.mergeKey);
  const deletions = shape.maps ? items.filter(isDeletion) : [];
  const sorted = shape.maps ? items.filter((item) => !isDeletion(item)) : [...items];
  insertionSort(sorted, (a, b) => {
    const i = indexIn(order, a, shape);
    const j = indexIn(order, b, shape);
    return i < 0 || j < 0 || i < j;
  });
  return [...sorted, ...deletions];
}

export function insertionSort<T>(items: T[], before: (a: T, b: T) => boolean): void {
  for (let i = 1; i < items.length; i++) {
    for (let j = i; j > 0 && before(items[j] as T, items[j - 1] as T); j--) {
      [items[j - 1], items[j]] = [items[j] as T, items[j - 1] as T];
    }
  }
}

export interface MergedItems {
  readonly merged: List;
  /** The order that the patch wants, and with it which items are the patch's. */
  readonly patchOrder: List;
  readonly serverOrder: List;
}

/** The merged items in their final order. */
export function withOrder({ merged, patchOrder, serverOrder }: MergedItems, shape: ListShape): List {
  const byKey = shape.mergeKey !== '';
  const known = new Set(byKey ? patchOrder.map((item) => identityOfMap(item, shape.mergeKey)) : patchOrder);
  const isPatched = (item: JsonValue): boolean => known.has(byKey ? keyOf(item, shape.mergeKey) : item);
  const patched = inOrder(merged.filter(isPatched), patchOrder, shape);
  const others = merged.filter((item) => !isPatched(item));
  return interleaved(inOrder(others, serverOrder, shape), patched, { serverOrder, shape });
}

function identityOfMap(item: JsonValue, mergeKey: string): JsonValue | undefined {
  if (isJsonObject(item)) return item[mergeKey];
  throw new StrategicPatchError('value for key 0 is not a map');
}

/** Each of `others` stands before the first of `patched` that the server had behind it. */
function interleaved(
  others: List,
  patched: List,
  { serverOrder, shape }: { serverOrder: List; shape: ListShape },
): List {
  const result: JsonValue[] = [];
  let i = 0;
  let j = 0;
  while (i < others.length && j < patched.length) {
    const left = indexIn(serverOrder, others[i] as JsonValue, shape);
    const right = indexIn(serverOrder, patched[j] as JsonValue, shape);
    result.push((left >= 0 && right >= 0 && left < right ? others[i++] : patched[j++]) as JsonValue);
  }
  return [...result, ...others.slice(i), ...patched.slice(j)];
}

/** Later copies of a value go; the last one takes the place of a copy, which is how the server does it. */
export function withoutCopies(values: List): List {
  const kept = [...values];
  for (let i = 0; i < kept.length - 1; i++) {
    for (let j = i + 1; j < kept.length; j++) {
      if (kept[i] !== kept[j]) continue;
      kept[j] = kept[kept.length - 1] as JsonValue;
      kept.pop();
      j--;
    }
  }
  return kept;
}

/** Plain values by their text. */
export function sortedByText(values: List): List {
  const sorted = [...values];
  insertionSort(sorted, (a, b) => goText(a) <= goText(b));
  return sorted;
}
