// The requests of hooks: payload v1 and v2, whose shapes are docs/formats/hook-payload.md.

import { digestOf, sha256 } from '../../kit/hash.ts';
import {
  canonicalJson,
  canonicalObject,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  setOwn,
} from '../../kit/json.ts';
import { sortedBy } from '../../kit/sorted.ts';
import { isUnknown } from '../../kit/unknown.ts';
import { type Definition, definitionId, type Hook, type HookName } from '../../model/definition.ts';
import type { HookCall } from '../../model/need.ts';
import type { KubeObject } from '../../model/object.ts';
import { refOf } from '../../model/ref.ts';
import type { ChildGroup } from '../../model/view.ts';
import type { HookWords } from '../answer/hook-words.ts';
import { groupKey, isVisible, objectKey } from '../children/keys.ts';

interface Question {
  readonly definition: Definition;
  readonly parent: KubeObject;
  readonly hook: Hook;
  /** Said to the hook: nothing of its answer will be written. */
  readonly dryRun: boolean;
}

export interface SyncQuestion extends Question {
  readonly groups: readonly ChildGroup[];
  readonly related: readonly ChildGroup[];
  readonly finalizing: boolean;
  readonly words: HookWords;
}

/** A call of the sync hook, or of the finalize hook. */
export function syncCall(question: SyncQuestion): HookCall {
  const { definition, parent, groups, related, hook, finalizing, words } = question;
  const request: JsonObject = {
    controller: controllerIn(definition),
    [words.parent]: asShown(parent),
    [words.children]: objectsByGroup(groups, hook.version, parent),
    related: objectsByGroup(related, hook.version, parent),
    finalizing,
  };
  return callOf(question, finalizing ? 'finalize' : 'sync', { request, digested: normalise(request, words) });
}

/** The id of the same call about the parent in another state. */
export function idOfCallAbout(
  parent: KubeObject,
  call: HookCall,
  { definition, words }: Pick<SyncQuestion, 'definition' | 'words'>,
): string {
  const request = { ...call.request, [words.parent]: asShown(parent) };
  return callId(definition, call.hookName, normalise(request, words));
}

/** Its answer counts until the parent's generation, labels or annotations change: nothing else is in the call's id. */
export function customizeCall(question: Question): HookCall {
  const { definition, parent } = question;
  const request = { controller: controllerIn(definition), parent: asShown(parent) };
  return callOf(question, 'customize', { request, digested: { ...request, parent: steadyPart(parent) } });
}

/** What of a parent changes only when somebody wants something else of it. */
export function steadyPart({ status: _status, metadata, ...rest }: KubeObject): JsonObject {
  const { name, namespace, uid, generation, labels, annotations } = metadata;
  return { ...rest, metadata: { name, namespace, uid, generation, labels, annotations } };
}

// By identity, as what is known of an object elsewhere (its digest, its Secrets) is kept by that.
const shown = new WeakMap<KubeObject, KubeObject>();

/** As hooks see it: without managedFields, of which the caches keep what the apply mode happens to need. */
export function asShown(object: KubeObject): KubeObject {
  const { managedFields, ...metadata } = object.metadata;
  if (managedFields === undefined) return object;
  const known = shown.get(object) ?? { ...object, metadata };
  shown.set(object, known);
  return known;
}

interface Shown {
  readonly object: JsonObject;
  /** Its canonical JSON, which is in every call's id. */
  readonly text: string;
}

// The same in each of a controller's requests, of which there are thousands.
const controllers = new WeakMap<JsonObject, Shown>();

function shownController({ object }: Definition): Shown {
  const known = controllers.get(object);
  if (known) return known;
  const made = { ...object, status: {} };
  const shown = { object: made, text: canonicalJson(made) };
  controllers.set(object, shown);
  return shown;
}

export const controllerIn = (definition: Definition): JsonObject => shownController(definition).object;

interface Body {
  readonly request: JsonObject;
  /** What of the request makes it another one. */
  readonly digested: JsonObject;
}

export function callOf(
  { definition, parent, hook, dryRun }: Question,
  hookName: HookName,
  { request, digested }: Body,
): HookCall {
  return {
    kind: 'hook',
    id: callId(definition, hookName, digested),
    controller: definitionId(definition),
    hookName,
    hook,
    parent: refOf(parent),
    request,
    dryRun,
  };
}

function callId(definition: Definition, hookName: HookName, digested: JsonObject): string {
  const { object, text } = shownController(definition);
  const about = canonicalObject(digested, (value) => (value === object ? text : undefined));
  const from = [definitionId(definition), hookName, definition.source?.file ?? ''].map(canonicalJson);
  return `${hookName}-${sha256(`[${from.join(',')},${about}]`).slice(0, 16)}`;
}

export function objectsByGroup(
  groups: readonly ChildGroup[],
  version: Hook['version'],
  parent: KubeObject,
): JsonObject {
  const map: MutableJsonObject = {};
  for (const { type, objects } of groups) {
    const keyed = (object: KubeObject): string => objectKey(object, version, parent);
    const group: MutableJsonObject = {};
    for (const object of sortedBy(objects, keyed))
      if (isVisible(object, version, parent)) setOwn(group, keyed(object), asShown(object));
    map[groupKey(type)] = group;
  }
  return map;
}

function normalise(request: JsonObject, words: HookWords): JsonObject {
  return {
    ...request,
    [words.parent]: stable(request[words.parent]),
    [words.children]: stableGroups(request[words.children]),
    related: stableGroups(request['related']),
  };
}

const stableGroups = (groups: JsonValue | undefined): JsonObject =>
  mapped(groups, (group) => mapped(group, digestOfObject));

function mapped(object: JsonValue | undefined, made: (value: JsonValue | undefined) => JsonValue): JsonObject {
  const map: MutableJsonObject = {};
  if (isJsonObject(object)) for (const key of Object.keys(object)) setOwn(map, key, made(object[key]));
  return map;
}

// A parent with many children is planned again and again, with all of them but one as they were: of those the digest is
// known. By identity, as what a cache holds is never changed in place.
const digests = new WeakMap<JsonObject, string>();

function digestOfObject(object: JsonValue | undefined): JsonValue {
  if (!isJsonObject(object)) return object ?? null;
  const known = digests.get(object);
  if (known !== undefined) return known;
  const digest = digestOf(stable(object));
  digests.set(object, digest);
  return digest;
}

/**
 * The object without what a hook must not depend on: it changes without anything of the object changing, or with every own
 * write. Two requests that differ only in these have one answer. (The uid stays: a replaced object is another object.)
 */
export function stable(object: JsonValue | undefined): JsonValue {
  if (!isJsonObject(object)) return object ?? null;
  if (isStoredSecret(object)) return versionOf(object);
  const { resourceVersion: _version, managedFields: _managers, ...metadata } = object['metadata'] as JsonObject;
  return { ...object, metadata };
}

function isStoredSecret({ apiVersion, kind, metadata }: JsonObject): boolean {
  const version = isJsonObject(metadata) ? metadata['resourceVersion'] : undefined;
  return apiVersion === 'v1' && kind === 'Secret' && typeof version === 'string' && !isUnknown(version);
}

// The id is shown, and whoever knows the rest of a request could try values of a Secret until the digest fits: of Secrets
// it holds which version it was, which costs a call more after a write that changed nothing for the hook.
function versionOf({ apiVersion, kind, metadata }: JsonObject): JsonValue {
  const { name, namespace, uid, resourceVersion } = metadata as JsonObject;
  return { apiVersion, kind, metadata: { name, namespace, uid, resourceVersion } };
}
