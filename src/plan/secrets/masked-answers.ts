// What of a hook's answer may be used when the hook did not see the values of Secrets. It is asked twice, with the same
// request under two keys: whatever differs between the two answers was made of masked values (a checksum of them too,
// in which no placeholder can be found), and nobody knows what it would be in truth.

import { insideBase64 } from '../../diff/index.ts';
import type { MutableJsonObject } from '../../kit/json.ts';
import {
  getOwn,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  setOwn,
} from '../../kit/json.ts';
import { formatPath, type Path } from '../../kit/path.ts';
import { MASKED_UNKNOWN } from '../../kit/unknown.ts';
import { PLACEHOLDER_PREFIX } from './request-mask.ts';

export type UsableAnswer =
  | { readonly body: JsonValue }
  /** Where the two differ in what must be known: which children there are, what they are called. */
  | { readonly unusableAt: string };

const MARKS = [PLACEHOLDER_PREFIX, ...insideBase64(Buffer.from(PLACEHOLDER_PREFIX))];

/** Both answers are restored already. */
export function usableAnswer(first: JsonValue, second: JsonValue): UsableAnswer {
  const unusable: Path[] = [];
  const body = combine(first, second, { path: [], unusable });
  const place = unusable[0];
  return place === undefined ? { body } : { unusableAt: formatPath(place) };
}

interface Place {
  readonly path: Path;
  readonly unusable: Path[];
}

function combine(first: JsonValue, second: JsonValue, place: Place): JsonValue {
  if (isJsonArray(first) && isJsonArray(second) && first.length === second.length)
    return first.map((item, index) => combine(item, second[index] ?? null, inside(place, index)));
  if (isJsonObject(first) && isJsonObject(second) && sameKeys(first, second))
    return combineFields(first, second, place);
  if (jsonEqual(first, second) && !(typeof first === 'string' && holdsPlaceholder(first))) return first;
  if (mustBeKnown(place.path)) place.unusable.push(place.path);
  return MASKED_UNKNOWN;
}

function combineFields(first: JsonObject, second: JsonObject, place: Place): JsonObject {
  const combined: MutableJsonObject = {};
  for (const [key, value] of Object.entries(first))
    if (value !== undefined) setOwn(combined, key, combine(value, getOwn(second, key) ?? null, inside(place, key)));
  return combined;
}

const inside = ({ path, unusable }: Place, element: string | number): Place => ({
  path: [...path, element],
  unusable,
});

/** A key that holds a placeholder counts as a difference: the object as a whole becomes unknown. */
function sameKeys(first: JsonObject, second: JsonObject): boolean {
  const keys = Object.keys(first).filter((key) => first[key] !== undefined);
  const others = Object.keys(second).filter((key) => second[key] !== undefined);
  return (
    keys.length === others.length && keys.every((key) => getOwn(second, key) !== undefined && !holdsPlaceholder(key))
  );
}

const holdsPlaceholder = (text: string): boolean => MARKS.some((mark) => text.includes(mark));

const IDENTITY = ['apiVersion', 'kind', 'metadata'];
const METADATA = ['name', 'namespace', 'labels', 'annotations', 'finalizers', 'ownerReferences'];

/** The answer's own shape, and what says which object a child is. */
function mustBeKnown([field, index, part, inner, ...deeper]: Path): boolean {
  // Which related objects are read: there are no half-known rules.
  if (field === 'relatedResources') return true;
  if (field === undefined) return true;
  // Of a decorated object: what selects it must be known.
  if (field === 'labels') return true;
  if (field !== 'children' && field !== 'attachments' && field !== 'outputs') return index === undefined;
  if (part === undefined) return true;
  if (inner === undefined) return IDENTITY.includes(String(part));
  return part === 'metadata' && METADATA.includes(String(inner)) && deeper.length === 0;
}
