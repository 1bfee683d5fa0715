// Metadata of a custom resource that can't be read into metadata's types: 400, with the decoder's words.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../kit/json.ts';
import { canonicalTime, TimeError } from '../typed/time.ts';

/** The decoder's complaint about metadata, or undefined. */
export function metadataShapeProblem(metadata: JsonObject): string | undefined {
  for (const field of ['labels', 'annotations']) {
    const problem = stringMapProblem(metadata[field], `metadata.${field}`);
    if (problem) return problem;
  }
  for (const field of ['name', 'generateName', 'namespace', 'uid', 'resourceVersion']) {
    const value = metadata[field];
    if (value !== undefined && value !== null && typeof value !== 'string')
      return complaint(value, `metadata.${field}`, 'string');
  }
  return (
    stringListProblem(metadata['finalizers']) ??
    ownersProblem(metadata['ownerReferences']) ??
    timesProblem([metadata['creationTimestamp'], ...entryTimes(metadata['managedFields'])])
  );
}

function stringMapProblem(value: JsonValue | undefined, path: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isJsonObject(value)) return complaint(value, path, 'map[string]string');
  const bad = Object.values(value).find((v) => v !== null && typeof v !== 'string');
  return bad === undefined ? undefined : complaint(bad, path, 'string');
}

function stringListProblem(value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isJsonArray(value)) return complaint(value, 'metadata.finalizers', '[]string');
  const bad = value.find((v) => v !== null && typeof v !== 'string');
  return bad === undefined ? undefined : complaint(bad, 'metadata.finalizers', 'string');
}

function ownersProblem(value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isJsonArray(value)) return complaint(value, 'metadata.ownerReferences', '[]v1.OwnerReference');
  const bad = value.find((v) => !isJsonObject(v));
  return bad === undefined ? undefined : complaint(bad, 'metadata.ownerReferences', 'v1.OwnerReference');
}

const entryTimes = (entries: JsonValue | undefined): (JsonValue | undefined)[] =>
  isJsonArray(entries) ? entries.map((entry) => (isJsonObject(entry) ? entry['time'] : undefined)) : [];

function timesProblem(times: readonly (JsonValue | undefined)[]): string | undefined {
  for (const time of times) {
    if (typeof time !== 'string') continue;
    try {
      canonicalTime(time);
    } catch (error) {
      if (error instanceof TimeError) return error.message;
      throw error;
    }
  }
  return undefined;
}

function complaint(value: JsonValue, path: string, type: string): string {
  return `json: cannot unmarshal ${jsonType(value)} into Go struct field ObjectMeta.${path.replace('metadata.', '')} of type ${type}`;
}

/** The word that Go's decoder has for a JSON value. */
export function jsonType(value: JsonValue | undefined): string {
  if (isJsonArray(value)) return 'array';
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'bigint' ? 'number' : typeof value;
}
