// What has moved in the cluster since somebody looked, as far as it concerns the plan.

import type { Clock } from '../../kit/clock.ts';
import type { ObjectCache } from '../../ports/cache.ts';
import type { PlanLife } from './plan-life.ts';

/** What moves moves in flocks: so long after the first it is told. */
const FLOCK_MS = 150;

export class Movement {
  readonly #off: () => void;
  #moved = new AbortController();
  #inputs = false;
  #cancel: (() => void) | undefined;

  constructor(cache: Pick<ObjectCache, 'onChange'>, life: Pick<PlanLife, 'changed'>, clock: Clock) {
    this.#off = cache.onChange((change) => {
      const concern = life.changed(change);
      if (concern === 'nothing') return;
      this.#inputs ||= concern === 'inputs';
      this.#cancel ??= clock.schedule(FLOCK_MS, () => this.#moved.abort());
    });
  }

  /** Aborted when something has moved since the last take(). */
  get signal(): AbortSignal {
    return this.#moved.signal;
  }

  /** What comes from now on counts for the next time. `inputs`: an object of the files is another. */
  take(): { readonly inputs: boolean } {
    const inputs = this.#inputs;
    this.#cancel?.();
    this.#cancel = undefined;
    this.#inputs = false;
    this.#moved = new AbortController();
    return { inputs };
  }

  close(): void {
    this.#cancel?.();
    this.#off();
  }
}
