// What differs between two values of one type, as field sets. Leaves are compared as values; where a whole node appears or
// goes, the node itself is told as well as what is inside. A value that changed its kind is looked at as both kinds.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, jsonEqual } from '../../kit/json.ts';
import type { ListType, MapType, MergeSchema, TypeRef } from '../../schema/index.ts';
import { type AtomKind, atomKind, fitsScalar, isAtomic } from './atom-kind.ts';
import {
  draftSet,
  EMPTY_SET,
  type FieldSet,
  type FieldSetDraft,
  isEmptySet,
  recursiveDifference,
} from './field-set.ts';
import { itemElement } from './list-item.ts';
import { fieldElement, type PathElement } from './path-element.ts';

export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

const SAME: Comparison = { added: EMPTY_SET, modified: EMPTY_SET, removed: EMPTY_SET };

/** Values are taken as valid; nothing is said of what does not fit. */
export function compareTyped(
  before: JsonValue,
  after: JsonValue,
  options: { schema: MergeSchema; type: TypeRef },
): Comparison {
  if (before === after) return SAME;
  const root: Sets = { added: undefined, modified: undefined, removed: undefined };
  const place: Place = { schema: options.schema, above: root, element: '' };
  visit(place, options.type, before, after);
  return { added: rootOf(root.added), modified: rootOf(root.modified), removed: rootOf(root.removed) };
}

const rootOf = (set: FieldSet | undefined): FieldSet => set?.children.get('') ?? EMPTY_SET;

/** The comparison without some fields and all below them. */
export function withoutFields(found: Comparison, fields: FieldSet): Comparison {
  if (isEmptySet(fields)) return found;
  return {
    added: recursiveDifference(found.added, fields),
    modified: recursiveDifference(found.modified, fields),
    removed: recursiveDifference(found.removed, fields),
  };
}

type Word = keyof Comparison;
type Sets = { -readonly [word in Word]: FieldSetDraft | undefined };
type Maybe = JsonValue | undefined;

/** `element` below `above` is what is compared; sets are made when something is put in. */
interface Place {
  readonly schema: MergeSchema;
  readonly above: Sets;
  readonly element: PathElement;
}

function tell({ above, element }: Place, word: Word): undefined {
  above[word] ??= draftSet();
  above[word].members.add(element);
}

function visit(place: Place, type: TypeRef | undefined, before: Maybe, after: Maybe): undefined {
  if (before === after) return;
  const atom = type && place.schema.resolve(type);
  if (atom === undefined) return;
  const old = before === undefined ? undefined : atomKind(atom, before);
  const kind = after === undefined ? old : atomKind(atom, after);
  const look = (as: AtomKind | undefined): boolean => {
    if (as === 'scalar' && atom.scalar !== undefined) {
      if (fitsScalar(atom.scalar, before) || fitsScalar(atom.scalar, after)) leaf(place, before, after);
      return true;
    }
    if (as === 'map' && atom.map !== undefined) return compareMaps(place, atom.map, before, after);
    return as === 'list' && atom.list !== undefined && compareLists(place, atom.list, before, after);
  };
  if (old !== undefined && old !== kind) look(old);
  if (look(kind)) return;
  if (before === undefined) tell(place, 'added');
  else if (after === undefined) tell(place, 'removed');
}

function leaf(place: Place, before: Maybe, after: Maybe): true {
  if (before === undefined) tell(place, 'added');
  else if (after === undefined) tell(place, 'removed');
  else if (!jsonEqual(before, after)) tell(place, 'modified');
  return true;
}

/** true: they were compared as one value. */
function compareMaps(place: Place, type: MapType, before: Maybe, after: Maybe): boolean {
  const old = isJsonObject(before) ? before : undefined;
  const next = isJsonObject(after) ? after : undefined;
  if (isAtomic(type) || (isEmptyMap(old) && isEmptyMap(next))) return leaf(place, before, after);
  const below: Sets = { added: undefined, modified: undefined, removed: undefined };
  const compareKey = (key: string, was: Maybe, is: Maybe): void => {
    if (was === is) return;
    const field = type.fields.get(key);
    const element = field?.element ?? fieldElement(key);
    visit({ schema: place.schema, above: below, element }, field?.type ?? type.elementType, was, is);
  };
  for (const key of Object.keys(old ?? {})) compareKey(key, old?.[key], own(next, key));
  for (const key of Object.keys(next ?? {})) if (own(old, key) === undefined) compareKey(key, undefined, next?.[key]);
  put(place, below);
  return false;
}

const isEmptyMap = (map: JsonObject | undefined): boolean => map === undefined || Object.keys(map).length === 0;

const own = (map: JsonObject | undefined, key: string): Maybe =>
  map !== undefined && Object.hasOwn(map, key) ? map[key] : undefined;

function compareLists(place: Place, type: ListType, before: Maybe, after: Maybe): boolean {
  const old = isJsonArray(before) ? before : [];
  const next = isJsonArray(after) ? after : [];
  if (isAtomic(type) || (old.length === 0 && next.length === 0)) return leaf(place, before, after);
  const below: Sets = { added: undefined, modified: undefined, removed: undefined };
  const olds = byElement(place, type, old);
  const nexts = byElement(place, type, next);
  for (const element of new Set([...olds.keys(), ...nexts.keys()])) {
    const item: Place = { schema: place.schema, above: below, element };
    compareItems(item, type.elementType, olds.get(element) ?? [], nexts.get(element) ?? []);
  }
  put(place, below);
  return false;
}

function byElement(place: Place, type: ListType, items: readonly JsonValue[]): Map<PathElement, JsonValue[]> {
  const found = new Map<PathElement, JsonValue[]>();
  for (const item of items) {
    const element = itemElement(place.schema, type, item);
    if (element === '') continue;
    const twins = found.get(element);
    if (twins === undefined) found.set(element, [item]);
    else twins.push(item);
  }
  return found;
}

type Twins = readonly JsonValue[];

/** Items with one key: usually one on each side. Several on a side are one value. */
function compareItems(place: Place, type: TypeRef, olds: Twins, nexts: Twins): undefined {
  if (olds.length <= 1 && nexts.length <= 1) return visit(place, type, olds[0], nexts[0]);
  if (olds.length > 1 && nexts.length > 1) return jsonEqual(olds, nexts) ? undefined : tell(place, 'modified');
  if (olds.length > 1) {
    if (nexts.length > 0) visit(place, type, undefined, nexts[0]);
    return tell(place, 'removed');
  }
  if (olds.length > 0) visit(place, type, olds[0], undefined);
  tell(place, 'added');
}

function put({ above, element }: Place, below: Sets): void {
  for (const word of ['added', 'modified', 'removed'] as const) {
    const set = below[word];
    if (set === undefined) continue;
    above[word] ??= draftSet();
    const twin = above[word].children.get(element) as FieldSetDraft | undefined;
    above[word].children.set(element, twin === undefined ? set : joined(twin, set));
  }
}

/** Something is already there when an item is looked at twice. */
function joined(a: FieldSetDraft, b: FieldSet): FieldSetDraft {
  for (const element of b.members) a.members.add(element);
  for (const [element, child] of b.children) {
    const twin = a.children.get(element) as FieldSetDraft | undefined;
    a.children.set(element, twin === undefined ? child : joined(twin, child));
  }
  return a;
}
