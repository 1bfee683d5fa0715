// Path → what is asked for. Pure: looks at the registry, changes nothing.

import type { Registry } from '../registry/registry.ts';
import { type ResourceKind, versionOf } from '../registry/resource-kind.ts';

export type Route =
  | { readonly type: 'page'; readonly name: string }
  /** /openapi/v3 and what is below it. */
  | { readonly type: 'openapi'; readonly path: string }
  | { readonly type: 'groups'; readonly core: boolean }
  | { readonly type: 'group'; readonly group: string }
  | { readonly type: 'version'; readonly group: string; readonly version: string }
  | ResourceRoute
  /** Nothing there. `status`: the group is served by the server itself, which answers with a Status body. */
  | { readonly type: 'nothing'; readonly status: boolean };

export interface ResourceRoute {
  readonly type: 'resource';
  readonly kind: ResourceKind;
  readonly version: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
}

const PAGES = new Set(['version', 'healthz', 'readyz', 'livez', '']);
const NOTHING = { type: 'nothing', status: false } as const;
const NOTHING_HERE = { type: 'nothing', status: true } as const;

export function routeOf(registry: Registry, path: string): Route {
  const parts = path.split('/').slice(1).map(decodeURIComponent);
  if (parts.at(-1) === '') parts.pop();
  const [root = ''] = parts;
  if (root === 'api') return apiRoute(registry, parts.slice(1));
  if (root === 'openapi' && parts[1] === 'v3') return { type: 'openapi', path: parts.slice(2).join('/') };
  if (root === 'apis') return apisRoute(registry, parts.slice(1));
  return PAGES.has(root) && (parts.length <= 1 || root !== 'version') ? { type: 'page', name: root } : NOTHING;
}

function apiRoute(registry: Registry, [version, ...rest]: readonly string[]): Route {
  if (version === undefined) return { type: 'groups', core: true };
  if (version !== 'v1') return NOTHING_HERE;
  return rest.length === 0
    ? { type: 'version', group: '', version }
    : resourceRoute(registry, { group: '', version }, rest);
}

function apisRoute(registry: Registry, [group, version, ...rest]: readonly string[]): Route {
  if (group === undefined) return { type: 'groups', core: false };
  if (!registry.hasGroup(group)) return NOTHING;
  if (version === undefined) return { type: 'group', group };
  const kinds = registry.inGroup(group);
  if (!kinds.some((kind) => versionOf(kind, version))) return nothingIn(kinds);
  return rest.length === 0 ? { type: 'version', group, version } : resourceRoute(registry, { group, version }, rest);
}

const nothingIn = (kinds: readonly ResourceKind[]): Route =>
  kinds.some((kind) => kind.custom) ? NOTHING : NOTHING_HERE;

function resourceRoute(
  registry: Registry,
  { group, version }: { group: string; version: string },
  parts: readonly string[],
): Route {
  const nothing = nothingIn(registry.inGroup(group));
  const inNamespace = parts[0] === 'namespaces' && parts.length >= 3 && !isNamespacePart(group, parts);
  const [resource = '', name, subresource, ...more] = inNamespace ? parts.slice(2) : parts;
  const kind = registry.find(group, resource);
  if (!kind || !versionOf(kind, version) || more.length > 0) return nothing;
  if (inNamespace !== kind.namespaced && (inNamespace || name !== undefined)) return nothing;
  return {
    type: 'resource',
    kind,
    version,
    ...(inNamespace ? { namespace: parts[1] ?? '' } : {}),
    ...(name === undefined ? {} : { name }),
    ...(subresource === undefined ? {} : { subresource }),
  };
}

/** /api/v1/namespaces/NAME/status is about the namespace itself. */
function isNamespacePart(group: string, parts: readonly string[]): boolean {
  return group === '' && parts.length === 3 && (parts[2] === 'status' || parts[2] === 'finalize');
}
