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
    const { perSecond, burst } = this.#options;
    const now = this.#clock.steady();
    const passed = (now - this.#at) / 1_000;
    this.#tokens = Math.min(burst, this.#tokens + passed * perSecond) - 1;
    this.#at = now;
    return this.#tokens >= 0 ? 0 : Math.ceil((-this.#tokens / perSecond) * 1_000);
  }
}
