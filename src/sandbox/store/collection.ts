// All objects of one resource: in key order, with the history that watches and consistent pages are served from.
// Keys are "namespace/name" or "name", compared as the server's storage compares them (by bytes; names are ASCII).

import type { KubeObject } from '../../model/object.ts';
import { Stored } from './stored.ts';

export interface StoreEvent {
  readonly rv: number;
  readonly key: string;
  readonly before: Stored | undefined;
  /** Absent: deleted. `deleted` is then what a watcher gets: the last state under the delete's resourceVersion. */
  readonly after: Stored | undefined;
  readonly deleted: Stored | undefined;
}

/** Events kept a resource; beyond it the older half is forgotten and watchers from there get 410. */
const HISTORY_LIMIT = 50_000;

export class Collection {
  readonly #items = new Map<string, Stored>();
  /** Sorted; holds exactly the keys of #items. */
  readonly #keys: string[] = [];
  #events: StoreEvent[] = [];
  /** Nothing is known about changes at or before this resourceVersion. */
  #forgotten = 0;
  readonly #listeners = new Set<(event: StoreEvent) => void>();

  get size(): number {
    return this.#items.size;
  }

  get(key: string): Stored | undefined {
    return this.#items.get(key);
  }

  /** Objects whose key begins with the prefix and is greater than `after`, in order. */
  *range(prefix: string, after = ''): Generator<Stored> {
    const from = after > prefix ? after : prefix;
    for (let i = this.#position(from); i < this.#keys.length; i++) {
      const key = this.#keys[i] as string;
      if (!key.startsWith(prefix)) return;
      const item = this.#items.get(key);
      if (item && key !== after) yield item;
    }
  }

  apply(event: StoreEvent): void {
    if (event.after) {
      if (!this.#items.has(event.key)) this.#keys.splice(this.#position(event.key), 0, event.key);
      this.#items.set(event.key, event.after);
    } else if (this.#items.delete(event.key)) {
      this.#keys.splice(this.#position(event.key), 1);
    }
    this.#events.push(event);
    if (this.#events.length > HISTORY_LIMIT) this.forget(this.#events[HISTORY_LIMIT >> 1]?.rv ?? event.rv);
    for (const listener of [...this.#listeners]) listener(event);
  }

  /** Reads every item anew, without a change of resourceVersion: nobody wrote anything. */
  reread(read: (object: KubeObject) => KubeObject): void {
    for (const [key, item] of this.#items) {
      const object = read(item.object);
      if (object !== item.object) this.#items.set(key, new Stored(object, item.rv));
    }
  }

  /** Events after a resourceVersion; undefined when part of them has been forgotten. */
  since(rv: number): readonly StoreEvent[] | undefined {
    return rv < this.#forgotten ? undefined : this.#events.slice(this.#eventAfter(rv));
  }

  /** The items of `range` as they were at a resourceVersion; undefined when that has been forgotten. */
  rangeAt(rv: number, prefix: string, after = ''): Stored[] | undefined {
    if (rv < this.#forgotten) return undefined;
    const later = this.#events.slice(this.#eventAfter(rv));
    if (later.length === 0) return [...this.range(prefix, after)];
    const undone = new Map<string, Stored | undefined>();
    for (const event of later.reverse()) undone.set(event.key, event.before);
    const items: [string, Stored][] = [];
    for (const [key, item] of this.#items) if (!undone.has(key)) items.push([key, item]);
    for (const [key, item] of undone) if (item) items.push([key, item]);
    return items
      .filter(([key]) => key.startsWith(prefix) && key > after)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, item]) => item);
  }

  /** Forgets the history up to and including a resourceVersion. */
  forget(rv: number): void {
    this.#events = this.#events.slice(this.#eventAfter(rv));
    this.#forgotten = Math.max(this.#forgotten, rv);
  }

  listen(listener: (event: StoreEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Index of the first key that is not smaller. */
  #position(key: string): number {
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#keys[middle] as string) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #eventAfter(rv: number): number {
    let low = 0;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#events[middle]?.rv ?? 0) <= rv) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
