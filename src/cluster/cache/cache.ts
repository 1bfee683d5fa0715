// The shared caches of a run: scopes by (group, version, resource, namespace, selector, name), each listed and watched once
// whoever asks for it.

import type { Clock } from '../../kit/clock.ts';
import { BugError } from '../../model/diagnostic.ts';
import type { KubeObject, ManagedFieldsEntry } from '../../model/object.ts';
import { groupResourceOf, type ResourceType } from '../../model/resource.ts';
import type { CacheChange, CacheScope, ShardedCache } from '../../ports/cache.ts';
import type { Reader } from '../../ports/read.ts';
import type { Watcher } from '../../ports/watch.ts';
import { followScope, listScope, type ReflectorOptions } from './reflector.ts';
import { type RecordedWrite, ScopedObjects } from './scoped-objects.ts';
import { keyOf } from './store.ts';

export interface CacheOptions {
  /** False: list once (plan). True: list and watch (apply, watch, daemon). */
  readonly follow: boolean;
  readonly clock: Clock;
  /** Ends lists and watches, as close() does. */
  readonly signal?: AbortSignal;
  /** Which entries of managedFields stay. Default none: they are a third of an object, and only server-side apply reads them. */
  readonly keepManagedFields?: (type: ResourceType, entry: ManagedFieldsEntry) => boolean;
  /** Which objects its sharded scopes hold, as of now. Default: all. */
  readonly keeps?: (object: KubeObject) => boolean;
  /** Default true: list and watch in one where the server has that (WatchList), else in pages. */
  readonly streamingLists?: boolean;
  /** Default 90 s: bookmarks come about once a minute. */
  readonly inactivityMs?: number;
  /** How long an own write lies over the cache if the watch never shows it. Default 30 s. */
  readonly overlayMs?: number;
}

interface ScopeEntry {
  readonly scope: CacheScope;
  readonly objects: ScopedObjects;
  listed: boolean;
  ready: Promise<void>;
  following: Promise<void>;
  /** undefined: it does not follow. */
  relist: (() => Promise<void>) | undefined;
  readonly holders: Set<string>;
  /** Somebody asked for it who does not say when he is done. */
  kept: boolean;
  /** Ends this scope alone. */
  readonly end: AbortController;
}

export function createCache(client: Reader & Watcher, options: CacheOptions): ShardedCache {
  return new Cache(client, options);
}

class Cache implements ShardedCache {
  readonly #client: Reader & Watcher;
  readonly #options: CacheOptions;
  readonly #scopes = new Map<string, ScopeEntry>();
  readonly #changeListeners = new Set<(change: CacheChange) => void>();
  readonly #errorListeners = new Set<(error: Error, scope: CacheScope) => void>();
  readonly #ended = new AbortController();
  readonly #signal: AbortSignal;
  /** Scopes that were released, until their watches have ended. */
  readonly #ending = new Set<Promise<void>>();
  readonly #streamingLists: { served: boolean };
  #cancelExpiry: (() => void) | undefined;

  constructor(client: Reader & Watcher, options: CacheOptions) {
    this.#client = client;
    this.#options = options;
    this.#streamingLists = { served: options.streamingLists ?? true };
    this.#signal = options.signal ? AbortSignal.any([options.signal, this.#ended.signal]) : this.#ended.signal;
  }

  ensure(scope: CacheScope, holder?: string): Promise<void> {
    const key = scopeKey(scope);
    const known = this.#scopes.get(key);
    const entry = known ?? this.#open(scope);
    if (holder === undefined) entry.kept = true;
    else entry.holders.add(holder);
    if (known !== undefined) return known.ready;
    this.#scopes.set(key, entry);
    entry.ready = this.#begin(entry).catch((error: unknown) => {
      // Not kept: the next one who asks tries again.
      if (this.#scopes.get(key) === entry) this.#scopes.delete(key);
      throw error;
    });
    return entry.ready;
  }

  release(holder: string, scope?: CacheScope): void {
    const released = scope ? [scopeKey(scope)] : [...this.#scopes.keys()];
    for (const key of released) this.#releaseOne(key, holder);
  }

  async refill(holder: string): Promise<void> {
    const held = [...this.#scopes.values()].filter(({ holders }) => holders.has(holder));
    await Promise.all(held.map(({ relist }) => relist?.()));
  }

  shed(): void {
    for (const { scope, objects } of this.#scopes.values()) if (scope.sharded) objects.shed();
  }

  get(scope: CacheScope, name: string, namespace?: string): KubeObject | undefined {
    return this.#store(scope).get(keyOf(name, namespace));
  }

  list(scope: CacheScope, namespace?: string): readonly KubeObject[] {
    return this.#store(scope).list(namespace);
  }

  ownedBy(scope: CacheScope, ownerUid: string): readonly KubeObject[] {
    return this.#store(scope).ownedBy(ownerUid);
  }

  orphans(scope: CacheScope, namespace?: string): readonly KubeObject[] {
    return this.#store(scope).orphans(namespace);
  }

  record(type: ResourceType, { before, result }: RecordedWrite): void {
    const write = {
      ...(before === undefined ? {} : { before: this.#trim(type, before) }),
      result: result === undefined ? undefined : this.#trim(type, result),
    };
    for (const { scope, objects } of this.#scopes.values()) {
      if (scope.type.resource !== type.resource || scope.type.group !== type.group) continue;
      // An object in another version's form does not belong into this scope; that it is gone holds for all versions.
      if (scope.type.version === type.version || result === undefined) objects.record(write);
    }
    this.#scheduleExpiry();
  }

  caughtUp(): boolean {
    return [...this.#scopes.values()].every(({ objects }) => objects.pending === 0);
  }

  sizes(): ReadonlyMap<string, number> {
    const sizes = new Map<string, number>();
    for (const { scope, objects } of this.#scopes.values()) {
      const resource = groupResourceOf(scope.type);
      sizes.set(resource, (sizes.get(resource) ?? 0) + objects.store.size);
    }
    return sizes;
  }

  onChange(listener: (change: CacheChange) => void): () => void {
    this.#changeListeners.add(listener);
    return () => this.#changeListeners.delete(listener);
  }

  onError(listener: (error: Error, scope: CacheScope) => void): () => void {
    this.#errorListeners.add(listener);
    return () => this.#errorListeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#cancelExpiry?.();
    this.#ended.abort(new Error('the cache is closed'));
    const entries = [...this.#scopes.values()];
    // A list that was under way is rejected towards whoever asked for it; here only its end matters.
    await Promise.allSettled(entries.map((entry) => entry.ready));
    await Promise.all([...entries.map((entry) => entry.following), ...this.#ending]);
  }

  #releaseOne(key: string, holder: string): void {
    const entry = this.#scopes.get(key);
    if (!entry?.holders.delete(holder) || entry.kept || entry.holders.size > 0) return;
    this.#scopes.delete(key);
    entry.end.abort(new Error('the scope is not needed any more'));
    const { following } = entry;
    this.#ending.add(following);
    void following.then(() => this.#ending.delete(following));
  }

  #open(scope: CacheScope): ScopeEntry {
    const { type } = scope;
    const objects = new ScopedObjects({
      scope,
      follow: this.#options.follow,
      now: () => this.#options.clock.steady(),
      keeps: this.#keepsOf(scope),
      onChange: (before, after) => {
        for (const listener of this.#changeListeners) listener({ type, before, after });
      },
    });
    const done = Promise.resolve();
    const held = { holders: new Set<string>(), kept: false, end: new AbortController() };
    return { scope, objects, listed: false, ready: done, following: done, relist: undefined, ...held };
  }

  async #begin(entry: ScopeEntry): Promise<void> {
    const reflector = this.#reflectorOf(entry);
    if (!this.#options.follow) return reflector.onList(await listScope(reflector));
    const following = followScope(reflector);
    entry.following = following.ended;
    entry.relist = following.relist;
    await following.listed;
  }

  #keepsOf(scope: CacheScope): CacheOptions['keeps'] {
    return scope.sharded ? this.#options.keeps : undefined;
  }

  #reflectorOf(entry: ScopeEntry): ReflectorOptions {
    const { scope } = entry;
    const keeps = this.#keepsOf(scope);
    return {
      keeps,
      client: this.#client,
      scope,
      clock: this.#options.clock,
      signal: AbortSignal.any([this.#signal, entry.end.signal]),
      inactivityMs: this.#options.inactivityMs ?? 90_000,
      trim: (object) => this.#trim(scope.type, object),
      streamingLists: this.#streamingLists,
      onList: async ({ items: listed, resourceVersion }) => {
        // What was kept when it arrived may not be any more.
        const items = keeps ? listed.filter(keeps) : listed;
        if (entry.listed) return entry.objects.relisted(items, resourceVersion);
        await entry.objects.listedInPieces(items, resourceVersion);
        entry.listed = true;
      },
      onEvent: (event) => entry.objects.seen(event),
      onError: (error) => {
        for (const listener of this.#errorListeners) listener(error, scope);
      },
    };
  }

  #store(scope: CacheScope): ScopedObjects['store'] {
    const entry = this.#scopes.get(scopeKey(scope));
    if (!entry?.listed) throw new BugError(`the cache was read before ensure(): ${scopeKey(scope)}`);
    return entry.objects.store;
  }

  /** One timer for all overlays, set to when the oldest entry is due. */
  #scheduleExpiry(): void {
    // Asked after each write, and the search goes through all that are pending: a thousand writes must not be a million steps.
    if (this.#cancelExpiry !== undefined || this.#signal.aborted) return;
    const { clock, overlayMs = 30_000 } = this.#options;
    const oldest = Math.min(
      ...[...this.#scopes.values()].map(({ objects }) => objects.oldestPending ?? Number.POSITIVE_INFINITY),
    );
    if (oldest === Number.POSITIVE_INFINITY) return;
    this.#cancelExpiry = clock.schedule(oldest + overlayMs - clock.steady(), () => {
      this.#cancelExpiry = undefined;
      for (const { objects } of this.#scopes.values()) objects.expire(clock.steady() - overlayMs);
      this.#scheduleExpiry();
    });
  }

  #trim(type: ResourceType, object: KubeObject): KubeObject {
    if (object.metadata.managedFields === undefined) return object;
    const { managedFields, ...metadata } = object.metadata;
    const keep = this.#options.keepManagedFields;
    const kept = keep ? managedFields.filter((entry) => keep(type, entry)) : [];
    if (kept.length === managedFields.length) return object;
    return { ...object, metadata: kept.length > 0 ? { ...metadata, managedFields: kept } : metadata };
  }
}

function scopeKey({ type, namespace, labelSelector, name, sharded }: CacheScope): string {
  const kind = `${type.resource}.${type.group}/${type.version}`;
  // Names may hold spaces, as those of ClusterRoles; the selector, which always may, stands last.
  return `${kind} ${namespace ?? '*'} ${encodeURIComponent(name ?? '')} ${sharded ? 'sharded' : 'all'} ${labelSelector ?? ''}`;
}
