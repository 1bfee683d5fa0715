// Which changes of the caches are our own doing. A round that only our own updates brought about has no news.

import type { CacheChange, ObjectCache } from '../ports/cache.ts';

export class OwnWrites {
  /** "uid@resourceVersion" of results, "uid@gone" of deletes. The last ones: the watch is never that far behind. */
  #results = new Set<string>();
  #earlier: ReadonlySet<string> = new Set();

  /** The cache for whoever writes: what is recorded there is known here before the cache tells of it. */
  recordingInto(cache: Pick<ObjectCache, 'record'>): Pick<ObjectCache, 'record'> {
    return {
      record: (type, written) => {
        const { before, result } = written;
        this.#add(
          result ? `${result.metadata.uid}@${result.metadata.resourceVersion}` : `${before?.metadata.uid}@gone`,
        );
        cache.record(type, written);
      },
    };
  }

  /** Is the state that the change led to one that we wrote? Sure only when the write's answer has been recorded. */
  made(change: CacheChange): boolean {
    const state = stateOf(change);
    return this.#results.has(state) || this.#earlier.has(state);
  }

  #add(state: string): void {
    this.#results.add(state);
    if (this.#results.size < MOST_RESULTS) return;
    this.#earlier = this.#results;
    this.#results = new Set();
  }
}

/** Of each of two generations. */
const MOST_RESULTS = 5_000;

/** What moved around parents that are known since each was looked at last, as far as it is not known to be our doing. */
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
   * What moved and was not our doing. Asked when a round begins, as the watch may show a write before its answer arrives;
   * what was taken counts no more.
   */
  takeForeign(key: Key): readonly CacheChange[] {
    const changes = this.#changes.get(key) ?? [];
    this.#changes.delete(key);
    return changes.filter((change) => !this.#own.made(change));
  }

  drop(key: Key): void {
    this.#changes.delete(key);
  }
}

function stateOf({ before, after }: CacheChange): string {
  if (after) return `${after.metadata.uid}@${after.metadata.resourceVersion}`;
  return `${before?.metadata.uid}@gone`;
}
