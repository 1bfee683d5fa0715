// Custom resources as the server reads and keeps them: unknown fields pruned, nulls dropped, embedded metadata cleaned, defaults
// filled in by the schema of the version that was sent; kept in the storage version, and shown in the version that was asked for.

import { isJsonObject, type JsonObject, type JsonValue } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import {
  applyDefaults,
  mapItems,
  mapProperties,
  propertyOf,
  pruneNulls,
  pruneUnknown,
  type Structural,
  structuralOf,
} from '../../schema/index.ts';
import { cleanMetadata, unknownMetadata } from '../meta/metadata.ts';
import { metadataShapeProblem } from '../meta/shape.ts';
import { apiVersionOf, type ResourceKind, versionOf } from '../registry/resource-kind.ts';

export interface ReadObject {
  readonly object: JsonObject;
  /** Paths of what the schema does not have, as strict decoding names them. */
  readonly unknownFields: readonly string[];
  /** The decoder's complaint about embedded metadata. */
  readonly problem?: string;
}

/**
 * A body as the server reads it; its own metadata is the caller's business. Nulls that the schema does not allow go, unless
 * they are kept: what an apply leaves is judged with them.
 */
export function readCustom(kind: ResourceKind, version: string, body: JsonObject, nulls?: 'keep'): ReadObject {
  const metadata = isJsonObject(body['metadata']) ? unknownMetadata(body['metadata'], 'metadata') : [];
  const schema = versionOf(kind, version)?.schema;
  if (!schema) return { object: body, unknownFields: metadata };
  const structural = structuralOf(schema);
  const pruned = pruneUnknown(structural, body, true);
  const coercion: Coercion = { unknown: [], problem: undefined };
  const value = nulls === 'keep' ? pruned.value : pruneNulls(structural, pruned.value);
  const coerced = coerce(structural, value, '', coercion);
  return {
    object: applyDefaults(schema, coerced) as JsonObject,
    unknownFields: [...metadata, ...pruned.unknown, ...coercion.unknown.sort()],
    ...(coercion.problem === undefined ? {} : { problem: coercion.problem }),
  };
}

interface Coercion {
  readonly unknown: string[];
  problem: string | undefined;
}

/** apiVersion, kind and metadata of embedded objects: of the right types, without unknown fields. */
function coerce(schema: Structural | undefined, value: JsonValue, path: string, found: Coercion): JsonValue {
  if (!schema?.has.embedded) return value;
  if (Array.isArray(value)) {
    return mapItems(value, (item, index) => coerce(schema.items, item, `${path}[${index}]`, found));
  }
  if (!isJsonObject(value)) return value;
  return mapProperties(value, (key, item) => {
    const at = path === '' ? key : `${path}.${key}`;
    if (schema.embedded && (key === 'apiVersion' || key === 'kind') && typeof item !== 'string') {
      found.problem ??= `${at}: Invalid value: ${JSON.stringify(item)}: must be a string`;
    }
    if (schema.embedded && key === 'metadata') return embeddedMetadata(item, at, found);
    return coerce(propertyOf(schema, key), item, at, found);
  });
}

function embeddedMetadata(value: JsonValue, path: string, found: Coercion): JsonValue {
  if (value === null) return {};
  const problem = isJsonObject(value)
    ? metadataShapeProblem(value)
    : `json: cannot unmarshal ${typeof value} into Go value of type v1.ObjectMeta`;
  if (problem !== undefined || !isJsonObject(value)) {
    found.problem ??= `${path}: Invalid value: ${JSON.stringify(value)}: ${problem}`;
    return value;
  }
  found.unknown.push(...unknownMetadata(value, path));
  return cleanMetadata(value) as JsonObject;
}

/** The object in the version that it is kept in. */
export function toStorage(kind: ResourceKind, object: KubeObject): KubeObject {
  const apiVersion = apiVersionOf(kind, kind.storageVersion);
  if (object.apiVersion === apiVersion) return object;
  // Defaults are filled in again whenever it is read.
  return applyDefaults(kind.storageSchema, converted(object, apiVersion, kind.storageSchema)) as KubeObject;
}

/** A stored object in a served version. Built-ins and versions of one schema: only apiVersion differs. */
export function inVersion(kind: ResourceKind, version: string, object: KubeObject): KubeObject {
  const served = versionOf(kind, version);
  return converted(object, apiVersionOf(kind, version), served?.differs ? served.schema : undefined);
}

/** Conversion "None": another apiVersion, and what the other version's schema does not have is lost. */
function converted(object: KubeObject, apiVersion: string, schema: JsonObject | undefined): KubeObject {
  if (object.apiVersion === apiVersion) return object;
  const renamed = { ...object, apiVersion };
  if (!schema) return renamed;
  const structural = structuralOf(schema);
  return pruneNulls(structural, pruneUnknown(structural, renamed as unknown as JsonObject, true).value) as KubeObject;
}

/** What was stored before its definition changed, as it is read from now on; the same object where nothing changes. */
export function rereadStored(kind: ResourceKind, object: KubeObject): KubeObject {
  if (!kind.storageSchema) return object;
  const structural = structuralOf(kind.storageSchema);
  const pruned = pruneNulls(structural, pruneUnknown(structural, object as unknown as JsonObject, true).value);
  return applyDefaults(kind.storageSchema, pruned) as KubeObject;
}
