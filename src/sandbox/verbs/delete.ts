// DELETE: preconditions, finalizers, propagation. An object with finalizers gets a deletionTimestamp and stays until the
// last one is taken off; everything else goes at once (grace periods are zero here: there is no kubelet to wait for).

import { formatTime } from '../../kit/clock.ts';
import type { KubeObject } from '../../model/object.ts';
import type { Core } from '../core.ts';
import { prepareCrdDelete } from '../crd/terminate.ts';
import type { DeleteOptions } from '../http/query.ts';
import { conflict, notFound } from '../http/status-error.ts';
import { withMetadata } from '../meta/metadata.ts';
import { checkNamespaceDelete, terminatingNamespace } from '../namespaces/rules.ts';
import type { ResourceKind } from '../registry/resource-kind.ts';
import { defaultPropagation, type Propagation } from '../registry/traits.ts';
import { Stored } from '../store/stored.ts';
import { type ObjectTarget, targetKey } from './target.ts';

export interface DeleteResult {
  readonly stored: Stored;
  /** False: it waits for finalizers. */
  readonly gone: boolean;
}

export const ORPHAN = 'orphan';
export const FOREGROUND = 'foregroundDeletion';

export function deleteObject(core: Core, target: ObjectTarget, options: Partial<DeleteOptions>): DeleteResult {
  const { kind, name } = target;
  if (kind.id === 'namespaces') checkNamespaceDelete(name);
  const current = core.store.collection(kind).get(targetKey(target));
  if (!current) throw notFound(kind, name);
  checkPreconditions(kind, current, options);
  const finalizers = deletionFinalizers(kind, current.object, options.propagation);
  const next = deletedRevision(core, kind, current.object, finalizers);
  if (next === undefined) {
    return { stored: options.dryRun ? current : core.store.remove(kind, current), gone: true };
  }
  if (next === current.object) return { stored: current, gone: false };
  return { stored: options.dryRun ? new Stored(next, current.rv) : core.store.put(kind, next), gone: false };
}

/** The revision that waits, the same object when it already does, or undefined when nothing holds it. */
function deletedRevision(
  core: Core,
  kind: ResourceKind,
  object: KubeObject,
  finalizers: readonly string[],
): KubeObject | undefined {
  const now = core.clock.now();
  const marked = object.metadata.deletionTimestamp !== undefined;
  if (kind.id === 'namespaces') return marked ? object : terminatingNamespace(object, now);
  if (kind.id === CRD_ID && !marked) return prepareCrdDelete(object, finalizers, now);
  if (finalizers.length === 0) return undefined;
  const sameFinalizers = finalizers.join() === (object.metadata.finalizers ?? []).join();
  if (marked) return sameFinalizers ? object : withMetadata(object, { finalizers });
  const { generation } = object.metadata;
  return withMetadata(object, {
    finalizers,
    deletionTimestamp: formatTime(now),
    deletionGracePeriodSeconds: 0,
    ...(generation ? { generation: generation + 1 } : {}),
  });
}

const CRD_ID = 'customresourcedefinitions.apiextensions.k8s.io';

function checkPreconditions(kind: ResourceKind, current: Stored, options: Partial<DeleteOptions>): void {
  const { uid, name = '' } = current.object.metadata;
  const named = { group: kind.group, resource: kind.kind };
  if (options.uid !== undefined && options.uid !== uid) {
    const why = `the UID in the precondition (${options.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`;
    throw conflict(named, name, why);
  }
  if (options.resourceVersion !== undefined && options.resourceVersion !== String(current.rv)) {
    const why = `the ResourceVersion in the precondition (${options.resourceVersion}) does not match the ResourceVersion in record (${current.rv}). The object might have been modified`;
    throw conflict(named, name, why);
  }
}

/** The finalizers after a delete: what the propagation policy adds and takes away (registry store of the server). */
function deletionFinalizers(kind: ResourceKind, object: KubeObject, asked: Propagation | undefined): readonly string[] {
  const existing = object.metadata.finalizers ?? [];
  const policy = asked ?? impliedPolicy(kind, existing);
  const wanted = policy === 'Orphan' ? ORPHAN : policy === 'Foreground' ? FOREGROUND : undefined;
  const unchanged = [ORPHAN, FOREGROUND].every((f) => existing.includes(f) === (f === wanted));
  if (unchanged) return existing;
  const others = existing.filter((finalizer) => finalizer !== ORPHAN && finalizer !== FOREGROUND);
  return wanted === undefined ? others : [...others, wanted];
}

function impliedPolicy(kind: ResourceKind, existing: readonly string[]): Propagation {
  if (existing.includes(ORPHAN)) return 'Orphan';
  if (existing.includes(FOREGROUND)) return 'Foreground';
  return defaultPropagation(kind);
}
