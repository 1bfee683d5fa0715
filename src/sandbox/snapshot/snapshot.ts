// All objects of a sandbox at one moment, as a plain value, and the way back to them. Going back is writing: what differs
// is put, deleted or made again, in one go, so watches and the journal follow and resourceVersions only grow. Uids,
// generations and times are those of the snapshot; the clock goes on.

import { isJsonArray, isJsonObject, type JsonValue, jsonEqual } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import type { Core } from '../core.ts';
import { withMetadata } from '../meta/metadata.ts';
import { type CollectionId, keyOf } from '../store/store.ts';

const FORMAT = 'metactl-sandbox-snapshot.v1';

/** JSON: may be kept in a file. */
export interface SandboxSnapshot {
  readonly format: typeof FORMAT;
  /** In the order in which they were last written. */
  readonly objects: readonly SnapshotObject[];
}

export interface SnapshotObject {
  /** "" for the core group. */
  readonly group: string;
  /** Plural, lower case. */
  readonly resource: string;
  /** As stored. */
  readonly object: KubeObject;
}

/** Costs no copy: stored objects are never changed. */
export function takeSnapshot({ store }: Core): SandboxSnapshot {
  const all = store
    .kinds()
    .flatMap((kind) => Array.from(store.collection(kind).range(''), ({ rv, object }) => ({ rv, kind, object })));
  const objects = all
    .sort((a, b) => a.rv - b.rv)
    .map(({ kind: { group, resource }, object }) => ({ group, resource, object }));
  return { format: FORMAT, objects };
}

/** The caller settles the controllers afterwards. */
export function restoreSnapshot({ store }: Core, { objects }: SandboxSnapshot): void {
  const wanted = new Map<string, Set<string>>();
  for (const { object, ...kind } of objects) {
    const id = idOf(kind);
    wanted.set(id, (wanted.get(id) ?? new Set()).add(keyOf(object)));
  }
  for (const kind of store.kinds()) {
    for (const item of [...store.collection(kind).range('')])
      if (!wanted.get(kind.id)?.has(keyOf(item.object))) store.remove(kind, item);
  }
  for (const { object, ...kind } of objects) restoreObject(store, { id: idOf(kind), ...kind }, object);
}

function restoreObject(store: Core['store'], kind: CollectionId, object: KubeObject): void {
  const now = store.collection(kind).get(keyOf(object));
  const same = now && jsonEqual(withoutVersion(now.object), withoutVersion(object));
  if (same) return;
  // Another object of the name goes first: to a watch these are two.
  if (now && now.object.metadata.uid !== object.metadata.uid) store.remove(kind, now);
  store.put(kind, object);
}

const idOf = ({ group, resource }: { readonly group: string; readonly resource: string }): string =>
  group === '' ? resource : `${resource}.${group}`;

const withoutVersion = (object: KubeObject): KubeObject => withMetadata(object, { resourceVersion: undefined });

/** The value that takeSnapshot() gave, after JSON. Undefined: it is something else. */
export function parseSnapshot(value: JsonValue): SandboxSnapshot | undefined {
  if (!isJsonObject(value) || value['format'] !== FORMAT || !isJsonArray(value['objects'])) return undefined;
  const objects = value['objects'].filter((entry): entry is JsonValue & SnapshotObject => {
    const { group, resource, object } = isJsonObject(entry) ? entry : {};
    const { metadata } = isJsonObject(object) ? object : {};
    return typeof group === 'string' && typeof resource === 'string' && isJsonObject(metadata) && !!metadata['name'];
  });
  return objects.length === value['objects'].length ? { format: FORMAT, objects } : undefined;
}
