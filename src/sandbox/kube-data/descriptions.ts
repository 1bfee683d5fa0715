// The schemas with their descriptions: a module of its own, so that the large text behind it is loaded only for a client
// that asks for OpenAPI documents.

import { isJsonObject, type JsonObject, type JsonValue, type MutableJsonObject, setOwn } from '../../kit/json.ts';
import { DESCRIPTIONS } from '../generated/descriptions.ts';
import type { SchemaDescriptions } from './schema-file.ts';
import { type ComponentSchemas, unpack } from './schemas.ts';

let unpacked: SchemaDescriptions | undefined;

/** The same schemas with the server's descriptions of types and their fields. */
export function withDescriptions(schemas: ComponentSchemas): ComponentSchemas {
  unpacked ??= unpack(DESCRIPTIONS) as SchemaDescriptions;
  const all = unpacked;
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, described(schema, all[name])]));
}

function described(schema: JsonObject, texts: SchemaDescriptions[string] | undefined): JsonObject {
  if (!texts) return schema;
  const { properties } = schema;
  const result = withText(schema, texts['']);
  if (!isJsonObject(properties)) return result;
  const fields: MutableJsonObject = {};
  for (const [field, value] of Object.entries(properties)) {
    setOwn(fields, field, isJsonObject(value) ? withText(value, texts[field]) : (value as JsonValue));
  }
  return { ...result, properties: fields };
}

const withText = (schema: JsonObject, description: string | undefined): JsonObject =>
  description === undefined ? schema : { description, ...schema };
