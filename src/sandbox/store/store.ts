// What the API server keeps: one collection a resource, one counter of resourceVersions for all of them.
// Invariant: a change is in the journal before anyone can see it, and is seen by listeners in resourceVersion order.

import type { KubeObject } from '../../model/object.ts';
import type { Journal } from '../journal.ts';
import type { ResourceKind } from '../registry/resource-kind.ts';
import { Collection, type StoreEvent } from './collection.ts';
import { inStoredOrder, Stored } from './stored.ts';

/** Enough of a ResourceKind to find its collection: replay knows no more. */
export type CollectionId = Pick<ResourceKind, 'id' | 'group' | 'resource'>;

export interface CommittedChange extends StoreEvent {
  readonly kind: CollectionId;
}

export function objectKey(namespace: string | undefined, name: string): string {
  return namespace ? `${namespace}/${name}` : name;
}

export function keyOf(object: KubeObject): string {
  return objectKey(object.metadata.namespace, object.metadata.name ?? '');
}

export class Store {
  readonly #collections = new Map<string, Collection>();
  /** Those that were ever written to, by id. */
  readonly #kinds = new Map<string, CollectionId>();
  readonly #listeners: ((change: CommittedChange) => void)[] = [];
  readonly #journal: Journal | undefined;
  #rv = 1;

  constructor(journal?: Journal) {
    this.#journal = journal;
  }

  get resourceVersion(): number {
    return this.#rv;
  }

  collection(kind: Pick<ResourceKind, 'id'>): Collection {
    const known = this.#collections.get(kind.id);
    if (known) return known;
    const created = new Collection();
    this.#collections.set(kind.id, created);
    return created;
  }

  /** Every resource that was ever written to. */
  kinds(): readonly CollectionId[] {
    return [...this.#kinds.values()];
  }

  /** Creates or replaces. The object gets the next resourceVersion. */
  put(kind: CollectionId, object: KubeObject): Stored {
    const rv = this.#rv + 1;
    const stored = new Stored(inStoredOrder(object, rv), rv);
    const key = keyOf(object);
    this.#append(kind, stored.object, 'put', rv);
    this.#rv = rv;
    const before = this.collection(kind).get(key);
    this.#publish(kind, { rv, key, before, after: stored, deleted: undefined });
    return stored;
  }

  /** Removes what is there. The returned revision carries the delete's resourceVersion, as a DELETED event does. */
  remove(kind: CollectionId, before: Stored): Stored {
    const rv = this.#rv + 1;
    const deleted = new Stored(inStoredOrder(before.object, rv), rv);
    this.#append(kind, deleted.object, 'delete', rv);
    this.#rv = rv;
    this.#publish(kind, { rv, key: keyOf(before.object), before, after: undefined, deleted });
    return deleted;
  }

  /** Called once after each change, after the watches were told. */
  onCommit(listener: (change: CommittedChange) => void): void {
    this.#listeners.push(listener);
  }

  /** Puts back what the journal kept. Watches from before it are too old: their history is not kept. */
  replay(journal: Journal): void {
    for (const record of journal.replay()) {
      const id = record.group === '' ? record.resource : `${record.resource}.${record.group}`;
      const kind = { id, group: record.group, resource: record.resource };
      const key = objectKey(record.namespace, record.name);
      const before = this.collection(kind).get(key);
      this.#rv = Math.max(this.#rv, record.rv);
      const after = record.object && new Stored(inStoredOrder(record.object, record.rv), record.rv);
      if (record.verb === 'put' && after) {
        this.#publish(kind, { rv: record.rv, key, before, after, deleted: undefined });
      } else if (before) {
        this.#publish(kind, { rv: record.rv, key, before, after: undefined, deleted: before });
      }
    }
    this.forgetHistory();
  }

  /** From here on, watches and pages from an earlier resourceVersion are answered with 410. */
  forgetHistory(): void {
    for (const collection of this.#collections.values()) collection.forget(this.#rv);
  }

  #append(kind: CollectionId, object: KubeObject, verb: 'put' | 'delete', rv: number): void {
    const { namespace, name } = object.metadata;
    this.#journal?.append({
      rv,
      verb,
      group: kind.group,
      resource: kind.resource,
      ...(namespace ? { namespace } : {}),
      name: name ?? '',
      ...(verb === 'put' ? { object } : {}),
    });
  }

  #publish(kind: CollectionId, event: StoreEvent): void {
    this.collection(kind).apply(event);
    if (!this.#kinds.has(kind.id))
      this.#kinds.set(kind.id, { id: kind.id, group: kind.group, resource: kind.resource });
    for (const listener of this.#listeners) listener({ ...event, kind });
  }
}
