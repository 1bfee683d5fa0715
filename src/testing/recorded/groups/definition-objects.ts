// CustomResourceDefinitions that the groups about custom resources start from.

import type { JsonObject, JsonValue } from '../../../kit/json.ts';
import type { RecordedCase } from '../case.ts';

export const CRDS_PATH = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

export interface DefinitionOptions {
  /** Over the only version, v1. */
  readonly version?: JsonObject;
  /** Over spec. */
  readonly spec?: JsonObject;
}

/** A definition of group {group}, kind as the plural without its "s", served as v1 with the schema. */
export function definition(
  plural: string,
  schema: JsonObject | undefined,
  options: DefinitionOptions = {},
): JsonObject {
  const kind = `${plural[0]?.toUpperCase()}${plural.slice(1, -1)}`;
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    ...(schema === undefined ? {} : { schema: { openAPIV3Schema: schema } }),
    ...options.version,
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.{group}` },
    spec: { group: '{group}', scope: 'Namespaced', names: { plural, kind }, versions: [version], ...options.spec },
  };
}

/** A schema whose spec has these properties. */
export const specSchema = (properties: JsonObject, spec: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties: { spec: { type: 'object', properties, ...spec } },
});

/** Made, and served before the next request is sent. */
export function served(plural: string, crd: JsonObject, version = 'v1'): RecordedCase[] {
  return [
    { name: `define ${plural}`, send: `POST ${CRDS_PATH}?fieldValidation=Strict`, body: crd },
    {
      name: `${plural} are served`,
      send: `GET /apis/{group}/${version}/namespaces/{ns}/${plural}?limit=1`,
      until: 200,
    },
  ];
}

export const forget = (plural: string): RecordedCase => ({
  name: `forget ${plural}`,
  send: `DELETE ${CRDS_PATH}/${plural}.{group}?gracePeriodSeconds=0`,
});

export const custom = (kind: string, fields: JsonObject, version = 'v1'): JsonObject => ({
  apiVersion: `{group}/${version}`,
  kind,
  metadata: { name: 'one' },
  ...fields,
});

/** One create each, of which nothing is kept. `fields` is what the object has besides its metadata. */
export function tries(
  plural: string,
  kind: string,
  bodies: Readonly<Record<string, JsonObject>>,
  query = '',
): RecordedCase[] {
  return Object.entries(bodies).map(([what, fields]) => ({
    name: `${kind}${query}: ${what}`,
    send: `POST /apis/{group}/v1/namespaces/{ns}/${plural}?dryRun=All${query}`,
    body: custom(kind, fields),
  }));
}

export const nested = (depth: number, leaf: JsonValue): JsonValue =>
  depth === 0 ? leaf : { a: nested(depth - 1, leaf) };
