// Three-way merge of a whole object, with what was applied kept in an annotation of the object itself, where
// Metacontroller keeps it too: objects move between the two programs without a write. What only the server sets (system
// metadata, status) always stays as observed, whatever the hook returned.

import { goJson } from '../kit/go-json.ts';
import {
  getOwn,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  type MutableJsonObject,
  parseJson,
  setOwn,
} from '../kit/json.ts';
import type { KubeObject } from '../model/object.ts';
import { mergeOwnerReferences } from './owner-references.ts';
import { mergeThreeWay, type ThreeWay, withoutNulls } from './three-way.ts';

export const LAST_APPLIED_ANNOTATION = 'metacontroller.k8s.io/last-applied-configuration';

const SYSTEM_METADATA = [
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'managedFields',
] as const;

/**
 * The object to write so that `observed` becomes as `desired` says: equal to `observed` (the same value) when there is
 * nothing to do. An annotation that can't be read counts as nothing applied: then nothing is removed, only set.
 */
export function applyDynamic(observed: KubeObject, desired: KubeObject, annotation: string): KubeObject {
  const wanted = withoutAnnotation(desired, annotation);
  const record = goJson(wanted);
  const recorded = recordIn(observed, annotation);
  // Mostly the same was applied last: then that needs no parsing, and is compared by identity.
  const lastApplied = recorded === record ? wanted : parsedRecord(recorded);
  const sides = { observed, lastApplied, desired: wanted };
  const merged = withOwners(objectOf(mergeThreeWay(sides)), mergeOwnerReferences(mapSides(sides, ownersOf)));
  const restored = restoreSystemFields(merged, observed);
  const stays = recorded !== undefined && lastApplied && sameRecord(lastApplied, wanted);
  const result = withAnnotation(restored, annotation, stays ? recorded : record);
  return onlyDroppedEmpties(observed, result, lastApplied) ? observed : (result as KubeObject);
}

/** The object to create: desired without nulls and system metadata, with the record of it in the annotation. */
export function withLastApplied(desired: KubeObject, annotation: string): KubeObject {
  const wanted = withoutAnnotation(desired, annotation);
  const fresh = objectOf(withoutNulls(wanted));
  const metadata = dropKeys(objectOf(getOwn(fresh, 'metadata')), SYSTEM_METADATA);
  return withAnnotation({ ...fresh, metadata }, annotation, goJson(wanted)) as KubeObject;
}

/** The text that the annotation has where the object is what was applied last. */
export function recordFor(desired: KubeObject, annotation: string): string {
  return goJson(withoutAnnotation(desired, annotation));
}

/** The object with the record of what was applied last. */
export function withLastRecord(object: KubeObject, annotation: string, record: JsonObject): KubeObject {
  return withAnnotation(object, annotation, goJson(record)) as KubeObject;
}

/** What the annotation says was applied last; undefined when it is absent or is not the JSON of an object. */
export function lastAppliedOf(object: KubeObject, annotation: string): JsonObject | undefined {
  return parsedRecord(recordIn(object, annotation));
}

function recordIn(object: KubeObject, annotation: string): string | undefined {
  const text = getOwn(objectOf(object.metadata.annotations), annotation);
  return typeof text === 'string' ? text : undefined;
}

function parsedRecord(text: string | undefined): JsonObject | undefined {
  if (text === undefined) return undefined;
  try {
    const value = parseJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined; // broken by somebody: the write that follows repairs it
  }
}

/**
 * Do both records ask for the same? What applying ignores is ignored here too: a hook that hands back the object it was
 * given would else see its own resourceVersion in the annotation and cause a write in every round.
 */
function sameRecord(recorded: JsonObject, wanted: JsonObject): boolean {
  return recorded === wanted || jsonEqual(effective(recorded), effective(wanted));
}

function effective(record: JsonObject): JsonObject {
  const metadata = dropKeys(objectOf(getOwn(record, 'metadata')), SYSTEM_METADATA);
  return { ...dropKeys(record, ['status']), metadata };
}

function restoreSystemFields(merged: JsonObject, observed: KubeObject): JsonObject {
  const given = objectOf(getOwn(merged, 'metadata'));
  const status = getOwn(observed, 'status');
  const stay = SYSTEM_METADATA.every((key) => getOwn(given, key) === getOwn(observed.metadata, key));
  if (stay && getOwn(merged, 'status') === status) return merged;
  const metadata: MutableJsonObject = { ...dropKeys(given, SYSTEM_METADATA) };
  for (const key of SYSTEM_METADATA) {
    const value = getOwn(observed.metadata, key);
    if (value !== undefined) metadata[key] = value;
  }
  return { ...dropKeys(merged, ['status']), metadata, ...(status === undefined ? {} : { status }) };
}

const ownersOf = (object: Maybe): Maybe => getOwn(objectOf(getOwn(objectOf(object), 'metadata')), 'ownerReferences');

function withOwners(object: JsonObject, owners: Maybe): JsonObject {
  if (ownersOf(object) === owners) return object;
  const metadata = dropKeys(objectOf(getOwn(object, 'metadata')), ['ownerReferences']);
  return { ...object, metadata: owners === undefined ? metadata : { ...metadata, ownerReferences: owners } };
}

const mapSides = ({ observed, lastApplied, desired }: ThreeWay, part: (side: Maybe) => Maybe): ThreeWay => ({
  observed: part(observed),
  lastApplied: part(lastApplied),
  desired: part(desired),
});

function withoutAnnotation(object: KubeObject, annotation: string): JsonObject {
  const annotations = getOwn(object.metadata, 'annotations');
  if (!isJsonObject(annotations) || !Object.hasOwn(annotations, annotation)) return object;
  const others = dropKeys(annotations, [annotation]);
  const metadata = dropKeys(object.metadata, ['annotations']);
  return { ...object, metadata: isEmpty(others) ? metadata : { ...metadata, annotations: others } };
}

function withAnnotation(object: JsonObject, annotation: string, text: string): JsonObject {
  const metadata = objectOf(getOwn(object, 'metadata'));
  const others = objectOf(getOwn(metadata, 'annotations'));
  if (getOwn(others, annotation) === text) return object;
  const annotations: MutableJsonObject = { ...others };
  setOwn(annotations, annotation, text);
  return { ...object, metadata: { ...metadata, annotations } };
}

/**
 * Equal but for empty maps and lists that were applied before and that the server did not keep (`labels: {}`, `env: []`):
 * writing them again would not change that, and with Recreate would replace the object for ever.
 */
function onlyDroppedEmpties(observed: Maybe, result: Maybe, recorded: Maybe): boolean {
  if (observed === result) return true;
  if (observed === undefined && isEmpty(result) && jsonEqual(result, recorded)) return true;
  if (!isJsonObject(observed) || !isJsonObject(result)) return listsAlike(observed, result, recorded);
  const applied = objectOf(recorded);
  return Object.keys({ ...observed, ...result }).every((key) =>
    onlyDroppedEmpties(getOwn(observed, key), getOwn(result, key), getOwn(applied, key)),
  );
}

function listsAlike(observed: Maybe, result: Maybe, recorded: Maybe): boolean {
  if (!isJsonArray(observed) || !isJsonArray(result) || observed.length !== result.length) {
    return jsonEqual(observed, result);
  }
  // Positions of the record need not be those of the result; an exact match is asked for where they are not.
  const applied = isJsonArray(recorded) && recorded.length === result.length ? recorded : [];
  return result.every((item, index) => onlyDroppedEmpties(observed[index], item, applied[index]));
}

const isEmpty = (value: Maybe): boolean =>
  (isJsonObject(value) && Object.keys(value).length === 0) || (isJsonArray(value) && value.length === 0);

type Maybe = JsonValue | undefined;

function dropKeys(object: JsonObject, keys: readonly string[]): JsonObject {
  const rest: MutableJsonObject = {};
  for (const key of Object.keys(object)) if (!keys.includes(key)) setOwn(rest, key, object[key]);
  return rest;
}

const objectOf = (value: Maybe): JsonObject => (isJsonObject(value) ? value : {});
