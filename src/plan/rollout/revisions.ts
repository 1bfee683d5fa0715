// The revisions of a parent: the latest (its fields as they are now) and those at which children still are.

import { isJsonObject, type JsonObject, jsonEqual } from '../../kit/json.ts';
import type { CompositeDefinition } from '../../model/definition.ts';
import type { KubeObject } from '../../model/object.ts';
import { patchOf, withPatch } from './parent-patch.ts';
import { type ChildKey, listedChildren } from './revision-children.ts';
import { FIELD_PATHS_ANNOTATION } from './revision-type.ts';
import type { RollingKinds } from './rolling-kinds.ts';

export interface Revision {
  /** The ControllerRevision; absent where it has not been created yet. */
  readonly object?: KubeObject;
  /** The parent as it is, or was, at this revision: what the hook is asked about. */
  readonly parent: KubeObject;
  /** The children that it lists, of kinds that are rolling. */
  readonly listed: readonly ChildKey[];
}

export interface Revisions {
  readonly patch: JsonObject;
  readonly latest: Revision;
  /** In the order of their names. */
  readonly older: readonly Revision[];
  /** Not the latest, and no child is at them. */
  readonly empty: readonly KubeObject[];
}

export interface RevisionsInput {
  readonly definition: CompositeDefinition;
  readonly parent: KubeObject;
  /** The ControllerRevisions that the parent owns. */
  readonly objects: readonly KubeObject[];
  readonly kinds: RollingKinds;
}

export function revisionsOf({ definition, parent, objects, kinds }: RevisionsInput): Revisions {
  const paths = definition.parent.revisionFieldPaths;
  const patch = patchOf(parent, paths);
  const listed = (object: KubeObject): ChildKey[] => listedChildren(object).filter((key) => kinds.includes(key));
  const sorted = [...objects].sort((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));
  // Of two with the same patch (somebody copied one) the first counts, and the other loses its children to it.
  const current = sorted.find((object) => jsonEqual(patchIn(object), patch));
  const others = sorted
    .filter((object) => object !== current)
    .map((object) => ({ object, parent: parentAt(parent, object, paths), listed: listed(object) }));
  return {
    patch,
    latest: { parent, ...(current ? { object: current, listed: listed(current) } : { listed: [] }) },
    older: others.filter((revision) => revision.listed.length > 0),
    empty: others.filter((revision) => revision.listed.length === 0).map(({ object }) => object),
  };
}

/**
 * The parent as it was at the revision. Of a field that the record lacks: it was not there then, if the record was made of
 * its path; if the definition follows it only since, or the record is Metacontroller's, it is as it is now.
 */
function parentAt(parent: KubeObject, revision: KubeObject, paths: readonly string[]): KubeObject {
  const patch = patchIn(revision);
  const recorded = new Set(revision.metadata.annotations?.[FIELD_PATHS_ANNOTATION]?.split(','));
  const known = paths.filter((path) => recorded.has(path) || Object.keys(patchOf(patch, [path])).length > 0);
  return withPatch(parent, patch, known);
}

function patchIn({ parentPatch }: KubeObject): JsonObject {
  return isJsonObject(parentPatch) ? parentPatch : {};
}
