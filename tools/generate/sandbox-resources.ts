// The text of src/sandbox/generated/resources.ts: which built-in resources the sandbox serves, from the aggregated
// discovery documents of a real kube-apiserver (GET /api and /apis as APIGroupDiscoveryList v2). Left out: what needs a
// kubelet or an aggregator (exec, logs, proxies, APIService), and what CRDs added.

interface DiscoveredSubresource {
  readonly subresource: string;
  readonly responseKind?: { readonly group: string; readonly version: string; readonly kind: string };
  readonly verbs: readonly string[];
}
interface DiscoveredResource {
  readonly resource: string;
  readonly responseKind: { readonly kind: string };
  readonly scope: string;
  readonly singularResource: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly DiscoveredSubresource[];
}
export interface DiscoveryList {
  readonly items: readonly {
    readonly metadata: { readonly name?: string };
    readonly versions: readonly { readonly version: string; readonly resources: readonly DiscoveredResource[] }[];
  }[];
}

/** Groups of CRDs have other names: a definition in such a group needs an approval. */
export const isBuiltInGroup = (group: string): boolean => !group.includes('.') || group.endsWith('.k8s.io');

const GROUPS_LEFT_OUT = new Set(['apiregistration.k8s.io']);
const RESOURCES_LEFT_OUT = new Set(['bindings', 'componentstatuses']);
const SUBRESOURCES_KEPT = new Set(['status', 'scale', 'binding', 'eviction', 'finalize', 'token']);

function compactResource(resource: DiscoveredResource): object {
  const subresources = (resource.subresources ?? []).map((s) => s.subresource).filter((s) => SUBRESOURCES_KEPT.has(s));
  return {
    resource: resource.resource,
    kind: resource.responseKind.kind,
    singular: resource.singularResource,
    ...(resource.scope === 'Namespaced' ? { namespaced: true } : {}),
    ...(resource.shortNames ? { shortNames: resource.shortNames } : {}),
    ...(resource.categories ? { categories: resource.categories } : {}),
    ...(subresources.length > 0 ? { subresources } : {}),
    // Reviews: asked and answered, never kept.
    ...(resource.verbs.includes('get') ? {} : { verbs: resource.verbs }),
  };
}

function compactList(list: DiscoveryList): object[] {
  return list.items
    .map(({ metadata, versions }) => ({ group: metadata.name ?? '', versions }))
    .filter(({ group }) => isBuiltInGroup(group) && !GROUPS_LEFT_OUT.has(group))
    .map(({ group, versions }) => ({
      group,
      versions: versions.map((version) => ({
        version: version.version,
        resources: version.resources.filter((r) => !RESOURCES_LEFT_OUT.has(r.resource)).map(compactResource),
      })),
    }));
}

/** `core` and `groups`: the answers of /api and /apis. */
export function resourcesText(core: DiscoveryList, groups: DiscoveryList, version: string): string {
  const lines = [...compactList(core), ...compactList(groups)].map((group) => `  ${JSON.stringify(group)},`).join('\n');
  return [
    `// Made by tools/generate/sandbox-resources.ts from the discovery documents of kube-apiserver ${version}. Not edited by hand.`,
    "import type { BuiltInGroup } from '../registry/built-in-table.ts';",
    '',
    'export const BUILT_IN_GROUPS: readonly BuiltInGroup[] = [',
    lines,
    '];',
    '',
  ].join('\n');
}
