// OpenAPI v3, trimmed to what clients read: the schemas of a group and version, and one path a kind, whose operations say
// what kind it is, that the server validates fields itself, and which patches it takes (kubectl explain, create, apply).

import type { JsonObject } from '../../kit/json.ts';
import { type ComponentSchemas, schemasOf } from '../kube-data/index.ts';
import { groupVersions, type Registry } from '../registry/registry.ts';
import { apiVersionOf, type ResourceKind, versionOf } from '../registry/resource-kind.ts';
import { customSchemas } from './crd-schema.ts';
import { VERSION } from './version.ts';

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

/** Adds descriptions to schemas of built-in types. */
export type Describe = (schemas: ComponentSchemas) => ComponentSchemas;

/** The document of one group and version: "api/v1", "apis/apps/v1". undefined: not served. */
export function openApiDocument(registry: Registry, path: string, describe: Describe): JsonObject | undefined {
  const [root, ...parts] = path.split('/');
  const [group = '', version = ''] = root === 'api' ? ['', ...parts] : parts;
  const kinds = registry.inGroup(group).filter((kind) => versionOf(kind, version));
  if (kinds.length === 0 || path !== pathOf(group, version)) return undefined;
  const custom = kinds.some((kind) => kind.custom);
  return {
    openapi: '3.0.0',
    info: custom
      ? { title: 'Kubernetes CRD Swagger', version: 'v0.1.0' }
      : { title: 'Kubernetes', version: `${VERSION.major}.${VERSION.minor}` },
    paths: Object.fromEntries(kinds.map((kind) => [objectPath(path, kind), operations(kind, version)])),
    components: { schemas: { ...describe(builtInSchemas(group, version, custom)), ...schemasOfKinds(kinds, version) } },
  };
}

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1.';
/** What the schemas of custom resources refer to. */
const OF_EVERY_OBJECT = [
  'FieldsV1',
  'ListMeta',
  'ManagedFieldsEntry',
  'ObjectMeta',
  'OwnerReference',
  'ShardInfo',
  'Time',
];

function builtInSchemas(group: string, version: string, custom: boolean): ComponentSchemas {
  if (!custom) return schemasOf(group, version);
  const wanted = new Set(OF_EVERY_OBJECT.map((name) => `${META}${name}`));
  return Object.fromEntries(Object.entries(schemasOf('', 'v1')).filter(([name]) => wanted.has(name)));
}

function schemasOfKinds(kinds: readonly ResourceKind[], versionName: string): ComponentSchemas {
  const custom = kinds.filter((kind) => kind.custom);
  return Object.assign({}, ...custom.map((kind) => schemasOfKind(kind, versionName)));
}

function schemasOfKind(kind: ResourceKind, versionName: string): ComponentSchemas {
  const version = versionOf(kind, versionName);
  return version ? customSchemas(kind, version) : {};
}

function objectPath(path: string, kind: ResourceKind): string {
  return `/${path}/${kind.namespaced ? 'namespaces/{namespace}/' : ''}${kind.resource}/{name}`;
}

const PATCHES = ['application/apply-patch+yaml', 'application/json-patch+json', 'application/merge-patch+json'];
const STRATEGIC = 'application/strategic-merge-patch+json';

function operations(kind: ResourceKind, version: string): JsonObject {
  const { group } = kind;
  const patches = kind.custom ? PATCHES : [...PATCHES, STRATEGIC];
  const parameters = ['dryRun', 'fieldManager', 'fieldValidation', 'force'].map((name) => ({
    name,
    in: 'query',
    schema: { type: name === 'force' ? 'boolean' : 'string', uniqueItems: true },
  }));
  const patchSchema = { schema: { $ref: `#/components/schemas/${META}Patch` } };
  return {
    patch: {
      description: `partially update the specified ${kind.kind}`,
      operationId: `patch ${apiVersionOf(kind, version)} ${kind.resource}`,
      parameters,
      requestBody: { content: Object.fromEntries(patches.map((type) => [type, patchSchema])), required: true },
      responses: { 200: { description: 'OK' } },
      'x-kubernetes-action': 'patch',
      'x-kubernetes-group-version-kind': { group, version, kind: kind.kind },
    },
  };
}
