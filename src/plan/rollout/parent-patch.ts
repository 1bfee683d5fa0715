// What of a parent belongs to its revision: the fields at the paths of revisionHistory.fieldPaths, as a partial object.

import {
  getOwn,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  setOwn,
} from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';

/** The object with nothing but these fields. A path that leads nowhere adds nothing. */
export function patchOf(parent: JsonObject, paths: readonly string[]): JsonObject {
  let patch: JsonObject = {};
  for (const path of paths) {
    const value = valueAt(parent, path.split('.'));
    if (value !== undefined) patch = withValue(patch, path.split('.'), value);
  }
  return patch;
}

/**
 * The parent as it was at a revision: the fields at the paths are those of the patch. One that the patch lacks was not
 * there then, so it is not there now.
 */
export function withPatch(parent: KubeObject, patch: JsonObject, paths: readonly string[]): KubeObject {
  let object: JsonObject = parent;
  for (const path of paths) object = withValue(object, path.split('.'), valueAt(patch, path.split('.')));
  return object as KubeObject;
}

function valueAt(object: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  let value = object;
  for (const key of path) value = isJsonObject(value) ? getOwn(value, key) : undefined;
  return value;
}

function withValue(object: JsonObject, path: readonly string[], value: JsonValue | undefined): JsonObject {
  const [key = '', ...rest] = path;
  const inner = getOwn(object, key);
  const copy: MutableJsonObject = {};
  for (const [name, kept] of Object.entries(object)) if (name !== key) setOwn(copy, name, kept);
  if (rest.length === 0) {
    if (value !== undefined) setOwn(copy, key, value);
    return copy;
  }
  // Nothing is made just to take a field out of it.
  if (value === undefined && !isJsonObject(inner)) return object;
  setOwn(copy, key, withValue(isJsonObject(inner) ? inner : {}, rest, value));
  return copy;
}
