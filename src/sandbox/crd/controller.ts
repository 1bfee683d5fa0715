// CRDs that come and go: the registry follows the stored CRDs, and a deleted CRD takes its instances along.

import { type JsonObject, jsonEqual } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import type { Core } from '../core.ts';
import { withMetadata } from '../meta/metadata.ts';
import type { ResourceKind } from '../registry/resource-kind.ts';
import type { CommittedChange } from '../store/store.ts';
import { deleteObject } from '../verbs/delete.ts';
import type { ObjectTarget } from '../verbs/target.ts';
import { updateObject } from '../verbs/update.ts';
import { rereadStored } from './custom.ts';
import { CRD_ID, isEstablished, kindOfCrd } from './kind.ts';
import { establishedCrd, takenNames } from './prepare.ts';
import { CLEANUP } from './terminate.ts';

export class CrdController {
  readonly #core: Core;
  readonly #queue = new Set<string>();
  /** Names of CRDs on their way out, by the id of the kind that they define. */
  readonly #terminating = new Map<string, string>();

  /** By the id of the kind: by which schema its objects were read. */
  readonly #schemas = new Map<string, JsonObject | undefined>();

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
      this.#schemas.delete(kind.id);
      this.#queueRejected(kind.group);
      return;
    }
    const known = this.#core.registry.byId(kind.id);
    this.#queue.add(change.key);
    if (!isEstablished(change.after.object)) return;
    this.#core.registry.add(kind);
    this.#reread(kind);
    // A watch of a new kind can't begin before the kind did, and not in the life of an earlier definition of it.
    if (!known) this.#core.store.collection(kind).forget(change.rv);
    if (change.after.object.metadata.deletionTimestamp !== undefined) this.#terminating.set(kind.id, change.key);
  }

  /** What is stored is read by the schema of now: without what it no longer has, with its new defaults. */
  #reread(kind: ResourceKind): void {
    const before = this.#schemas.get(kind.id);
    this.#schemas.set(kind.id, kind.storageSchema);
    if (jsonEqual(before, kind.storageSchema)) return;
    this.#core.store.collection(kind).reread((object) => rereadStored(kind, object));
  }

  /** One CRD's turn; false when there was nothing to do. */
  step(): boolean {
    const [name] = this.#queue;
    if (name === undefined) return false;
    this.#queue.delete(name);
    const stored = this.#core.store.collection({ id: CRD_ID }).get(name);
    if (stored && this.#establish(stored.object)) return true;
    const crd = stored?.object;
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

  /** Sets the status that belongs to the spec; false when it is set. */
  #establish(crd: KubeObject): boolean {
    const crdKind = this.#core.registry.byId(CRD_ID);
    const others = Array.from(this.#core.store.collection({ id: CRD_ID }).range(''), (item) => item.object);
    const taken = takenNames(kindOfCrd(crd).group, crd.metadata.name ?? '', others);
    const next = establishedCrd(crd, { taken, now: this.#core.clock.now() });
    if (!crdKind || next === crd) return false;
    const options = { subresource: 'status', manager: 'kube-apiserver' } as const;
    updateObject(this.#core, instanceTarget(crdKind, crd), () => next, options);
    return true;
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
