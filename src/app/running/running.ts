// The core of what runs for long (watch --apply, daemon): caches that follow the cluster, hooks, the loop, and the host of
// the controllers, put together once. What differs between the two comes in as options.

import { createLimiter } from '../../kit/concurrency.ts';
import {
  Loop,
  type LoopOptions,
  type ParentTarget,
  type QueueObserver,
  type RoundPorts,
  type RoundReport,
} from '../../loop/index.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { KubeObject } from '../../model/object.ts';
import type { ParentPlan } from '../../model/plan.ts';
import type { Progress } from '../../model/progress.ts';
import type { CacheScope, ObjectCache } from '../../ports/cache.ts';
import { ConnectionError } from '../../ports/errors.ts';
import type { HookCaller, WebhookWire } from '../../ports/hook.ts';
import type { WriteRequest, Writer } from '../../ports/write.ts';
import { type Controller, DryRuns } from '../../reconcile/index.ts';
import { entriesToKeep } from '../apply-settings.ts';
import type { Confidential } from '../confidential.ts';
import { openHooks } from '../hook-access.ts';
import { resourcesOf } from '../inputs.ts';
import type { World } from '../open.ts';
import type { AppEnvironment, PlanOptions } from '../options.ts';
import { targetFilter } from '../parents.ts';
import { ControllerHost, type HostListener } from './controller-host.ts';
import { RelatedRouter } from './related-router.ts';
import type { ShardServing } from './shard-serving.ts';

export interface RunningOptions extends PlanOptions {
  /** Parents of one controller in work at once. */
  readonly workers: number;
  /** How often what is served is looked for where no watch tells; absent or 0: when what waits is tried again. */
  readonly discoveryMs?: number;
}

export interface RunningParts {
  readonly world: World;
  readonly confidential: Confidential;
  /** Aborted: nothing more is started, not even a write of a round that is under way. */
  readonly signal: AbortSignal;
  /** Asked right before each write. */
  readonly mayWrite: (parent?: KubeObject) => boolean;
  /** Absent: all parents are looked at. */
  readonly shards?: ShardServing | undefined;
  readonly guard: (plan: ParentPlan) => readonly Diagnostic[];
  readonly onGuarded: LoopOptions['onGuarded'];
  readonly onRound: (round: RoundReport) => void;
  readonly onProgress: (progress: Progress) => void;
  /** A watch that fails, and is opened again. */
  readonly onWatchError: (error: Error, scope: CacheScope) => void;
  readonly onRefusedWatch: (problem: Diagnostic) => void;
  readonly host: HostListener;
  readonly aroundHooks?: (caller: HookCaller) => HookCaller;
  /** Of one who only looks: in the place of carrying steps out, and with all managedFields in the caches. */
  readonly shadow?: { readonly execute: LoopOptions['execute'] } | undefined;
  readonly wire?: WebhookWire;
  readonly queue?: QueueObserver;
  readonly aroundRounds?: LoopOptions['around'];
}

export interface Running {
  readonly cache: ObjectCache;
  readonly loop: Loop;
  readonly host: ControllerHost;
  readonly ports: RoundPorts;
  /** After the loop has ended. */
  close(): Promise<void>;
}

/** Parents in work over all controllers, for each that one controller may have: enough for a few slow hooks. */
const CONTROLLERS_AT_ONCE = 8;

export async function openRunning(
  options: RunningOptions,
  environment: AppEnvironment,
  parts: RunningParts,
): Promise<Running> {
  const { world, confidential, signal } = parts;
  const { client } = world;
  const { clock } = environment;
  const { createCache } = await import('../../cluster/index.ts');
  const keepManagedFields = parts.shadow ? () => true : keptEntries(() => host.controllers);
  const { shards, mayWrite } = parts;
  const kept = shards ? { keeps: shards.keeps } : {};
  const cache = createCache(client, { follow: true, clock, keepManagedFields, ...kept });
  const offErrors = cache.onError(parts.onWatchError);
  const opened = await openHooks(options, environment, { confidential, world, wire: parts.wire });
  const hooks = parts.aroundHooks?.(opened) ?? opened;
  const related = new RelatedRouter();
  const writer = fenced(client, () => mayWrite());
  const dryRuns = new DryRuns({ predictor: client, clock, limit: createLimiter(options.concurrency) });
  const ports = { cache, hooks, related, dryRuns, clock, reader: client, writer, schemas: client };
  const loop = new Loop(ports, {
    target: shards ? bothOf(targetFilter(options), shards.serves) : targetFilter(options),
    writerOf: (parent) => {
      const permit = shards?.permitFor(parent) ?? (() => true);
      return fenced(client, () => permit() && mayWrite(parent));
    },
    guard: parts.guard,
    patience: 'endless',
    concurrency: options.concurrency,
    workers: { each: options.workers, all: options.workers * CONTROLLERS_AT_ONCE },
    signal,
    onProgress: (progress) => parts.onProgress(confidential.progress(progress)),
    onRound: parts.onRound,
    onGuarded: parts.onGuarded,
    onRefusedWatch: parts.onRefusedWatch,
    execute: parts.shadow?.execute,
    queue: parts.queue,
    around: parts.aroundRounds,
  });
  const { namespace, discoveryMs: lookAgainMs = 0 } = options;
  const again = lookAgainMs > 0 ? { lookAgainMs } : {};
  const resources = resourcesOf(client, []);
  const host = new ControllerHost(
    { world, cache, resources, related, loop, clock, namespace, shards, ...again },
    parts.host,
  );
  shards?.attach({ cache, loop, clock, drainMs: HAND_OVER_MS, onCrash: (error) => parts.host.onCrash(error) });
  const close = async (): Promise<void> => {
    await host.close();
    related.close();
    offErrors();
    await hooks.close();
    await cache.close();
  };
  return { cache, loop, host, ports, close };
}

/** By the controllers of the moment, worked out anew only when these change. */
function keptEntries(controllersNow: () => readonly Controller[]): ReturnType<typeof entriesToKeep> {
  let controllers: readonly Controller[] = [];
  let keeps = entriesToKeep(controllers);
  return (type, entry) => {
    const now = controllersNow();
    if (now !== controllers) keeps = entriesToKeep(now);
    controllers = now;
    return keeps(type, entry);
  };
}

/** What is under way in a shard that is handed over may take so long. */
const HAND_OVER_MS = 20_000;

const bothOf =
  (a: ParentTarget, b: ParentTarget): ParentTarget =>
  (parent, definition) =>
    a(parent, definition) && b(parent, definition);

/** No write starts when it may not. What is in flight then is guarded by what it carries. */
function fenced(writer: Writer, mayWrite: () => boolean): Writer {
  return {
    write: async (request: WriteRequest) => {
      if (!mayWrite()) throw new ConnectionError('the lease is lost: nothing is written any more', request.verb);
      return writer.write(request);
    },
  };
}
