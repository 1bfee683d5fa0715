// The loop: watches and own writes queue parents, workers take them one round each, and what comes of a round says when the
// parent is looked at next. It goes on until whoever runs it says that this is the end (settle.ts), or for ever (daemon,
// watch). Controllers may come and go meanwhile. Outcomes become queue calls in one place: #follow().

import { createLimiter } from '../kit/concurrency.ts';
import { TokenBucket } from '../kit/token-bucket.ts';
import { definitionId } from '../model/definition.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { ParentPlan } from '../model/plan.ts';
import type { AppliedChange, Progress } from '../model/progress.ts';
import type { CacheChange } from '../ports/cache.ts';
import type { Controller } from '../reconcile/index.ts';
import { definitionOfKey, type FoundParent, type ParentKey, Parents, type ParentTarget } from './parents.ts';
import { type RoundEnd, type RoundOptions, type RoundPorts, Rounds } from './round.ts';
import type { Next, Patience, Standing } from './standing.ts';
import { WatchProblems } from './watch-problems.ts';
import { type GroupLoad, type QueueObserver, WorkSet } from './work-set.ts';

export interface LoopOptions {
  readonly target: ParentTarget;
  /** Problems that stop everything before anything of this parent is written. */
  readonly guard: (plan: ParentPlan) => readonly Diagnostic[];
  readonly patience: Patience;
  /** Requests in flight. */
  readonly concurrency: number;
  /** Parents in work at once, over all controllers and of each. */
  readonly workers: { readonly all: number; readonly each: number };
  /** Aborted: nothing more is started, what is in flight is finished, and the loop ends. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
  /** After each round that came to its end. */
  readonly onRound: (round: RoundReport) => void;
  readonly onGuarded: (problems: readonly Diagnostic[]) => void;
  /** A watch that is refused again and again; it is opened again all the same. */
  readonly onRefusedWatch: (problem: Diagnostic) => void;
  readonly writerOf?: RoundOptions['writerOf'];
  /** In the place of carrying steps out: a shadow sends nothing. */
  readonly execute?: RoundOptions['execute'];
  /** Around each round, for traces. */
  readonly around?: (<T>(found: FoundParent, round: () => Promise<T>) => Promise<T>) | undefined;
  /** Groups are definitions. */
  readonly queue?: QueueObserver | undefined;
}

export interface RoundReport {
  readonly found: FoundParent;
  readonly plan?: ParentPlan;
  readonly applied: readonly AppliedChange[];
  readonly standing: Standing;
  readonly next: Next;
  readonly tookMs: number;
}

/** What the loop is to do when nothing can be started: end with a value, look again after a while, or wait for events. */
export type Verdict<T> =
  | { readonly kind: 'end'; readonly value: T }
  | { readonly kind: 'poll'; readonly ms: number }
  | { readonly kind: 'wait' };

/** Of retries after failures, over all parents: a thousand that fail at once are not tried again all at once. */
const RETRIES = { perSecond: 50, burst: 500 };
const NEVER = Number.POSITIVE_INFINITY;

export class Loop {
  readonly #ports: RoundPorts;
  readonly #options: LoopOptions;
  readonly #parents: Parents;
  readonly #work: WorkSet;
  readonly #rounds: Rounds;
  readonly #retries: TokenBucket;
  readonly #watches: WatchProblems;
  readonly #standings = new Map<ParentKey, Standing>();
  /** As last found: what is to be forgotten when it is a parent no more. */
  readonly #known = new Map<ParentKey, FoundParent>();
  /** When the hook is to be called again although nothing changed: steady time. */
  readonly #resyncAt = new Map<ParentKey, number>();
  readonly #inHand = new Map<ParentKey, Promise<void>>();
  #crash: { readonly error: unknown } | undefined;
  #stopped = false;
  #wake: () => void = () => undefined;

  constructor(ports: RoundPorts, options: LoopOptions) {
    const { clock, cache } = ports;
    const { concurrency, workers, target, queue } = options;
    this.#ports = ports;
    this.#options = options;
    this.#parents = new Parents(ports, target);
    this.#work = new WorkSet({
      clock,
      onReady: () => this.#wake(),
      groupOf: definitionOfKey,
      perGroup: workers.each,
      observer: queue,
    });
    this.#rounds = new Rounds(ports, { ...options, limit: createLimiter(concurrency) });
    this.#retries = new TokenBucket(clock, RETRIES);
    this.#watches = new WatchProblems(cache, options.onRefusedWatch);
  }

  /** Its caches are open; all its parents are looked at. */
  add(controller: Controller): void {
    this.#parents.add(controller);
    this.lookForParents(definitionId(controller.definition));
  }

  /** More of what its caches hold is meant now (LoopOptions.target): those parents are looked at. */
  lookForParents(definition: string): void {
    for (const key of this.#parents.all(definition)) if (!this.#standings.has(key)) this.#work.add(key);
  }

  /** Less is meant now: the rest is forgotten. Resolves when the rounds of it that were under way have ended. */
  async shed(): Promise<void> {
    const isGone = (key: ParentKey): boolean => !this.#parents.find(key);
    for (const key of this.#known.keys()) if (isGone(key)) this.#forget(key);
    await Promise.all([...this.#inHand].filter(([key]) => isGone(key)).map(([, round]) => round));
  }

  /** The controllers of a definition go. Resolves when the rounds of theirs that were under way have ended. */
  async remove(definition: string): Promise<void> {
    this.#parents.remove(definition);
    this.#work.drop(definition);
    for (const key of this.#known.keys()) if (definitionOfKey(key) === definition) this.#forget(key);
    const inHand = [...this.#inHand].filter(([key]) => definitionOfKey(key) === definition);
    await Promise.all(inHand.map(([, round]) => round));
  }

  /** All parents, of one definition or of all, are looked at again, and their hooks are asked whatever changed. */
  resync(definition?: string): void {
    for (const key of this.#parents.all(definition)) {
      this.#resyncAt.set(key, 0);
      this.#work.add(key);
    }
  }

  /** One road for all: `verdict` is asked whenever nothing more can be started. */
  async run<T>(verdict: () => Verdict<T>): Promise<T> {
    const { signal } = this.#options;
    const off = this.#ports.cache.onChange((change) => this.#changed(change));
    const onAbort = (): void => this.stop();
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    try {
      for (;;) {
        this.#startWork();
        if (this.#crash && this.#work.running === 0) throw this.#crash.error;
        const next = this.#crash ? { kind: 'wait' as const } : verdict();
        if (next.kind === 'end') return next.value;
        await this.#woken(next.kind === 'poll' ? next.ms : undefined);
      }
    } finally {
      off();
      signal.removeEventListener('abort', onAbort);
      this.#watches.close();
      this.#work.close();
    }
  }

  /** Nothing more is started; what is under way is finished, its writes included. The verdict says when that is the end. */
  stop(): void {
    this.#stopped = true;
    this.#wake();
  }

  get running(): number {
    return this.#work.running;
  }

  /** Nothing ready and nothing running. Keys that wait for a timer do not count. */
  get idle(): boolean {
    return this.#work.idle;
  }

  get standings(): ReadonlyMap<ParentKey, Standing> {
    return this.#standings;
  }

  /** By definition. */
  loads(): ReadonlyMap<string, GroupLoad> {
    return this.#work.loads();
  }

  watchWarnings(): readonly Diagnostic[] {
    return this.#watches.warnings();
  }

  #changed(change: CacheChange): void {
    const { own, moves } = this.#rounds;
    const maker = own.makerOf(change);
    if (maker === undefined) this.#watches.works(change);
    for (const key of this.#parents.concernedBy(change)) {
      // The children of a parent that has gone still go one by one: nobody would ever ask what moved around it.
      if (maker !== key && this.#known.has(key)) moves.add(key, change);
      this.#work.add(key);
    }
  }

  #startWork(): void {
    const { workers } = this.#options;
    while (!this.#stopped && this.#crash === undefined && this.#work.running < workers.all) {
      const key = this.#work.take();
      if (key === undefined) return;
      const round = this.#process(key).finally(() => {
        this.#inHand.delete(key);
        this.#work.done(key);
        this.#wake();
      });
      this.#inHand.set(key, round);
    }
  }

  #woken(afterMs: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const cancel = afterMs === undefined ? undefined : this.#ports.clock.schedule(afterMs, resolve);
      this.#wake = () => {
        cancel?.();
        resolve();
      };
    });
  }

  async #process(key: ParentKey): Promise<void> {
    try {
      const found = this.#parents.find(key);
      const { around = (_found, round) => round() } = this.#options;
      if (found) await around(found, () => this.#round(key, found));
      else this.#forget(key);
    } catch (error) {
      // What waited for a hook or a read ends with the signal's reason; nothing of it was written.
      if (!this.#options.signal.aborted) this.#crash = { error };
    }
  }

  async #round(key: ParentKey, found: FoundParent): Promise<void> {
    const { clock } = this.#ports;
    const started = clock.steady();
    this.#known.set(key, found);
    if ((this.#resyncAt.get(key) ?? NEVER) <= started) {
      this.#resyncAt.delete(key);
      this.#rounds.askAgain(found);
    }
    const before = this.#standings.get(key) ?? { failures: 0, asks: 0 };
    const end = await this.#rounds.run(key, found, before);
    if (end.kind === 'guarded') return this.#options.onGuarded(end.problems);
    if (this.#parents.find(key)) this.#follow(key, end);
    else {
      // It, or its controller, has gone meanwhile: it may have been forgotten before this round ended.
      this.#forget(key);
      this.#rounds.drop(key, found);
    }
    this.#options.onRound({ ...end, found, tookMs: clock.steady() - started });
  }

  /** The one place where an outcome becomes a call of the queue. */
  #follow(key: ParentKey, { standing, next, resyncSeconds }: Extract<RoundEnd, { kind: 'ended' }>): void {
    this.#standings.set(key, standing);
    if (next.kind === 'again' && next.afterMs === 0) this.#work.add(key);
    if (next.kind === 'again' && next.afterMs > 0) this.#work.addAfter(key, next.afterMs);
    if (next.kind === 'retry') this.#retryAfter(key, next.afterMs);
    if (resyncSeconds !== undefined) this.#resyncAfter(key, resyncSeconds);
  }

  /** A round that an event brought about uses up nothing of what the retries share: its parent has its turn already. */
  #retryAfter(key: ParentKey, ms: number): void {
    if (this.#work.addAfter(key, Math.max(ms, this.#retries.waitMs()))) this.#retries.take();
  }

  #resyncAfter(key: ParentKey, seconds: number): void {
    const now = this.#ports.clock.steady();
    const wanted = now + seconds * 1_000;
    // One that is pending stays, or a parent that is looked at often would put its own resync off for ever. It may have fallen
    // due while the round was under way, which had asked by then.
    const at = Math.min(this.#resyncAt.get(key) ?? wanted, wanted);
    this.#resyncAt.set(key, at);
    if (at <= now) this.#work.add(key);
    else this.#work.addAfter(key, at - now);
  }

  #forget(key: ParentKey): void {
    const found = this.#known.get(key);
    if (found) this.#rounds.drop(key, found);
    this.#known.delete(key);
    this.#standings.delete(key);
    this.#resyncAt.delete(key);
  }
}
