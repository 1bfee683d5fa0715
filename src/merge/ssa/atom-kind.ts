// Which of the alternatives of an atom counts for a value.

import type { JsonValue } from '../../kit/json.ts';
import type { Atom, ListType, MapType, Scalar } from '../../schema/index.ts';

export type AtomKind = 'map' | 'scalar' | 'list';

/** The value's own kind where the atom allows it; else (null, absent, or not allowed) the first of map, scalar, list. */
export function atomKind(atom: Atom, value: JsonValue | undefined): AtomKind | undefined {
  if (value !== null && value !== undefined) {
    if (typeof value !== 'object') {
      if (atom.scalar !== undefined) return 'scalar';
    } else if (Array.isArray(value)) {
      if (atom.list !== undefined) return 'list';
    } else if (atom.map !== undefined) return 'map';
  }
  if (atom.map !== undefined) return 'map';
  if (atom.scalar !== undefined) return 'scalar';
  return atom.list === undefined ? undefined : 'list';
}

/** Does the value fit? null and absent always do. */
export function fitsScalar(scalar: Scalar, value: JsonValue | undefined): boolean {
  if (value === null || value === undefined) return true;
  switch (scalar) {
    case 'numeric':
      return typeof value === 'number' || typeof value === 'bigint';
    case 'string':
    case 'boolean':
      return typeof value === scalar;
    default:
      return typeof value !== 'object';
  }
}

export const isAtomic = (type: ListType | MapType): boolean => type.elementRelationship === 'atomic';
