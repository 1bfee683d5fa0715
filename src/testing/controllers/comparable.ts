// What controllers made of a namespace, in a form that is equal on two servers: without what is drawn by lot (uids,
// generated names, addresses) and without times. Which manager owns which fields is part of it.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';

export type Comparable = Readonly<Record<string, readonly JsonValue[]>>;

/** How often these were written on the way to the end depends on timing; that their status is up to date does not. */
const COUNTS_ITS_WAY = new Set(['ReplicaSet', 'EndpointSlice']);

/** KWOK deletes by name, at times twice: a pod made again under that name goes too, and its scheduler notes a failure. */
const GIVES_UP_AT_TIMES = 'kube-scheduler';

/** Objects by any name of their collection; collections without objects are left out. */
export function comparableObjects(
  lists: Readonly<Record<string, readonly KubeObject[]>>,
  namespace: string,
): Comparable {
  const rename = renaming(Object.values(lists).flat(), namespace);
  const entries = Object.entries(lists).map(([collection, list]) => {
    const objects = list.map((object) => rename(comparableObject(object)));
    return [collection, objects.sort(byText)] as const;
  });
  return Object.fromEntries(entries.filter(([, objects]) => objects.length > 0));
}

function comparableObject(object: KubeObject): JsonObject {
  const { uid: _u, resourceVersion: _r, generation, managedFields = [], ...metadata } = object.metadata;
  const status = isJsonObject(object['status']) ? object['status'] : undefined;
  const counted = !COUNTS_ITS_WAY.has(object.kind);
  return {
    ...object,
    metadata: {
      ...metadata,
      ...(counted && generation !== undefined ? { generation } : {}),
      managedFields: managedFields
        .filter(({ manager }) => manager !== GIVES_UP_AT_TIMES)
        .map(({ time: _t, fieldsV1 = {}, ...entry }) => ({ ...entry, fieldsV1: withoutTimes(fieldsV1) ?? {} }))
        .sort(byText),
    },
    ...(status ? { status: comparableStatus(object, status) } : {}),
  };
}

function comparableStatus(object: KubeObject, status: JsonObject): JsonObject {
  const { conditions } = status;
  return {
    ...status,
    ...(COUNTS_ITS_WAY.has(object.kind) ? { observedGeneration: upToDate(object) } : {}),
    ...(isJsonArray(conditions)
      ? { conditions: conditions.filter(isNotOfScheduler).map(withoutReplicaSet).sort(byText) }
      : {}),
  };
}

/** It may also be left on the pod that was made again under the name. That pods are bound is seen by their nodes. */
const isNotOfScheduler = (condition: JsonValue): boolean =>
  !isJsonObject(condition) || condition['type'] !== 'PodScheduled';
const OF_SCHEDULER = 'k:{"type":"PodScheduled"}';

/** A rollout that is over before the Deployment is looked at again leaves the name of the ReplicaSet before. */
function withoutReplicaSet(condition: JsonValue): JsonValue {
  if (!isJsonObject(condition) || typeof condition['message'] !== 'string') return condition;
  return { ...condition, message: condition['message'].replace(/ReplicaSet "[^"]*"/, 'the ReplicaSet') };
}

const byText = (a: JsonValue, b: JsonValue): number => (stringifyJson(a) < stringifyJson(b) ? -1 : 1);

/** Two writers in the same second write the same time: which of them owns it depends on timing. */
function withoutTimes(fields: JsonObject): JsonObject | undefined {
  const entries = Object.entries(fields);
  if (entries.length === 0) return fields;
  const left = entries
    .filter(([key]) => !key.endsWith('Time') && key !== OF_SCHEDULER)
    .map(([key, inner]) => [key, isJsonObject(inner) ? withoutTimes(inner) : inner] as const)
    .filter(([, inner]) => inner !== undefined);
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

const upToDate = (object: KubeObject): JsonValue => {
  const { observedGeneration } = isJsonObject(object['status']) ? object['status'] : {};
  return observedGeneration === object.metadata.generation ? 'of this generation' : (observedGeneration ?? null);
};

const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
const UID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const ADDRESS = /\b10\.\d+\.\d+\.\d+\b/g;

/** When the last change of a pod came to an endpoints controller: one that it has not missed meanwhile. */
const TRIGGER = 'endpoints.kubernetes.io/last-change-trigger-time';
const isBare = (value: JsonValue): boolean => isJsonObject(value) && Object.keys(value).every((key) => key === '.');

const isAddress = (value: JsonValue): boolean =>
  value === 'ADDRESS' || (isJsonObject(value) && Object.keys(value).length === 1 && value['ip'] === 'ADDRESS');

/**
 * A kubelet that is behind makes a pod Ready twice, each time with another address: `podIPs` is merged by address, on any server,
 * and has both. How many there are is chance; whether there is one is not.
 */
const withOneAddress = (items: JsonValue[]): JsonValue[] =>
  items.filter((item, at) => !isAddress(item) || items.findIndex(isAddress) === at);

/** Replaces in every text and every key. Generated names become their generateName with a star. */
function renaming(objects: readonly KubeObject[], namespace: string): (value: JsonValue) => JsonValue {
  const generated = new Map<string, string>();
  for (const { metadata } of objects) {
    if (metadata.generateName && metadata.name) generated.set(metadata.name, `${metadata.generateName}*`);
  }
  // "db-2" is the name of a pod, and may be the beginning of another one's, or a part of a UID.
  const longestFirst = [...generated].sort(([a], [b]) => b.length - a.length);
  const text = (value: string): string => {
    let renamed = value.replaceAll(TIME, 'TIME').replaceAll(UID, 'UID').replaceAll(ADDRESS, 'ADDRESS');
    for (const [from, to] of longestFirst) if (renamed.includes(from)) renamed = renamed.replaceAll(from, to);
    return renamed.replaceAll(namespace, 'NAMESPACE');
  };
  const rename = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') return text(value);
    if (isJsonArray(value)) return withOneAddress(value.map((item) => rename(item)));
    if (!isJsonObject(value)) return value;
    const kept = Object.entries(value).filter(([key]) => !key.endsWith(TRIGGER));
    const entries = kept.map(([key, inner]) => [text(key), rename(inner ?? null)] as const);
    const full = entries.filter(([key, inner]) => !key.endsWith('annotations') || !isBare(inner));
    return Object.fromEntries(full.sort(([a], [b]) => (a < b ? -1 : 1)));
  };
  return rename;
}
