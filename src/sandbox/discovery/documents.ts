// What the server says it serves: the aggregated documents that kubectl reads, and the older list per group and version.

import type { JsonObject } from '../../kit/json.ts';
import { groupVersions, type Registry } from '../registry/registry.ts';
import { apiVersionOf, type ResourceKind, type ServedVersion, versionOf } from '../registry/resource-kind.ts';

const SUBRESOURCE_VERBS = ['get', 'patch', 'update'];

/** What is posted to a subresource, where it is of another kind than the resource. */
const ACTION_KINDS: Readonly<Record<string, { group: string; version: string; kind: string }>> = {
  binding: { group: '', version: 'v1', kind: 'Binding' },
  eviction: { group: 'policy', version: 'v1', kind: 'Eviction' },
  token: { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' },
};

interface Subresource {
  readonly name: string;
  readonly verbs: readonly string[];
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

function subresources(kind: ResourceKind, version: ServedVersion): Subresource[] {
  const verbs = SUBRESOURCE_VERBS;
  const own = { group: kind.group, version: version.name, kind: kind.kind };
  const actions = (version.actions ?? []).map((name) => ({ name, verbs: ['create'], ...own, ...ACTION_KINDS[name] }));
  return [
    ...actions,
    ...(version.finalize ? [{ name: 'finalize', verbs: ['update'], ...own }] : []),
    ...(version.scale ? [{ name: 'scale', verbs, group: 'autoscaling', version: 'v1', kind: 'Scale' }] : []),
    ...(version.status ? [{ name: 'status', verbs, ...own }] : []),
  ];
}

const optional = (name: string, list: readonly string[]): JsonObject => (list.length > 0 ? { [name]: list } : {});

/** apidiscovery.k8s.io/v2: every group of /api (core) or of /apis. */
export function aggregatedDiscovery(registry: Registry, core: boolean): JsonObject {
  const items = groupNames(registry, core).map((group) => {
    const kinds = registry.inGroup(group);
    const versions = groupVersions(kinds).map((version) => ({
      version,
      resources: kinds.flatMap((kind) => aggregatedResource(kind, version)),
      freshness: 'Current',
    }));
    return { metadata: group === '' ? {} : { name: group }, versions };
  });
  return { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items };
}

function groupNames(registry: Registry, core: boolean): string[] {
  return [...registry.groups()].filter(
    (group) => (group === '') === core && groupVersions(registry.inGroup(group)).length > 0,
  );
}

function aggregatedResource(kind: ResourceKind, versionName: string): JsonObject[] {
  const version = versionOf(kind, versionName);
  if (!version) return [];
  const subs = subresources(kind, version).map(({ name, verbs, group, version: v, kind: k }) => ({
    subresource: name,
    responseKind: { group, version: v, kind: k },
    verbs,
  }));
  return [
    {
      resource: kind.resource,
      // Built-ins leave group and version to the place in the document.
      responseKind: kind.custom
        ? { group: kind.group, version: versionName, kind: kind.kind }
        : { group: '', version: '', kind: kind.kind },
      scope: kind.namespaced ? 'Namespaced' : 'Cluster',
      singularResource: kind.singular,
      verbs: kind.verbs,
      ...optional('shortNames', kind.shortNames),
      ...optional('categories', kind.categories),
      ...(subs.length > 0 ? { subresources: subs } : {}),
    },
  ];
}

export function coreVersions(): JsonObject {
  const serverAddressByClientCIDRs = [{ clientCIDR: '0.0.0.0/0', serverAddress: '127.0.0.1' }];
  return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs };
}

export function groupList(registry: Registry): JsonObject {
  const groups = groupNames(registry, false).map((group) => groupEntry(registry, group));
  return { kind: 'APIGroupList', apiVersion: 'v1', groups };
}

export function groupDocument(registry: Registry, group: string): JsonObject {
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(registry, group) };
}

function groupEntry(registry: Registry, group: string): JsonObject {
  const versions = groupVersions(registry.inGroup(group)).map((version) => ({
    groupVersion: `${group}/${version}`,
    version,
  }));
  return { name: group, versions, ...(versions[0] ? { preferredVersion: versions[0] } : {}) };
}

export function resourceList(registry: Registry, group: string, version: string): JsonObject {
  const resources = registry.inGroup(group).flatMap((kind) => resourceEntries(kind, version));
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: apiVersionOf({ group }, version), resources };
}

function resourceEntries(kind: ResourceKind, versionName: string): JsonObject[] {
  const version = versionOf(kind, versionName);
  if (!version) return [];
  const { namespaced } = kind;
  return [
    {
      name: kind.resource,
      singularName: kind.singular,
      namespaced,
      kind: kind.kind,
      verbs: kind.verbs,
      ...optional('shortNames', kind.shortNames),
      ...optional('categories', kind.categories),
    },
    ...subresources(kind, version).map((sub) => ({
      name: `${kind.resource}/${sub.name}`,
      singularName: '',
      namespaced,
      ...(sub.group === kind.group && sub.version === versionName ? {} : { group: sub.group, version: sub.version }),
      kind: sub.kind,
      verbs: sub.verbs,
    })),
  ];
}
