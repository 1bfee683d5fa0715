// DELETE: preconditions, finalizers, propagation, grace. An object with finalizers gets a deletionTimestamp and stays until
// the last one is taken off; a pod on a node stays until its kubelet deletes it without grace; all else goes at once.

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
import { awaitsGrace, markedForDeletion, withinGrace } from './grace.ts';
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
  const { next, gone } = deletion(core, kind, current.object, options);
  if (options.dryRun) return { stored: next === current.object ? current : new Stored(next, current.rv), gone };
  const marked = next === current.object ? current : core.store.put(kind, next);
  return { stored: gone ? core.store.remove(kind, marked) : marked, gone };
}

interface Deletion {
  /** The revision that waits or, of a pod, that watchers see before it goes; the same object when nothing changes. */
  readonly next: KubeObject;
  readonly gone: boolean;
}

function deletion(core: Core, kind: ResourceKind, object: KubeObject, options: Partial<DeleteOptions>): Deletion {
  const now = core.clock.now();
  const marked = object.metadata.deletionTimestamp !== undefined;
  if (kind.id === 'namespaces') return { next: marked ? object : terminatingNamespace(object, now), gone: false };
  if (kind.id === 'pods') {
    if (awaitsGrace(object, options.gracePeriodSeconds)) return { next: object, gone: false };
    const next = withinGrace(withDeletionFinalizers(kind, object, options), { now, asked: options.gracePeriodSeconds });
    const { finalizers = [], deletionGracePeriodSeconds } = next.metadata;
    return { next, gone: finalizers.length === 0 && deletionGracePeriodSeconds === 0 };
  }
  const next = withDeletionFinalizers(kind, object, options);
  const { finalizers = [] } = next.metadata;
  if (kind.id === CRD_ID && !marked) return { next: prepareCrdDelete(object, finalizers, now), gone: false };
  if (finalizers.length === 0) return { next: object, gone: true };
  return { next: marked ? next : markedForDeletion(next, now, 0), gone: false };
}

/** The same object when the propagation policy changes nothing. */
function withDeletionFinalizers(
  kind: ResourceKind,
  object: KubeObject,
  { propagation }: Partial<DeleteOptions>,
): KubeObject {
  const finalizers = deletionFinalizers(kind, object, propagation);
  const same = finalizers.join() === (object.metadata.finalizers ?? []).join();
  return same ? object : withMetadata(object, { finalizers });
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
