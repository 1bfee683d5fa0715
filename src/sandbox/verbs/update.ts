// PUT and PATCH end here: one current object, one wanted object, the server's rules in between.

import { jsonEqual } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import type { Core } from '../core.ts';
import { toStorage } from '../crd/custom.ts';
import { finalizerWarnings } from '../crd/custom-problems.ts';
import { parseWriteVersion } from '../http/query.ts';
import { conflict, invalid, invalidObject, invalidValue, MODIFIED, notFound } from '../http/status-error.ts';
import { trackedObject, withoutNewTimes } from '../managed/tracked.ts';
import { nextGeneration } from '../meta/generation.ts';
import { withMetadata } from '../meta/metadata.ts';
import { updateProblems } from '../meta/validate.ts';
import { isFinalized } from '../namespaces/rules.ts';
import type { ResourceKind } from '../registry/resource-kind.ts';
import { createdByUpdate, needsResourceVersion, storagePath } from '../registry/traits.ts';
import { Stored } from '../store/stored.ts';
import { createObject, placeInNamespace } from './create.ts';
import { finalizeUpdate, internalForm, kindUpdateProblems, prepareUpdate, statusUpdate } from './strategy.ts';
import { type ObjectTarget, targetKey } from './target.ts';

export interface UpdateOptions {
  readonly dryRun?: boolean;
  readonly subresource?: 'status' | 'finalize';
  /** A write that does not count, as the binding of a pod to its node. */
  readonly keepGeneration?: boolean;
  /** A PUT: the body's uid is a precondition, its resourceVersion may be required, and a missing object may be created. */
  readonly replace?: boolean;
  /** Who is to own what changes; absent: the object says itself. */
  readonly manager?: string;
  /** An apply: what is not there is created. */
  readonly createMissing?: boolean;
  /** For the Warning header; added to. */
  readonly warnings?: string[];
  /** The server's own controllers, which know what they do: nothing is validated. */
  readonly trusted?: boolean;
}

export interface UpdateResult {
  readonly stored: Stored;
  readonly created: boolean;
}

/** `produce` makes the wanted object of the current one: the body itself for a PUT, the patched object for a PATCH. */
export function updateObject(
  core: Core,
  target: ObjectTarget,
  produce: (current: KubeObject | undefined) => KubeObject,
  options: UpdateOptions = {},
): UpdateResult {
  const { kind, name } = target;
  const current = core.store.collection(kind).get(targetKey(target));
  if (!current) {
    const creates = options.createMissing || (options.replace && createdByUpdate(kind));
    if (!creates || options.subresource) throw notFound(kind, name);
    return { stored: createObject(core, target, produce(undefined), options), created: true };
  }
  const given = internalForm(kind, placeInNamespace(target, produce(current.object)));
  const wanted = tracked(core, target, { current, wanted: given }, options);
  checkVersion(kind, current, wanted, options.replace ?? false);
  const next = nextRevision(core, target, current.object, wanted, options);
  const unchanged = jsonEqual(current.object, next);
  if (unchanged) return { stored: current, created: false };
  if (emptiedFinalizers(next)) {
    if (!options.dryRun) core.store.remove(kind, current);
    // The server answers with the last state under its old resourceVersion: that state was never stored.
    return { stored: new Stored(next, current.rv), created: false };
  }
  const stored = options.dryRun ? new Stored(next, current.rv) : core.store.put(kind, next);
  return { stored, created: false };
}

function tracked(
  core: Core,
  target: ObjectTarget,
  { current, wanted }: { current: Stored; wanted: KubeObject },
  { manager, subresource }: UpdateOptions,
): KubeObject {
  const write = { live: current.object, object: wanted, subresource };
  const owned = manager === undefined ? wanted : trackedObject(core, target, { ...write, manager });
  return withoutNewTimes(current.object, toStorage(target.kind, owned));
}

function nextRevision(
  core: Core,
  { kind, version }: ObjectTarget,
  current: KubeObject,
  wanted: KubeObject,
  options: UpdateOptions,
): KubeObject {
  const filled = withSystemFields(kind, current, wanted);
  const problems = updateProblems(current, filled);
  const prepared = preparedFor(options.subresource)(core, kind, current, filled);
  const { subresource, warnings = [] } = options;
  const ofStatus = subresource === 'status' ? subresource : undefined;
  if (!options.trusted)
    problems.push(...kindUpdateProblems(kind, current, prepared, { version, subresource: ofStatus, warnings }));
  if (problems.length > 0) throw invalidObject(kind, current.metadata.name ?? '', problems);
  if (kind.custom && !subresource) warnings.push(...finalizerWarnings(current, prepared));
  const { resourceVersion } = current.metadata;
  const generation =
    options.subresource || options.keepGeneration
      ? current.metadata.generation
      : nextGeneration(kind, current, prepared);
  const { managedFields } = filled.metadata;
  return withMetadata(prepared, { generation, resourceVersion, managedFields });
}

function preparedFor(subresource: UpdateOptions['subresource']): typeof prepareUpdate {
  if (subresource === 'status') return (_core, kind, before, after) => statusUpdate(kind, before, after);
  return subresource === 'finalize' ? (_core, _kind, before, after) => finalizeUpdate(before, after) : prepareUpdate;
}

/** Fields that a client may leave out of an update, and those that it can't change and is not told about. */
function withSystemFields(kind: ResourceKind, current: KubeObject, wanted: KubeObject): KubeObject {
  const old = current.metadata;
  const deleting = old.deletionTimestamp !== undefined;
  return withMetadata(toStorage(kind, wanted), {
    uid: wanted.metadata.uid ?? old.uid,
    creationTimestamp: old.creationTimestamp,
    generateName: wanted.metadata.generateName ?? undefined,
    deletionTimestamp: deleting ? old.deletionTimestamp : wanted.metadata.deletionTimestamp,
    deletionGracePeriodSeconds: deleting ? old.deletionGracePeriodSeconds : wanted.metadata.deletionGracePeriodSeconds,
  });
}

function checkVersion(kind: ResourceKind, current: Stored, wanted: KubeObject, replace: boolean): void {
  const { uid, name = '', namespace } = current.object.metadata;
  const given = wanted.metadata.resourceVersion;
  if (given !== undefined) parseWriteVersion(given);
  if (replace && wanted.metadata.uid !== undefined && wanted.metadata.uid !== uid) {
    const path = storagePath(kind, namespace === undefined ? name : `${namespace}/${name}`);
    const why = `StorageError: invalid object, Code: 4, Key: ${path}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${wanted.metadata.uid}, UID in object meta: ${uid}`;
    throw conflict(kind, name, why);
  }
  if (given === undefined || given === '0') {
    if (!needsResourceVersion(kind)) return;
    const problem = invalidValue('metadata.resourceVersion', 0, 'must be specified for an update');
    throw invalid({ group: kind.group, kind: kind.resource }, name, [problem]);
  }
  if (Number(given) !== current.rv) throw conflict(kind, name, MODIFIED);
}

/** An object on its way out whose last finalizer has just been taken off. */
function emptiedFinalizers(object: KubeObject): boolean {
  const { deletionTimestamp, finalizers, deletionGracePeriodSeconds = 0 } = object.metadata;
  if (object.kind === 'Namespace' && object.apiVersion === 'v1' && !isFinalized(object)) return false;
  return deletionTimestamp !== undefined && (finalizers ?? []).length === 0 && deletionGracePeriodSeconds === 0;
}
