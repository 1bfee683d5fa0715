// When what is desired of a parent last changed, by somebody else: its spec, that of what it looks at, or its controller.

import type { Clock } from '../kit/clock.ts';
import { jsonEqual } from '../kit/json.ts';
import { type BucketOptions, TokenBucket } from '../kit/token-bucket.ts';
import { controllerOf, type KubeObject } from '../model/object.ts';
import type { CacheChange } from '../ports/cache.ts';

/**
 * Two controllers may drive each other through their parents: changes that go on to come faster than this are no user's. So
 * many at once may be a script's.
 */
const A_USERS: BucketOptions = { perSecond: 1 / 10, burst: 10 };

/** Of one parent. */
export class DesiredChanges {
  readonly #clock: Clock;
  #at: number;
  #bucket: TokenBucket | undefined;

  /** A parent that was not known is new, or its controller is. */
  constructor(clock: Clock) {
    this.#clock = clock;
    this.#at = clock.steady();
  }

  /** Steady time of the last one. */
  get at(): number {
    return this.#at;
  }

  /** `moved`: not by us, since the round before. */
  see(moved: readonly CacheChange[], parent: KubeObject): void {
    if (!moved.some((change) => isOfDesired(change, parent))) return;
    this.#bucket ??= new TokenBucket(this.#clock, A_USERS);
    if (this.#bucket.tryTake()) this.#at = this.#clock.steady();
  }
}

/** Neither of its children, of which it is for us to say how they are, nor in metadata and status: there, controllers write. */
function isOfDesired({ before, after }: CacheChange, parent: KubeObject): boolean {
  if ([before, after].some((object) => object && controllerOf(object)?.uid === parent.metadata.uid)) return false;
  if (!before || !after) return true;
  return !jsonEqual(desiredIn(before), desiredIn(after));
}

function desiredIn({ metadata: _metadata, status: _status, ...rest }: KubeObject): Omit<KubeObject, 'metadata'> {
  return rest;
}
