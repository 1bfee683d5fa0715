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

  made({ before, after }: CacheChange): boolean {
    if (after) return this.#results.has(`${after.metadata.uid}@${after.metadata.resourceVersion}`);
    return this.#results.has(`${before?.metadata.uid}@gone`);
  }
}
