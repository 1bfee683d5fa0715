// CRDs that come and go: the registry follows the stored CRDs, and a deleted CRD takes its instances along.

import type { KubeObject } from '../../model/object.ts';
import type { Core } from '../core.ts';
import { withMetadata } from '../meta/metadata.ts';
import type { ResourceKind } from '../registry/resource-kind.ts';
import type { CommittedChange } from '../store/store.ts';
import { deleteObject } from '../verbs/delete.ts';
import type { ObjectTarget } from '../verbs/target.ts';
import { updateObject } from '../verbs/update.ts';
import { CRD_ID, isEstablished, kindOfCrd } from './kind.ts';
import { CLEANUP } from './terminate.ts';

export class CrdController {
  readonly #core: Core;
  readonly #queue = new Set<string>();
  /** Names of CRDs on their way out, by the id of the kind that they define. */
  readonly #terminating = new Map<string, string>();

  constructor(core: Core) {
    this.#core = core;
  }

  note(change: CommittedChange): void {
    if (change.kind.id !== CRD_ID) {
      const crd = this.#terminating.get(change.kind.id);
      if (crd !== undefined && !change.after) this.#queue.add(crd);
      return;
    }
    const kind = kindOfCrd((change.after ?? change.before)?.object as KubeObject);
    if (!change.after) {
      this.#core.registry.remove(kind);
      this.#terminating.delete(kind.id);
      this.#queueRejected(kind.group);
      return;
    }
    const known = this.#core.registry.byId(kind.id);
    if (!isEstablished(change.after.object)) return;
    this.#core.registry.add(kind);
    // A watch of a new kind can't begin before the kind did, and not in the life of an earlier definition of it.
    if (!known) this.#core.store.collection(kind).forget(change.rv);
    if (change.after.object.metadata.deletionTimestamp === undefined) return;
    this.#terminating.set(kind.id, change.key);
    this.#queue.add(change.key);
  }

  /** One CRD's turn; false when there was nothing to do. */
  step(): boolean {
    const [name] = this.#queue;
    if (name === undefined) return false;
    this.#queue.delete(name);
    const crd = this.#core.store.collection({ id: CRD_ID }).get(name)?.object;
    if (crd && !isEstablished(crd)) this.#acceptAgain(crd);
    if (!crd?.metadata.finalizers?.includes(CLEANUP)) return true;
    const kind = kindOfCrd(crd);
    const instances = this.#core.store.collection(kind);
    for (const item of [...instances.range('')]) {
      if (item.object.metadata.deletionTimestamp === undefined)
        deleteObject(this.#core, instanceTarget(kind, item.object), {});
    }
    if (instances.size === 0) this.#release(crd);
    return true;
  }

  /** Names that are free again may be what another definition waits for. */
  #queueRejected(group: string): void {
    for (const { object } of this.#core.store.collection({ id: CRD_ID }).range('')) {
      if (kindOfCrd(object).group === group && !isEstablished(object)) this.#queue.add(object.metadata.name ?? '');
    }
  }

  /** An update without a change: preparing it looks at the names again. */
  #acceptAgain(crd: KubeObject): void {
    const crdKind = this.#core.registry.byId(CRD_ID);
    if (crdKind) updateObject(this.#core, instanceTarget(crdKind, crd), (current) => current ?? crd);
  }

  #release(crd: KubeObject): void {
    const crdKind = this.#core.registry.byId(CRD_ID);
    if (!crdKind) return;
    const finalizers = (crd.metadata.finalizers ?? []).filter((finalizer) => finalizer !== CLEANUP);
    updateObject(this.#core, instanceTarget(crdKind, crd), (current) => withMetadata(current ?? crd, { finalizers }));
  }
}

function instanceTarget(kind: ResourceKind, object: KubeObject): ObjectTarget {
  const { name = '', namespace } = object.metadata;
  return { kind, version: kind.storageVersion, name, ...(namespace === undefined ? {} : { namespace }) };
}
