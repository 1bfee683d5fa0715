// The one place between what a request asks for and what is stored where managedFields come from.

import { formatTime } from '../../kit/clock.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, jsonEqual } from '../../kit/json.ts';
import { trackUpdate } from '../../merge/index.ts';
import type { KubeObject } from '../../model/object.ts';
import type { Core } from '../core.ts';
import { inVersion } from '../crd/custom.ts';
import type { Target } from '../verbs/target.ts';
import { endpointOf } from './endpoints.ts';

export interface TrackedWrite {
  /** As stored; undefined: the object is created. */
  readonly live: KubeObject | undefined;
  /** As decoded and defaulted, in the version of the request. */
  readonly object: KubeObject;
  readonly manager: string;
  readonly subresource?: string | undefined;
}

/** The object with the managedFields that it has after the write. */
export function trackedObject(core: Core, { kind, version }: Target, write: TrackedWrite): KubeObject {
  const { live, object, manager, subresource } = write;
  const request = {
    live: live && inVersion(kind, version, live),
    object,
    manager,
    time: formatTime(core.clock.now()),
  };
  return trackUpdate(request, endpointOf(kind, version, subresource)) as KubeObject;
}

/**
 * A write that changes nothing but the times of entries changes nothing: the object with the live one's entries then, else
 * the object itself. Both in the version that objects are kept in.
 */
export function withoutNewTimes(live: KubeObject, object: KubeObject): KubeObject {
  const before = live.metadata.managedFields;
  const after = object.metadata.managedFields;
  if (!isJsonArray(before) || !isJsonArray(after) || before === after || before.length !== after.length) return object;
  if (!before.every((entry, index) => sameBesideTime(entry, after[index]))) return object;
  const settled = { ...object, metadata: { ...object.metadata, managedFields: before } };
  return jsonEqual(live, settled) ? settled : object;
}

function sameBesideTime(a: JsonObject, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (!isJsonObject(b)) return false;
  const { time: _a, ...before } = a;
  const { time: _b, ...after } = b;
  return jsonEqual(before, after);
}

const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;
const LONGEST_MANAGER = 128;

/** Who writes: what the request says, else the first word of the client's name. */
export function managerOf(fieldManager: string, userAgent: string | undefined): string {
  if (fieldManager !== '') return fieldManager;
  let name = '';
  let bytes = 0;
  for (const char of (userAgent ?? '').split('/')[0] ?? '') {
    if (!PRINTABLE.test(char)) continue;
    bytes += Buffer.byteLength(char);
    if (bytes > LONGEST_MANAGER) break;
    name += char;
  }
  return name;
}
