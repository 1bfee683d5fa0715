import type { Clock } from '../kit/clock.ts';

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly callback: () => void;
}

/** 2026-01-01T00:00:00Z */
export const FAKE_CLOCK_START = 1_767_225_600_000;

/**
 * A clock that moves only when told to. Callbacks run inside advance(), in the order of their times (equal times: in the
 * order in which they were scheduled), with now() standing at the time they asked for.
 */
export class FakeClock implements Clock {
  #now: number;
  #order = 0;
  #setBy = 0;
  readonly #timers = new Set<Timer>();

  constructor(start: number = FAKE_CLOCK_START) {
    this.#now = start;
  }

  now(): number {
    return this.#now + this.#setBy;
  }

  /** Somebody sets the machine's time, on or back: no timer falls due by that. */
  set(byMs: number): void {
    this.#setBy += byMs;
  }

  steady(): number {
    return this.#now;
  }

  schedule(ms: number, callback: () => void): () => void {
    const timer: Timer = { at: this.#now + Math.max(0, ms), order: this.#order++, callback };
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  }

  /** How many callbacks are waiting. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Moves time on by `ms` and runs what falls due, also what those callbacks schedule inside the span. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (let timer = this.#next(end); timer; timer = this.#next(end)) {
      this.#timers.delete(timer);
      this.#now = Math.max(this.#now, timer.at);
      timer.callback();
    }
    this.#now = end;
  }

  /**
   * As advance(), in steps of `stepMs`, with a turn of the event loop after each, so that promises waiting for a
   * callback get on before the next one falls due.
   */
  async advanceAsync(ms: number, stepMs: number = ms): Promise<void> {
    for (let left = ms; left > 0; left -= stepMs) {
      this.advance(Math.min(left, stepMs));
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Moves to the next waiting callback and runs it; false when none is waiting. */
  advanceToNext(): boolean {
    const timer = this.#next(Number.POSITIVE_INFINITY);
    if (!timer) return false;
    this.advance(timer.at - this.#now);
    return true;
  }

  #next(end: number): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.at > end) continue;
      if (!first || timer.at < first.at || (timer.at === first.at && timer.order < first.order)) first = timer;
    }
    return first;
  }
}
