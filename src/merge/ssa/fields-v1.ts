// Field sets as objects carry them: `{"f:spec": {".": {}, "f:replicas": {}}}`. An empty object is a member without
// anything below it, `.` marks a member that has something below it too.

import { isJsonObject, type JsonObject, type JsonValue, type MutableJsonObject } from '../../kit/json.ts';
import { draftSet, EMPTY_SET, type FieldSet, type FieldSetDraft, union } from './field-set.ts';
import { compareElements, type PathElement, parsePathElement } from './path-element.ts';

const NOTHING: JsonObject = Object.freeze({});
// Objects carry the same entries from write to write; both directions are remembered as long as the other side lives.
const parsed = new WeakMap<JsonObject, FieldSet>();
const serialised = new WeakMap<FieldSet, JsonObject>();

/** Throws SyntaxError on steps that can't be read; steps of unknown kinds are left out with all below them. */
export function parseFieldsV1(fields: JsonValue | undefined): FieldSet {
  if (!isJsonObject(fields)) {
    if (fields === undefined || fields === null) return EMPTY_SET;
    throw new SyntaxError('fields must be an object');
  }
  const known = parsed.get(fields);
  if (known !== undefined) return known;
  const walk = { isCanonical: true };
  const set = read(fields, walk).set ?? EMPTY_SET;
  parsed.set(fields, set);
  if (walk.isCanonical && set !== EMPTY_SET) serialised.set(set, fields);
  return set;
}

/** Would the set be written just so? */
interface Walk {
  isCanonical: boolean;
}

interface Read {
  readonly set: FieldSetDraft | undefined;
  /** Is the path that leads here a member too? */
  readonly isMember: boolean;
}

function read(fields: JsonObject, walk: Walk): Read {
  let set: FieldSetDraft | undefined;
  let isMember = false;
  for (const key of Object.keys(fields)) {
    if (key === '.') {
      isMember = true;
      continue;
    }
    const element = parsePathElement(key);
    if (element !== key) walk.isCanonical = false;
    if (element === undefined) continue;
    const below = fields[key] ?? null;
    if (below !== null && !isJsonObject(below)) throw new SyntaxError(`${key}: expected an object`);
    const child: Read = below === null ? { set: undefined, isMember: true } : read(below, walk);
    if (below === null) walk.isCanonical = false;
    set ??= draftSet();
    if (child.isMember) set.members.add(element);
    if (child.set !== undefined) addChild(set, element, child.set);
  }
  if (isMember && set === undefined) walk.isCanonical = false;
  return { set, isMember: isMember || set === undefined };
}

// Two spellings of one step: what is below both counts.
function addChild(set: FieldSetDraft, element: PathElement, child: FieldSet): void {
  const twin = set.children.get(element);
  set.children.set(element, twin === undefined ? child : union(twin, child));
}

/** The object that an entry of managedFields holds; the same object for the same set. */
export function fieldsV1Of(set: FieldSet): JsonObject {
  const known = serialised.get(set);
  if (known !== undefined) return known;
  const fields = write(set, false);
  serialised.set(set, fields);
  if (!parsed.has(fields)) parsed.set(fields, set);
  return fields;
}

function write(set: FieldSet, isMember: boolean): JsonObject {
  const out: MutableJsonObject = {};
  if (isMember && (set.members.size > 0 || set.children.size > 0)) out['.'] = NOTHING;
  for (const element of steps(set)) {
    const child = set.children.get(element);
    out[element] = child === undefined ? NOTHING : write(child, set.members.has(element));
  }
  return out;
}

function steps(set: FieldSet): readonly PathElement[] {
  const elements = [...set.members];
  for (const element of set.children.keys()) if (!set.members.has(element)) elements.push(element);
  return elements.sort(compareElements);
}
