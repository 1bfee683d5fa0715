// The loop with an end: what `metactl apply` is after its inputs are written.
// Settled: every parent's last plan is empty, all own writes have come back on the watch, every child is healthy.

import { type Diagnostic, hasErrors } from '../model/diagnostic.ts';
import type { ParentPlan, WaitingOn } from '../model/plan.ts';
import type { AppliedChange, Progress } from '../model/progress.ts';
import type { Controller } from '../reconcile/index.ts';
import { Loop, type Verdict } from './loop.ts';
import type { ParentTarget } from './parents.ts';
import type { RoundPorts } from './round.ts';
import { overall } from './standing.ts';

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

export function settle(ports: RoundPorts, options: SettleOptions): Promise<Settled> {
  return new Settling(ports, options).run();
}

class Settling {
  readonly #ports: RoundPorts;
  readonly #options: SettleOptions;
  readonly #loop: Loop;
  readonly #applied: AppliedChange[] = [];
  readonly #started: number;
  /** Of the run, not of one parent: guards, watches that are refused. */
  readonly #problems: Diagnostic[] = [];
  #stopped: Settled['status'] | undefined;

  constructor(ports: RoundPorts, options: SettleOptions) {
    const { target, guard, concurrency, onProgress } = options;
    this.#ports = ports;
    this.#options = options;
    this.#started = ports.clock.steady();
    this.#loop = new Loop(ports, {
      target,
      guard,
      concurrency,
      onProgress,
      patience: 'of-a-run',
      workers: { all: concurrency, each: concurrency },
      signal: options.signal,
      onRound: ({ applied }) => this.#applied.push(...applied.filter(({ outcome }) => outcome.kind !== 'stale')),
      onGuarded: (problems) => this.#failWith('guarded', problems),
      onRefusedWatch: (problem) => this.#failWith('failed', [problem]),
    });
  }

  async run(): Promise<Settled> {
    const { controllers, signal, timeoutMs } = this.#options;
    const cancelTimeout = this.#ports.clock.schedule(timeoutMs, () => this.#stop('unsettled'));
    const cancelReport = this.#reportWaiting();
    const onAbort = (): void => this.#stop('interrupted');
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    for (const controller of controllers) this.#loop.add(controller);
    try {
      return this.#outcome(await this.#loop.run(() => this.#verdict()));
    } finally {
      cancelTimeout();
      cancelReport();
      signal.removeEventListener('abort', onAbort);
    }
  }

  #verdict(): Verdict<Settled['status']> {
    if (this.#stopped !== undefined)
      return this.#loop.running === 0 ? { kind: 'end', value: this.#stopped } : { kind: 'wait' };
    if (!this.#loop.idle) return { kind: 'wait' };
    const status = overall([...this.#loop.standings.values()], this.#options.wait);
    if (status === undefined) return { kind: 'wait' };
    const behind = status === 'settled' && !this.#ports.cache.caughtUp();
    return behind ? { kind: 'poll', ms: CAUGHT_UP_POLL_MS } : { kind: 'end', value: status };
  }

  #stop(status: Settled['status']): void {
    this.#stopped ??= status;
    this.#loop.stop();
  }

  #failWith(status: 'guarded' | 'failed', problems: readonly Diagnostic[]): void {
    if (status === 'guarded' || this.#stopped === undefined) this.#problems.push(...problems);
    this.#stop(status);
  }

  #reportWaiting(): () => void {
    let cancel = (): void => undefined;
    const arm = (): void => {
      cancel = this.#ports.clock.schedule(WAITING_REPORT_MS, () => {
        const on = this.#waitingOn();
        const elapsedMs = this.#ports.clock.steady() - this.#started;
        if (on.length > 0) this.#options.onProgress({ kind: 'waiting', on, elapsedMs });
        arm();
      });
    };
    arm();
    return () => cancel();
  }

  #waitingOn(): WaitingOn[] {
    return [...this.#loop.standings.values()].flatMap(({ waitingOn }) => waitingOn);
  }

  #unseen(): readonly Diagnostic[] {
    return this.#ports.cache.caughtUp() ? [] : [UNSEEN];
  }

  #outcome(status: Settled['status']): Settled {
    const standing = [...this.#loop.standings.values()].flatMap(({ diagnostics }) => diagnostics);
    const diagnostics = [...this.#problems, ...standing];
    const unsettled = status === 'unsettled';
    return {
      // Out of time with an error: the error is why, and errors beat everything.
      status: unsettled && hasErrors(diagnostics) ? 'failed' : status,
      applied: this.#applied,
      waitingOn: this.#waitingOn(),
      diagnostics: unsettled ? [...diagnostics, ...this.#loop.watchWarnings(), ...this.#unseen()] : diagnostics,
    };
  }
}

const UNSEEN: Diagnostic = {
  severity: 'warning',
  code: 'not-settled',
  summary: 'not all that was written has been seen on the watches: they are behind, or stand still',
  hint: 'Run the same command again; what is as it should be is not written again.',
};
