// reconcile + apply until there is nothing left to do: what `metactl apply` is after its inputs are written.
// Settled: every parent's last plan is empty, all own writes have come back on the watch, every child is healthy.

import { type ExecutePorts, executeStep } from '../apply/index.ts';
import { backoffDelay } from '../kit/backoff.ts';
import type { Clock } from '../kit/clock.ts';
import { createLimiter } from '../kit/concurrency.ts';
import { definitionId } from '../model/definition.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { KubeObject } from '../model/object.ts';
import { changesOfParent, isWrite, type ParentPlan, type WaitingOn } from '../model/plan.ts';
import type { AppliedChange, Progress } from '../model/progress.ts';
import { refOf } from '../model/ref.ts';
import type { ObjectCache } from '../ports/cache.ts';
import { AnswerMemory, type Controller, type ReconcilePorts, reconcileParent } from '../reconcile/index.ts';
import { type FoundParent, type ParentKey, Parents, type ParentTarget } from './parents.ts';
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

/** How it stands with one parent after its last round. */
interface Standing {
  readonly writes: number;
  readonly waitingOn: readonly WaitingOn[];
  readonly diagnostics: readonly Diagnostic[];
  readonly failures: number;
  /** Errors that another round will not mend. */
  readonly hopeless: boolean;
}

const RETRY = { base: 500, cap: 30_000 };
const STALE = { base: 20, cap: 2_000 };
// A webhook may be on its way up; a local hook that failed twice has an error in it.
const HOOK_ATTEMPTS = { webhook: 6, exec: 2, module: 1 };
const CAUGHT_UP_POLL_MS = 20;
const WAITING_REPORT_MS = 10_000;

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
  readonly #applied: AppliedChange[] = [];
  readonly #limit;
  readonly #started: number;
  #running = 0;
  #guarded: readonly Diagnostic[] = [];
  #stopped: Settled['status'] | undefined;
  #crash: unknown;
  #wake: () => void = () => undefined;

  constructor(ports: SettlePorts, options: SettleOptions) {
    this.#ports = ports;
    this.#options = options;
    this.#parents = new Parents(options.controllers, ports.cache, options.target);
    this.#work = new WorkSet(ports.clock, () => this.#wake());
    this.#limit = createLimiter(options.concurrency);
    this.#started = ports.clock.now();
  }

  async run(): Promise<Settled> {
    const { cache, clock } = this.#ports;
    const { signal, timeoutMs } = this.#options;
    const off = cache.onChange((change) => {
      for (const key of this.#parents.concernedBy(change)) this.#work.add(key);
    });
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
      cancelTimeout();
      cancelReport();
      signal.removeEventListener('abort', onAbort);
      this.#work.close();
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
    const standings = [...this.#standings.values()];
    const failing = standings.filter(({ diagnostics }) => diagnostics.some(({ severity }) => severity === 'error'));
    if (failing.some(({ hopeless }) => !hopeless)) return undefined;
    if (failing.length > 0) return 'failed';
    if (this.#options.wait && standings.some(({ waitingOn }) => waitingOn.length > 0)) return undefined;
    if (standings.some(({ writes }) => writes > 0)) return undefined;
    return this.#ports.cache.caughtUp() ? 'settled' : 'poll';
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

  async #round(key: ParentKey, { controller, parent }: FoundParent): Promise<void> {
    const { signal, onProgress, guard } = this.#options;
    this.#forgetIfDue(key, controller, parent);
    const options = { foresee: false, signal, memory: this.#memory };
    const { plan } = await reconcileParent(controller, { object: parent, live: true }, this.#ports, options);
    const writes = changesOfParent(plan).filter(isWrite).length;
    onProgress({ kind: 'parent.planned', parent: plan.parent, controller: plan.controller, changes: writes });
    const guarded = guard(plan);
    if (guarded.length > 0) {
      this.#guarded = [...this.#guarded, ...guarded];
      return this.#stop('guarded');
    }
    const applied: AppliedChange[] = [];
    for (const step of plan.steps)
      applied.push(...(await executeStep(step, this.#ports, { limit: this.#limit, signal, onProgress })));
    this.#applied.push(...applied.filter(({ outcome }) => outcome.kind !== 'stale'));
    this.#conclude(key, plan, applied, controller);
  }

  #conclude(key: ParentKey, plan: ParentPlan, applied: readonly AppliedChange[], controller: Controller): void {
    const before = this.#standings.get(key)?.failures ?? 0;
    const failed = applied.flatMap(({ outcome }) => (outcome.kind === 'failed' ? outcome : []));
    const stale = applied.some(({ outcome }) => outcome.kind === 'stale');
    const transient = failed.some(({ permanent }) => !permanent);
    const hook = controller.definition.hooks.sync.kind;
    const retriesHook = plan.result.kind === 'retry' && plan.diagnostics.length > 0 && before + 1 < HOOK_ATTEMPTS[hook];
    const again = stale || transient || retriesHook;
    const diagnostics = [...plan.diagnostics, ...failed.map(({ diagnostic }) => diagnostic)];
    const failures = again || diagnostics.length > 0 ? before + 1 : 0;
    const writes = applied.filter(({ outcome }) => outcome.kind === 'done' || outcome.kind === 'stale').length;
    const { waitingOn, resyncAfterSeconds } = plan.result;
    this.#standings.set(key, { writes, waitingOn, diagnostics, failures, hopeless: !again });
    if (again) this.#work.addAfter(key, retryDelay({ stale, failures, resyncAfterSeconds }));
    else if (writes > 0) this.#work.add(key);
    else if (resyncAfterSeconds !== undefined && diagnostics.length === 0) this.#resync(key, resyncAfterSeconds);
  }

  #resync(key: ParentKey, seconds: number): void {
    this.#resyncAt.set(key, this.#ports.clock.now() + seconds * 1_000);
    this.#work.addAfter(key, seconds * 1_000);
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

  #outcome(status: Settled['status']): Settled {
    const diagnostics = [...this.#standings.values()].flatMap((standing) => standing.diagnostics);
    return {
      status,
      applied: this.#applied,
      waitingOn: this.#waitingOn(),
      diagnostics: [...this.#guarded, ...diagnostics],
    };
  }
}

interface RetryReason {
  readonly stale: boolean;
  readonly failures: number;
  readonly resyncAfterSeconds: number | undefined;
}

function retryDelay({ stale, failures, resyncAfterSeconds }: RetryReason): number {
  if (resyncAfterSeconds !== undefined && !stale) return resyncAfterSeconds * 1_000;
  return backoffDelay(stale ? STALE : RETRY, failures - 1);
}
