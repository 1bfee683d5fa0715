import type { KubeObject } from '../model/object.ts';
import type { ResourceType } from '../model/resource.ts';

/** What a cache holds: one resource, in one namespace or all, all objects or those of a selector or of a name. */
export interface CacheScope {
  readonly type: ResourceType;
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly name?: string;
  /** Of all that only what the cache keeps: the objects of the shards that this process has. */
  readonly sharded?: true;
}

export type CacheChange = {
  readonly type: ResourceType;
  readonly before: KubeObject | undefined;
  readonly after: KubeObject | undefined;
};

/**
 * Shared, indexed copies of what the cluster holds, with our own writes laid over them until the watch has caught up
 * (read your own writes). Two forms: listed once (plan), or listed and watched (apply, watch, daemon).
 */
export interface ObjectCache {
  /**
   * Resolves when the scope has been listed once. Asking again for a scope that is there costs nothing. `holder`: who is
   * in need of it, until release(); without one it is kept until the end.
   */
  ensure(scope: CacheScope, holder?: string): Promise<void>;
  /** Scopes that nobody else holds are watched no longer, and may not be read any more. `scope`: this one alone. */
  release(holder: string, scope?: CacheScope): void;
  get(scope: CacheScope, name: string, namespace?: string): KubeObject | undefined;
  list(scope: CacheScope, namespace?: string): readonly KubeObject[];
  /** Objects whose controller owner reference has this UID. */
  ownedBy(scope: CacheScope, ownerUid: string): readonly KubeObject[];
  /** Objects without a controller owner reference, in one namespace or all. */
  orphans(scope: CacheScope, namespace?: string): readonly KubeObject[];
  /** Lays the result of an own write over the cache; `undefined` result: the object is gone. */
  record(type: ResourceType, written: { readonly before?: KubeObject; readonly result: KubeObject | undefined }): void;
  /** True when every own write has been seen on the watch (or superseded by a relist). */
  caughtUp(): boolean;
  /** Objects held, by resource ("pods", "catsets.ctl.enisoc.com"). */
  sizes(): ReadonlyMap<string, number>;
  onChange(listener: (change: CacheChange) => void): () => void;
  /** Errors of watches that go on in the background: reported, retried. */
  onError(listener: (error: Error, scope: CacheScope) => void): () => void;
  close(): Promise<void>;
}

/** One whose sharded scopes hold a part of the objects, which part changes while it runs. */
export interface ShardedCache extends ObjectCache {
  /**
   * All scopes of the holder are listed anew: what has come to be kept is in them then, and what anybody wrote before the
   * call. Resolves when each has been listed, or is needed no more.
   */
  refill(holder: string): Promise<void>;
  /** Drops what is kept no more; nobody is told. */
  shed(): void;
}
