// What the leader does: follows the definitions, hosts their controllers, runs the loop, and says so in log and Events.

import type { Metrics, Pulse, Tracing } from '../../daemon/index.ts';
import type { Loop } from '../../loop/index.ts';
import { type Definition, definitionId } from '../../model/definition.ts';
import { type Diagnostic, DiagnosticError, hasErrors } from '../../model/diagnostic.ts';
import type { KubeObject } from '../../model/object.ts';
import { refOf } from '../../model/ref.ts';
import { groupResourceOf } from '../../model/resource.ts';
import type { ShadowReport } from '../../model/shadow.ts';
import type { EventRecorder } from '../../ports/events.ts';
import type { Logger } from '../../ports/log.ts';
import { foretell, type Shadow } from '../../shadow/index.ts';
import type { Confidential } from '../confidential.ts';
import { conflictingControllers } from '../conflicting-controllers.ts';
import type { World } from '../open.ts';
import type { AppEnvironment } from '../options.ts';
import type { HostedState } from './controller-host.ts';
import { ControllerReports } from './controller-reports.ts';
import type { DaemonOptions } from './daemon-options.ts';
import { DefinitionWatch } from './definition-watch.ts';
import { sickness, unreadiness } from './health.ts';
import { definitionsOfFiles, readDefinition } from './read-definitions.ts';
import { reportRound } from './round-reports.ts';
import { openRunning, type Running } from './running.ts';
import { openShadow } from './shadowing.ts';
import type { ShardServing } from './shard-serving.ts';
import { WatchHealth } from './watch-health.ts';

export interface LeadingParts {
  readonly options: DaemonOptions;
  readonly environment: AppEnvironment;
  readonly world: World;
  readonly log: Logger;
  readonly events: EventRecorder;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  readonly pulse: Pulse;
  readonly confidential: Confidential;
  /** Asked right before each write that is for the parent. */
  readonly mayWrite: (parent?: KubeObject) => boolean;
  /** Absent: all parents are looked at. */
  readonly shards?: ShardServing | undefined;
}

export class Leading {
  readonly #parts: LeadingParts;
  readonly #reports: ControllerReports;
  /** Aborted: nothing more is written, not even of rounds under way. */
  readonly #abandoned = new AbortController();
  #running: Running | undefined;
  #shadow: Shadow | undefined;
  #watchHealth: WatchHealth | undefined;
  #watch: DefinitionWatch | undefined;
  #started = false;
  #stopping = false;
  #crash: { readonly error: unknown } | undefined;

  constructor(parts: LeadingParts) {
    this.#parts = parts;
    this.#reports = new ControllerReports(parts);
  }

  /** Resolves when it was told to stop and what was under way has ended. Throws defects of ours, and what keeps it from beginning. */
  async run(): Promise<void> {
    const { signal } = this.#parts.environment;
    const running = await this.#open();
    this.#running = running;
    this.#watchHealth = new WatchHealth(running.cache, this.#parts.environment.clock);
    this.#shadow = this.#shadowOf(running);
    const cancels = [this.#flushing(), this.#draining(), this.#limiting()];
    const watch = this.#watching(running);
    this.#watch = watch;
    try {
      // The loop is on before the first controller is: nothing that happens meanwhile is lost.
      const begun = signal.aborted ? undefined : this.#begin(running, watch).catch((error) => this.#crashed(error));
      await running.loop.run(() => this.#verdict(running));
      await begun;
    } finally {
      for (const cancel of cancels) cancel();
      this.#shadow?.close();
      this.#watchHealth.close();
      await watch.close();
      await running.close();
    }
    if (this.#crash) throw this.#crash.error;
  }

  /** The lease is lost: nothing more is written. */
  abandon(): void {
    this.#abandoned.abort(new Error('the lease is lost'));
    this.#stop();
  }

  loads(): ReturnType<Loop['loads']> {
    return this.#running?.loop.loads() ?? new Map();
  }

  cacheSizes(): ReadonlyMap<string, number> {
    return this.#running?.cache.sizes() ?? new Map();
  }

  controllers(): readonly { readonly controller: string; readonly state: HostedState['kind'] }[] {
    const states = this.#running?.host.states() ?? [];
    return states.map(({ definition, state }) => ({ controller: definitionId(definition), state: state.kind }));
  }

  /** Of the moment, or of the end. undefined: it is no shadow, or not begun. */
  shadowReport(): ShadowReport | undefined {
    return this.#shadow?.report();
  }

  sick(): string | undefined {
    const quietMs = this.#parts.pulse.quietMs();
    return sickness({ crashed: this.#crash !== undefined, stopping: this.#stopping, loads: this.loads(), quietMs });
  }

  notReady(): string | undefined {
    const lostWatches = this.#watchHealth?.lost() ?? [];
    const phase = { started: this.#started, stopping: this.#stopping };
    const unfollowed = this.#watch?.unfollowed() ?? [];
    return unreadiness({ ...phase, controllers: this.controllers(), lostWatches, unfollowed });
  }

  #open(): Promise<Running> {
    const { options, environment, world, confidential, log, metrics, tracing, pulse, mayWrite, shards } = this.#parts;
    return openRunning(options, environment, {
      world,
      confidential,
      mayWrite,
      shards,
      signal: this.#abandoned.signal,
      guard: () => [],
      onGuarded: () => undefined,
      onRound: (round) => {
        // What became of a parent that is another one's now is that one's to tell.
        const { parent, controller } = round.found;
        if (shards && !shards.serves(parent, definitionId(controller.definition))) return;
        reportRound(round, this.#parts);
        if (round.plan) this.#shadow?.planned(round.plan);
      },
      shadow: options.shadow ? { execute: foretell } : undefined,
      onProgress: () => undefined,
      onWatchError: (error, { type }) => {
        const resource = groupResourceOf(type);
        metrics.watchFailed(resource);
        log.warn('Watch failed, and is opened again', { resource, error: error.message });
      },
      onRefusedWatch: ({ summary, hint }) => log.error('Watch refused', { error: summary, hint }),
      host: {
        onState: (definition, state) => this.#state(definition, state),
        onCrash: (error) => this.#crashed(error),
      },
      aroundHooks: (caller) => pulse.aroundHooks(metrics.countHooks(tracing.traceHooks(caller))),
      wire: { onWire: metrics.onWire, onStatus: metrics.onStatus, headers: tracing.headers },
      aroundRounds: ({ controller, parent }, round) =>
        tracing.round({ controller: definitionId(controller.definition), parent: refOf(parent) }, round),
      queue: metrics.queue,
    });
  }

  #state(definition: Definition, state: HostedState): void {
    this.#reports.state(definition, state);
    // Those of files were compared when they were read.
    if (state.kind === 'running' && definition.fromCluster)
      this.#reports.conflicts(definition, conflictsOf(definition, this.#running?.host.states() ?? []));
    // One that only changes goes on counting.
    const id = definitionId(definition);
    const isThere = this.controllers().some(({ controller }) => controller === id);
    if (state.kind === 'stopped' && !isThere) this.#host(() => this.#parts.metrics.forget(id));
  }

  #shadowOf(running: Running): Shadow | undefined {
    const { options, ...parts } = this.#parts;
    const onCrash = (error: unknown): void => this.#crashed(error);
    return options.shadow && openShadow(running, { ...parts, settings: options.shadow, onCrash });
  }

  #watching({ host, cache }: Running): DefinitionWatch {
    const { options, environment, world, log } = this.#parts;
    const { clock } = environment;
    const read = (object: KubeObject) => readDefinition(object, options, environment);
    const { controllerSelector: labelSelector, discoveryMs = 0 } = options;
    const parts = { client: world.client, cache, clock, labelSelector, discoveryMs, read };
    return new DefinitionWatch(parts, {
      onDefinition: (definition) => this.#host(() => host.set(definition)),
      onNone: (id, object, problems) => {
        this.#reports.refused(refOf(object), problems);
        this.#host(() => host.delete(id));
      },
      onResourcesChanged: () => this.#host(() => host.resourcesChanged()),
      onProblem: ({ summary, hint }) => log.error('Not followed', { error: summary, hint }),
      onCrash: (error) => this.#crashed(error),
    });
  }

  async #begin({ host, loop, cache }: Running, watch: DefinitionWatch): Promise<void> {
    const { options, environment, log } = this.#parts;
    const fromFiles = options.paths.length > 0;
    const found = fromFiles ? await definitionsOfFiles(options, environment) : { definitions: [], problems: [] };
    for (const { severity, code, summary, hint } of found.problems)
      log[severity === 'error' ? 'error' : 'warn']('Definitions', { code, error: summary, hint });
    if (hasErrors(found.problems)) throw new DiagnosticError(found.problems);
    await watch.start({ definitions: !fromFiles });
    if (!fromFiles && !watch.followsControllers && watch.unfollowed().length === 0)
      log.warn('No kind of controller is served: waiting for the CRDs of metacontroller.k8s.io');
    await Promise.all(found.definitions.map((definition: Definition) => host.set(definition)));
    this.#started = true;
    options.onStarted?.({ idle: () => loop.idle, caughtUp: () => cache.caughtUp() });
    log.info('Started', {
      controllers: host
        .states()
        .map(({ definition }) => definitionId(definition))
        .join(' '),
    });
  }

  #verdict({ loop }: Running) {
    // A request that hangs is not waited for where the time is up, or where somebody else is the leader.
    const over = this.#stopping && (loop.running === 0 || this.#abandoned.signal.aborted);
    if (!over) return { kind: 'wait' } as const;
    return { kind: 'end', value: undefined } as const;
  }

  /** What the host is told to do goes on beside everything else. */
  #host(work: () => Promise<void>): void {
    work().catch((error: unknown) => this.#crashed(error));
  }

  #crashed(error: unknown): void {
    // What ends because we stop is no defect.
    if (!this.#stopping) this.#crash ??= { error };
    this.#stop();
  }

  #stop(): void {
    this.#stopping = true;
    this.#running?.loop.stop();
  }

  /** A signal: rounds under way are finished, for as long as that may take. */
  #draining(): () => void {
    const { environment, options, log } = this.#parts;
    const { signal, clock } = environment;
    let cancelLimit = (): void => undefined;
    const drain = (): void => {
      log.info('Stopping: what is under way is finished', { rounds: this.#running?.loop.running });
      this.#stop();
      cancelLimit = clock.schedule(options.drainMs, () => this.#abandoned.abort(new Error('the time is up')));
    };
    if (signal.aborted) drain();
    signal.addEventListener('abort', drain, { once: true });
    return () => {
      signal.removeEventListener('abort', drain);
      cancelLimit();
    };
  }

  /** A shadow that was given a time. */
  #limiting(): () => void {
    const { environment, options } = this.#parts;
    const forMs = options.shadow?.forMs;
    return forMs === undefined ? () => undefined : environment.clock.schedule(forMs, () => this.#stop());
  }

  #flushing(): () => void {
    const { environment, options, log } = this.#parts;
    let cancel = (): void => undefined;
    const arm = (): void => {
      if (options.flushMs <= 0) return;
      cancel = environment.clock.schedule(options.flushMs, () => {
        log.debug('All parents are looked at again, and their hooks asked');
        this.#running?.loop.resync();
        arm();
      });
    };
    arm();
    return () => cancel();
  }
}

/** With those that run. */
function conflictsOf(definition: Definition, hosted: ReturnType<Running['host']['states']>): readonly Diagnostic[] {
  const others = hosted.filter(({ state }) => state.kind === 'running').map((one) => one.definition);
  const ofOthers = others.filter((other) => definitionId(other) !== definitionId(definition));
  return ofOthers.flatMap((other) => conflictingControllers([other, definition]));
}
