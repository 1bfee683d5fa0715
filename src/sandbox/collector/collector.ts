// The garbage collector: what becomes of objects whose owners are deleted. It follows the rules of the server's own
// collector, but runs to the end before the write that set it off is answered, so that runs are repeatable.

import type { KubeObject, OwnerReference } from '../../model/object.ts';
import { splitApiVersion } from '../../model/resource.ts';
import type { Core } from '../core.ts';
import { withMetadata } from '../meta/metadata.ts';
import type { ResourceKind } from '../registry/resource-kind.ts';
import type { CommittedChange } from '../store/store.ts';
import { deleteObject, FOREGROUND, ORPHAN } from '../verbs/delete.ts';
import type { ObjectTarget } from '../verbs/target.ts';
import { updateObject } from '../verbs/update.ts';

interface Node {
  readonly kindId: string;
  readonly key: string;
}

type OwnerState = 'solid' | 'absent' | 'waiting' | 'unknown';

export class Collector {
  readonly #core: Core;
  /** Every object that is there, by uid. */
  readonly #nodes = new Map<string, Node>();
  /** Owner uid → uids of the objects that name it, whether the owner is there or not. */
  readonly #dependents = new Map<string, Set<string>>();
  /** Owners that were seen to go and are still named: they are gone even where their kind went after them. */
  readonly #departed = new Set<string>();
  /** Uids to look at, in the order in which they became due. */
  readonly #queue = new Set<string>();

  constructor(core: Core) {
    this.#core = core;
  }

  note(change: CommittedChange): void {
    const before = change.before?.object;
    const after = change.after?.object;
    const uid = (after ?? before)?.metadata.uid;
    if (uid === undefined) return;
    this.#reindex(uid, before, after);
    if (after) {
      if (!before) this.#nodes.set(uid, { kindId: change.kind.id, key: change.key });
      // A snapshot brings back what was gone.
      if (!before) this.#departed.delete(uid);
      if (after.metadata.ownerReferences || collecting(after)) this.#queue.add(uid);
      // A dependent that no longer blocks may be all that its owner waits for.
      if (before?.metadata.ownerReferences) this.#queueOwners(before);
      return;
    }
    this.#nodes.delete(uid);
    if (this.#dependents.has(uid)) this.#departed.add(uid);
    for (const dependent of this.#dependents.get(uid) ?? []) this.#queue.add(dependent);
    if (before) this.#queueOwners(before);
  }

  /** Looks at one object; false when there is nothing to look at. */
  step(): boolean {
    const [uid] = this.#queue;
    if (uid === undefined) return false;
    this.#queue.delete(uid);
    const found = this.#find(uid);
    if (found) this.#process(found.kind, found.object);
    return true;
  }

  #reindex(uid: string, before: KubeObject | undefined, after: KubeObject | undefined): void {
    if (before?.metadata.ownerReferences === after?.metadata.ownerReferences) return;
    for (const owner of before?.metadata.ownerReferences ?? []) {
      const dependents = this.#dependents.get(owner.uid);
      dependents?.delete(uid);
      if (dependents?.size !== 0) continue;
      this.#dependents.delete(owner.uid);
      this.#departed.delete(owner.uid);
    }
    for (const owner of after?.metadata.ownerReferences ?? []) {
      const dependents = this.#dependents.get(owner.uid) ?? new Set<string>();
      dependents.add(uid);
      this.#dependents.set(owner.uid, dependents);
    }
  }

  #queueOwners(object: KubeObject): void {
    for (const owner of object.metadata.ownerReferences ?? []) {
      const found = this.#find(owner.uid);
      if (found && collecting(found.object)) this.#queue.add(owner.uid);
    }
  }

  #find(uid: string): { kind: ResourceKind; object: KubeObject } | undefined {
    const node = this.#nodes.get(uid);
    const kind = node && this.#core.registry.byId(node.kindId);
    const object = node && this.#core.store.collection({ id: node.kindId }).get(node.key)?.object;
    return kind && object?.metadata.uid === uid ? { kind, object } : undefined;
  }

  #process(kind: ResourceKind, object: KubeObject): void {
    const { deletionTimestamp, finalizers = [], ownerReferences = [] } = object.metadata;
    if (deletionTimestamp !== undefined) {
      if (finalizers.includes(ORPHAN)) this.#orphanDependents(kind, object);
      else if (finalizers.includes(FOREGROUND)) this.#deleteDependents(kind, object);
      return;
    }
    if (ownerReferences.length > 0) this.#checkOwners(kind, object, ownerReferences);
  }

  #orphanDependents(kind: ResourceKind, owner: KubeObject): void {
    for (const dependent of this.#dependentsOf(owner)) {
      this.#dropOwners(dependent.kind, dependent.object, new Set([owner.metadata.uid ?? '']));
    }
    this.#dropFinalizer(kind, owner, ORPHAN);
  }

  /** Foreground: dependents go first; those that block are waited for. */
  #deleteDependents(kind: ResourceKind, owner: KubeObject): void {
    const dependents = this.#dependentsOf(owner);
    for (const dependent of dependents) {
      if (dependent.object.metadata.deletionTimestamp === undefined) this.#process(dependent.kind, dependent.object);
    }
    const blocking = this.#dependentsOf(owner).some(({ object }) =>
      object.metadata.ownerReferences?.some((ref) => ref.uid === owner.metadata.uid && ref.blockOwnerDeletion === true),
    );
    if (!blocking) this.#dropFinalizer(kind, owner, FOREGROUND);
  }

  #dependentsOf(owner: KubeObject): { kind: ResourceKind; object: KubeObject }[] {
    const uids = [...(this.#dependents.get(owner.metadata.uid ?? '') ?? [])];
    return uids.map((uid) => this.#find(uid)).filter((found) => found !== undefined);
  }

  #checkOwners(kind: ResourceKind, object: KubeObject, owners: readonly OwnerReference[]): void {
    const states = owners.map((owner) => ({ owner, state: this.#ownerState(kind, object, owner) }));
    if (states.some(({ state }) => state === 'unknown')) return;
    const gone = new Set(states.filter(({ state }) => state !== 'solid').map(({ owner }) => owner.uid));
    if (gone.size === 0) return;
    if (states.some(({ state }) => state === 'solid')) {
      this.#dropOwners(kind, object, gone);
      return;
    }
    const waiting = states.some(({ state }) => state === 'waiting');
    if (waiting && this.#dependentsOf(object).length > 0) this.#unblockCircle(kind, object);
    this.#delete(kind, object, waiting && this.#dependentsOf(object).length > 0 ? 'Foreground' : undefined);
  }

  /** A dependent that is itself waiting for this object would wait for ever: the references stop blocking. */
  #unblockCircle(kind: ResourceKind, object: KubeObject): void {
    const circle = this.#dependentsOf(object).some((dependent) => collecting(dependent.object));
    if (!circle) return;
    const ownerReferences = (object.metadata.ownerReferences ?? []).map((ref) =>
      ref.blockOwnerDeletion ? { ...ref, blockOwnerDeletion: false } : ref,
    );
    this.#update(kind, object, { ownerReferences });
  }

  #ownerState(kind: ResourceKind, object: KubeObject, owner: OwnerReference): OwnerState {
    if (this.#departed.has(owner.uid)) return 'absent';
    const { group } = splitApiVersion(owner.apiVersion);
    const ownerKind = this.#core.registry.findKind(group, owner.kind);
    // Without the kind nobody can tell whether the owner is there. A cluster-scoped object can't have a namespaced owner.
    if (!ownerKind || (ownerKind.namespaced && !kind.namespaced)) return 'unknown';
    const found = this.#find(owner.uid);
    if (!found || found.kind.id !== ownerKind.id || found.object.metadata.name !== owner.name) return 'absent';
    if (ownerKind.namespaced && found.object.metadata.namespace !== object.metadata.namespace) return 'absent';
    const waits = collecting(found.object) && found.object.metadata.finalizers?.includes(FOREGROUND);
    return waits ? 'waiting' : 'solid';
  }

  #dropOwners(kind: ResourceKind, object: KubeObject, uids: ReadonlySet<string>): void {
    const ownerReferences = (object.metadata.ownerReferences ?? []).filter((ref) => !uids.has(ref.uid));
    this.#update(kind, object, { ownerReferences });
  }

  #dropFinalizer(kind: ResourceKind, object: KubeObject, finalizer: string): void {
    const finalizers = (object.metadata.finalizers ?? []).filter((name) => name !== finalizer);
    this.#update(kind, object, { finalizers });
  }

  #update(
    kind: ResourceKind,
    object: KubeObject,
    metadata: { [key: string]: readonly (OwnerReference | string)[] },
  ): void {
    updateObject(this.#core, targetOf(kind, object), (current) => withMetadata(current ?? object, metadata));
  }

  #delete(kind: ResourceKind, object: KubeObject, asked: 'Foreground' | undefined): void {
    const { finalizers = [], uid } = object.metadata;
    const existing = finalizers.includes(ORPHAN)
      ? 'Orphan'
      : finalizers.includes(FOREGROUND)
        ? 'Foreground'
        : 'Background';
    deleteObject(this.#core, targetOf(kind, object), { propagation: asked ?? existing, uid });
  }
}

/** On its way out, with the collector's own finalizer: its dependents are dealt with first. */
function collecting(object: KubeObject): boolean {
  const { deletionTimestamp, finalizers } = object.metadata;
  return deletionTimestamp !== undefined && (finalizers?.includes(ORPHAN) || finalizers?.includes(FOREGROUND)) === true;
}

function targetOf(kind: ResourceKind, object: KubeObject): ObjectTarget {
  const { name = '', namespace } = object.metadata;
  return { kind, version: kind.storageVersion, name, ...(namespace === undefined ? {} : { namespace }) };
}
