// Writes src/sandbox/generated/resources.ts: which built-in resources the sandbox serves, from the aggregated discovery
// documents of a real kube-apiserver. Usage: node tools/generate/sandbox-resources.ts DIR VERSION
// where DIR holds _disc_api.json and _disc_apis.json (GET /api and /apis as APIGroupDiscoveryList v2).
// Left out: what needs a kubelet, an authenticator or an aggregator (reviews, exec, logs, proxies, APIService).

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

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
interface DiscoveryList {
  readonly items: readonly {
    readonly metadata: { readonly name?: string };
    readonly versions: readonly { readonly version: string; readonly resources: readonly DiscoveredResource[] }[];
  }[];
}

const GROUPS_LEFT_OUT = new Set(['authentication.k8s.io', 'authorization.k8s.io', 'apiregistration.k8s.io']);
const RESOURCES_LEFT_OUT = new Set(['bindings', 'componentstatuses']);
const SUBRESOURCES_KEPT = new Set(['status', 'scale']);

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
  };
}

function compactList(list: DiscoveryList): object[] {
  return list.items
    .filter((group) => !GROUPS_LEFT_OUT.has(group.metadata.name ?? ''))
    .map((group) => ({
      group: group.metadata.name ?? '',
      versions: group.versions.map((version) => ({
        version: version.version,
        resources: version.resources.filter((r) => !RESOURCES_LEFT_OUT.has(r.resource)).map(compactResource),
      })),
    }));
}

function main([directory, version]: readonly string[]): void {
  if (!directory || !version) throw new Error('usage: node tools/generate/sandbox-resources.ts DIR VERSION');
  const read = (name: string): DiscoveryList => JSON.parse(readFileSync(join(directory, name), 'utf8'));
  const groups = [...compactList(read('_disc_api.json')), ...compactList(read('_disc_apis.json'))];
  const lines = groups.map((group) => `  ${JSON.stringify(group)},`).join('\n');
  const text = [
    `// Made by tools/generate/sandbox-resources.ts from the discovery documents of kube-apiserver ${version}. Not edited by hand.`,
    "import type { BuiltInGroup } from '../registry/built-in-table.ts';",
    '',
    `export const BUILT_IN_GROUPS: readonly BuiltInGroup[] = [`,
    lines,
    '];',
    '',
  ].join('\n');
  writeFileSync(join(import.meta.dirname, '../../src/sandbox/generated/resources.ts'), text);
}

main(process.argv.slice(2));
