// Requests about Leases: each has an end, and what they fail with is either the server's, which is tried again, or a defect.

import type { Clock } from '../kit/clock.ts';
import { ApiError, ConnectionError } from '../ports/errors.ts';

export interface Limits {
  readonly clock: Clock;
  /** Ends it sooner. */
  readonly signal?: AbortSignal;
  readonly ms: number;
}

class NoAnswer extends Error {}

/** The signal that `work` is given is aborted when the time is up, too. */
export async function inTime<T>({ clock, signal, ms }: Limits, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController();
  const cancel = clock.schedule(ms, () => late.abort(new NoAnswer('no answer in time')));
  try {
    return await work(signal ? AbortSignal.any([signal, late.signal]) : late.signal);
  } catch (error) {
    throw late.signal.aborted && !signal?.aborted ? late.signal.reason : error;
  } finally {
    cancel();
  }
}

/** Of the server or the way to it, and to be tried again. */
export function isLeaseTrouble(error: unknown): boolean {
  return error instanceof ApiError || error instanceof ConnectionError || error instanceof NoAnswer;
}

export const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
