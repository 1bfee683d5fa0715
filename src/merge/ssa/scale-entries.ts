// managedFields of a workload ↔ managedFields of its Scale: a write to /scale sees, and takes, the owners of the
// replicas field under the Scale's own name for it.

import type { JsonObject, JsonValue } from '../../kit/json.ts';
import { difference, type FieldPath, hasPath, isEmptySet, setOfPaths } from './field-set.ts';
import { decodeManaged, encodeManaged, type Managed, NOTHING_MANAGED } from './managed-entries.ts';
import type { Manager } from './managers.ts';

const SCALE_VERSION = 'autoscaling/v1';
const SCALE_REPLICAS = setOfPaths([['f:spec', 'f:replicas']]);
const SCALE_PATH: FieldPath = ['f:spec', 'f:replicas'];

/** Where each version of the workload keeps its replicas; an apiVersion that is not there is not known any more. */
export type ReplicasPaths = ReadonlyMap<string, FieldPath | undefined>;

const readable = (managedFields: JsonValue | undefined): Managed => {
  const managed = decodeManaged(managedFields);
  return 'problem' in managed ? NOTHING_MANAGED : managed;
};

/** The entries that the Scale shows. */
export function scaleEntries(parent: JsonValue | undefined, paths: ReplicasPaths): readonly JsonObject[] | undefined {
  const { managers, times } = readable(parent);
  const owners = new Map<string, Manager>();
  for (const [id, manager] of managers) {
    const path = paths.get(manager.apiVersion);
    if (path !== undefined && hasPath(manager.set, path))
      owners.set(id, { apiVersion: SCALE_VERSION, applied: manager.applied, set: SCALE_REPLICAS });
  }
  return encodeManaged({ managers: owners, times, entries: new Map() });
}

export interface ScaleWrite {
  readonly parent: JsonValue | undefined;
  /** After the write. */
  readonly scale: JsonValue | undefined;
  readonly paths: ReplicasPaths;
  /** The version that the write to the workload is booked in. */
  readonly apiVersion: string;
}

/** The entries of the workload after a write to its Scale. */
export function parentEntries({ parent, scale, paths, apiVersion }: ScaleWrite): readonly JsonObject[] | undefined {
  const before = readable(parent);
  const after = readable(scale);
  const writers = new Map(after.managers);
  const managers = new Map<string, Manager>();
  for (const [id, manager] of before.managers) {
    if (!paths.has(manager.apiVersion)) continue;
    const path = paths.get(manager.apiVersion);
    if (path === undefined || !hasPath(manager.set, path)) managers.set(id, manager);
    else if (writers.delete(id)) managers.set(id, manager);
    else {
      const set = difference(manager.set, setOfPaths([path]));
      if (!isEmptySet(set)) managers.set(id, { ...manager, set });
    }
  }
  const target = paths.get(apiVersion);
  for (const [id, manager] of writers) {
    if (target === undefined || !hasPath(manager.set, SCALE_PATH)) continue;
    managers.set(id, { apiVersion, applied: manager.applied, set: setOfPaths([target]) });
  }
  // The server drops the time of a write to a Scale.
  return encodeManaged({ managers, times: before.times, entries: before.entries });
}
