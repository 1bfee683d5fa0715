// Fields that a structural schema does not have are taken away, as the API server does it when it reads a custom resource.
// apiVersion, kind and metadata of a resource (the root, and what is embedded) are left alone: they are read elsewhere.

import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  setOwn,
} from '../../kit/json.ts';
import { propertyOf, type Structural } from './structural.ts';

export interface Pruned {
  /** The same value (identity) where nothing was taken away. */
  readonly value: JsonValue;
  /** Paths of what was taken away: "spec.a.b", "spec.list[2].x"; sorted. */
  readonly unknown: readonly string[];
}

const META = new Set(['apiVersion', 'kind', 'metadata']);

/** `asResource`: the value is a whole object, whatever its schema says. */
export function pruneUnknown(schema: Structural, value: JsonValue, asResource: boolean): Pruned {
  const unknown: string[] = [];
  const root = asResource && !schema.embedded ? { ...schema, embedded: true } : schema;
  const pruned = prune(root, value, '', unknown);
  return { value: pruned, unknown: unknown.sort() };
}

type Schema = Structural | undefined;

function prune(schema: Schema, value: JsonValue, path: string, unknown: string[]): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (schema?.preservesUnknown) return pruneDeclared(schema, value, path, unknown);
  if (isJsonArray(value)) return mapItems(value, (item, i) => prune(schema?.items, item, `${path}[${i}]`, unknown));
  return isJsonObject(value) ? pruneObject(schema, value, path, unknown) : value;
}

function pruneObject(schema: Schema, object: JsonObject, path: string, unknown: string[]): JsonObject {
  return mapProperties(object, (key, value) => {
    if (schema?.embedded && META.has(key)) return value;
    const at = path === '' ? key : `${path}.${key}`;
    const declared = schema?.properties.get(key);
    if (declared) return prune(declared, value, at, unknown);
    // "additionalProperties: true" keeps the key, and has no schema for what is in it.
    if (schema?.additional !== undefined) return prune(propertyOf(schema, key), value, at, unknown);
    if (path !== '' || !META.has(key)) unknown.push(at);
    return undefined;
  });
}

/** Inside of x-kubernetes-preserve-unknown-fields only what is declared is looked at. */
function pruneDeclared(schema: Schema, value: JsonValue, path: string, unknown: string[]): JsonValue {
  if (!schema) return value;
  if (isJsonArray(value)) {
    return mapItems(value, (item, i) => pruneDeclared(schema.items, item, `${path}[${i}]`, unknown));
  }
  if (!isJsonObject(value)) return value;
  return mapProperties(value, (key, item) => {
    if (schema.embedded && META.has(key)) return item;
    const isDeclared = schema.properties.has(key) || schema.additional !== undefined;
    return isDeclared ? prune(propertyOf(schema, key), item, path === '' ? key : `${path}.${key}`, unknown) : item;
  });
}

const MAX_INT64 = 2n ** 63n;

/**
 * Nulls of properties that are not nullable are dropped; those with a default stay, and get it later. Integers that are
 * no int64 become floats, as they do when the server reads them.
 */
export function pruneNulls(schema: Structural | undefined, value: JsonValue): JsonValue {
  if (typeof value === 'bigint') return value >= -MAX_INT64 && value < MAX_INT64 ? value : Number(value);
  if (isJsonArray(value)) return mapItems(value, (item) => pruneNulls(schema?.items, item));
  if (!isJsonObject(value)) return value;
  return mapProperties(value, (key, item) => {
    const property = propertyOf(schema, key);
    if (item === null && property && !property.nullable && property.default === undefined) return undefined;
    return pruneNulls(property, item);
  });
}

/** The list with every item replaced; the same list where none changed. */
export function mapItems(
  items: readonly JsonValue[],
  change: (item: JsonValue, index: number) => JsonValue,
): readonly JsonValue[] {
  let changed: JsonValue[] | undefined;
  for (let index = 0; index < items.length; index++) {
    const before = items[index] as JsonValue;
    const after = change(before, index);
    if (after === before) continue;
    changed ??= [...items];
    changed[index] = after;
  }
  return changed ?? items;
}

/** The object with every value replaced, or left out where `change` gives undefined; the same object where none changed. */
export function mapProperties(
  object: JsonObject,
  change: (key: string, value: JsonValue) => JsonValue | undefined,
): JsonObject {
  let changes: Map<string, JsonValue | undefined> | undefined;
  for (const key of Object.keys(object)) {
    const before = object[key];
    if (before === undefined) continue;
    const after = change(key, before);
    if (after === before) continue;
    changes ??= new Map();
    changes.set(key, after);
  }
  if (!changes) return object;
  const copy: MutableJsonObject = {};
  for (const key of Object.keys(object)) {
    const value = changes.has(key) ? changes.get(key) : object[key];
    if (value !== undefined) setOwn(copy, key, value);
  }
  return copy;
}
