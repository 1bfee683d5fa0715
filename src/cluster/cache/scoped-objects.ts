// One scope: what list and watch say, with our own writes over it. Invariants (scoped-objects.test.ts, and in random
// orders own-writes.test.ts): what get() shows changes only together with one call of `onChange`; an own write is
// visible from record() on and never flips back to an older state; once the watch has passed every write, the store
// equals what the watch said.

import { setImmediate } from 'node:timers/promises';
import type { KubeObject } from '../../model/object.ts';
import type { CacheScope } from '../../ports/cache.ts';
import type { WatchEvent } from '../../ports/watch.ts';
import { isGone } from '../deletion.ts';
import { type OverlayEntry, passedByEvent, passedByVersion, visibleOf } from './overlay.ts';
import { reached, type Version, versionOf, versionOfObject } from './resource-version.ts';
import { parseSelector } from './selector.ts';
import { keyOfObject, Store } from './store.ts';

export interface ScopedObjectsOptions {
  readonly scope: CacheScope;
  /** False: nothing follows the first list, so a write's result is final. */
  readonly follow: boolean;
  readonly now: () => number;
  /** Of a sharded scope: objects that it holds. Others pass by. */
  readonly keeps?: ((object: KubeObject) => boolean) | undefined;
  readonly onChange: (before: KubeObject | undefined, after: KubeObject | undefined) => void;
}

export interface RecordedWrite {
  readonly before?: KubeObject;
  readonly result: KubeObject | undefined;
}

/** Objects taken in without a pause: about 5 ms. */
const PIECE = 2_000;

export class ScopedObjects {
  readonly store = new Store();
  readonly #options: ScopedObjectsOptions;
  readonly #matches: ((object: KubeObject) => boolean) | undefined;
  readonly #overlay = new Map<string, OverlayEntry>();
  /** How far list and watch have come. */
  #seen: Version | undefined;
  #listed = false;

  constructor(options: ScopedObjectsOptions) {
    this.#options = options;
    const { labelSelector } = options.scope;
    this.#matches = labelSelector === undefined ? () => true : parseSelector(labelSelector);
  }

  /** Own writes that the watch has not passed yet, and is going to show. */
  get pending(): number {
    let pending = 0;
    for (const { shown } of this.#overlay.values()) if (shown) pending++;
    return pending;
  }

  /** When the oldest of them was recorded. */
  get oldestPending(): number | undefined {
    let oldest: number | undefined;
    for (const { recordedAt } of this.#overlay.values()) oldest = Math.min(oldest ?? recordedAt, recordedAt);
    return oldest;
  }

  /**
   * The first complete list. It is no change, as whoever reads the scope waits for it; so it is taken in by pieces, and a
   * hundred thousand objects don't stop the event loop. No event may come before it has resolved; own writes may.
   */
  async listedInPieces(items: readonly KubeObject[], resourceVersion: string): Promise<void> {
    const version = versionOf(resourceVersion);
    const early = new Set(this.#overlay.keys());
    for (let start = 0; start < items.length; start += PIECE) {
      if (start > 0) await setImmediate();
      for (const item of items.slice(start, start + PIECE)) {
        const key = keyOfObject(item);
        early.delete(key);
        this.#settle(key, item, (entry) => passedByVersion(entry, version, item));
      }
    }
    for (const key of early) this.#settle(key, undefined, (entry) => passedByVersion(entry, version, undefined));
    this.#endOfList(version);
  }

  /** A complete list at once. What differs from an earlier one is a change. */
  relisted(items: readonly KubeObject[], resourceVersion: string): void {
    const version = versionOf(resourceVersion);
    const fresh = new Map(items.map((item) => [keyOfObject(item), item]));
    for (const key of new Set([...this.store.keys(), ...this.#overlay.keys(), ...fresh.keys()])) {
      const under = fresh.get(key);
      this.#settle(key, under, (entry) => passedByVersion(entry, version, under));
    }
    this.#endOfList(version);
  }

  seen(event: WatchEvent): void {
    if (event.type === 'BOOKMARK') {
      this.#bookmarked(versionOf(event.resourceVersion));
    } else {
      const { type, object } = event;
      const under = type === 'DELETED' ? undefined : object;
      if (this.#keeps(object)) this.#settle(keyOfObject(object), under, (entry) => passedByEvent(entry, type, object));
      this.#advance(versionOfObject(object));
    }
  }

  /** Lays an own write over the scope, unless it does not belong here or the watch is past it already. */
  record({ before, result }: RecordedWrite): void {
    const object = result ?? before;
    if (object === undefined || !this.#inPlace(object)) return;
    const gone = result === undefined || isGone(result);
    if (!gone && this.#matches === undefined) return;
    const key = keyOfObject(object);
    if (!gone && this.#outdated(key, object)) return;
    const entry = this.#entryOf(object, { gone, stays: !gone && this.#matches?.(object) === true });
    if (!this.#options.follow && this.#listed) this.#show(key, visibleOf(entry));
    else if (!this.#alreadySeen(entry)) this.#lay(key, entry);
    else this.#settle(key, entry.under, () => true);
  }

  /** Drops what is kept no more. It is no change: whoever would be told has been told otherwise. */
  shed(): void {
    for (const key of [...this.store.keys()]) {
      const object = this.store.get(key);
      if (object === undefined || this.#keeps(object)) continue;
      this.#overlay.delete(key);
      this.store.put(key, undefined);
    }
  }

  /** Drops writes recorded before `deadline` that the watch never showed: what it says counts again. */
  expire(deadline: number): void {
    for (const [key, entry] of [...this.#overlay]) {
      if (entry.recordedAt <= deadline) this.#settle(key, entry.under, () => true);
    }
  }

  #entryOf(object: KubeObject, { gone, stays }: { gone: boolean; stays: boolean }): OverlayEntry {
    const earlier = this.#overlay.get(keyOfObject(object));
    const uid = object.metadata.uid ?? '';
    return {
      under: earlier === undefined ? this.store.get(keyOfObject(object)) : earlier.under,
      written: stays ? object : undefined,
      gone: stays ? (earlier?.gone ?? NONE) : new Set([...(earlier?.gone ?? NONE), uid]),
      uid,
      version: versionOfObject(object),
      exact: !gone,
      // What never was in the scope, and is not in it now, the watch does not tell of.
      shown: gone || stays || earlier?.shown === true || this.store.get(keyOfObject(object)) !== undefined,
      recordedAt: this.#options.now(),
    };
  }

  /** Answers of parallel writes may be recorded in another order than the server made them in. */
  #outdated(key: string, object: KubeObject): boolean {
    const uid = object.metadata.uid ?? '';
    if (this.#overlay.get(key)?.gone.has(uid)) return true;
    const current = this.store.get(key);
    return current?.metadata.uid === uid && reached(versionOfObject(current), versionOfObject(object));
  }

  #alreadySeen(entry: OverlayEntry): boolean {
    const { under } = entry;
    if (!reached(this.#seen, entry.version)) return false;
    return entry.exact || under === undefined || under.metadata.uid !== entry.uid;
  }

  #lay(key: string, entry: OverlayEntry): void {
    this.#overlay.set(key, entry);
    this.#show(key, visibleOf(entry));
  }

  /** List or watch say `under` of the name; `passed` tells whether that ends the overlay, if there is one. */
  #settle(key: string, under: KubeObject | undefined, passed: (entry: OverlayEntry) => boolean): void {
    const entry = this.#overlay.get(key);
    if (entry !== undefined && !passed(entry)) {
      this.#lay(key, { ...entry, under });
    } else {
      this.#overlay.delete(key);
      this.#show(key, under);
    }
  }

  #endOfList(version: Version | undefined): void {
    this.#advance(version);
    this.#listed = true;
    if (!this.#options.follow) this.#overlay.clear();
  }

  #bookmarked(version: Version | undefined): void {
    for (const [key, entry] of [...this.#overlay]) {
      this.#settle(key, entry.under, () => passedByVersion(entry, version, entry.under));
    }
    this.#advance(version);
  }

  #show(key: string, after: KubeObject | undefined): void {
    const before = this.store.get(key);
    // Mostly the watch's account of an own write: what is held already is no older.
    if (before === after || sameState(before, after)) return;
    this.store.put(key, after);
    if (this.#listed) this.#options.onChange(before, after);
  }

  #advance(version: Version | undefined): void {
    if (version !== undefined && !reached(this.#seen, version)) this.#seen = version;
  }

  #inPlace(object: KubeObject): boolean {
    const { namespace, name } = this.#options.scope;
    const { metadata } = object;
    if (namespace !== undefined && metadata.namespace !== namespace) return false;
    return (name === undefined || metadata.name === name) && this.#keeps(object);
  }

  #keeps(object: KubeObject): boolean {
    return this.#options.keeps?.(object) ?? true;
  }
}

const NONE: ReadonlySet<string> = new Set();

function sameState(a: KubeObject | undefined, b: KubeObject | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  const { uid, resourceVersion } = a.metadata;
  return resourceVersion !== undefined && resourceVersion === b.metadata.resourceVersion && uid === b.metadata.uid;
}
