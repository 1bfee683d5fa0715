// What the server fills in when it reads a built-in object: small functions by type, walked over the object from the outside
// in. Types below which nothing has a default are not entered.

import { isJsonArray, isJsonObject, type JsonValue, type MutableJsonObject } from '../../../kit/json.ts';
import { type FieldType, structFields } from '../types.ts';
import type { Default, Fields } from './fields.ts';
import { OTHER_DEFAULTS } from './others.ts';
import { POD_DEFAULTS } from './pods.ts';
import { VOLUME_DEFAULTS } from './volumes.ts';
import { WORKLOAD_DEFAULTS } from './workloads.ts';

const DEFAULTS = new Map<string, Default>(
  [POD_DEFAULTS, VOLUME_DEFAULTS, WORKLOAD_DEFAULTS, OTHER_DEFAULTS].flatMap((table) => Object.entries(table)),
);

/** Fields of a type below which something has a default. */
const fieldsToEnter = new Map<string, readonly FieldType[]>();
const bare = (type: string): string => type.replace(/^(\[\]|\{\})+/, '');

/** Changes the object, and returns it or, where fields were added, one with its fields in the type's order. */
export function withDefaults(type: string, object: MutableJsonObject): MutableJsonObject {
  const fill = DEFAULTS.get(type);
  let result = object;
  if (fill) {
    const before = Object.keys(object).length;
    fill(object);
    if (Object.keys(object).length !== before) result = inOrder(type, object);
  }
  for (const field of entered(type)) {
    const value = result[field.name];
    if (value !== undefined && value !== null) result[field.name] = filled(bare(field.type), value);
  }
  return result;
}

function filled(type: string, value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map((item) => filled(type, item));
  return isJsonObject(value) ? withDefaults(type, value as Fields) : value;
}

function inOrder(type: string, object: MutableJsonObject): MutableJsonObject {
  const ordered: MutableJsonObject = {};
  for (const { name } of structFields(type) ?? []) if (object[name] !== undefined) ordered[name] = object[name];
  return ordered;
}

function entered(type: string): readonly FieldType[] {
  const known = fieldsToEnter.get(type);
  if (known) return known;
  fieldsToEnter.set(type, []); // a type within itself: found while it is looked at
  const fields = (structFields(type) ?? []).filter(({ type: inner }) => {
    const name = bare(inner);
    return DEFAULTS.has(name) || entered(name).length > 0;
  });
  fieldsToEnter.set(type, fields);
  return fields;
}
