// When somebody else last changed what is wanted of a parent: its spec, that of what it looks at, or its controller.

import { jsonEqual } from '../kit/json.ts';
import { controllerOf, type KubeObject } from '../model/object.ts';
import type { CacheChange } from '../ports/cache.ts';
import type { ParentKey } from './parents.ts';

/** Sooner after one another they are no user's: two controllers may drive each other through their parents. */
const SOONEST_MS = 2_000;

export class Wishes {
  readonly #at = new Map<ParentKey, number>();

  /**
   * `moved`: not by us, since the round before. Returns the clock time of the last wish. That of a parent that was not known
   * is one: it is new, or its controller is.
   */
  see(key: ParentKey, { moved, parent, now }: Seen): number {
    const last = this.#at.get(key);
    if (last !== undefined && (now - last < SOONEST_MS || !moved.some((change) => isWish(change, parent)))) return last;
    this.#at.set(key, now);
    return now;
  }

  drop(key: ParentKey): void {
    this.#at.delete(key);
  }
}

export interface Seen {
  readonly moved: readonly CacheChange[];
  readonly parent: KubeObject;
  readonly now: number;
}

/**
 * Neither of its children, of which it is for us to say how they are, nor in metadata and status: there, controllers write.
 */
function isWish({ before, after }: CacheChange, parent: KubeObject): boolean {
  if ([before, after].some((object) => object && controllerOf(object)?.uid === parent.metadata.uid)) return false;
  if (!before || !after) return true;
  return !jsonEqual(wantedIn(before), wantedIn(after));
}

function wantedIn({ metadata: _metadata, status: _status, ...rest }: KubeObject): Omit<KubeObject, 'metadata'> {
  return rest;
}
