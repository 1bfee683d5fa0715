// Which parents wait to be looked at. Keys, not objects: a key that comes again while it waits is one entry, and one that
// comes again while it is worked on is looked at once more afterwards. One key is never worked on twice at once.

import type { Clock } from '../kit/clock.ts';

export class WorkSet {
  /** In order of arrival; never holds a key of #running. */
  readonly #ready = new Set<string>();
  readonly #running = new Set<string>();
  /** Asked for while it was running: becomes ready when it ends. Subset of #running. */
  readonly #again = new Set<string>();
  /** Cancels of keys that become ready later. One timer a key: the sooner one wins. */
  readonly #timers = new Map<string, { readonly at: number; readonly cancel: () => void }>();
  readonly #clock: Clock;
  readonly #onReady: () => void;

  constructor(clock: Clock, onReady: () => void) {
    this.#clock = clock;
    this.#onReady = onReady;
  }

  add(key: string): void {
    if (this.#running.has(key)) this.#again.add(key);
    else this.#ready.add(key);
    this.#onReady();
  }

  addAfter(key: string, ms: number): void {
    const at = this.#clock.now() + ms;
    const pending = this.#timers.get(key);
    if (pending && pending.at <= at) return;
    pending?.cancel();
    const cancel = this.#clock.schedule(ms, () => {
      this.#timers.delete(key);
      this.add(key);
    });
    this.#timers.set(key, { at, cancel });
  }

  /** The next key to work on; call done() with it afterwards. */
  take(): string | undefined {
    const [key] = this.#ready;
    if (key === undefined) return undefined;
    this.#ready.delete(key);
    this.#running.add(key);
    return key;
  }

  done(key: string): void {
    this.#running.delete(key);
    if (this.#again.delete(key)) this.add(key);
  }

  /** Nothing ready and nothing running. Keys that wait for a timer do not count. */
  get idle(): boolean {
    return this.#ready.size === 0 && this.#running.size === 0;
  }

  get delayed(): number {
    return this.#timers.size;
  }

  close(): void {
    for (const { cancel } of this.#timers.values()) cancel();
    this.#timers.clear();
    this.#ready.clear();
  }
}
