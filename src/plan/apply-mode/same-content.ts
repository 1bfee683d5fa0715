// Is it the same object with the same owners of its fields? When they last wrote, which write it was, and what the status
// says meanwhile do not count.

import { isJsonObject, type JsonValue, jsonEqual } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';

export const sameContent = (a: KubeObject, b: KubeObject): boolean => jsonEqual(contentOf(a), contentOf(b));

/** Of Jobs and claims the server raises the resourceVersion on an apply that changes nothing. */
export function contentOf(object: KubeObject): JsonValue {
  const { status: _status, metadata: all, ...rest } = object;
  const { resourceVersion: _version, generation: _generation, managedFields = [], ...metadata } = all;
  const entries = managedFields.filter(({ subresource }) => subresource !== 'status').map(withoutTime);
  return { ...rest, metadata: { ...metadata, managedFields: entries } };
}

function withoutTime(entry: JsonValue): JsonValue {
  if (!isJsonObject(entry)) return entry;
  const { time: _time, ...rest } = entry;
  return rest;
}
