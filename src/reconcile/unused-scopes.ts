// Scopes that no parent looks at any more, until that has been so for a while: a rule that goes back and forth does not
// cost a list each time. One timer for all, set to when the first is due.

import type { Clock } from '../kit/clock.ts';
import type { CacheScope } from '../ports/cache.ts';

const GRACE_MS = 60_000;

export class UnusedScopes {
  readonly #clock: Clock;
  readonly #onOver: (scope: CacheScope) => void;
  /** Since when, in that order. */
  readonly #since = new Map<CacheScope, number>();
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, onOver: (scope: CacheScope) => void) {
    this.#clock = clock;
    this.#onOver = onOver;
  }

  add(scope: CacheScope): void {
    this.#since.set(scope, this.#clock.steady());
    this.#schedule();
  }

  /** It is in use again. */
  delete(scope: CacheScope): void {
    if (this.#since.delete(scope) && this.#since.size === 0) this.close();
  }

  has(scope: CacheScope): boolean {
    return this.#since.has(scope);
  }

  /** Nothing is called back any more. */
  close(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #schedule(): void {
    const [first] = this.#since.values();
    if (this.#cancel !== undefined || first === undefined) return;
    this.#cancel = this.#clock.schedule(first + GRACE_MS - this.#clock.steady(), () => {
      this.#cancel = undefined;
      this.#expire();
      this.#schedule();
    });
  }

  #expire(): void {
    const due = this.#clock.steady() - GRACE_MS;
    for (const [scope, since] of this.#since) {
      if (since > due) return;
      this.#since.delete(scope);
      this.#onOver(scope);
    }
  }
}
