// The schema of a custom resource for server-side apply: the version's own schema with apiVersion, kind and metadata as
// every object has them, also where a field holds a whole object (x-kubernetes-embedded-resource).

import { isJsonObject, type JsonObject, type JsonValue, type MutableJsonObject, setOwn } from '../kit/json.ts';
import { deducedSchema, deducedType, lazyMergeSchema, type MergeSchema, type TypeRef } from './merge-schema.ts';
import { atomOf } from './merge-schema-openapi.ts';

/** A schema and the type in it that the objects of one kind have. */
export interface KindType {
  readonly schema: MergeSchema;
  readonly type: TypeRef;
}

export const OBJECT_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

/** For kinds whose schema nobody knows. */
export const deducedKind: KindType = { schema: deducedSchema, type: deducedType };

/** `schema`: openAPIV3Schema of one version; `builtIns` must know ObjectMeta. */
export function schemaFromCrd(schema: JsonObject | undefined, builtIns: MergeSchema): KindType {
  if (schema === undefined) return deducedKind;
  const lazy = lazyMergeSchema((name) =>
    name === '' ? atomOf(withObjectFields(schema), false) : builtIns.resolve({ named: name }),
  );
  return { schema: lazy, type: { named: '' } };
}

const TYPE_META: JsonObject = { apiVersion: { type: 'string' }, kind: { type: 'string' } };

function withObjectFields(schema: JsonObject): JsonObject {
  const inside = withEmbedded(schema);
  const own = isJsonObject(inside['properties']) ? inside['properties'] : {};
  return { ...inside, properties: { ...own, ...TYPE_META, metadata: { $ref: `#/${OBJECT_META}` } } };
}

function withEmbedded(schema: JsonObject): JsonObject {
  const changed: MutableJsonObject = {};
  for (const key of ['items', 'additionalProperties']) {
    const child = schema[key];
    if (isJsonObject(child)) changed[key] = embedded(child);
  }
  if (isJsonObject(schema['properties'])) changed['properties'] = eachProperty(schema['properties']);
  return { ...schema, ...changed };
}

function embedded(schema: JsonObject): JsonObject {
  return schema['x-kubernetes-embedded-resource'] === true ? withObjectFields(schema) : withEmbedded(schema);
}

function eachProperty(properties: JsonObject): JsonObject {
  const out: MutableJsonObject = {};
  for (const [name, property] of Object.entries(properties)) setOwn(out, name, childSchema(property));
  return out;
}

const childSchema = (property: JsonValue | undefined): JsonValue | undefined =>
  isJsonObject(property) ? embedded(property) : property;
