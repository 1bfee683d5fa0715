// Fields that nobody owns: the server keeps them out of managedFields, and an apply that names them changes nothing.

import type { JsonObject } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';

/** The object as far as an apply of it is tracked. `hasStatus`: status belongs to a subresource and is ignored. */
export function withoutUntracked(object: KubeObject, hasStatus: boolean): JsonObject {
  const { apiVersion: _version, kind: _kind, metadata, ...rest } = object;
  const {
    name: _name,
    namespace: _namespace,
    creationTimestamp: _created,
    selfLink: _link,
    uid: _uid,
    generation: _generation,
    managedFields: _managed,
    resourceVersion: _rv,
    ...tracked
  } = metadata as JsonObject;
  const { status: _status, ...withoutStatus } = rest;
  const kept = hasStatus ? withoutStatus : rest;
  return Object.keys(tracked).length > 0 ? { ...kept, metadata: tracked } : kept;
}
