// watch --apply, while the files stay as they are: the inputs are written once, and then the loop follows the cluster.

import { Loop } from '../../loop/index.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Plan, WaitingOn } from '../../model/plan.ts';
import type { Progress } from '../../model/progress.ts';
import { checkGuards } from '../../plan/index.ts';
import { controllersNow, refusal } from '../apply.ts';
import { applyInputs } from '../apply-inputs.ts';
import type { AppEnvironment } from '../options.ts';
import { targetFilter } from '../parents.ts';
import type { Prepared } from '../prepare.ts';
import { diagnosticsOf, distinct } from '../problems.ts';
import { relatedOf } from '../related.ts';
import type { WatchOptions } from './watch-options.ts';

/** How long inputs may take: a CRD that is established, a server that restarts. */
const INPUTS_MS = 60_000;
const STANDING_MS = 300;

export class ApplyLife {
  readonly #prepared: Prepared;
  readonly #options: WatchOptions;
  readonly #environment: AppEnvironment;
  #loop: Loop | undefined;
  #stopped = false;
  #guarded: readonly Diagnostic[] = [];
  #told = '';

  constructor(prepared: Prepared, options: WatchOptions, environment: AppEnvironment) {
    this.#prepared = prepared;
    this.#options = options;
    this.#environment = environment;
  }

  /** Resolves when it was stopped and what was under way has ended. False: it could not begin, and that was told. */
  async run(plan: Plan): Promise<boolean> {
    const { signal } = this.#environment;
    // What is wrong with the plan has been shown with it.
    if (refusal(plan, this.#prepared)) return false;
    try {
      const { status, waitingOn, diagnostics } = await applyInputs(this.#prepared, this.#inputsOptions());
      if (status !== 'done') {
        this.#tell(waitingOn, diagnostics);
        return false;
      }
      await this.#follow();
      return true;
    } catch (error) {
      if (signal.aborted) return true;
      this.#tell([], diagnosticsOf(error));
      return false;
    }
  }

  stop(): void {
    this.#stopped = true;
    this.#loop?.stop();
  }

  #inputsOptions() {
    const { clock, signal } = this.#environment;
    const { concurrency } = this.#options;
    return { concurrency, signal, clock, deadline: clock.steady() + INPUTS_MS, onProgress: this.#onProgress };
  }

  readonly #onProgress = (progress: Progress): void =>
    this.#options.onProgress?.(this.#prepared.confidential.progress(progress));

  async #follow(): Promise<void> {
    const { clock, signal } = this.#environment;
    const prepared = this.#prepared;
    const { client } = prepared.world;
    const controllers = await controllersNow(prepared, this.#options);
    const related = relatedOf({ ...prepared, controllers, held: { holder: 'apply', clock } }, []);
    const ports = { ...prepared, related, clock, reader: client, writer: client, schemas: client };
    const { concurrency } = this.#options;
    let cancel: (() => void) | undefined;
    const standing = (): void => {
      cancel?.();
      cancel = clock.schedule(STANDING_MS, () => this.#standing(loop));
    };
    const loop = new Loop(ports, {
      target: targetFilter(this.#options),
      guard: (parentPlan) => checkGuards(parentPlan, this.#options),
      patience: 'endless',
      concurrency,
      workers: { all: concurrency, each: concurrency },
      signal,
      onProgress: this.#onProgress,
      onRound: standing,
      onGuarded: (problems) => {
        this.#guarded = distinct([...this.#guarded, ...problems]);
        standing();
      },
      onRefusedWatch: (problem) => this.#tell([], [problem]),
    });
    this.#loop = loop;
    if (this.#stopped) loop.stop();
    for (const controller of controllers) loop.add(controller);
    const over = (): boolean => (this.#stopped || signal.aborted) && loop.running === 0;
    try {
      await loop.run(() => (over() ? { kind: 'end', value: undefined } : { kind: 'wait' }));
    } finally {
      related.close();
      cancel?.();
    }
  }

  #standing(loop: Loop): void {
    if (!loop.idle) return;
    const standings = [...loop.standings.values()];
    const problems = standings.flatMap(({ diagnostics }) => diagnostics);
    this.#tell(
      standings.flatMap(({ waitingOn }) => waitingOn),
      distinct([...this.#guarded, ...problems]),
    );
  }

  /** What was told before is not told again. */
  #tell(waitingOn: readonly WaitingOn[], diagnostics: readonly Diagnostic[]): void {
    const { confidential } = this.#prepared;
    const report = {
      kind: 'standing',
      waitingOn: waitingOn.map(confidential.waitingOn),
      diagnostics: diagnostics.map(confidential.diagnostic),
    } as const;
    const text = JSON.stringify([report.waitingOn, report.diagnostics]);
    if (text === this.#told) return;
    this.#told = text;
    this.#options.onReport(report);
  }
}
