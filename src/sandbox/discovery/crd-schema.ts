// The OpenAPI schemas of a custom resource, as the server makes them of a CRD's: with what every object has, and with
// apiVersion, kind and metadata in embedded objects.

import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  setOwn,
} from '../../kit/json.ts';
import type { ResourceKind, ServedVersion } from '../registry/resource-kind.ts';

const CONVENTIONS = 'https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md';
const META = '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.';

const text = (description: string): JsonObject => ({ description, type: 'string' });
const reference = (name: string, description: string): JsonObject => ({
  description,
  allOf: [{ $ref: `${META}${name}` }],
});

const TYPE_META: JsonObject = {
  apiVersion: text(
    `APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized schemas to the latest internal value, and may reject unrecognized values. More info: ${CONVENTIONS}#resources`,
  ),
  kind: text(
    `Kind is a string value representing the REST resource this object represents. Servers may infer this from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info: ${CONVENTIONS}#types-kinds`,
  ),
};
const METADATA = reference('ObjectMeta', `Standard object's metadata. More info: ${CONVENTIONS}#metadata`);
const EMBEDDED: JsonObject = {
  apiVersion: text(
    `apiVersion defines the versioned schema of this representation of an object. More info: ${CONVENTIONS}#resources`,
  ),
  kind: text(
    `kind is a string value representing the type of this object. In CamelCase. More info: ${CONVENTIONS}#types-kinds`,
  ),
  metadata: METADATA,
};

/** Name of the schema → schema: of the kind and of its list. */
export function customSchemas(kind: ResourceKind, version: ServedVersion): Readonly<Record<string, JsonObject>> {
  const name = `${kind.group.split('.').reverse().join('.')}.${version.name}.`;
  const identity = (of: string): JsonObject => ({
    'x-kubernetes-group-version-kind': [{ group: kind.group, kind: of, version: version.name }],
  });
  const schema = version.schema ? served(version.schema) : { type: 'object' };
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const list = {
    description: `${kind.listKind} is a list of ${kind.kind}`,
    type: 'object',
    required: ['items'],
    properties: {
      ...TYPE_META,
      items: {
        description: `List of ${kind.resource}. More info: ${CONVENTIONS}`,
        type: 'array',
        items: { $ref: `#/components/schemas/${name}${kind.kind}` },
      },
      metadata: reference('ListMeta', `Standard list metadata. More info: ${CONVENTIONS}#types-kinds`),
    },
  };
  return {
    [`${name}${kind.kind}`]: {
      ...schema,
      properties: { ...properties, ...TYPE_META, metadata: METADATA },
      ...identity(kind.kind),
    },
    [`${name}${kind.listKind}`]: { ...list, ...identity(kind.listKind) },
  };
}

/** The keys under these are names of fields, not words of a schema. */
const MAPS_OF_SCHEMAS = new Set(['properties', 'patternProperties']);
const SCHEMAS = new Set(['items', 'additionalProperties', 'not', 'allOf', 'anyOf', 'oneOf']);

function served(schema: JsonObject): JsonObject {
  const result: MutableJsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    if (MAPS_OF_SCHEMAS.has(key) && isJsonObject(value)) result[key] = each(value);
    else if (SCHEMAS.has(key)) result[key] = isJsonArray(value) ? value.map(inner) : inner(value);
    else setOwn(result, key, value);
  }
  if (schema['x-kubernetes-embedded-resource'] !== true) return result;
  const given = isJsonObject(result['properties']) ? result['properties'] : {};
  const required = isJsonArray(schema['required']) ? schema['required'] : [];
  const more = ['kind', 'apiVersion'].filter((name) => !required.includes(name));
  return { ...result, properties: { ...given, ...EMBEDDED }, required: [...required, ...more] };
}

const inner = (value: JsonValue | undefined): JsonValue => (isJsonObject(value) ? served(value) : (value ?? null));

function each(fields: JsonObject): JsonObject {
  const result: MutableJsonObject = {};
  for (const [name, value] of Object.entries(fields)) setOwn(result, name, inner(value));
  return result;
}
