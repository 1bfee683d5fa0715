// What server-side apply must know of a type: which values are one piece (atomic), which lists have keys, what a key
// defaults to. Plain data; built from OpenAPI (`merge-schema-openapi.ts`) and from CRDs (`merge-schema-crd.ts`).
// The words are those of structured-merge-diff: an atom says what a value may be, a reference names or holds an atom.

import type { JsonValue } from '../kit/json.ts';

export type Scalar = 'numeric' | 'string' | 'boolean' | 'untyped';
/** `associative` and `separable` are merged inside, `atomic` is one value. Absent in a map: separable. */
export type ElementRelationship = 'atomic' | 'associative' | 'separable';

/** What a value may be. With more than one of the three, the value itself tells which one counts. */
export interface Atom {
  readonly scalar?: Scalar;
  readonly list?: ListType;
  readonly map?: MapType;
}

export interface ListType {
  readonly elementType: TypeRef;
  readonly elementRelationship?: ElementRelationship;
  /** The fields that identify an item; empty in an associative list: a set of scalars. */
  readonly keys: readonly string[];
}

export interface MapType {
  readonly fields: ReadonlyMap<string, StructField>;
  /** The type of keys that are no field; absent: there may be none. */
  readonly elementType?: TypeRef;
  readonly elementRelationship?: ElementRelationship;
}

export interface StructField {
  readonly name: string;
  /** `f:` and the name: how FieldsV1 writes it, kept because it is needed at each step of each walk. */
  readonly element: string;
  readonly type: TypeRef;
  readonly default?: JsonValue;
}

/** Either a name to be looked up, or the atom itself; neither: a type that fits nothing. */
export interface TypeRef {
  readonly named?: string;
  readonly inlined?: Atom;
  /** Stands in for the relationship of the type referred to. */
  readonly elementRelationship?: ElementRelationship;
}

export interface MergeSchema {
  /** The atom referred to; undefined: no such type, or a relationship given to a scalar. Made on first use and kept. */
  resolve(ref: TypeRef): Atom | undefined;
}

export const UNTYPED_ATOMIC = '__untyped_atomic_';
export const UNTYPED_DEDUCED = '__untyped_deduced_';

const atomicRef: TypeRef = { named: UNTYPED_ATOMIC };
const deducedRef: TypeRef = { named: UNTYPED_DEDUCED };
const noFields: ReadonlyMap<string, StructField> = new Map();
const untypedList: ListType = { elementType: atomicRef, elementRelationship: 'atomic', keys: [] };

/** The two types that every schema has: anything in one piece, and anything with maps merged inside. */
const COMMON: ReadonlyMap<string, Atom> = new Map<string, Atom>([
  [
    UNTYPED_ATOMIC,
    {
      scalar: 'untyped',
      list: untypedList,
      map: { fields: noFields, elementType: atomicRef, elementRelationship: 'atomic' },
    },
  ],
  [
    UNTYPED_DEDUCED,
    {
      scalar: 'untyped',
      list: untypedList,
      map: { fields: noFields, elementType: deducedRef, elementRelationship: 'separable' },
    },
  ],
]);

export function structField(name: string, type: TypeRef, fallback?: JsonValue): StructField {
  const field = { name, element: `f:${name}`, type };
  return fallback === undefined ? field : { ...field, default: fallback };
}

const EMPTY_ATOM: Atom = {};

/** A schema whose named types are made by `convert` when they are first asked for. */
export function lazyMergeSchema(convert: (name: string) => Atom | undefined): MergeSchema {
  const named = new Map<string, Atom | undefined>(COMMON);
  const overridden = new WeakMap<TypeRef, Atom>();
  const find = (name: string): Atom | undefined => {
    const known = named.get(name);
    if (known !== undefined || named.has(name)) return known;
    const made = convert(name);
    named.set(name, made);
    return made;
  };
  return {
    resolve(ref) {
      if (ref.elementRelationship === undefined)
        return ref.named === undefined ? (ref.inlined ?? EMPTY_ATOM) : find(ref.named);
      const known = overridden.get(ref);
      if (known !== undefined) return known;
      const base = ref.named === undefined ? ref.inlined : find(ref.named);
      const made = base && withRelationship(base, ref.elementRelationship);
      if (made !== undefined) overridden.set(ref, made);
      return made;
    },
  };
}

function withRelationship(atom: Atom, elementRelationship: ElementRelationship): Atom | undefined {
  if (atom.map !== undefined) return { ...atom, map: { ...atom.map, elementRelationship } };
  if (atom.list !== undefined) return { ...atom, list: { ...atom.list, elementRelationship } };
  return undefined;
}

/** For kinds without any schema: maps are merged key by key, lists are one value. */
export const deducedSchema: MergeSchema = lazyMergeSchema(() => undefined);
export const deducedType: TypeRef = deducedRef;
