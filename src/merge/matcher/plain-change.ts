// Is one of the modified fields of a kind whose form the server leaves alone: a string, number or boolean that is there on
// both sides, says something on both, and differs?

import { isJsonArray, isJsonObject, type JsonValue } from '../../kit/json.ts';
import type { Atom, KindType, MergeSchema, TypeRef } from '../../schema/index.ts';
import type { FieldSet } from '../ssa/index.ts';
import { itemElement, type PathElement } from '../ssa/index.ts';

export interface TwoStates {
  readonly before: JsonValue;
  readonly after: JsonValue;
  readonly kind: KindType;
}

interface Walk {
  readonly schema: MergeSchema;
}

export function holdsPlainChange(modified: FieldSet, { before, after, kind }: TwoStates): boolean {
  return below({ schema: kind.schema }, modified, { type: kind.type, before, after });
}

interface Pair {
  readonly type: TypeRef | undefined;
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
}

function below(walk: Walk, set: FieldSet, pair: Pair): boolean {
  const atom = pair.type && walk.schema.resolve(pair.type);
  if (atom === undefined) return false;
  for (const element of set.members) if (isPlain(walk.schema, step(walk, atom, pair, element))) return true;
  for (const [element, child] of set.children) if (below(walk, child, step(walk, atom, pair, element))) return true;
  return false;
}

function isPlain(schema: MergeSchema, { type, before, after }: Pair): boolean {
  const scalar = type && schema.resolve(type)?.scalar;
  const isTyped = scalar === 'string' || scalar === 'numeric' || scalar === 'boolean';
  return isTyped && says(before) && says(after);
}

/** Empty strings, zeros and false may be left out when an object is stored. */
const says = (value: JsonValue | undefined): boolean =>
  value !== undefined && value !== null && value !== '' && value !== 0 && value !== false && typeof value !== 'object';

function step({ schema }: Walk, atom: Atom, { before, after }: Pair, element: PathElement): Pair {
  if (element.startsWith('f:')) {
    const name = element.slice(2);
    const inside = (value: JsonValue | undefined): JsonValue | undefined =>
      isJsonObject(value) ? value[name] : undefined;
    const type = atom.map?.fields.get(name)?.type ?? atom.map?.elementType;
    return { type, before: inside(before), after: inside(after) };
  }
  const { list } = atom;
  if (list === undefined) return { type: undefined, before, after };
  const item = (value: JsonValue | undefined): JsonValue | undefined =>
    isJsonArray(value) ? value.find((candidate) => itemElement(schema, list, candidate) === element) : undefined;
  return { type: list.elementType, before: item(before), after: item(after) };
}
