import { getOwn, isJsonArray, isJsonObject, type JsonValue } from '../../kit/json.ts';
import { type FieldPath, itemElement } from '../../merge/index.ts';
import type { KindType, TypeRef } from '../../schema/index.ts';

/** What the object has at the path; undefined: nothing. */
export function valueAt(object: JsonValue, path: FieldPath, { schema, type }: KindType): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  let at: TypeRef | undefined = type;
  for (const element of path) {
    const atom: ReturnType<typeof schema.resolve> = at && schema.resolve(at);
    if (element.startsWith('f:')) {
      const name = element.slice(2);
      value = isJsonObject(value) ? getOwn(value, name) : undefined;
      at = atom?.map?.fields.get(name)?.type ?? atom?.map?.elementType;
      continue;
    }
    const list = atom?.list;
    const items: readonly JsonValue[] = list && isJsonArray(value) ? value : [];
    value = list && items.find((item) => itemElement(schema, list, item) === element);
    at = list?.elementType;
  }
  return value;
}
