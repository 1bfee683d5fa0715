// Two lists with the strategy "merge": lists of maps by their merge key, plain values as a set.

import type { JsonObject, JsonValue } from '../../kit/json.ts';
import { asMap, holdsMaps, keyOf, type List, PATCH, withOrder, withoutCopies } from './element-order.ts';
import { goText, noMergeKey, StrategicPatchError } from './errors.ts';

export interface ListMerge {
  readonly mergeKey: string;
  readonly combining: boolean;
  /** Two items with the same key. */
  readonly mergeItems: (live: JsonObject, patch: JsonObject) => JsonObject;
  /** The patch lists plain values that go ($deleteFromPrimitiveList). */
  readonly deletes: boolean;
}

export function mergeLists(live: List, patch: List, merge: ListMerge): List {
  if (live.length === 0 && patch.length === 0) return live;
  const { mergeKey } = merge;
  if (!holdsMaps(live, patch)) {
    if (merge.deletes && !merge.combining) return live.filter((item) => !patch.includes(item));
    const merged = withoutCopies([...live, ...patch]);
    return withOrder({ merged, patchOrder: patch, serverOrder: live }, { mergeKey, maps: false });
  }
  if (mergeKey === '') throw new StrategicPatchError('cannot merge lists without merge key for struct');
  const { before, items } = withoutSpecialItems(live, patch, mergeKey);
  const merged = mergeByKey(before, items, merge);
  return withOrder({ merged, patchOrder: items, serverOrder: before }, { mergeKey, maps: true });
}

/** Carries out $patch: delete and $patch: replace, and takes them off the patch. */
function withoutSpecialItems(live: List, patch: List, mergeKey: string): { before: List; items: List } {
  let before = live;
  let replace = false;
  const items: JsonObject[] = [];
  for (const item of patch.map(asMap)) {
    const directive = item[PATCH];
    if (directive === undefined) items.push(item);
    else if (directive === 'delete') {
      const value = item[mergeKey];
      if (value === undefined) throw noMergeKey(item, mergeKey);
      before = before.filter((other) => asMap(other)[mergeKey] !== value);
    } else if (directive === 'replace') replace = true;
    else throw badDirective(directive, item);
  }
  return replace ? { before: items, items: [] } : { before, items };
}

function badDirective(directive: JsonValue, item: JsonObject): StrategicPatchError {
  if (directive === 'merge') return new StrategicPatchError('merging lists cannot yet be specified in the patch');
  return new StrategicPatchError(`unknown patch type: ${goText(directive)} in map: ${goText(item)}`);
}

function mergeByKey(live: List, patch: List, merge: ListMerge): List {
  const merged: JsonValue[] = [...live];
  for (const item of patch.map(asMap)) {
    const value = keyOf(item, merge.mergeKey);
    const index = merged.findIndex((other) => asMap(other)[merge.mergeKey] === value);
    if (index < 0) merged.push(item);
    else merged[index] = merge.mergeItems(asMap(merged[index]), item);
  }
  return merged;
}
