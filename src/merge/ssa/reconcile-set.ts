// A field set that was written when the schema was another one: what is atomic now is owned as a whole, by those who
// owned anything in it. The other way round needs nothing: who owned the whole goes on owning the step that leads to it.

import { type Atom, type MapType, type MergeSchema, type TypeRef, UNTYPED_DEDUCED } from '../../schema/index.ts';
import { isAtomic } from './atom-kind.ts';
import { type FieldPath, type FieldSet, recursiveDifference, setOfPaths, sizeOf, union } from './field-set.ts';
import { fieldName, type PathElement } from './path-element.ts';

interface Walk {
  readonly schema: MergeSchema;
  /** Steps that have become atomic. */
  readonly atomic: FieldPath[];
}

interface Place {
  readonly type: TypeRef | undefined;
  readonly path: FieldPath;
  /** What is owned below; undefined: nothing. */
  readonly below: FieldSet | undefined;
  /** Owned as a whole and nothing below: as an atomic value is. */
  readonly isWhole: boolean;
}

// Sets that were found to be in today's words, by schema: an object's entries are the same from write to write.
const settled = new WeakMap<FieldSet, { readonly schema: MergeSchema; readonly named: string | undefined }>();

/** The same set where nothing has changed. */
export function reconcileSet(set: FieldSet, schema: MergeSchema, type: TypeRef): FieldSet {
  const known = settled.get(set);
  if (known !== undefined && known.schema === schema && known.named === type.named) return set;
  const walk: Walk = { schema, atomic: [] };
  visit(walk, { type, path: [], below: set, isWhole: false });
  if (walk.atomic.length === 0) {
    if (type.named !== undefined) settled.set(set, { schema, named: type.named });
    return set;
  }
  const atomic = setOfPaths(walk.atomic);
  return union(recursiveDifference(set, atomic), atomic);
}

function visit(walk: Walk, place: Place): void {
  const atom = place.type && walk.schema.resolve(place.type);
  if (atom === undefined) return;
  if (atom.map !== undefined) visitMap(walk, atom.map, place);
  else if (atom.scalar === undefined && atom.list !== undefined) visitList(walk, atom.list, place);
}

// Types that are deduced from the value know nothing of atomic.
function isDeduced(type: MapType): boolean {
  const rest = type.elementType;
  if (rest === undefined || type.fields.size > 0) return false;
  return rest.named === undefined ? rest.inlined?.scalar === 'untyped' : rest.named === UNTYPED_DEDUCED;
}

function visitMap(walk: Walk, type: MapType, place: Place): void {
  const { below } = place;
  if (below === undefined || isDeduced(type)) return;
  if (!place.isWhole && isAtomic(type)) {
    if (sizeOf(below) > 0) walk.atomic.push(place.path);
    return;
  }
  for (const element of stepsOf(below)) {
    const name = fieldName(element);
    const field = name === undefined ? undefined : type.fields.get(name);
    visitStep(walk, place, element, field?.type ?? type.elementType);
  }
}

function visitList(walk: Walk, type: NonNullable<Atom['list']>, place: Place): void {
  if (!place.isWhole && isAtomic(type)) {
    walk.atomic.push(place.path);
    return;
  }
  if (place.below === undefined) return;
  for (const element of stepsOf(place.below)) visitStep(walk, place, element, type.elementType);
}

function* stepsOf(set: FieldSet): Generator<PathElement> {
  for (const element of set.children.keys()) if (!set.members.has(element)) yield element;
  yield* set.members;
}

function visitStep(walk: Walk, place: Place, element: PathElement, type: TypeRef | undefined): void {
  const below = place.below?.children.get(element);
  const isMember = place.below?.members.has(element) ?? false;
  visit(walk, { type, path: [...place.path, element], below, isWhole: isMember && below === undefined });
}
