// Is it the same object with the same owners of its fields? When they last wrote, which write it was, and what the status
// says meanwhile do not count.

import { isJsonObject, type JsonValue, jsonEqual } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import type { ResourceType } from '../../model/resource.ts';

/** Of Jobs and claims the server raises the resourceVersion on an apply that changes nothing. */
export function sameContent(a: KubeObject, b: KubeObject, type: ResourceType): boolean {
  return jsonEqual(contentOf(a, type), contentOf(b, type));
}

/** What an apply may change. The status counts where it is no subresource: it is a field like others then. */
export function contentOf(object: KubeObject, { subresources }: ResourceType): JsonValue {
  const hasStatus = subresources.includes('status');
  const { status, metadata: all, ...rest } = object;
  const { resourceVersion: _version, generation: _generation, managedFields = [], ...metadata } = all;
  const counted = managedFields.filter(
    ({ subresource, manager }) => manager !== BEFORE && (!hasStatus || subresource !== 'status'),
  );
  const content = { ...rest, metadata: { ...metadata, managedFields: counted.map(withoutTime) } };
  return hasStatus || status === undefined ? content : { ...content, status };
}

/** To whom the first apply books what nobody owned: no reason for an apply that wants nothing itself, a bare Namespace's. */
const BEFORE = 'before-first-apply';

function withoutTime(entry: JsonValue): JsonValue {
  if (!isJsonObject(entry)) return entry;
  const { time: _time, ...rest } = entry;
  return rest;
}
