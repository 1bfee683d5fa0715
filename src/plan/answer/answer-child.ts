// One child of a hook's answer: its shape, its kind, its place. See answer.ts.

import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  setOwn,
} from '../../kit/json.ts';
import type { HookCall } from '../../model/need.ts';
import type { KubeObject, ObjectMeta } from '../../model/object.ts';
import { formatRef, keyOf, refKey } from '../../model/ref.ts';
import { apiVersionOf, type ResourceType, splitApiVersion } from '../../model/resource.ts';
import { nameOf, type Report } from './answer-words.ts';
import type { HookWords } from './hook-words.ts';

export interface DesiredChild {
  readonly type: ResourceType;
  readonly object: KubeObject;
}

interface ChildContext {
  readonly call: HookCall;
  readonly types: readonly ResourceType[];
  readonly report: Report;
  /** "children[3]" */
  readonly path: string;
  readonly words: Pick<HookWords, 'declaredIn'>;
}

/** The child, complete; undefined when something was reported that makes it unusable. */
export function checkChild(value: JsonValue, context: ChildContext): DesiredChild | undefined {
  const { report, path } = context;
  if (!isJsonObject(value)) {
    report('answer-invalid', path, `is ${nameOf(value)}, not an object`, 'Leave out what should not exist.');
    return undefined;
  }
  const { apiVersion, kind } = value;
  if (!isText(apiVersion)) report('answer-invalid', `${path}.apiVersion`, mustBeText(apiVersion));
  if (!isText(kind)) report('answer-invalid', `${path}.kind`, mustBeText(kind));
  const metadata = checkMetadata(value['metadata'], context);
  if (!isText(apiVersion) || !isText(kind) || !metadata) return undefined;
  const type = declaredType({ apiVersion, kind }, context);
  if (!type) return undefined;
  const namespace = placeOf(metadata, type, context);
  if (namespace === 'misplaced') return undefined;
  const object = inPlace(value as KubeObject, namespace);
  return isParent(object, context) ? undefined : { type, object };
}

function inPlace(object: KubeObject, namespace: string | undefined): KubeObject {
  if (object.metadata.namespace === namespace) return object;
  const { namespace: _given, ...metadata } = object.metadata;
  return { ...object, metadata: namespace === undefined ? metadata : { ...metadata, namespace } };
}

const isText = (value: JsonValue | undefined): value is string => typeof value === 'string' && value !== '';
const mustBeText = (value: JsonValue | undefined): string =>
  value === '' ? 'is empty' : value === undefined ? 'is missing' : `is ${nameOf(value)}, not a string`;

function checkMetadata(value: JsonValue | undefined, { report, path }: ChildContext): ObjectMeta | undefined {
  if (!isJsonObject(value)) {
    report(
      'answer-invalid',
      `${path}.metadata`,
      value === undefined ? 'is missing' : `is ${nameOf(value)}, not an object`,
    );
    return undefined;
  }
  let usable = true;
  const complain = (field: string, problem: string, hint?: string): void => {
    usable = false;
    report('answer-invalid', `${path}.metadata.${field}`, problem, hint);
  };
  const { name, namespace } = value;
  if (!isText(name))
    complain('name', mustBeText(name), 'generateName does not work here: a child is found again by its name.');
  if (namespace !== undefined && typeof namespace !== 'string') complain('namespace', mustBeText(namespace));
  for (const field of ['labels', 'annotations']) {
    const problem = problemOfStringMap(value[field]);
    if (problem)
      complain(`${field}${problem.at}`, problem.what, 'Label and annotation values are strings: quote them.');
  }
  for (const field of ['finalizers', 'ownerReferences']) {
    const list = value[field];
    if (list !== undefined && list !== null && !isJsonArray(list)) complain(field, `is ${nameOf(list)}, not a list`);
  }
  return usable ? (value as ObjectMeta) : undefined;
}

function problemOfStringMap(value: JsonValue | undefined): { at: string; what: string } | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isJsonObject(value)) return { at: '', what: `is ${nameOf(value)}, not an object` };
  const bad = Object.entries(value).find(([, item]) => typeof item !== 'string');
  return bad ? { at: `[${JSON.stringify(bad[0])}]`, what: `is ${nameOf(bad[1])}, not a string` } : undefined;
}

function declaredType(
  { apiVersion, kind }: { apiVersion: string; kind: string },
  { types, report, path, words }: ChildContext,
): ResourceType | undefined {
  const found = types.find((type) => type.kind === kind && apiVersionOf(type) === apiVersion);
  if (found) return found;
  const sameKind = types.find((type) => type.kind === kind && type.group === splitApiVersion(apiVersion).group);
  report(
    'answer-undeclared-kind',
    path,
    `is a ${kind} of ${apiVersion}, which ${words.declaredIn} does not list`,
    sameKind
      ? `The definition lists ${kind} of ${apiVersionOf(sameKind)}: return that version.`
      : `Add {apiVersion: ${apiVersion}, resource: …} to ${words.declaredIn}, or return one of: ${listOf(types)}.`,
  );
  return undefined;
}

const listOf = (types: readonly ResourceType[]): string =>
  types.map((type) => `${type.kind} (${apiVersionOf(type)})`).join(', ') || 'none is listed';

/** It can't own itself. */
function isParent(object: KubeObject, { call, report, path }: ChildContext): boolean {
  if (keyOf(object) !== refKey(call.parent)) return false;
  report('answer-invalid', path, `is ${formatRef(call.parent)} itself`, 'Return other objects; this one is there.');
  return true;
}

/** The namespace that the child belongs in; undefined for a cluster-scoped one. */
function placeOf(
  metadata: ObjectMeta,
  type: ResourceType,
  { call, report, path }: ChildContext,
): string | undefined | 'misplaced' {
  const parentNamespace = call.parent.namespace;
  const given = metadata.namespace || undefined;
  const complain = (problem: string, hint: string): 'misplaced' => {
    report('answer-invalid', `${path}.metadata.namespace`, problem, hint);
    return 'misplaced';
  };
  if (!type.namespaced) {
    if (parentNamespace === undefined) return undefined;
    return complain(
      `cannot be set right: ${type.kind} is cluster-scoped and its parent is in namespace ${parentNamespace}`,
      'A namespaced parent can own only objects of its namespace: the garbage collector would delete this one.',
    );
  }
  if (parentNamespace === undefined)
    return (
      given ??
      complain('is missing', 'The parent is cluster-scoped, so each namespaced child must say where it belongs.')
    );
  if (given !== undefined && given !== parentNamespace)
    return complain(
      `is ${given}, but the parent is in ${parentNamespace}`,
      'A namespaced parent can own only objects of its namespace: the garbage collector would delete this one.',
    );
  return parentNamespace;
}

/** Fields that are the server's to set. A hook that returns observed objects as they are must not cause a change. */
const SYSTEM_METADATA: ReadonlySet<string> = new Set([
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'selfLink',
  'managedFields',
]);

/**
 * What of a returned child is the hook's to say: no system metadata, no status, no last-applied annotation, no owner
 * reference to the parent (ours to keep, or dropping it later would orphan the child).
 */
export function withoutSystemFields(object: KubeObject, parentUid: string, annotation: string): KubeObject {
  if (holdsNone(object, annotation)) return object;
  const { status: _status, ...rest } = object;
  const metadata: MutableJsonObject = {};
  for (const [key, value] of Object.entries(object.metadata))
    if (!SYSTEM_METADATA.has(key)) setOwn(metadata, key, value);
  const owners = object.metadata.ownerReferences?.filter((owner) => owner?.uid !== parentUid);
  if (owners) {
    delete metadata['ownerReferences'];
    if (owners.length > 0) metadata['ownerReferences'] = owners;
  }
  if (object.metadata.annotations && annotation in object.metadata.annotations) {
    const { [annotation]: _dropped, ...annotations } = object.metadata.annotations;
    if (Object.keys(annotations).length > 0) metadata['annotations'] = annotations;
    else delete metadata['annotations'];
  }
  return {
    ...(rest as JsonObject),
    apiVersion: object.apiVersion,
    kind: object.kind,
    metadata: metadata as ObjectMeta,
  };
}

/** A hook that makes its children anew returns none of these. */
function holdsNone({ status, metadata }: KubeObject, annotation: string): boolean {
  const { ownerReferences, annotations } = metadata;
  // A hook may answer null for either.
  if (status !== undefined || ownerReferences || Object.hasOwn(annotations ?? {}, annotation)) return false;
  return Object.keys(metadata).every((key) => !SYSTEM_METADATA.has(key));
}
