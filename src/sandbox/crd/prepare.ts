// What the server makes of a CustomResourceDefinition that is written: defaults, and at once the status that its
// controllers would set within milliseconds (names accepted, established, stored versions).

import { formatTime } from '../../kit/clock.ts';
import { type JsonObject, type JsonValue, jsonEqual } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import { listAt, objectAt, textAt } from './kind.ts';

export function defaultCrd(object: KubeObject): KubeObject {
  const spec = objectAt(object['spec']);
  const names = objectAt(spec['names']);
  const kind = textAt(names['kind']);
  const filled: JsonObject = {
    ...names,
    ...(names['singular'] || kind === '' ? {} : { singular: kind.toLowerCase() }),
    ...(names['listKind'] || kind === '' ? {} : { listKind: `${kind}List` }),
  };
  const versions = spec['versions'];
  return {
    ...object,
    spec: {
      ...spec,
      names: filled,
      ...(Array.isArray(versions) ? { versions: versions.map(defaultVersion) } : {}),
      conversion: spec['conversion'] ?? { strategy: 'None' },
    },
  };
}

function defaultVersion(version: JsonValue): JsonValue {
  const { name, served, storage, ...rest } = objectAt(version);
  return { ...(name === undefined ? {} : { name }), served: served ?? false, storage: storage ?? false, ...rest };
}

/** The object with the status that belongs to its spec; conditions that are there keep their times. */
export function establishedCrd(object: KubeObject, before: KubeObject | undefined, now: number): KubeObject {
  const spec = objectAt(object['spec']);
  const old = objectAt(before?.['status']);
  const stored = storageVersionOf(spec);
  const known = listAt(old['storedVersions']);
  const conditions = listAt(old['conditions']);
  const status: JsonObject = {
    conditions: conditions.length > 0 ? conditions : firstConditions(formatTime(now)),
    acceptedNames: objectAt(spec['names']),
    storedVersions: known.includes(stored) ? known : [...known, stored],
  };
  return jsonEqual(status, object['status']) ? object : { ...object, status };
}

export function storageVersionOf(spec: JsonObject): string {
  return textAt(
    listAt(spec['versions'])
      .map(objectAt)
      .find((version) => version['storage'] === true)?.['name'],
  );
}

function firstConditions(time: string): JsonObject[] {
  return [
    condition({ type: 'NamesAccepted', time, reason: 'NoConflicts', message: 'no conflicts found' }),
    condition({
      type: 'Established',
      time,
      reason: 'InitialNamesAccepted',
      message: 'the initial names have been accepted',
    }),
  ];
}

export function condition(from: { type: string; time: string; reason: string; message: string }): JsonObject {
  const { type, time, reason, message } = from;
  return { type, status: 'True', lastTransitionTime: time, reason, message };
}
