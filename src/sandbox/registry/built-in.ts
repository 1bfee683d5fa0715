import { BUILT_IN_GROUPS } from '../generated/resources.ts';
import type { BuiltInResource } from './built-in-table.ts';
import type { ResourceKind, ScalePaths, ServedVersion } from './resource-kind.ts';

const ALL_VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const ENDPOINTS_ARE_OLD = 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice';
const SCALE: ScalePaths = {
  spec: ['spec', 'replicas'],
  status: ['status', 'replicas'],
  selector: ['spec', 'selector'],
};

function servedVersion(name: string, resource: BuiltInResource): ServedVersion {
  const subresources = resource.subresources ?? [];
  const actions = subresources.filter((name) => !['status', 'scale', 'finalize'].includes(name));
  return {
    name,
    status: subresources.includes('status'),
    ...(subresources.includes('finalize') ? { finalize: true } : {}),
    ...(resource.resource === 'endpoints' ? { deprecation: ENDPOINTS_ARE_OLD } : {}),
    ...(subresources.includes('scale') ? { scale: SCALE } : {}),
    ...(actions.length > 0 ? { actions } : {}),
  };
}

const GROUPS = new Set(BUILT_IN_GROUPS.map(({ group }) => group));

/** Is the group one of the server's own? A CRD's group never is. */
export function isBuiltInGroup(group: string): boolean {
  return GROUPS.has(group);
}

/** Every built-in resource, in the order of the server's discovery documents. */
export function builtInKinds(): ResourceKind[] {
  const kinds = new Map<string, ResourceKind>();
  for (const { group, versions } of BUILT_IN_GROUPS) {
    for (const { version, resources } of versions) {
      for (const resource of resources) {
        const id = group === '' ? resource.resource : `${resource.resource}.${group}`;
        const known = kinds.get(id);
        const served = [...(known?.versions ?? []), servedVersion(version, resource)];
        kinds.set(id, {
          ...builtInKind(id, group, resource),
          versions: served,
          storageVersion: served[0]?.name ?? version,
        });
      }
    }
  }
  return [...kinds.values()];
}

function builtInKind(id: string, group: string, resource: BuiltInResource): ResourceKind {
  return {
    id,
    group,
    resource: resource.resource,
    kind: resource.kind,
    listKind: `${resource.kind}List`,
    singular: resource.singular,
    namespaced: resource.namespaced ?? false,
    shortNames: resource.shortNames ?? [],
    categories: resource.categories ?? [],
    verbs:
      resource.verbs ?? (id === 'namespaces' ? ALL_VERBS.filter((verb) => verb !== 'deletecollection') : ALL_VERBS),
    versions: [],
    storageVersion: '',
    custom: false,
    selectableFields: [],
  };
}
