// The fields that a value names: what an apply of it claims. Scalars, atomic values, map keys and list items are
// members; a declared field that has something inside is not.

import { isJsonArray, isJsonObject, type JsonValue } from '../../kit/json.ts';
import type { ListType, MapType, MergeSchema, TypeRef } from '../../schema/index.ts';
import { atomKind, isAtomic } from './atom-kind.ts';
import { draftSet, EMPTY_SET, type FieldSet, type FieldSetDraft } from './field-set.ts';
import { itemElement } from './list-item.ts';
import { fieldElement, type PathElement } from './path-element.ts';

/** Values are taken as valid; what does not fit its type names nothing. */
export function toFieldSet(value: JsonValue, schema: MergeSchema, type: TypeRef): FieldSet {
  const above = draftSet();
  visit({ schema, above, element: '' }, type, value);
  return above.children.get('') ?? EMPTY_SET;
}

/** `element` of the set `above` is the value that is looked at. */
interface Place {
  readonly schema: MergeSchema;
  readonly above: FieldSetDraft;
  readonly element: PathElement;
}

function visit(place: Place, type: TypeRef | undefined, value: JsonValue): void {
  const atom = type && place.schema.resolve(type);
  if (atom === undefined) return;
  const kind = atomKind(atom, value);
  if (kind === 'scalar') place.above.members.add(place.element);
  else if (kind === 'map' && atom.map !== undefined) visitMap(place, atom.map, value);
  else if (kind === 'list' && atom.list !== undefined) visitList(place, atom.list, value);
}

function visitMap(place: Place, type: MapType, value: JsonValue): void {
  if (isAtomic(type)) {
    place.above.members.add(place.element);
    return;
  }
  if (!isJsonObject(value)) return;
  const set = draftSet();
  for (const key of Object.keys(value)) {
    const item = value[key];
    if (item === undefined) continue;
    const field = type.fields.get(key);
    const element = field?.element ?? fieldElement(key);
    visit({ schema: place.schema, above: set, element }, field?.type ?? type.elementType, item);
    if (field === undefined || item === null || isEmptyMap(item)) set.members.add(element);
  }
  put(place, set);
}

const isEmptyMap = (value: JsonValue): boolean => {
  if (!isJsonObject(value)) return false;
  for (const key in value) if (value[key] !== undefined) return false;
  return true;
};

/** An item that is there twice is named as a whole, once. */
function visitList(place: Place, type: ListType, value: JsonValue): void {
  if (isAtomic(type)) {
    place.above.members.add(place.element);
    return;
  }
  if (!isJsonArray(value)) return;
  const set = draftSet();
  const elements = value.map((item) => itemElement(place.schema, type, item));
  const twice = repeated(elements);
  for (const [index, item] of value.entries()) {
    const element = elements[index] ?? '';
    if (!twice.has(element)) visit({ schema: place.schema, above: set, element }, type.elementType, item);
    set.members.add(element);
  }
  put(place, set);
}

/** Those that occur more than once. */
export function repeated(elements: readonly PathElement[]): ReadonlySet<PathElement> {
  const seen = new Set<PathElement>(elements);
  if (seen.size === elements.length) return NONE;
  const twice = new Set<PathElement>();
  for (const element of elements) if (!seen.delete(element)) twice.add(element);
  return twice;
}

const NONE: ReadonlySet<PathElement> = new Set();

function put({ above, element }: Place, set: FieldSet): void {
  if (set.members.size > 0 || set.children.size > 0) above.children.set(element, set);
}
