// How a namespace goes away: with its contents and at once (the real controller takes five seconds).

import type { Core } from '../core.ts';
import type { CommittedChange } from '../store/store.ts';
import { deleteObject } from '../verbs/delete.ts';
import { NAMESPACE_ID } from './rules.ts';

/** Empties namespaces that are being deleted, and removes them once nothing is left. */
export class NamespaceController {
  readonly #core: Core;
  readonly #queue = new Set<string>();
  readonly #terminating = new Set<string>();

  constructor(core: Core) {
    this.#core = core;
  }

  note(change: CommittedChange): void {
    if (change.kind.id === 'namespaces') {
      if (change.after?.object.metadata.deletionTimestamp === undefined) this.#terminating.delete(change.key);
      else this.#terminating.add(change.key);
      if (this.#terminating.has(change.key)) this.#queue.add(change.key);
      return;
    }
    const namespace = change.before?.object.metadata.namespace;
    if (namespace && !change.after && this.#terminating.has(namespace)) this.#queue.add(namespace);
  }

  /** One namespace's turn; false when there was nothing to do. */
  step(): boolean {
    const [name] = this.#queue;
    if (name === undefined) return false;
    this.#queue.delete(name);
    const namespace = this.#core.store.collection(NAMESPACE_ID).get(name);
    if (!namespace) return true;
    const left = this.#empty(name);
    if (left === 0 && (namespace.object.metadata.finalizers ?? []).length === 0) {
      this.#core.store.remove(NAMESPACE_ID, namespace);
    }
    return true;
  }

  /** Deletes what is there and returns how much waits for finalizers. */
  #empty(name: string): number {
    let left = 0;
    for (const kind of this.#core.registry.all()) {
      if (!kind.namespaced) continue;
      const collection = this.#core.store.collection(kind);
      for (const item of [...collection.range(`${name}/`)]) {
        if (item.object.metadata.deletionTimestamp === undefined) {
          deleteObject(
            this.#core,
            { kind, version: kind.storageVersion, namespace: name, name: item.object.metadata.name ?? '' },
            {},
          );
        }
      }
      for (const _item of collection.range(`${name}/`)) left++;
    }
    return left;
  }
}
