// How children are grouped and named in hook requests: behaviour of Metacontroller's hook versions v1 and v2.

import type { HookVersion } from '../../model/definition.ts';
import type { KubeObject } from '../../model/object.ts';
import { apiVersionOf, type ResourceType } from '../../model/resource.ts';

/** "Pod.v1", "StatefulSet.apps/v1" */
export function groupKey(type: ResourceType): string {
  return `${type.kind}.${apiVersionOf(type)}`;
}

/**
 * v1: the name alone below a namespaced parent. v2, or below a cluster-scoped parent: namespace/name.
 * Cluster-scoped objects always go by their name.
 */
export function objectKey(object: KubeObject, version: HookVersion, parent: KubeObject): string {
  const { namespace, name } = object.metadata;
  const relative = version === 'v1' && parent.metadata.namespace !== undefined;
  return namespace && !relative ? `${namespace}/${name}` : (name ?? '');
}

/** v1 shows a namespaced parent only objects of its own namespace. */
export function isVisible(object: KubeObject, version: HookVersion, parent: KubeObject): boolean {
  const { namespace } = parent.metadata;
  return version === 'v2' || namespace === undefined || object.metadata.namespace === namespace;
}
