// What is left out of every diff: fields that the server keeps for itself, and the copies of the object that appliers
// keep in annotations. A plan that showed these would never be empty, or would say everything twice.

import { getOwn, isJsonObject, type JsonObject, type MutableJsonObject, setOwn } from '../kit/json.ts';
import { LAST_APPLIED_ANNOTATION } from '../merge/index.ts';
import type { KubeObject } from '../model/object.ts';

export const NOISE_METADATA: readonly string[] = [
  'managedFields',
  'resourceVersion',
  'generation',
  'uid',
  'creationTimestamp',
  'selfLink',
];

/** Annotations that hold a copy of the object: Metacontroller's and ours, and kubectl's. */
export const RECORD_ANNOTATIONS: readonly string[] = [
  LAST_APPLIED_ANNOTATION,
  'kubectl.kubernetes.io/last-applied-configuration',
];

export function withoutNoise(object: KubeObject): JsonObject {
  const metadata = isJsonObject(object.metadata) ? dropKeys(object.metadata, NOISE_METADATA) : {};
  const annotations = getOwn(metadata, 'annotations');
  if (!isJsonObject(annotations) || !RECORD_ANNOTATIONS.some((name) => Object.hasOwn(annotations, name))) {
    return { ...object, metadata };
  }
  const others = dropKeys(annotations, RECORD_ANNOTATIONS);
  const rest = dropKeys(metadata, ['annotations']);
  return { ...object, metadata: Object.keys(others).length === 0 ? rest : { ...rest, annotations: others } };
}

export function dropKeys(object: JsonObject, keys: readonly string[]): JsonObject {
  const rest: MutableJsonObject = {};
  for (const key of Object.keys(object)) if (!keys.includes(key)) setOwn(rest, key, object[key]);
  return rest;
}
