// A map parent's status: how many inputs there are, how many outputs, and how many of these have each condition. No hook
// is asked: none of them sees more than one input.

import { isJsonArray, isJsonObject, type JsonObject, type MutableJsonObject, setOwn } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import { groupResourceOf, type ResourceType } from '../../model/resource.ts';
import type { ChildGroup } from '../../model/view.ts';

/** {inputs: {persistentvolumeclaims: {total: 20}}, outputs: {volumesnapshots: {total: 100, ready: 97}}} */
export function statusCounts(inputs: readonly ChildGroup[], outputs: readonly ChildGroup[]): JsonObject {
  return {
    inputs: byResource(inputs, ({ objects }) => ({ total: objects.length })),
    outputs: byResource(outputs, ({ objects }) => ({ ...conditionCounts(objects), total: objects.length })),
  };
}

/** The plural; with its group where another one of the list has the same. */
function byResource(groups: readonly ChildGroup[], countsOf: (group: ChildGroup) => JsonObject): JsonObject {
  const isAlone = ({ resource }: ResourceType): boolean =>
    groups.filter(({ type }) => type.resource === resource).length === 1;
  const counts: MutableJsonObject = {};
  for (const group of groups)
    counts[isAlone(group.type) ? group.type.resource : groupResourceOf(group.type)] = countsOf(group);
  return counts;
}

/** Of every type of condition that any of them has: how many have it with status True. A type "Total" has no place. */
function conditionCounts(objects: readonly KubeObject[]): JsonObject {
  const counts = new Map<string, number>();
  for (const object of objects)
    for (const [field, isTrue] of conditionsOf(object)) counts.set(field, (counts.get(field) ?? 0) + (isTrue ? 1 : 0));
  const sorted: MutableJsonObject = {};
  for (const field of [...counts.keys()].sort()) setOwn(sorted, field, counts.get(field));
  return sorted;
}

/** Each type once, whatever is in the list. */
function conditionsOf(object: KubeObject): ReadonlyMap<string, boolean> {
  const status = object['status'];
  const conditions = isJsonObject(status) ? status['conditions'] : undefined;
  const found = new Map<string, boolean>();
  for (const condition of isJsonArray(conditions) ? conditions : []) {
    if (!isJsonObject(condition) || typeof condition['type'] !== 'string') continue;
    const field = camelCase(condition['type']);
    if (field !== '') found.set(field, found.get(field) === true || condition['status'] === 'True');
  }
  return found;
}

/** "Ready" → ready, "ContainersReady" → containersReady, "DNSReady" → dnsReady, "example.com/Is-Up" → exampleComIsUp */
export function camelCase(type: string): string {
  const [first = '', ...rest] = type.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const start = first.replace(/^[A-Z]+(?![a-z])|^[A-Z]/, (capitals) => capitals.toLowerCase());
  return [start, ...rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('');
}
