// The generated table, parsed type by type when first needed.

import { KIND_TYPES, TYPES } from '../generated/types.ts';

export interface FieldType {
  readonly name: string;
  readonly type: string;
  /** omitempty: left out when zero. */
  readonly omit: boolean;
  readonly pointer: boolean;
  readonly omitZero: boolean;
  /** In protobuf: "3", or "1.1" for field 1 of an embedded struct that is field 1. */
  readonly number: string;
}

const parsed = new Map<string, readonly FieldType[]>();

/** The fields of a struct; undefined when the name is not a struct's. */
export function structFields(type: string): readonly FieldType[] | undefined {
  const known = parsed.get(type);
  if (known) return known;
  const text = TYPES[type];
  if (text === undefined) return undefined;
  const fields = text === '' ? [] : text.split(' ').map(parseField);
  parsed.set(type, fields);
  return fields;
}

function parseField(text: string): FieldType {
  const [name = '', type = '', flags = '', number = ''] = text.split(':');
  return { name, type, omit: flags.includes('o'), pointer: flags.includes('p'), omitZero: flags.includes('z'), number };
}

/** The type of a kind: kindType('apps/v1', 'Deployment'). */
export function kindType(apiVersion: string, kind: string): string | undefined {
  return KIND_TYPES[`${apiVersion}/${kind}`];
}
