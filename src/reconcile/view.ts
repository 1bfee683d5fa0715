// The planner's view of one parent, out of the caches.

import type { KubeObject } from '../model/object.ts';
import type { ResourceType } from '../model/resource.ts';
import type { ChildGroup, ParentView } from '../model/view.ts';
import type { CacheScope, ObjectCache } from '../ports/cache.ts';
import type { Controller } from './resolved.ts';

export interface ParentToPlan {
  readonly object: KubeObject;
  /** In the cluster already? One from a file that is not has no UID and no children yet. */
  readonly live: boolean;
}

export function viewOf(controller: Controller, parent: ParentToPlan, cache: ObjectCache): ParentView {
  const { uid, namespace } = parent.object.metadata;
  const groupOf = (type: ResourceType, scope: CacheScope | undefined): ChildGroup => {
    if (!scope) return { type, objects: [] };
    const owned = parent.live && uid !== undefined ? cache.ownedBy(scope, uid) : [];
    return { type, objects: [...owned, ...cache.orphans(scope, namespace)] };
  };
  const { parentType, childTypes, childScopes, revisions } = controller;
  const children = childTypes.map((type, index) => groupOf(type, childScopes[index]));
  return {
    parent: parent.object,
    parentType,
    parentLive: parent.live,
    children,
    ...(revisions ? { revisions: groupOf(revisions.type, revisions.scope) } : {}),
  };
}
