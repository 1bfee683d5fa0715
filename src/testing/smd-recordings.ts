// Where the recorded answers of the Go library are. They are read in place; without them the tests say so and are skipped.

import { existsSync, readFileSync } from 'node:fs';
import { type JsonObject, type JsonValue, parseJson } from '../kit/json.ts';
import {
  type Atom,
  type ElementRelationship,
  type ListType,
  lazyMergeSchema,
  type MapType,
  type MergeSchema,
  type Scalar,
  type StructField,
  structField,
  type TypeRef,
} from '../schema/index.ts';

const FOLDER = process.env['METACTL_FIXTURES'] ?? new URL('../../../shared/fixtures', import.meta.url).pathname;

export function recordings(name: string): { readonly skip: string | false; readonly read: () => JsonValue } {
  const file = `${FOLDER}/${name}`;
  return {
    skip: existsSync(file) ? false : `no ${name} in ${FOLDER} (METACTL_FIXTURES)`,
    read: () => parseJson(readFileSync(file, 'utf8')),
  };
}

/** A recorded schema, in the form of the Go library's own YAML. */
export function recordedSchema(schema: JsonObject): MergeSchema {
  const types = new Map<string, JsonObject>();
  for (const type of (schema['types'] ?? []) as readonly JsonObject[]) types.set(String(type['name']), type);
  return lazyMergeSchema((name) => {
    const type = types.get(name);
    return type && recordedAtom(type);
  });
}

export function recordedType(ref: JsonObject): TypeRef {
  const { namedType, elementRelationship, ...atom } = ref;
  const relationship = elementRelationship as ElementRelationship | undefined;
  return {
    ...(typeof namedType === 'string' ? { named: namedType } : { inlined: recordedAtom(atom) }),
    ...(relationship && { elementRelationship: relationship }),
  };
}

function recordedAtom(atom: JsonObject): Atom {
  const scalar = atom['scalar'] as Scalar | undefined;
  const list = atom['list'] as JsonObject | undefined;
  const map = atom['map'] as JsonObject | undefined;
  return {
    ...(scalar && { scalar }),
    ...(list && { list: recordedList(list) }),
    ...(map && { map: recordedMap(map) }),
  };
}

const relationshipOf = (type: JsonObject): { elementRelationship?: ElementRelationship } => {
  const elementRelationship = type['elementRelationship'] as ElementRelationship | undefined;
  return elementRelationship ? { elementRelationship } : {};
};

const recordedList = (list: JsonObject): ListType => ({
  elementType: recordedType((list['elementType'] ?? {}) as JsonObject),
  keys: (list['keys'] ?? []) as readonly string[],
  ...relationshipOf(list),
});

function recordedMap(map: JsonObject): MapType {
  const fields = new Map<string, StructField>();
  for (const field of (map['fields'] ?? []) as readonly JsonObject[]) {
    const name = String(field['name']);
    fields.set(name, structField(name, recordedType((field['type'] ?? {}) as JsonObject), field['default']));
  }
  const rest = map['elementType'] as JsonObject | undefined;
  return { fields, ...(rest && { elementType: recordedType(rest) }), ...relationshipOf(map) };
}
