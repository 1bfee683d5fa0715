// Strategic merge patches between objects: what `kubectl apply` sends for built-in kinds, and controllers that patch.

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
import { mergeMaps } from './apply-patch.ts';
import { type DiffOptions, diffLists } from './diff-lists.ts';
import { DELETE_FROM, ELEMENT_ORDER, type List, PATCH, RETAIN_KEYS, sortedByText } from './element-order.ts';
import { goType, StrategicPatchError } from './errors.ts';
import type { FieldPatch, PatchType } from './patch-type.ts';

interface DiffContext extends DiffOptions {
  readonly type: PatchType;
  readonly retainKeys?: boolean;
}

/** The patch that makes `modified` of `original`. Throws StrategicPatchError. */
export function createStrategicPatch(original: JsonObject, modified: JsonObject, type: PatchType): JsonObject {
  return diffMaps(original, modified, { type });
}

/**
 * The patch that brings `current` to what `modified` asks for: what differs there, and without what `original`, the
 * earlier request, had and `modified` no longer has. What others changed meanwhile stays. Throws StrategicPatchError.
 */
export function createThreeWayStrategicPatch(
  original: JsonObject,
  modified: JsonObject,
  { current, type }: { readonly current: JsonObject; readonly type: PatchType },
): JsonObject {
  const changes = diffMaps(current, modified, { type, withoutDeletions: true });
  const deletions = diffMaps(original, modified, { type, deletionsOnly: true });
  return mergeMaps(deletions, changes, { type, combining: true });
}

function diffMaps(original: JsonObject, modified: JsonObject, context: DiffContext): JsonObject {
  const patch: MutableJsonObject = {};
  for (const key of Object.keys(modified)) {
    const after = modified[key];
    const before = getOwn(original, key);
    if (after === undefined) continue;
    if (before === undefined || (key !== PATCH && goType(before) !== goType(after))) {
      if (!context.deletionsOnly) setOwn(patch, key, after);
    } else if (key === PATCH) diffDirective(patch, before, after);
    else if (isJsonObject(before) && isJsonObject(after)) diffMapField(patch, key, { before, after, context });
    else if (isJsonArray(before) && isJsonArray(after)) diffListField(patch, key, { before, after, context });
    else replaceIfChanged(patch, key, { before, after, context });
  }
  const missing = Object.keys(original).filter((key) => getOwn(modified, key) === undefined);
  if (!context.withoutDeletions) for (const key of missing) setOwn(patch, key, null);
  if (context.retainKeys) {
    const kept = Object.keys(modified).filter((key) => modified[key] !== null);
    const changed = Object.keys(patch).length > 0 || missing.some((key) => original[key] !== null);
    if (kept.length > 0 && changed) patch[RETAIN_KEYS] = sortedByText(kept);
  }
  return patch;
}

interface Pair<T extends JsonValue> {
  readonly before: T;
  readonly after: T;
  readonly context: DiffContext;
}

function diffDirective(patch: MutableJsonObject, before: JsonValue, after: JsonValue): void {
  if (typeof before !== 'string' || typeof after !== 'string') {
    throw new StrategicPatchError(`invalid value for special key: ${PATCH}`);
  }
  if (before !== after) patch[PATCH] = after;
}

function replaceIfChanged(patch: MutableJsonObject, key: string, { before, after, context }: Pair<JsonValue>): void {
  if (!context.deletionsOnly && !jsonEqual(before, after)) setOwn(patch, key, after);
}

function diffMapField(patch: MutableJsonObject, key: string, pair: Pair<JsonObject>): void {
  const { before, after, context } = pair;
  const field = fieldUnlessEqual(pair, () => context.type.mapField(key));
  if (!field) return;
  const { type, strategy, retainKeys } = field;
  if (strategy === 'replace') {
    if (!context.deletionsOnly) setOwn(patch, key, after);
    return;
  }
  const inside = diffMaps(before, after, { ...context, type, retainKeys });
  if (Object.keys(inside).length > 0) setOwn(patch, key, inside);
}

function diffListField(patch: MutableJsonObject, key: string, pair: Pair<List>): void {
  const { before, after, context } = pair;
  const field = fieldUnlessEqual(pair, () => context.type.listField(key));
  if (!field) return;
  if (field.strategy !== 'merge') {
    replaceIfChanged(patch, key, pair);
    return;
  }
  const { type, mergeKey, retainKeys } = field;
  const diffItems = (a: JsonObject, b: JsonObject): JsonObject => diffMaps(a, b, { ...context, type, retainKeys });
  const { items, deleted, order } = diffLists(before, after, { ...context, mergeKey, diffItems });
  if (items.length > 0) setOwn(patch, key, items);
  if (deleted.length > 0) patch[`${DELETE_FROM}/${key}`] = deleted;
  if (order.length > 0) patch[`${ELEMENT_ORDER}/${key}`] = order;
}

/** A field that the type does not have does not matter as long as nothing changed. */
function fieldUnlessEqual({ before, after }: Pair<JsonValue>, lookUp: () => FieldPatch): FieldPatch | undefined {
  try {
    return lookUp();
  } catch (error) {
    if (error instanceof StrategicPatchError && jsonEqual(before, after)) return undefined;
    throw error;
  }
}
