// A value without the fields of a set, and its opposite: only the fields of a set. Parts that keep everything come back
// as they are. What is emptied by a removal becomes null, not an empty map or list: later steps tell the two apart.

import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  setOwn,
} from '../../kit/json.ts';
import type { ListType, MapType, MergeSchema, TypeRef } from '../../schema/index.ts';
import { atomKind, isAtomic } from './atom-kind.ts';
import { type FieldPath, type FieldSet, hasPath, isEmptySet, pathsOf, setOfPaths, union } from './field-set.ts';
import { itemElement } from './list-item.ts';
import { fieldElement, keyNames } from './path-element.ts';
import { toFieldSet } from './to-field-set.ts';

type Typed = { readonly schema: MergeSchema; readonly type: TypeRef };

export function removeItems(value: JsonValue, fields: FieldSet, { schema, type }: Typed): JsonValue {
  return remove({ schema, type }, value, fields);
}

function remove(
  { schema, type }: { schema: MergeSchema; type: TypeRef | undefined },
  value: JsonValue,
  fields: FieldSet,
): JsonValue {
  const atom = type && schema.resolve(type);
  if (atom === undefined) return null;
  switch (atomKind(atom, value)) {
    case 'scalar':
      return value;
    case 'map':
      return atom.map === undefined ? null : removeKeys(schema, atom.map, value, fields);
    case 'list':
      return atom.list === undefined ? null : removeFromList(schema, atom.list, value, fields);
    default:
      return null;
  }
}

function removeKeys(schema: MergeSchema, type: MapType, value: JsonValue, fields: FieldSet): JsonValue {
  if (!isJsonObject(value) || isAtomic(type)) return null;
  let out: MutableJsonObject | undefined;
  let left = 0;
  for (const key of Object.keys(value)) {
    const item = value[key];
    if (item === undefined) continue;
    const after = keyAfter(schema, type, { key, item }, fields);
    if (after !== undefined) left += 1;
    if (after === item) continue;
    out ??= { ...value };
    if (after === undefined) delete out[key];
    else setOwn(out, key, after);
  }
  return left === 0 ? null : (out ?? value);
}

function keyAfter(
  schema: MergeSchema,
  type: MapType,
  { key, item }: { key: string; item: JsonValue },
  fields: FieldSet,
): JsonValue | undefined {
  const field = type.fields.get(key);
  const element = field?.element ?? fieldElement(key);
  if (fields.members.has(element)) return undefined;
  const below = fields.children.get(element);
  if (below === undefined || isEmptySet(below)) return item;
  return remove({ schema, type: field?.type ?? type.elementType }, item, below);
}

function removeFromList(schema: MergeSchema, type: ListType, value: JsonValue, fields: FieldSet): JsonValue {
  if (!isJsonArray(value) || value.length === 0 || isAtomic(type)) return null;
  const kept: JsonValue[] = [];
  for (const item of value) {
    const element = itemElement(schema, type, item);
    if (fields.members.has(element)) continue;
    const below = fields.children.get(element);
    const whole = below === undefined || isEmptySet(below);
    kept.push(whole ? item : remove({ schema, type: type.elementType }, item, below));
  }
  if (kept.length === 0) return null;
  return kept.length === value.length && kept.every((item, index) => item === value[index]) ? value : kept;
}

export interface ExtractOptions extends Typed {
  /** The key fields of items of which anything is taken come too, so that they can be told apart. */
  readonly withKeys?: boolean;
}

/** Only what the set names; null: none of it is there. */
export function extractItems(
  value: JsonValue,
  fields: FieldSet,
  { schema, type, withKeys }: ExtractOptions,
): JsonValue {
  return extract(
    { schema, type },
    value,
    withKeys ? union(fields, keyFields(value, fields, { schema, type })) : fields,
  );
}

function keyFields(value: JsonValue, fields: FieldSet, { schema, type }: Typed): FieldSet {
  const present = toFieldSet(value, schema, type);
  const found: FieldPath[] = [];
  for (const path of pathsOf(fields)) {
    if (!hasPath(present, path)) continue;
    for (const [index, element] of path.entries())
      for (const name of keyNames(element)) found.push([...path.slice(0, index + 1), fieldElement(name)]);
  }
  return setOfPaths(found);
}

function extract(
  { schema, type }: { schema: MergeSchema; type: TypeRef | undefined },
  value: JsonValue,
  fields: FieldSet,
): JsonValue {
  const atom = type && schema.resolve(type);
  if (atom === undefined) return null;
  switch (atomKind(atom, value)) {
    case 'scalar':
      return value;
    case 'map':
      return atom.map === undefined ? null : extractKeys(schema, atom.map, value, fields);
    case 'list':
      return atom.list === undefined ? null : extractFromList(schema, atom.list, value, fields);
    default:
      return null;
  }
}

function extractKeys(schema: MergeSchema, type: MapType, value: JsonValue, fields: FieldSet): JsonValue {
  if (!isJsonObject(value)) return null;
  if (isAtomic(type) || isEmptyMap(value)) return value;
  const out: MutableJsonObject = {};
  for (const key of Object.keys(value)) {
    const item = value[key];
    if (item === undefined) continue;
    const field = type.fields.get(key);
    const element = field?.element ?? fieldElement(key);
    const at = { schema, type: field?.type ?? type.elementType };
    const below = fields.children.get(element);
    // The reference goes on with the whole set where the key itself is a member.
    if (fields.members.has(element)) setOwn(out, key, extract(at, item, fields));
    else if (below !== undefined && !isEmptySet(below)) setOwn(out, key, extract(at, item, below));
  }
  return isEmptyMap(out) ? null : out;
}

const isEmptyMap = (map: JsonObject): boolean => Object.keys(map).length === 0;

function extractFromList(schema: MergeSchema, type: ListType, value: JsonValue, fields: FieldSet): JsonValue {
  if (!isJsonArray(value)) return null;
  if (value.length === 0 || isAtomic(type)) return value;
  const out: JsonValue[] = [];
  for (const item of value) {
    const element = itemElement(schema, type, item);
    const below = fields.children.get(element);
    if (below !== undefined && !isEmptySet(below)) out.push(extract({ schema, type: type.elementType }, item, below));
    else if (fields.members.has(element)) out.push(item);
  }
  return out.length > 0 ? out : null;
}
