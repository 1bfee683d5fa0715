// The language of the recorded suite: requests only. What must be answered is not written here, it is what the real server
// answered when tools/record-golden.ts was run (testdata/sandbox/recorded/GROUP.json).
//
// Placeholders in any string: {ns} the group's own namespace (and the prefix of the names of its cluster-scoped objects),
// {group} its own API group, {core} = /api/v1/namespaces/{ns}.

import type { JsonObject, JsonValue } from '../../kit/json.ts';
import { applyMergePatch } from '../../merge/index.ts';

export interface RecordedCase {
  /** One of its kind in the group. */
  readonly name: string;
  /** Method and path: "POST {core}/configmaps?dryRun=All". */
  readonly send: string;
  /** A string is sent as it is. */
  readonly body?: JsonValue;
  /** Content-Type of the body, in short for patches. Default: application/json. */
  readonly as?: 'merge' | 'json' | 'strategic' | 'apply' | (string & {});
  /** Sent again, for 20 s at most, until the answer has this status: a definition takes a moment to be served. */
  readonly until?: number;
}

export interface RecordedGroup {
  /** Of the file with the answers. */
  readonly name: string;
  /** Sent in order, in one namespace. */
  readonly cases: readonly RecordedCase[];
  /** The server lists several problems in an order of chance: they are compared as a set. */
  readonly unordered?: true;
}

/** Name of a case to what is merged over the base (as a merge patch: null takes away). */
export type Changes = Readonly<Record<string, JsonObject>>;

/** One create each, of the base with a change; nothing is kept, so all can have one name. */
export function creates(path: string, base: JsonObject, changes: Changes): RecordedCase[] {
  return Object.entries(changes).map(([name, change]) => ({
    name: `create ${String(base['kind'])}: ${name}`,
    send: `POST ${path}?dryRun=All`,
    body: applyMergePatch(base, change),
  }));
}

/** The base is created for good; then one update each, of it with a change, of which nothing is kept. */
export function updates(path: string, base: JsonObject, changes: Changes): RecordedCase[] {
  const kind = String(base['kind']);
  const name = String((base['metadata'] as JsonObject)['name']);
  return [
    { name: `${kind} ${name} to update`, send: `POST ${path}`, body: base },
    ...Object.entries(changes).map(([what, change]) => ({
      name: `update ${kind} ${name}: ${what}`,
      send: `PUT ${path}/${name}?dryRun=All`,
      body: applyMergePatch(base, change),
    })),
  ];
}
