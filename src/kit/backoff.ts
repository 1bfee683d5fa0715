export interface BackoffOptions {
  /** First delay in milliseconds. */
  readonly base: number;
  /** Largest delay in milliseconds. */
  readonly cap: number;
}

/** Exponential backoff, as client-go's per-item limiter: base·2^failures, at most cap. `failures` counts from 0. */
export function backoffDelay({ base, cap }: BackoffOptions, failures: number): number {
  return failures >= 50 ? cap : Math.min(cap, base * 2 ** failures);
}
