// Use case of `metactl watch`: plans, or applies, whenever a file, a hook or the cluster changes. The files have lives: each
// is prepared as for a plan, planned and shown; then what moves in the cluster is followed (by planning again, or by the
// loop, which writes) until a file changes. Nothing that is wrong ends it; a signal does.

import type { Diagnostic } from '../../model/diagnostic.ts';
import { DiagnosticError } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.ts';
import { openWorld, type World } from '../open.ts';
import type { AppEnvironment } from '../options.ts';
import { type Prepared, prepare } from '../prepare.ts';
import { diagnosticsOf } from '../problems.ts';
import { ApplyLife } from './apply-life.ts';
import { FileTriggers } from './file-triggers.ts';
import { mayBeWritten } from './local-context.ts';
import { Movement } from './movement.ts';
import { PlanLife } from './plan-life.ts';
import { newsOf } from './plan-news.ts';
import type { Trigger, WatchOptions, WatchOutcome } from './watch-options.ts';
import { watchRoots } from './watch-roots.ts';

/** A hook that failed, or a cluster that could not be reached, is tried again. */
const RETRY_MS = 5_000;

export async function runWatch(options: WatchOptions, environment: AppEnvironment): Promise<WatchOutcome> {
  try {
    if (options.paths.includes('-')) throw new DiagnosticError([NO_STDIN]);
    const world = await openWorld(options.cluster, environment);
    try {
      await new Watching(options, environment, world).run();
    } finally {
      await world.close();
    }
    return { status: 'stopped', diagnostics: [] };
  } catch (error) {
    const { signal } = environment;
    if (signal.aborted && error === signal.reason) return { status: 'stopped', diagnostics: [] };
    return { status: 'failed', diagnostics: diagnosticsOf(error) };
  }
}

const NO_STDIN: Diagnostic = {
  severity: 'error',
  code: 'usage',
  summary: 'standard input can not be watched',
  hint: 'Pass files or directories with -f.',
};

class Watching {
  readonly #options: WatchOptions;
  readonly #environment: AppEnvironment;
  readonly #world: World;
  readonly #files: FileTriggers;
  /** Shown last. */
  #plan: Plan | undefined;
  #trigger: Trigger = { kind: 'start' };

  constructor(options: WatchOptions, environment: AppEnvironment, world: World) {
    this.#options = options;
    this.#environment = environment;
    this.#world = world;
    this.#files = new FileTriggers(options.watchFiles);
  }

  async run(): Promise<void> {
    const { signal, files } = this.#environment;
    const writes = this.#options.apply && mayBeWritten(this.#world.target, this.#options.allowContexts);
    if (this.#options.apply && !writes)
      this.#options.onReport({ kind: 'only-plans', context: this.#world.target.name ?? '' });
    await this.#files.watch(watchRoots(this.#options.paths, [], files));
    try {
      while (!signal.aborted) this.#trigger = await this.#life(writes);
    } finally {
      await this.#files.close();
    }
  }

  /** Until the files change, or a signal comes; what it returns is why the next one begins. */
  async #life(writes: boolean): Promise<Trigger> {
    const prepared = await this.#prepare();
    if (!prepared) return this.#next(RETRY_MS);
    const life = new PlanLife(prepared, this.#options);
    const movement = new Movement(prepared.cache, life, this.#environment.clock);
    try {
      if (!(await this.#show(life))) return await this.#next(RETRY_MS);
      return writes && this.#plan ? await this.#apply(prepared, this.#plan) : await this.#follow(life, movement);
    } finally {
      movement.close();
      await prepared.close();
    }
  }

  /** undefined: the files or the cluster do not allow it, and that was told. */
  async #prepare(): Promise<Prepared | undefined> {
    const { signal, files } = this.#environment;
    // What is served may be why it looks again.
    this.#world.client.refresh();
    try {
      const prepared = await prepare(this.#options, this.#environment, { follow: true, world: this.#world });
      await this.#files.watch(watchRoots(this.#options.paths, prepared.definitions, files));
      return prepared;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      this.#problem(diagnosticsOf(error));
      return undefined;
    }
  }

  /** Plans and shows what differs from the last plan. False: there is no plan, and that was told. */
  async #show(life: PlanLife): Promise<boolean> {
    const { signal } = this.#environment;
    try {
      const plan = await life.plan(this.#options, this.#environment);
      const news = this.#plan ? newsOf(this.#plan, plan) : plan;
      const trigger = this.#trigger;
      this.#plan = plan;
      this.#options.onReport(news ? { kind: 'plan', plan, news, trigger } : { kind: 'unchanged', plan, trigger });
      return true;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      this.#problem(diagnosticsOf(error));
      return false;
    }
  }

  #problem(diagnostics: readonly Diagnostic[]): void {
    // Whatever comes next is news.
    this.#plan = undefined;
    this.#options.onReport({ kind: 'problem', diagnostics, trigger: this.#trigger });
  }

  async #follow(life: PlanLife, movement: Movement): Promise<Trigger> {
    await life.followInputs();
    for (;;) {
      const trigger = await this.#next(life.forgetFailed() ? RETRY_MS : undefined, movement.signal);
      const { inputs } = movement.take();
      if (trigger.kind === 'files' || inputs || this.#environment.signal.aborted) return trigger;
      this.#trigger = trigger;
      if (!(await this.#show(life))) return { kind: 'retry' };
    }
  }

  async #apply(prepared: Prepared, plan: Plan): Promise<Trigger> {
    const life = new ApplyLife(prepared, this.#options, this.#environment);
    const running = life.run(plan);
    // Tried again by itself only where it could not begin.
    const failed = new AbortController();
    void running.then((begun) => begun || failed.abort());
    let trigger = await this.#next(undefined, failed.signal);
    if (failed.signal.aborted && trigger.kind === 'cluster') trigger = await this.#next(RETRY_MS);
    life.stop();
    await running;
    return trigger;
  }

  /** The next change of a file, the signal, `moved`, or the time; whichever comes first. */
  async #next(afterMs?: number, moved?: AbortSignal): Promise<Trigger> {
    const { clock, signal } = this.#environment;
    const { promise, resolve } = Promise.withResolvers<Trigger>();
    const cancel = afterMs === undefined ? undefined : clock.schedule(afterMs, () => resolve({ kind: 'retry' }));
    const onSignal = (): void => resolve({ kind: 'retry' });
    const onMoved = (): void => resolve({ kind: 'cluster' });
    signal.addEventListener('abort', onSignal, { once: true });
    moved?.addEventListener('abort', onMoved, { once: true });
    if (signal.aborted) onSignal();
    if (moved?.aborted) onMoved();
    const off = this.#files.onChange((files) => resolve({ kind: 'files', files }));
    try {
      return await promise;
    } finally {
      off();
      cancel?.();
      signal.removeEventListener('abort', onSignal);
      moved?.removeEventListener('abort', onMoved);
    }
  }
}
