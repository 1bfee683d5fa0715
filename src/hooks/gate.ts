// How many may be inside at once. First come, first served; whoever waits can be called off by a signal.

export class Gate {
  /** How many more may enter now; never negative. While somebody waits it is 0. */
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(size: number) {
    this.#free = Math.max(1, size);
  }

  /** Runs the work when there is room. Rejects with the signal's reason if that is aborted first. */
  async through<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const turn = this.#enter(signal);
    if (turn !== undefined) await turn;
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  /** undefined: there is room. */
  #enter(signal: AbortSignal): Promise<void> | undefined {
    if (signal.aborted) return Promise.reject(signal.reason);
    if (this.#free > 0) {
      this.#free--;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#waiting.delete(admit);
        reject(signal.reason);
      };
      const admit = (): void => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      this.#waiting.add(admit);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  #leave(): void {
    const next = this.#waiting.values().next().value;
    if (next === undefined) {
      this.#free++;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
