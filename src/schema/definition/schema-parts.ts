// Small readers of an openAPIV3Schema that nobody has checked yet: what is of another type than it should be counts as absent.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../kit/json.ts';

export const textAt = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

export const textsAt = (value: JsonValue | undefined): readonly string[] =>
  isJsonArray(value) ? value.filter((item) => typeof item === 'string') : [];

export const schemaAt = (value: JsonValue | undefined): JsonObject | undefined =>
  isJsonObject(value) ? value : undefined;

export const schemasAt = (value: JsonValue | undefined): readonly JsonObject[] =>
  isJsonArray(value) ? value.filter(isJsonObject) : [];

export function entriesAt(value: JsonValue | undefined): readonly (readonly [name: string, schema: JsonObject])[] {
  if (!isJsonObject(value)) return [];
  return Object.keys(value).flatMap((name) => {
    const schema = value[name];
    return isJsonObject(schema) ? [[name, schema] as const] : [];
  });
}

export const isGiven = (value: JsonValue | undefined): boolean => value !== undefined && value !== null;

/** Every schema in the schema, itself first. */
export function* schemasIn(schema: JsonObject): Generator<JsonObject> {
  yield schema;
  const inside = [
    ...[schema['items'], schema['not'], schema['additionalProperties'], schema['additionalItems']].filter(isJsonObject),
    ...['allOf', 'anyOf', 'oneOf'].flatMap((key) => schemasAt(schema[key])),
    ...schemasAt(schema['items']),
    ...['properties', 'patternProperties', 'definitions', 'dependencies'].flatMap((key) =>
      entriesAt(schema[key]).map(([, property]) => property),
    ),
  ];
  for (const one of inside) yield* schemasIn(one);
}
