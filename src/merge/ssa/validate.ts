// Does a value fit its type? Says what is wrong in the words of the API server, with the path that leads there.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../kit/json.ts';
import type { ListType, MapType, MergeSchema, Scalar, TypeRef } from '../../schema/index.ts';
import { atomKind, fitsScalar } from './atom-kind.ts';
import { goPrint, goSyntax, goType } from './go-text.ts';
import { plainElement } from './known-elements.ts';
import { explainItem } from './list-item.ts';
import { fieldElement, indexElement, type PathElement, showElement } from './path-element.ts';

export interface ValidationProblem {
  /** `.spec.ports[port=80]`; empty: the object as a whole. */
  readonly path: string;
  readonly message: string;
}

export interface ValidateOptions {
  readonly schema: MergeSchema;
  readonly type: TypeRef;
  /** Live objects may hold an item twice, applied ones not. */
  readonly allowDuplicates?: boolean;
}

interface Walk {
  readonly schema: MergeSchema;
  readonly allowDuplicates: boolean;
  readonly problems: { path: string; readonly message: string }[];
}

/** Empty: it fits. */
export function validateTyped(value: JsonValue, options: ValidateOptions): readonly ValidationProblem[] {
  const walk: Walk = { schema: options.schema, allowDuplicates: options.allowDuplicates ?? false, problems: [] };
  visit(walk, options.type, value);
  return walk.problems;
}

/** All of them as one message. */
export function problemText(problems: readonly ValidationProblem[]): string {
  const lines = problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  return lines.length === 1 ? (lines[0] ?? '') : ['errors:', ...lines.map((line) => `  ${line}`)].join('\n');
}

function fail(walk: Walk, message: string, path = ''): undefined {
  walk.problems.push({ path, message });
}

function visit(walk: Walk, type: TypeRef, value: JsonValue): undefined {
  const atom = walk.schema.resolve(type);
  if (atom === undefined) return fail(walk, `schema error: no type found matching: ${type.named ?? 'inlined type'}`);
  const kind = atomKind(atom, value);
  if (kind === 'map' && atom.map !== undefined) return visitMap(walk, atom.map, value);
  if (kind === 'list' && atom.list !== undefined) return visitList(walk, atom.list, value);
  if (kind === 'scalar' && atom.scalar !== undefined) return visitScalar(walk, atom.scalar, value);
  return fail(walk, invalidAtom(type));
}

export const invalidAtom = (type: TypeRef): string =>
  `schema error: invalid atom: ${type.named === undefined ? 'inlined' : `named type: ${type.named}`}`;

function visitScalar(walk: Walk, scalar: Scalar, value: JsonValue): undefined {
  if (!fitsScalar(scalar, value)) fail(walk, scalarProblem(scalar, value));
}

export function scalarProblem(scalar: Scalar, value: JsonValue): string {
  switch (scalar) {
    case 'numeric':
      return `expected numeric (int or float), got ${goType(value)}`;
    case 'string':
      return `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`;
    case 'boolean':
      return `expected boolean, got &{${goPrint(value)}}`;
    default:
      return `expected any scalar, got &{${goPrint(value)}}`;
  }
}

function inside(walk: Walk, element: PathElement, type: TypeRef, value: JsonValue): undefined {
  const before = walk.problems.length;
  visit(walk, type, value);
  if (walk.problems.length === before) return;
  const prefix = showElement(element);
  for (const problem of walk.problems.slice(before)) problem.path = prefix + problem.path;
}

function visitMap(walk: Walk, type: MapType, value: JsonValue): undefined {
  if (value === null) return;
  if (!isJsonObject(value)) return fail(walk, `expected map, got &{${goPrint(value)}}`);
  for (const key of Object.keys(value)) if (!visitKey(walk, type, value, key)) return;
}

/** false: the key may not be there, and the API server looks no further. */
function visitKey(walk: Walk, type: MapType, map: JsonObject, key: string): boolean {
  const value = map[key];
  if (value === undefined) return true;
  const field = type.fields.get(key);
  const own = field?.type ?? type.elementType;
  if (own === undefined) {
    fail(walk, 'field not declared in schema', showElement(fieldElement(key)));
    return false;
  }
  if (isPlainScalar(walk, own, value)) return true;
  inside(walk, field?.element ?? fieldElement(key), own, value);
  return true;
}

// Most values are scalars of the right kind: no need to go there.
const isPlainScalar = (walk: Walk, type: TypeRef, value: JsonValue): boolean => {
  if (typeof value === 'object') return false;
  const scalar = (type.inlined ?? walk.schema.resolve(type))?.scalar;
  return scalar !== undefined && type.elementRelationship === undefined && fitsScalar(scalar, value);
};

function visitList(walk: Walk, type: ListType, value: JsonValue): undefined {
  if (value === null) return;
  if (!isJsonArray(value)) return fail(walk, `expected list, got &{${goPrint(value)}}`);
  if (type.elementRelationship !== 'associative') {
    for (const [index, item] of value.entries())
      if (!isPlainScalar(walk, type.elementType, item)) inside(walk, indexElement(index), type.elementType, item);
    return;
  }
  const seen = new Set<PathElement>();
  for (const [index, item] of value.entries()) {
    const plain = plainElement(type, item);
    const found = plain === undefined ? explainItem(walk.schema, type, item) : { element: plain };
    if ('problem' in found) return fail(walk, `element ${index}: ${found.problem}`);
    const { element } = found;
    if (seen.has(element) && !walk.allowDuplicates) fail(walk, `duplicate entries for key ${showElement(element)}`);
    seen.add(element);
    inside(walk, element, type.elementType, item);
  }
}
