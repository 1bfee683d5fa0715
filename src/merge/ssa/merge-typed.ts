// Lays an applied configuration over a live value: maps are merged key by key, associative lists item by item, anything
// else is taken from the configuration where that names it. Where nothing changes, the live value itself comes back
// (at every depth), so that what follows can tell by identity.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, jsonEqual, setOwn } from '../../kit/json.ts';
import type { Atom, ListType, MapType, MergeSchema, TypeRef } from '../../schema/index.ts';
import { atomKind, fitsScalar, isAtomic } from './atom-kind.ts';
import { type MergeWalk, mergeLists } from './merge-lists.ts';
import { fieldElement, showElement } from './path-element.ts';
import { invalidAtom, scalarProblem, type ValidationProblem } from './validate.ts';

export type Merged = { readonly value: JsonValue | undefined } | { readonly problems: readonly ValidationProblem[] };

/** Both have been validated, so problems are those of the schema, or of a live value that fits another kind. */
export function mergeTyped(
  live: JsonValue,
  config: JsonValue,
  options: { schema: MergeSchema; type: TypeRef },
): Merged {
  const problems: { path: string; message: string }[] = [];
  const value = visit({ schema: options.schema, problems }, options.type, live, config);
  return problems.length > 0 ? { problems } : { value };
}

type Maybe = JsonValue | undefined;

/** undefined: absent. What only one side has is taken as it is. */
function mergeValues(walk: MergeWalk, type: TypeRef | undefined, live: Maybe, config: Maybe): Maybe {
  if (config === undefined) return live;
  if (live === undefined) return config;
  return visit(walk, type ?? {}, live, config);
}

function visit(walk: MergeWalk, type: TypeRef, live: JsonValue, config: JsonValue): Maybe {
  const atom = walk.schema.resolve(type);
  if (atom === undefined) {
    walk.problems.push({ path: '', message: `schema error: no type found matching: ${type.named ?? 'inlined type'}` });
    return undefined;
  }
  const kind = atomKind(atom, config);
  switch (kind) {
    case 'map':
      return atom.map && mergeMap(walk, atom.map, live, config);
    case 'list':
      return atom.list && mergeList(walk, atom.list, live, config);
    case 'scalar':
      return mergeScalar(walk, atom, live, config);
    default:
      walk.problems.push({ path: '', message: invalidAtom(type) });
      return undefined;
  }
}

function mergeScalar(walk: MergeWalk, { scalar }: Atom, live: JsonValue, config: JsonValue): Maybe {
  if (scalar !== undefined && !fitsScalar(scalar, live) && !fitsScalar(scalar, config)) {
    for (const [side, value] of Object.entries({ lhs: live, rhs: config }))
      walk.problems.push({ path: '', message: `${side}: ${scalarProblem(scalar, value)}` });
    return undefined;
  }
  return leaf(live, config);
}

const leaf = (live: JsonValue, config: JsonValue): JsonValue => (jsonEqual(live, config) ? live : config);

function mergeMap(walk: MergeWalk, type: MapType, live: JsonValue, config: JsonValue): Maybe {
  const old = isJsonObject(live) ? live : undefined;
  const next = isJsonObject(config) ? config : undefined;
  // Two that hold nothing are one value: the difference between null and {} is kept.
  if (isAtomic(type) || (isEmptyMap(old) && isEmptyMap(next))) return leaf(live, config);
  const changes: [string, JsonValue | undefined][] = [];
  for (const key of Object.keys(next ?? {})) {
    const before = ownValue(old, key);
    const after = mergeKey(walk, type, { key, before, given: next?.[key] });
    if (after !== before) changes.push([key, after]);
  }
  if (old === undefined) return next;
  if (changes.length === 0) return old;
  const merged = { ...old };
  for (const [key, value] of changes) setOwn(merged, key, value);
  return merged;
}

const isEmptyMap = (map: JsonObject | undefined): boolean => map === undefined || Object.keys(map).length === 0;

const ownValue = (map: JsonObject | undefined, key: string): Maybe =>
  map !== undefined && Object.hasOwn(map, key) ? map[key] : undefined;

function mergeKey(
  walk: MergeWalk,
  type: MapType,
  { key, before, given }: { key: string; before: Maybe; given: Maybe },
): Maybe {
  const field = type.fields.get(key);
  const problems = walk.problems.length;
  const after = mergeValues(walk, field?.type ?? type.elementType, before, given);
  if (walk.problems.length === problems) return after;
  const prefix = showElement(field?.element ?? fieldElement(key));
  for (const problem of walk.problems.slice(problems)) problem.path = prefix + problem.path;
  return after;
}

function mergeList(walk: MergeWalk, type: ListType, live: JsonValue, config: JsonValue): Maybe {
  const old = isJsonArray(live) ? live : [];
  const next = isJsonArray(config) ? config : [];
  if (isAtomic(type) || (old.length === 0 && next.length === 0)) return leaf(live, config);
  // Problems inside of items are not reported: the reference loses them too.
  const mergeItem = (a: Maybe, b: Maybe): Maybe =>
    mergeValues({ schema: walk.schema, problems: [] }, type.elementType, a, b);
  const merged = mergeLists(walk, type, { live: old, config: next }, mergeItem);
  return merged !== undefined && sameItems(old, merged) ? live : merged;
}

const sameItems = (a: readonly JsonValue[], b: readonly JsonValue[]): boolean =>
  a.length === b.length && a.every((item, index) => item === b[index]);
