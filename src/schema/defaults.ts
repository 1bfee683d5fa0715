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

/** The value with defaults filled in; the same value (identity) where nothing was missing. */
export function applyDefaults(schema: JsonValue | undefined, value: JsonValue): JsonValue {
  if (!isJsonObject(schema)) return value;
  if (isJsonArray(value)) return defaultedItems(schema['items'], value);
  return isJsonObject(value) ? defaultedObject(schema, value) : value;
}

function defaultedItems(schema: JsonValue | undefined, items: readonly JsonValue[]): JsonValue {
  const filled = items.map((item) => applyDefaults(schema, item));
  return filled.some((item, index) => item !== items[index]) ? filled : items;
}

function defaultedObject(schema: JsonObject, object: JsonObject): JsonValue {
  const changed: MutableJsonObject = {};
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  for (const [key, property] of Object.entries(properties)) {
    const before = Object.hasOwn(object, key) ? object[key] : undefined;
    const after = defaultedProperty(property, before);
    if (after !== undefined && after !== before) setOwn(changed, key, after);
  }
  const rest = schema['additionalProperties'];
  for (const [key, before] of Object.entries(object)) {
    if (Object.hasOwn(properties, key) || before === undefined) continue;
    const after = applyDefaults(rest, before);
    if (after !== before) setOwn(changed, key, after);
  }
  return Object.keys(changed).length === 0 ? object : { ...object, ...changed };
}

function defaultedProperty(schema: JsonValue | undefined, value: JsonValue | undefined): JsonValue | undefined {
  const fallback = isJsonObject(schema) ? schema['default'] : undefined;
  const missing = value === undefined || (value === null && isJsonObject(schema) && schema['nullable'] !== true);
  const start = missing && fallback !== undefined ? fallback : value;
  return start === undefined ? undefined : applyDefaults(schema, start);
}
