// Which parents wait to be looked at: the work queue, in the form of client-go's, with these promises:
// - keys, not objects, and a key that comes again while it waits is one entry;
// - one key is never worked on twice at once, and one that comes while it is worked on is looked at once more afterwards;
// - groups (controllers) take turns, and none has more in hand than its share, so that a slow one holds up nobody else;
// - of two delays of a key the sooner wins.

import type { Clock } from '../kit/clock.ts';

/** What a queue tells of itself, for metrics: called within its own calls, so it is to be quick and never to throw. */
export interface QueueObserver {
  /** A key that was not in line already. */
  added(group: string): void;
  taken(group: string, waitedMs: number): void;
  done(group: string, workedMs: number): void;
  /** It comes into line later. */
  delayed(group: string): void;
}

export interface WorkSetOptions {
  readonly clock: Clock;
  readonly onReady: () => void;
  readonly observer?: QueueObserver | undefined;
  /** Whose turn a key is. */
  readonly groupOf: (key: string) => string;
  /** Keys of one group that are worked on at once. */
  readonly perGroup: number;
}

/** How it stands with one group. */
export interface GroupLoad {
  readonly ready: number;
  readonly running: number;
  /** Milliseconds that the longest waiting key has waited; 0 where none waits. */
  readonly oldestMs: number;
  /** Milliseconds for which the keys in hand have been worked on: of all together, and of the one that takes longest. */
  readonly unfinishedMs: number;
  readonly longestMs: number;
}

export class WorkSet {
  /** Group → key → since when, in order of arrival. The groups in order of their turns; none is empty; no key of #running. */
  readonly #ready = new Map<string, Map<string, number>>();
  /** Key → since when. */
  readonly #running = new Map<string, number>();
  /** How many of #running are of each group; none is 0. */
  readonly #inHand = new Map<string, number>();
  /** Asked for while it was running: becomes ready when it ends. Subset of #running. */
  readonly #again = new Set<string>();
  /** Cancels of keys that become ready later. One timer a key: the sooner one wins. */
  readonly #timers = new Map<string, { readonly at: number; readonly cancel: () => void }>();
  readonly #options: WorkSetOptions;
  #closed = false;

  constructor(options: WorkSetOptions) {
    this.#options = options;
  }

  add(key: string): void {
    if (this.#closed) return;
    const group = this.#options.groupOf(key);
    const waits = this.#again.has(key) || this.#ready.get(group)?.has(key) === true;
    if (this.#running.has(key)) this.#again.add(key);
    else this.#enter(key);
    if (!waits) this.#options.observer?.added(group);
    this.#options.onReady();
  }

  /** false: it comes sooner as it is. */
  addAfter(key: string, ms: number): boolean {
    const { clock } = this.#options;
    const at = clock.steady() + ms;
    const pending = this.#timers.get(key);
    if (this.#closed || (pending && pending.at <= at)) return false;
    pending?.cancel();
    const cancel = clock.schedule(ms, () => {
      this.#timers.delete(key);
      this.add(key);
    });
    this.#timers.set(key, { at, cancel });
    this.#options.observer?.delayed(this.#options.groupOf(key));
    return true;
  }

  /** The next key to work on; call done() with it afterwards. undefined: none, or none of a group that may have more. */
  take(): string | undefined {
    for (const [group, keys] of this.#ready) {
      const inHand = this.#inHand.get(group) ?? 0;
      const [[key, since] = [undefined, 0]] = keys;
      if (key === undefined || inHand >= this.#options.perGroup) continue;
      keys.delete(key);
      // To the end of the line, or out of it.
      this.#ready.delete(group);
      if (keys.size > 0) this.#ready.set(group, keys);
      const now = this.#options.clock.steady();
      this.#running.set(key, now);
      this.#inHand.set(group, inHand + 1);
      this.#options.observer?.taken(group, now - since);
      return key;
    }
    return undefined;
  }

  done(key: string): void {
    const since = this.#running.get(key);
    if (since === undefined) return;
    this.#running.delete(key);
    const group = this.#options.groupOf(key);
    const left = (this.#inHand.get(group) ?? 1) - 1;
    if (left > 0) this.#inHand.set(group, left);
    else this.#inHand.delete(group);
    this.#options.observer?.done(group, this.#options.clock.steady() - since);
    if (!this.#again.delete(key) || this.#closed) return;
    // It was counted when it came.
    this.#enter(key);
    this.#options.onReady();
  }

  /** Forgets all keys of a group that wait. Those in hand are finished by whoever has them, and do not come again. */
  drop(group: string): void {
    this.#ready.delete(group);
    const isOf = (key: string): boolean => this.#options.groupOf(key) === group;
    for (const key of this.#again) if (isOf(key)) this.#again.delete(key);
    for (const [key, { cancel }] of this.#timers)
      if (isOf(key)) {
        cancel();
        this.#timers.delete(key);
      }
  }

  /** Nothing ready and nothing running. Keys that wait for a timer do not count. */
  get idle(): boolean {
    return this.#ready.size === 0 && this.#running.size === 0;
  }

  get running(): number {
    return this.#running.size;
  }

  get delayed(): number {
    return this.#timers.size;
  }

  /** Of the groups that have something ready or in hand. */
  loads(): ReadonlyMap<string, GroupLoad> {
    const now = this.#options.clock.steady();
    const groups = new Set([...this.#ready.keys(), ...this.#inHand.keys()]);
    return new Map(
      [...groups].map((group) => {
        const ready = this.#ready.get(group);
        // In order of arrival: the first has waited longest.
        const [since = now] = ready?.values() ?? [];
        const running = this.#inHand.get(group) ?? 0;
        return [group, { ready: ready?.size ?? 0, running, oldestMs: now - since, ...this.#unfinished(group, now) }];
      }),
    );
  }

  #unfinished(group: string, now: number): Pick<GroupLoad, 'unfinishedMs' | 'longestMs'> {
    let [unfinishedMs, longestMs] = [0, 0];
    for (const [key, since] of this.#running) {
      if (this.#options.groupOf(key) !== group) continue;
      unfinishedMs += now - since;
      longestMs = Math.max(longestMs, now - since);
    }
    return { unfinishedMs, longestMs };
  }

  /** Nothing is ready any more, and nothing becomes ready. */
  close(): void {
    this.#closed = true;
    for (const { cancel } of this.#timers.values()) cancel();
    this.#timers.clear();
    this.#ready.clear();
    this.#again.clear();
  }

  #enter(key: string): void {
    const group = this.#options.groupOf(key);
    const keys = this.#ready.get(group) ?? new Map<string, number>();
    if (!keys.has(key)) keys.set(key, this.#options.clock.steady());
    this.#ready.set(group, keys);
  }
}
