// When somebody else last changed what is wanted of a parent: its spec, that of what it looks at, or its controller.

import { jsonEqual } from '../kit/json.ts';
import { controllerOf, type KubeObject } from '../model/object.ts';
import type { CacheChange } from '../ports/cache.ts';
import type { ParentKey } from './parents.ts';

/**
 * Two controllers may drive each other through their parents: for longer, wishes that come faster than this are no user's. So
 * many at once may be a script's.
 */
const EACH_MS = 2_000;
const AT_ONCE = 10;

interface Wish {
  readonly at: number;
  /** How much sooner than one every EACH_MS it came, with those before it. */
  readonly aheadMs: number;
}

export class Wishes {
  readonly #last = new Map<ParentKey, Wish>();

  /**
   * `moved`: not by us, since the round before. Returns the clock time of the last wish. That of a parent that was not known
   * is one: it is new, or its controller is.
   */
  see(key: ParentKey, { moved, parent, now }: Seen): number {
    const last = this.#last.get(key);
    if (last !== undefined && !moved.some((change) => isWish(change, parent))) return last.at;
    const aheadMs = last ? Math.max(0, last.aheadMs + EACH_MS - (now - last.at)) : 0;
    if (last !== undefined && aheadMs > AT_ONCE * EACH_MS) return last.at;
    this.#last.set(key, { at: now, aheadMs });
    return now;
  }

  drop(key: ParentKey): void {
    this.#last.delete(key);
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
