// The server writes quantities in one form: "1000m" becomes "1". A value that says the same amount is the live one.

import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  setOwn,
} from '../../kit/json.ts';
import { type KindType, type MergeSchema, QUANTITY, sameQuantity, type TypeRef } from '../../schema/index.ts';

/** `after` with every quantity that equals its counterpart in `before` in the form it has there. */
export function canonicalQuantities(after: JsonObject, before: JsonObject, { schema, type }: KindType): JsonObject {
  return visit(schema, type, after, before) as JsonObject;
}

function visit(
  schema: MergeSchema,
  type: TypeRef | undefined,
  after: JsonValue,
  before: JsonValue | undefined,
): JsonValue {
  if (type === undefined || before === undefined || after === before) return after;
  if (type.named === QUANTITY) return sameQuantity(after, before) ? before : after;
  const atom = schema.resolve(type);
  if (isJsonObject(after) && isJsonObject(before) && atom?.map) {
    const { fields, elementType } = atom.map;
    const out: MutableJsonObject = {};
    for (const [key, value] of Object.entries(after))
      setOwn(
        out,
        key,
        value === undefined ? value : visit(schema, fields.get(key)?.type ?? elementType, value, before[key]),
      );
    return out;
  }
  if (isJsonArray(after) && isJsonArray(before) && atom?.list) {
    const { elementType } = atom.list;
    return after.map((item, index) => visit(schema, elementType, item, before[index]));
  }
  return after;
}
