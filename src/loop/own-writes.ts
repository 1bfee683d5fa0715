// Which changes of the caches are our own doing. A round that only our own updates brought about has no news.

import type { CacheChange, ObjectCache } from '../ports/cache.ts';

export class OwnWrites {
  /** "uid@resourceVersion" of results, "uid@gone" of deletes. One entry a write, for the length of a run. */
  readonly #results = new Set<string>();

  /** The cache for whoever writes: what is recorded there is known here before the cache tells of it. */
  recordingInto(cache: Pick<ObjectCache, 'record'>): Pick<ObjectCache, 'record'> {
    return {
      record: (type, written) => {
        const { before, result } = written;
        if (result) this.#results.add(`${result.metadata.uid}@${result.metadata.resourceVersion}`);
        else this.#results.add(`${before?.metadata.uid}@gone`);
        cache.record(type, written);
      },
    };
  }

  /** Is the state that the change led to one that we wrote? Sure only when the write's answer has been recorded. */
  made(change: CacheChange): boolean {
    return this.#results.has(stateOf(change));
  }
}

/** What moved around the parents since each was looked at last. */
export class Moves<Key> {
  readonly #own: OwnWrites;
  readonly #changes = new Map<Key, CacheChange[]>();

  constructor(own: OwnWrites) {
    this.#own = own;
  }

  add(key: Key, change: CacheChange): void {
    const before = this.#changes.get(key);
    if (before) before.push(change);
    else this.#changes.set(key, [change]);
  }

  /**
   * Did anything move that was not our doing? Asked when a round begins, as the watch may show a write before its answer
   * arrives; what was taken counts no more.
   */
  takeForeign(key: Key): boolean {
    const changes = this.#changes.get(key) ?? [];
    this.#changes.delete(key);
    return changes.some((change) => !this.#own.made(change));
  }
}

function stateOf({ before, after }: CacheChange): string {
  if (after) return `${after.metadata.uid}@${after.metadata.resourceVersion}`;
  return `${before?.metadata.uid}@gone`;
}
