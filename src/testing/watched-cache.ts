// A FakeCache that knows which scopes are open, and who holds them. To read one that is not is a mistake, as with a real one.

import { BugError } from '../model/diagnostic.ts';
import type { KubeObject } from '../model/object.ts';
import type { CacheScope } from '../ports/cache.ts';
import { FakeCache } from './fake-cache.ts';

interface Watched {
  readonly ready: Promise<void>;
  readonly holders: Set<string>;
}

export class WatchedCache extends FakeCache {
  /** Every list so far, in words. */
  readonly lists: string[] = [];
  /** What the server says to a list; rejects where it refuses. */
  answer: (scope: CacheScope) => Promise<void> = async () => undefined;
  readonly #open = new Map<string, Watched>();

  /** Those that are open, in words: "widgets default a=b". */
  get open(): readonly string[] {
    return [...this.#open.keys()];
  }

  override ensure(scope: CacheScope, holder = ''): Promise<void> {
    const key = wordsOf(scope);
    const known = this.#open.get(key);
    known?.holders.add(holder);
    if (known) return known.ready;
    this.lists.push(key);
    const ready = this.answer(scope).catch((error: unknown) => {
      this.#open.delete(key);
      throw error;
    });
    this.#open.set(key, { ready, holders: new Set([holder]) });
    return ready;
  }

  override release(holder: string, scope?: CacheScope): void {
    for (const key of scope ? [wordsOf(scope)] : this.open) {
      const watched = this.#open.get(key);
      if (watched?.holders.delete(holder) && watched.holders.size === 0) this.#open.delete(key);
    }
  }

  override list(scope: CacheScope, namespace?: string): readonly KubeObject[] {
    if (!this.#open.has(wordsOf(scope))) throw new BugError(`read before ensure(): ${wordsOf(scope)}`);
    return super.list(scope, namespace);
  }

  override get(scope: CacheScope, name: string, namespace?: string): KubeObject | undefined {
    return this.list(scope, namespace).find(({ metadata }) => metadata.name === name);
  }
}

function wordsOf({ type, namespace, name, labelSelector }: CacheScope): string {
  return [type.resource, namespace, name, labelSelector].filter((word) => word !== undefined).join(' ');
}
