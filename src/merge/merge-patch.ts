// JSON merge patch, RFC 7386: null removes, maps recurse, everything else (lists too) replaces.

import {
  getOwn,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  type MutableJsonObject,
  setOwn,
} from '../kit/json.ts';

export function applyMergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch;
  const base: JsonObject = isJsonObject(target) ? target : {};
  const result: MutableJsonObject = {};
  for (const key of Object.keys(base)) {
    if (getOwn(patch, key) === undefined) setOwn(result, key, base[key]);
    else if (patch[key] !== null) setOwn(result, key, applyMergePatch(base[key], patch[key] ?? null));
  }
  for (const key of Object.keys(patch)) {
    const value = patch[key];
    if (value === undefined || value === null || Object.hasOwn(base, key)) continue;
    setOwn(result, key, applyMergePatch(undefined, value));
  }
  return result;
}

/**
 * The patch that makes `after` of `before`; {} when they are equal objects. A key that is null in `after` can't be said
 * in a merge patch: it comes out as removed.
 */
export function createMergePatch(before: JsonValue | undefined, after: JsonValue): JsonValue {
  if (!isJsonObject(after)) return after;
  const base: JsonObject = isJsonObject(before) ? before : {};
  const patch: MutableJsonObject = {};
  for (const key of Object.keys(base)) {
    if (base[key] !== undefined && getOwn(after, key) === undefined) setOwn(patch, key, null);
  }
  for (const key of Object.keys(after)) {
    const value = after[key];
    const old = getOwn(base, key);
    if (value === undefined || jsonEqual(old, value)) continue;
    setOwn(patch, key, createMergePatch(old, value));
  }
  return patch;
}
