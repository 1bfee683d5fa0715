import { isJsonObject, type JsonValue } from '../../kit/json.ts';
import { ELEMENT_ORDER, isDeletion, keyOf, type List, PATCH } from './element-order.ts';
import { goText, StrategicPatchError } from './errors.ts';

/** The items of a patch's list must stand in its $setElementOrder list, in the same order; what it deletes need not. */
export function checkOrder(items: List, order: List, mergeKey: string): void {
  if (items.length === 0 || order.length === 0) return;
  const kept = mergeKey === '' ? items : items.filter((item) => !isDeletion(item));
  const identity = (item: JsonValue): JsonValue => (mergeKey === '' ? item : keyOf(item, mergeKey));
  let item = 0;
  let place = 0;
  while (item < kept.length && place < order.length) {
    const next = kept[item] as JsonValue;
    if (isJsonObject(next) && next[PATCH] !== undefined) item++;
    else if (identity(next) === identity(order[place++] as JsonValue)) item++;
  }
  if (item < kept.length && place >= order.length) {
    const lists = `:\n${goText(items)}\n doesn't match ${ELEMENT_ORDER} list:\n${goText(order)}\n`;
    throw new StrategicPatchError(`The order in patch list${lists}`);
  }
}
