// The planner's view of one parent, out of the caches.

import type { KubeObject } from '../model/object.ts';
import type { ChildGroup, ParentView } from '../model/view.ts';
import type { ObjectCache } from '../ports/cache.ts';
import type { Controller } from './resolved.ts';

export interface ParentToPlan {
  readonly object: KubeObject;
  /** In the cluster already? One from a file that is not has no UID and no children yet. */
  readonly live: boolean;
}

export function viewOf(controller: Controller, parent: ParentToPlan, cache: ObjectCache): ParentView {
  const { uid, namespace } = parent.object.metadata;
  const children = controller.childTypes.map((type, index): ChildGroup => {
    const scope = controller.childScopes[index];
    if (!scope) return { type, objects: [] };
    const owned = parent.live && uid !== undefined ? cache.ownedBy(scope, uid) : [];
    return { type, objects: [...owned, ...cache.orphans(scope, namespace)] };
  });
  return { parent: parent.object, parentType: controller.parentType, parentLive: parent.live, children };
}
