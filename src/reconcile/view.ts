// The planner's view of one parent, out of the caches.

import type { KubeObject } from '../model/object.ts';
import { keyOf } from '../model/ref.ts';
import { groupResourceOf, type ResourceType } from '../model/resource.ts';
import type { ChildGroup, ParentView } from '../model/view.ts';
import type { CacheScope, ObjectCache } from '../ports/cache.ts';
import { adopts, type Controller } from './resolved.ts';

export interface ParentToPlan {
  readonly object: KubeObject;
  /** In the cluster already? One from a file that is not has no UID and no children yet. */
  readonly live: boolean;
}

/** An object as it will be when the inputs of this very plan are written. */
export interface ComingObject {
  readonly type: ResourceType;
  readonly object: KubeObject;
}

export function viewOf(
  controller: Controller,
  parent: ParentToPlan,
  { cache, coming = [] }: { readonly cache: ObjectCache; readonly coming?: readonly ComingObject[] | undefined },
): ParentView {
  const { uid, namespace } = parent.object.metadata;
  const groupOf = (type: ResourceType, scope: CacheScope | undefined): ChildGroup => {
    if (!scope) return { type, objects: [] };
    const owned = parent.live && uid !== undefined ? cache.ownedBy(scope, uid) : [];
    const adopted = adopts(controller) ? cache.orphans(scope, namespace) : [];
    return { type, objects: [...owned, ...adopted] };
  };
  const { parentType, childTypes, childScopes, revisions, inputs } = controller;
  const children = childTypes.map((type, index) => groupOf(type, childScopes[index]));
  return {
    parent: parent.object,
    parentType,
    parentLive: parent.live,
    children,
    ...(revisions ? { revisions: groupOf(revisions.type, revisions.scope) } : {}),
    ...(inputs ? { inputs: inputs.map((input) => inputGroup(input, namespace, { cache, coming })) } : {}),
  };
}

/** Those of the parent's namespace, or all of a cluster-scoped resource, or below a cluster-scoped parent. */
function inputGroup(
  { type, scope }: NonNullable<Controller['inputs']>[number],
  namespace: string | undefined,
  { cache, coming }: { readonly cache: ObjectCache; readonly coming: readonly ComingObject[] },
): ChildGroup {
  const home = type.namespaced ? namespace : undefined;
  const live = scope ? cache.list(scope, home) : [];
  const isNear = ({ metadata }: KubeObject): boolean => home === undefined || metadata.namespace === home;
  const expected = coming.filter((one) => groupResourceOf(one.type) === groupResourceOf(type) && isNear(one.object));
  if (expected.length === 0) return { type, objects: live };
  const objects = new Map([...live, ...expected.map(({ object }) => object)].map((one) => [keyOf(one), one]));
  return { type, objects: [...objects.values()] };
}
