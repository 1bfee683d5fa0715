// Metadata as the server keeps it: the fields it knows, in its order, without nulls and empties.
// Absent on purpose: selfLink. managedFields that are empty stay: they say that ownership is to be forgotten.

import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  setOwn,
} from '../../kit/json.ts';
import type { KubeObject, ObjectMeta } from '../../model/object.ts';

const FIELDS = [
  'name',
  'generateName',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'managedFields',
];

const OWNER_FIELDS = ['apiVersion', 'kind', 'name', 'uid', 'controller', 'blockOwnerDeletion'];

export function cleanMetadata(metadata: JsonObject): ObjectMeta {
  const clean: MutableJsonObject = {};
  for (const field of FIELDS) {
    const value = cleanField(field, metadata[field]);
    if (value !== undefined) clean[field] = value;
  }
  return clean as ObjectMeta;
}

function cleanField(field: string, value: JsonValue | undefined): JsonValue | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (isJsonArray(value)) {
    if (field === 'managedFields') return value;
    if (value.length === 0) return undefined;
    return field === 'ownerReferences' ? value.map(cleanOwner) : value;
  }
  return isJsonObject(value) ? cleanStringMap(value) : value;
}

function cleanStringMap(map: JsonObject): JsonObject | undefined {
  const keys = Object.keys(map);
  if (keys.length === 0) return undefined;
  if (!Object.values(map).includes(null)) return map;
  const clean: MutableJsonObject = {};
  for (const key of keys) setOwn(clean, key, map[key] ?? '');
  return clean;
}

function cleanOwner(owner: JsonValue): JsonValue {
  if (!isJsonObject(owner)) return owner;
  const clean: MutableJsonObject = {};
  for (const field of OWNER_FIELDS) {
    const value = owner[field];
    if (value !== undefined && value !== null) clean[field] = value;
    else if (field !== 'controller' && field !== 'blockOwnerDeletion') clean[field] = '';
  }
  return clean;
}

const METADATA = new Set([...FIELDS, 'selfLink']);

/** Paths of the fields that metadata does not have. */
export function unknownMetadata(metadata: JsonObject, path: string): string[] {
  const unknown = Object.keys(metadata).filter((key) => !METADATA.has(key));
  const owners = isJsonArray(metadata['ownerReferences']) ? metadata['ownerReferences'] : [];
  const ofOwners = owners.flatMap((owner, index) =>
    Object.keys(isJsonObject(owner) ? owner : {})
      .filter((key) => !OWNER_FIELDS.includes(key))
      .map((key) => `ownerReferences[${index}].${key}`),
  );
  return [...unknown, ...ofOwners].map((name) => `${path}.${name}`);
}

/** The object with some metadata fields set; undefined takes a field away. */
export function withMetadata(object: KubeObject, changes: MutableJsonObject): KubeObject {
  return { ...object, metadata: cleanMetadata({ ...object.metadata, ...changes }) };
}

/** What counts for the generation: everything but apiVersion, kind and metadata; status only where asked for. */
export function contentFields(object: KubeObject, withStatus: boolean): JsonObject {
  const { apiVersion: _a, kind: _k, metadata: _m, ...content } = object;
  if (withStatus) return content;
  const { status: _s, ...rest } = content;
  return rest;
}
