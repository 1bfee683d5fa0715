// A built-in object of which nothing has been said, as the server's Go types write it: what it has by itself belongs to
// nobody as a whole (f:spec of a Deployment is never a member of its own).

import type { JsonObject, JsonValue, MutableJsonObject } from '../../kit/json.ts';
import { type FieldType, kindType, structFields } from '../typed/types.ts';

/** Only apiVersion and kind where the kind's types are not known. */
export function zeroObject(apiVersion: string, kind: string): JsonObject {
  const type = kindType(apiVersion, kind);
  return { ...(type === undefined ? {} : zeroStruct(type)), apiVersion, kind };
}

function zeroStruct(type: string): JsonObject {
  const zero: MutableJsonObject = {};
  for (const field of structFields(type) ?? []) {
    const value = zeroField(field);
    if (value !== undefined) zero[field.name] = value;
  }
  return zero;
}

/** undefined: the field is left out. */
function zeroField({ type, omit, pointer, omitZero }: FieldType): JsonValue | undefined {
  if (pointer) return omit ? undefined : null;
  const isStruct = structFields(type) !== undefined;
  if (omitZero || (omit && !isStruct)) return undefined;
  if (isStruct) return zeroStruct(type);
  return ZEROS[type] ?? null;
}

const ZEROS: Readonly<Record<string, JsonValue>> = {
  string: '',
  bool: false,
  quantity: '0',
  int32: 0,
  int64: 0,
  float64: 0,
  intOrString: 0,
};
