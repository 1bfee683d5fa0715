// reconcile + apply until there is nothing left to do: what `metactl apply` is after its inputs are written.
// Settled: every parent's last plan is empty, all own writes have come back on the watch, every child is healthy.

import { type ExecutePorts, executeStep, isPermanent, readFailureOf } from '../apply/index.ts';
import type { Clock } from '../kit/clock.ts';
import { createLimiter } from '../kit/concurrency.ts';
import { definitionId } from '../model/definition.ts';
import { type Diagnostic, hasErrors } from '../model/diagnostic.ts';
import type { KubeObject } from '../model/object.ts';
import { type Change, changesOfParent, isWrite, type ParentPlan, type Step, type WaitingOn } from '../model/plan.ts';
import type { AppliedChange, Progress } from '../model/progress.ts';
import { formatRef, refKey, refOf } from '../model/ref.ts';
import type { CacheChange, ObjectCache } from '../ports/cache.ts';
import { AnswerMemory, type Controller, type ReconcilePorts, reconcileParent } from '../reconcile/index.ts';
import { Moves, OwnWrites } from './own-writes.ts';
import { type FoundParent, type ParentKey, Parents, type ParentTarget } from './parents.ts';
import { type RoundFacts, Stability, type Verdict } from './stability.ts';
import { conclude, concludeUnread, type Held, overall, type Standing } from './standing.ts';
import { WatchProblems } from './watch-problems.ts';
import { WorkSet } from './work-set.ts';

export interface SettlePorts extends Omit<ReconcilePorts, 'cache'>, Omit<ExecutePorts, 'cache' | 'reader'> {
  readonly cache: ObjectCache;
  readonly clock: Clock;
}

export interface SettleOptions {
  readonly controllers: readonly Controller[];
  readonly target: ParentTarget;
  /** Problems that stop everything before anything of this parent is written. */
  readonly guard: (plan: ParentPlan) => readonly Diagnostic[];
  readonly timeoutMs: number;
  /** False: done with the last write, whatever the health of the children. */
  readonly wait: boolean;
  /** Parents and requests in flight. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

export interface Settled {
  readonly status: 'settled' | 'unsettled' | 'guarded' | 'failed' | 'interrupted';
  readonly applied: readonly AppliedChange[];
  readonly waitingOn: readonly WaitingOn[];
  readonly diagnostics: readonly Diagnostic[];
}

const CAUGHT_UP_POLL_MS = 20;
/** What shows it chooses its own rhythm from there. */
const WAITING_REPORT_MS = 1_000;

export function settle(ports: SettlePorts, options: SettleOptions): Promise<Settled> {
  return new Settling(ports, options).run();
}

class Settling {
  readonly #ports: SettlePorts;
  readonly #options: SettleOptions;
  readonly #parents: Parents;
  readonly #work: WorkSet;
  readonly #memory = new AnswerMemory();
  readonly #standings = new Map<ParentKey, Standing>();
  /** When the hook asked to be called again although nothing changed: clock time. */
  readonly #resyncAt = new Map<ParentKey, number>();
  readonly #stability = new Stability();
  readonly #own = new OwnWrites();
  readonly #moves = new Moves<ParentKey>(this.#own);
  readonly #recording;
  readonly #watches;
  readonly #told = new Set<string>();
  readonly #applied: AppliedChange[] = [];
  readonly #limit;
  readonly #started: number;
  #running = 0;
  /** Of the run, not of one parent: guards, watches that are refused. */
  readonly #problems: Diagnostic[] = [];
  #stopped: Settled['status'] | undefined;
  #crash: unknown;
  #wake: () => void = () => undefined;

  constructor(ports: SettlePorts, options: SettleOptions) {
    this.#ports = ports;
    this.#options = options;
    this.#parents = new Parents(options.controllers, ports, options.target);
    this.#work = new WorkSet(ports.clock, () => this.#wake());
    this.#limit = createLimiter(options.concurrency);
    this.#started = ports.clock.now();
    this.#recording = this.#own.recordingInto(ports.cache);
    this.#watches = new WatchProblems(ports.cache, (diagnostic) => {
      if (this.#stopped === undefined) this.#problems.push(diagnostic);
      this.#stop('failed');
    });
  }

  async run(): Promise<Settled> {
    const { cache, clock } = this.#ports;
    const { signal, timeoutMs } = this.#options;
    const off = cache.onChange((change) => this.#changed(change));
    const cancelTimeout = clock.schedule(timeoutMs, () => this.#stop('unsettled'));
    const cancelReport = this.#reportWaiting();
    const onAbort = (): void => this.#stop('interrupted');
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    for (const key of this.#parents.all()) this.#work.add(key);
    try {
      const status = await this.#loop();
      if (this.#crash !== undefined) throw this.#crash;
      return this.#outcome(status);
    } finally {
      off();
      this.#watches.close();
      cancelTimeout();
      cancelReport();
      signal.removeEventListener('abort', onAbort);
      this.#work.close();
    }
  }

  #changed(change: CacheChange): void {
    if (!this.#own.made(change)) this.#watches.works(change);
    for (const key of this.#parents.concernedBy(change)) {
      this.#moves.add(key, change);
      this.#work.add(key);
    }
  }

  async #loop(): Promise<Settled['status']> {
    for (;;) {
      this.#startWork();
      if (this.#stopped !== undefined && this.#running === 0) return this.#stopped;
      const settled = this.#settledStatus();
      if (settled === 'poll') await this.#woken(CAUGHT_UP_POLL_MS);
      else if (settled !== undefined) return settled;
      else await this.#woken();
    }
  }

  #startWork(): void {
    const { concurrency } = this.#options;
    while (this.#stopped === undefined && this.#running < concurrency) {
      const key = this.#work.take();
      if (key === undefined) return;
      this.#running++;
      void this.#process(key).finally(() => {
        this.#running--;
        this.#work.done(key);
        this.#wake();
      });
    }
  }

  #settledStatus(): Settled['status'] | 'poll' | undefined {
    if (this.#stopped !== undefined || !this.#work.idle || this.#running > 0) return undefined;
    const status = overall([...this.#standings.values()], this.#options.wait);
    return status === 'settled' && !this.#ports.cache.caughtUp() ? 'poll' : status;
  }

  #woken(afterMs?: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = afterMs === undefined ? undefined : this.#ports.clock.schedule(afterMs, resolve);
      this.#wake = () => {
        cancel?.();
        resolve();
      };
    });
  }

  #stop(status: Settled['status']): void {
    this.#stopped ??= status;
    this.#wake();
  }

  async #process(key: ParentKey): Promise<void> {
    try {
      const found = this.#parents.find(key);
      if (found) await this.#round(key, found);
      else this.#standings.delete(key);
    } catch (error) {
      if (this.#options.signal.aborted) return;
      this.#crash = error;
      this.#stop('failed');
    }
  }

  async #round(key: ParentKey, found: FoundParent): Promise<void> {
    const moved = this.#moves.takeForeign(key);
    const plan = await this.#plan(key, found);
    if (!plan) return;
    const { signal, onProgress, guard } = this.#options;
    const guarded = guard(plan);
    if (guarded.length > 0) {
      this.#problems.push(...guarded);
      return this.#stop('guarded');
    }
    const round = roundOf(plan, { moved, now: this.#ports.clock.now() });
    const { steps, held } = this.#restrain(plan, round);
    const ports = { ...this.#ports, cache: this.#recording };
    const applied: AppliedChange[] = [];
    for (const step of steps)
      applied.push(...(await executeStep(step, ports, { limit: this.#limit, signal, onProgress })));
    for (const { change, outcome } of applied) if (outcome.kind === 'done') this.#stability.record(change, round);
    this.#applied.push(...applied.filter(({ outcome }) => outcome.kind !== 'stale'));
    const { hooks, resyncPeriodSeconds } = found.controller.definition;
    const hookKind = plan.result.failedHook ?? hooks.sync.kind;
    const before = this.#standings.get(key) ?? { failures: 0, asks: 0 };
    this.#conclude(key, conclude({ plan, hookKind, resyncPeriodSeconds, applied, held, before }));
  }

  /** undefined: it could not be planned, and it has been noted why. */
  async #plan(key: ParentKey, { controller, parent }: FoundParent): Promise<ParentPlan | undefined> {
    const { signal, onProgress } = this.#options;
    this.#forgetIfDue(key, controller, parent);
    const options = { foresee: false, signal, memory: this.#memory };
    try {
      const { plan } = await reconcileParent(controller, { object: parent, live: true }, this.#ports, options);
      const changes = changesOfParent(plan).filter(isWrite).length;
      onProgress({ kind: 'parent.planned', parent: plan.parent, controller: plan.controller, changes });
      return plan;
    } catch (error) {
      if (signal.aborted) throw error;
      const subject = refOf(parent);
      const diagnostic = { ...readFailureOf(formatRef(subject), error), subject };
      const facts = { permanent: isPermanent(error), failuresBefore: this.#failuresOf(key) };
      this.#conclude(key, concludeUnread(diagnostic, facts));
      return undefined;
    }
  }

  /** Takes out what does not stay when it is written, until its delay is over. */
  #restrain(plan: ParentPlan, round: RoundFacts): { readonly steps: readonly Step[]; readonly held: Held } {
    const verdicts = new Map<Change, Verdict>();
    for (const change of changesOfParent(plan).filter(isWrite)) {
      const verdict = this.#stability.judge(change, round);
      if (verdict) verdicts.set(change, verdict);
    }
    for (const { diagnostic } of verdicts.values()) this.#tellOnce(diagnostic);
    const waits = [...verdicts.values()].map(({ waitMs }) => waitMs).filter((waitMs) => waitMs > 0);
    const goes = (change: Change): boolean => (verdicts.get(change)?.waitMs ?? 0) === 0;
    const steps = plan.steps.map((step) => ({
      ...step,
      waves: step.waves.map((wave) => ({ ...wave, changes: wave.changes.filter(goes) })),
    }));
    const diagnostics = [...verdicts.values()].map(({ diagnostic }) => diagnostic);
    return { steps, held: { changes: waits.length, waitMs: Math.min(...waits), diagnostics } };
  }

  #tellOnce(diagnostic: Diagnostic): void {
    const key = `${diagnostic.subject ? refKey(diagnostic.subject) : ''} ${diagnostic.path}`;
    if (this.#told.has(key)) return;
    this.#told.add(key);
    this.#options.onProgress({ kind: 'diagnostic', diagnostic });
  }

  #failuresOf(key: ParentKey): number {
    return this.#standings.get(key)?.failures ?? 0;
  }

  #conclude(key: ParentKey, { standing, next }: ReturnType<typeof conclude>): void {
    this.#standings.set(key, standing);
    if (next.kind === 'resync') this.#resync(key, next.seconds);
    else if (next.kind === 'again' && next.afterMs > 0) this.#work.addAfter(key, next.afterMs);
    else if (next.kind === 'again') this.#work.add(key);
  }

  #resync(key: ParentKey, seconds: number): void {
    const now = this.#ports.clock.now();
    const pending = this.#resyncAt.get(key) ?? 0;
    // One that is pending stays, or a parent that is looked at often would put its own resync off for ever.
    const at = pending > now ? Math.min(pending, now + seconds * 1_000) : now + seconds * 1_000;
    this.#resyncAt.set(key, at);
    this.#work.addAfter(key, at - now);
  }

  #forgetIfDue(key: ParentKey, { definition }: Controller, parent: KubeObject): void {
    if ((this.#resyncAt.get(key) ?? Number.POSITIVE_INFINITY) > this.#ports.clock.now()) return;
    this.#resyncAt.delete(key);
    this.#memory.forget(definitionId(definition), refOf(parent));
  }

  #reportWaiting(): () => void {
    let cancel = (): void => undefined;
    const arm = (): void => {
      cancel = this.#ports.clock.schedule(WAITING_REPORT_MS, () => {
        const on = this.#waitingOn();
        const elapsedMs = this.#ports.clock.now() - this.#started;
        if (on.length > 0) this.#options.onProgress({ kind: 'waiting', on, elapsedMs });
        arm();
      });
    };
    arm();
    return () => cancel();
  }

  #waitingOn(): WaitingOn[] {
    return [...this.#standings.values()].flatMap(({ waitingOn }) => waitingOn);
  }

  #unseen(): readonly Diagnostic[] {
    return this.#ports.cache.caughtUp() ? [] : [UNSEEN];
  }

  #outcome(status: Settled['status']): Settled {
    const standing = [...this.#standings.values()].flatMap(({ diagnostics }) => diagnostics);
    const diagnostics = [...this.#problems, ...standing];
    const unsettled = status === 'unsettled';
    return {
      // Out of time with an error: the error is why, and errors beat everything.
      status: unsettled && hasErrors(diagnostics) ? 'failed' : status,
      applied: this.#applied,
      waitingOn: this.#waitingOn(),
      diagnostics: unsettled ? [...diagnostics, ...this.#watches.warnings(), ...this.#unseen()] : diagnostics,
    };
  }
}

const UNSEEN: Diagnostic = {
  severity: 'warning',
  code: 'not-settled',
  summary: 'not all that was written has been seen on the watches: they are behind, or stand still',
  hint: 'Run the same command again; what is as it should be is not written again.',
};

/** Creations and deletions move things on, whoever they are by; so does a rollout, which can not go on for ever. */
function roundOf(plan: ParentPlan, { moved, now }: { readonly moved: boolean; readonly now: number }): RoundFacts {
  const moves = changesOfParent(plan).some(
    ({ action, reasons }) => action === 'create' || action === 'delete' || reasons.includes('revision_change'),
  );
  return { news: moved || moves, now };
}
