// Which changes of the caches are the doing of which parent's rounds. A round that only its own updates brought about has no
// news; what another parent's round wrote, of another controller perhaps, is news as anybody's.

import type { CacheChange, ObjectCache } from '../ports/cache.ts';

export class OwnWrites<Key> {
  /** "uid@resourceVersion" of results, "uid@gone" of deletes → whose. The last ones: the watch is never that far behind. */
  #results = new Map<string, Key>();
  #earlier: ReadonlyMap<string, Key> = new Map();

  /** The cache for whoever writes for `key`: what is recorded there is known here before the cache tells of it. */
  recordingInto(cache: Pick<ObjectCache, 'record'>, key: Key): Pick<ObjectCache, 'record'> {
    return {
      record: (type, written) => {
        this.#add(stateOf({ before: written.before, after: written.result }), key);
        cache.record(type, written);
      },
    };
  }

  /** For whom was the state written that the change led to? Sure only when the write's answer has been recorded. */
  makerOf(change: CacheChange): Key | undefined {
    const state = stateOf(change);
    return this.#results.get(state) ?? this.#earlier.get(state);
  }

  #add(state: string, key: Key): void {
    this.#results.set(state, key);
    if (this.#results.size < MOST_RESULTS) return;
    this.#earlier = this.#results;
    this.#results = new Map();
  }
}

/** Of each of two generations. */
const MOST_RESULTS = 5_000;

/** What moved around parents that are known since each was looked at last, as far as it is not known to be its own doing. */
export class Moves<Key> {
  readonly #own: OwnWrites<Key>;
  readonly #changes = new Map<Key, CacheChange[]>();

  constructor(own: OwnWrites<Key>) {
    this.#own = own;
  }

  add(key: Key, change: CacheChange): void {
    const before = this.#changes.get(key);
    if (before) before.push(change);
    else this.#changes.set(key, [change]);
  }

  /**
   * What moved and was not its own doing. Asked when a round begins, as the watch may show a write before its answer arrives;
   * what was taken counts no more.
   */
  takeForeign(key: Key): readonly CacheChange[] {
    const changes = this.#changes.get(key) ?? [];
    this.#changes.delete(key);
    return changes.filter((change) => this.#own.makerOf(change) !== key);
  }

  drop(key: Key): void {
    this.#changes.delete(key);
  }
}

function stateOf({ before, after }: Pick<CacheChange, 'before' | 'after'>): string {
  if (after) return `${after.metadata.uid}@${after.metadata.resourceVersion}`;
  return `${before?.metadata.uid}@gone`;
}
