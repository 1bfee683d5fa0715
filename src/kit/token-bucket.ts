// A bucket of tokens, as client-go's bucket limiter: a burst goes at once, the rest at a rate. Who finds it empty is told how
// long to wait for his token.

import type { Clock } from './clock.ts';

export interface BucketOptions {
  readonly perSecond: number;
  readonly burst: number;
}

export class TokenBucket {
  readonly #options: BucketOptions;
  readonly #clock: Clock;
  /** May be below zero: tokens that are promised. Never above the burst. */
  #tokens: number;
  #at: number;

  constructor(clock: Clock, options: BucketOptions) {
    this.#clock = clock;
    this.#options = options;
    this.#tokens = options.burst;
    this.#at = clock.steady();
  }

  /** Takes a token; milliseconds until it is there. */
  take(): number {
    this.#fill();
    this.#tokens--;
    return this.#waitFor(this.#tokens);
  }

  /** What take() would say. */
  waitMs(): number {
    this.#fill();
    return this.#waitFor(this.#tokens - 1);
  }

  /** Takes a token if there is one; nothing is promised otherwise. */
  tryTake(): boolean {
    this.#fill();
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }

  #waitFor(tokens: number): number {
    return tokens >= 0 ? 0 : Math.ceil((-tokens / this.#options.perSecond) * 1_000);
  }

  #fill(): void {
    const { perSecond, burst } = this.#options;
    const now = this.#clock.steady();
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#at) / 1_000) * perSecond);
    this.#at = now;
  }
}
