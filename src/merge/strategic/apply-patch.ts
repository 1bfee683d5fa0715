// A strategic merge patch laid over an object, or over another patch (`combining`: directives and nulls stay, to act when
// the sum is applied). Inputs are never changed.

import {
  getOwn,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  type MutableJsonObject,
  setOwn,
} from '../../kit/json.ts';
import {
  DELETE_FROM,
  ELEMENT_ORDER,
  holdsMaps,
  type List,
  type ListShape,
  PATCH,
  RETAIN_KEYS,
  withOrder,
} from './element-order.ts';
import {
  badArgument,
  badElementOrder,
  badPrimitiveList,
  badRetainKeys,
  goText,
  goType,
  StrategicPatchError,
} from './errors.ts';
import { type ListMerge, mergeLists } from './merge-lists.ts';
import { checkOrder } from './order-check.ts';
import type { FieldPatch, PatchType } from './patch-type.ts';

/** Throws StrategicPatchError. */
export function applyStrategicPatch(object: JsonObject, patch: JsonObject, type: PatchType): JsonObject {
  return mergeMaps(object, patch, { type, combining: false });
}

export interface MergeContext {
  readonly type: PatchType;
  readonly combining: boolean;
}

export function mergeMaps(original: JsonObject, patch: JsonObject, context: MergeContext): JsonObject {
  const directive = patch[PATCH];
  if (directive !== undefined) return replaced(patch, directive);
  const result: MutableJsonObject = { ...original };
  const rest: MutableJsonObject = { ...patch };
  retainKeys(result, rest, context);
  mergeOrderedLists(result, rest, context);
  for (const key of Object.keys(rest)) mergeField(result, key, { ...context, given: rest[key] ?? null });
  return result;
}

function replaced(patch: JsonObject, directive: JsonValue): JsonObject {
  const { [PATCH]: _directive, ...rest } = patch;
  if (directive === 'replace') return rest;
  if (directive === 'delete') return {};
  throw new StrategicPatchError(`unknown patch type: ${goText(directive)} in map: ${goText(patch)}`);
}

function retainKeys(result: MutableJsonObject, rest: MutableJsonObject, { combining }: MergeContext): void {
  const kept = rest[RETAIN_KEYS];
  if (kept === undefined) return;
  delete rest[RETAIN_KEYS];
  if (combining) {
    const other = result[RETAIN_KEYS];
    if (other !== undefined && !jsonEqual(other, kept)) {
      const why = 'are not deep equal: this may happen when calculating the 3-way diff patch';
      throw new StrategicPatchError(`${goText(other)} and ${goText(kept)} ${why}`);
    }
    result[RETAIN_KEYS] = kept;
    return;
  }
  if (!isJsonArray(kept)) throw badRetainKeys();
  const names = new Set(kept);
  for (const key of Object.keys(rest)) {
    const isDirective = key.startsWith(DELETE_FROM) || key.startsWith(ELEMENT_ORDER);
    if (rest[key] !== null && !isDirective && !names.has(key)) throw badRetainKeys();
  }
  for (const key of Object.keys(result)) if (!names.has(key)) delete result[key];
}

/** The list that a directive "$setElementOrder/finalizers" is about. */
function listOf(key: string, directive: string): string {
  if (key.startsWith(`${directive}/`)) return key.slice(directive.length + 1);
  throw directive === ELEMENT_ORDER ? badElementOrder() : badPrimitiveList();
}

/** Lists that the patch gives an order are merged here, and are not met again. */
function mergeOrderedLists(result: MutableJsonObject, rest: MutableJsonObject, context: MergeContext): void {
  for (const key of Object.keys(rest).filter((name) => name.startsWith(ELEMENT_ORDER))) {
    const order = rest[key];
    delete rest[key];
    if (context.combining) {
      if (result[key] !== undefined && !jsonEqual(result[key], order)) throw badElementOrder();
      setOwn(result, key, order);
    }
    if (!isJsonArray(order)) throw badArgument('list', order);
    const name = listOf(key, ELEMENT_ORDER);
    const live = listAt(result, name);
    const given = listAt(rest, name);
    const field = context.type.listField(name);
    checkOrder(given ?? [], order, field.mergeKey);
    if (!live && !given) continue;
    const merged = mergedList({ live, given, field, context });
    const shape: ListShape = { mergeKey: field.mergeKey, maps: holdsMaps(live ?? [], given ?? []) };
    setOwn(result, name, withOrder({ merged, patchOrder: order, serverOrder: live ?? [] }, shape));
    delete rest[name];
  }
}

function mergedList(of: {
  live: List | undefined;
  given: List | undefined;
  field: FieldPatch;
  context: MergeContext;
}): List {
  const { live, given, field, context } = of;
  if (!given) return live ?? [];
  if (!live) return withoutDirectives(given) as List;
  if (field.strategy !== 'merge') return given;
  return mergeLists(live, given, listMerge(field, context, false));
}

function listMerge({ type, mergeKey }: FieldPatch, { combining }: MergeContext, deletes: boolean): ListMerge {
  const mergeItems = (live: JsonObject, patch: JsonObject): JsonObject => mergeMaps(live, patch, { type, combining });
  return { mergeKey, combining, deletes, mergeItems };
}

function listAt(object: JsonObject, key: string): List | undefined {
  const value = getOwn(object, key);
  if (value === undefined || isJsonArray(value)) return value;
  throw badArgument('list', value);
}

function mergeField(
  result: MutableJsonObject,
  patchKey: string,
  { given, ...context }: MergeContext & { given: JsonValue },
): void {
  const deletes = patchKey.startsWith(DELETE_FROM);
  if (deletes && context.combining) {
    setOwn(result, patchKey, given);
    return;
  }
  const key = deletes ? listOf(patchKey, DELETE_FROM) : patchKey;
  if (given === null) {
    delete result[key];
    if (!context.combining) return;
  }
  const live = getOwn(result, key);
  if (live === undefined || goType(live) !== goType(given)) {
    if (!deletes) put(result, key, context.combining ? given : withoutNulls(given));
  } else if (isJsonObject(live) && isJsonObject(given)) {
    const { type, strategy } = context.type.mapField(key);
    setOwn(result, key, strategy === 'replace' ? given : mergeMaps(live, given, { ...context, type }));
  } else if (isJsonArray(live) && isJsonArray(given)) {
    const field = context.type.listField(key);
    const merges = field.strategy === 'merge' || deletes;
    setOwn(result, key, merges ? mergeLists(live, given, listMerge(field, context, deletes)) : given);
  } else put(result, key, given);
}

/** A value that is nothing but a directive is not kept. */
function put(result: MutableJsonObject, key: string, value: JsonValue): void {
  const kept = withoutDirectives(value);
  if (kept === undefined) delete result[key];
  else setOwn(result, key, kept);
}

/** Nulls in maps take fields away; where there is nothing to take away, they go. Nulls in lists stay. */
function withoutNulls(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const kept: MutableJsonObject = {};
  for (const [key, child] of Object.entries(value)) {
    if (child !== null && child !== undefined) setOwn(kept, key, withoutNulls(child));
  }
  return kept;
}

/** Maps with $patch go, at any depth; undefined: the value is such a map itself. */
function withoutDirectives(value: JsonValue): JsonValue | undefined {
  if (isJsonArray(value)) return value.map(withoutDirectives).filter((item) => item !== undefined);
  if (!isJsonObject(value)) return value;
  if (value[PATCH] !== undefined) return undefined;
  const kept: MutableJsonObject = {};
  for (const [key, child] of Object.entries(value)) {
    const inside = child === undefined ? undefined : withoutDirectives(child);
    if (inside !== undefined) setOwn(kept, key, inside);
  }
  return kept;
}
