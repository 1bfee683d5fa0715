// Structural defaulting as the API server does it: a default is put where a declared property is absent, then the schema
// goes on inside it. An explicit null stays where the schema is nullable, and is replaced by the default where not.

import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  setOwn,
} from '../kit/json.ts';
import { mapItems } from './structural/prune.ts';
import { type Structural, structuralOf } from './structural/structural.ts';

/** The value with defaults filled in; the same value (identity) where nothing was missing. */
export function applyDefaults(schema: JsonObject | undefined, value: JsonValue): JsonValue {
  return schema ? withDefaults(structuralOf(schema), value) : value;
}

function withDefaults(schema: Structural | undefined, value: JsonValue): JsonValue {
  if (!schema?.has.defaults) return value;
  if (isJsonArray(value)) return mapItems(value, (item) => defaulted(schema.items, item) ?? null);
  return isJsonObject(value) ? defaultedObject(schema, value) : value;
}

function defaultedObject(schema: Structural, object: JsonObject): JsonObject {
  const changed: MutableJsonObject = {};
  for (const [key, property] of schema.properties) {
    if (!property.has.defaults) continue;
    const before = Object.hasOwn(object, key) ? object[key] : undefined;
    const after = defaulted(property, before);
    if (after !== undefined && after !== before) setOwn(changed, key, after);
  }
  const rest = typeof schema.additional === 'object' ? schema.additional : undefined;
  for (const key of rest?.has.defaults ? Object.keys(object) : []) {
    const before = object[key];
    if (before === undefined || schema.properties.has(key)) continue;
    const after = defaulted(rest, before);
    if (after !== undefined && after !== before) setOwn(changed, key, after);
  }
  if (Object.keys(changed).length === 0) return object;
  const copy = { ...object };
  for (const key of Object.keys(changed)) setOwn(copy, key, changed[key]);
  return copy;
}

function defaulted(schema: Structural | undefined, value: JsonValue | undefined): JsonValue | undefined {
  const missing = value === undefined || (value === null && schema?.nullable !== true);
  const start = missing && schema?.default !== undefined ? schema.default : value;
  return start === undefined ? undefined : withDefaults(schema, start);
}
