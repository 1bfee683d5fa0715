// As much of /openapi/v3 as clients need to find out that the server validates fields itself (kubectl create, apply):
// one path a kind, whose patch takes fieldValidation. No schemas: explain has nothing to say yet.

import type { JsonObject } from '../../kit/json.ts';
import { groupVersions, type Registry } from '../registry/registry.ts';
import { type ResourceKind, versionOf } from '../registry/resource-kind.ts';

const pathOf = (group: string, version: string): string =>
  group === '' ? `api/${version}` : `apis/${group}/${version}`;

export function openApiIndex(registry: Registry): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const group of registry.groups()) {
    for (const version of groupVersions(registry.inGroup(group))) {
      const path = pathOf(group, version);
      paths[path] = { serverRelativeURL: `/openapi/v3/${path}` };
    }
  }
  return { paths };
}

/** The document of one group and version: "api/v1", "apis/apps/v1". undefined: not served. */
export function openApiDocument(registry: Registry, path: string): JsonObject | undefined {
  const [root, ...parts] = path.split('/');
  const [group = '', version = ''] = root === 'api' ? ['', ...parts] : parts;
  const kinds = registry.inGroup(group).filter((kind) => versionOf(kind, version));
  if (kinds.length === 0 || path !== pathOf(group, version)) return undefined;
  const paths = Object.fromEntries(kinds.map((kind) => [objectPath(path, kind), patchOperation(kind, version)]));
  return {
    openapi: '3.0.0',
    info: { title: 'metactl sandbox', version: 'v1.36.3' },
    paths,
    components: { schemas: {} },
  };
}

function objectPath(path: string, kind: ResourceKind): string {
  return `/${path}/${kind.namespaced ? 'namespaces/{namespace}/' : ''}${kind.resource}/{name}`;
}

function patchOperation(kind: ResourceKind, version: string): JsonObject {
  const text = { in: 'query', schema: { type: 'string' } };
  return {
    patch: {
      parameters: ['dryRun', 'fieldManager', 'fieldValidation'].map((name) => ({ name, ...text })),
      requestBody: { content: { 'application/merge-patch+json': {}, 'application/json-patch+json': {} } },
      responses: {},
      'x-kubernetes-action': 'patch',
      'x-kubernetes-group-version-kind': { group: kind.group, version, kind: kind.kind },
    },
  };
}
