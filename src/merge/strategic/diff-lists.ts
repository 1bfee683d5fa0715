// The differences of two lists with the strategy "merge", as a patch of the list and the directives beside it.

import { type JsonObject, type JsonValue, jsonEqual } from '../../kit/json.ts';
import {
  asMap,
  holdsMaps,
  inOrder,
  insertionSort,
  keyOf,
  type List,
  PATCH,
  sortedByText,
  withoutCopies,
} from './element-order.ts';
import { goText } from './errors.ts';

export interface ListDiff {
  readonly items: List;
  /** Plain values that go. */
  readonly deleted: List;
  /** For $setElementOrder. */
  readonly order: List;
}

export interface DiffOptions {
  /** Only what was added or changed, not what is missing. */
  readonly withoutDeletions?: boolean;
  /** Only what is missing. */
  readonly deletionsOnly?: boolean;
}

export interface ListDiffContext extends DiffOptions {
  readonly mergeKey: string;
  /** Two items with the same key. */
  readonly diffItems: (original: JsonObject, modified: JsonObject) => JsonObject;
}

const NOTHING: ListDiff = { items: [], deleted: [], order: [] };

export function diffLists(original: List, modified: List, context: ListDiffContext): ListDiff {
  if (original.length === 0) return context.deletionsOnly ? NOTHING : { ...NOTHING, items: modified };
  return holdsMaps(original, modified)
    ? diffListsOfMaps(original, modified, context)
    : diffPlainLists(original, modified, context);
}

function diffListsOfMaps(original: List, modified: List, context: ListDiffContext): ListDiff {
  const { mergeKey } = context;
  const { changed, deleted } = itemDifferences(original, modified, context);
  const items = [...inOrder(changed, modified, { mergeKey, maps: true }), ...deleted];
  const changes = !context.deletionsOnly && (items.length > 0 || !sameOrder(original, modified, mergeKey));
  const needsOrder = changes || (!context.withoutDeletions && items.length > 0);
  const order = needsOrder ? modified.map((item) => ({ [mergeKey]: asMap(item)[mergeKey] })) : [];
  return { items, deleted: [], order };
}

function sameOrder(original: List, modified: List, mergeKey: string): boolean {
  if (original.length !== modified.length) return false;
  return modified.every((item, index) => keyOf(original[index], mergeKey) === keyOf(item, mergeKey));
}

/** Walks both lists in the order of their merge keys. */
function itemDifferences(
  original: List,
  modified: List,
  context: ListDiffContext,
): { changed: JsonValue[]; deleted: JsonObject[] } {
  const { mergeKey } = context;
  const olds = sortedByKey(original, mergeKey);
  const news = sortedByKey(modified, mergeKey);
  const changed: JsonValue[] = [];
  const deleted: JsonObject[] = [];
  let i = 0;
  let j = 0;
  while (i < olds.length || j < news.length) {
    const before = i < olds.length ? keyOf(olds[i], mergeKey) : undefined;
    const after = j < news.length ? keyOf(news[j], mergeKey) : undefined;
    const [left, right] = [goText(before), goText(after)];
    if (before !== undefined && after !== undefined && left === right) {
      const inside = context.diffItems(asMap(olds[i++]), asMap(news[j++]));
      if (Object.keys(inside).length > 0) changed.push({ ...inside, [mergeKey]: after });
    } else if (before === undefined || (after !== undefined && left > right)) {
      if (!context.deletionsOnly) changed.push(asMap(news[j]));
      j++;
    } else {
      if (!context.withoutDeletions) deleted.push({ [mergeKey]: before, [PATCH]: 'delete' });
      i++;
    }
  }
  return { changed, deleted };
}

function sortedByKey(items: List, mergeKey: string): JsonObject[] {
  const sorted = items.map(asMap);
  insertionSort(sorted, (a, b) => goText(a[mergeKey]) <= goText(b[mergeKey]));
  return sorted;
}

function diffPlainLists(original: List, modified: List, context: ListDiffContext): ListDiff {
  const olds = sortedByText(original);
  const news = sortedByText(modified);
  const added: JsonValue[] = [];
  const removed: JsonValue[] = [];
  let i = 0;
  let j = 0;
  while (i < olds.length || j < news.length) {
    const [left, right] = [goText(olds[i]), goText(news[j])];
    if (i < olds.length && j < news.length && left === right) {
      i++;
      j++;
    } else if (i >= olds.length || (j < news.length && left > right)) added.push(news[j++] as JsonValue);
    else removed.push(olds[i++] as JsonValue);
  }
  const items = context.deletionsOnly ? [] : inOrder(added, modified, { mergeKey: context.mergeKey, maps: false });
  const deleted = context.withoutDeletions ? [] : withoutCopies(removed);
  // The server's library compares with the sorted list here: an order that is not the alphabet's is always told.
  const changed = !context.deletionsOnly && !jsonEqual(olds, modified);
  return { items, deleted, order: deleted.length > 0 || changed ? modified : [] };
}
