// The controllers of a process that runs for long: they come, change and go while the loop runs. One whose resources are not
// served yet, or may not be read, waits, and starts when that has changed; the others don't depend on it. One that runs goes on
// where the server can't say what it serves.

import { backoffDelay } from '../../kit/backoff.ts';
import type { Clock } from '../../kit/clock.ts';
import { getOwn, type JsonValue, jsonEqual } from '../../kit/json.ts';
import type { Loop } from '../../loop/index.ts';
import { type Definition, definitionId } from '../../model/definition.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { ObjectCache } from '../../ports/cache.ts';
import { isApiError } from '../../ports/errors.ts';
import type { Controller } from '../../reconcile/index.ts';
import { openCaches, resolveControllers } from '../controllers.ts';
import type { Resources } from '../inputs.ts';
import { diagnosticsOf } from '../problems.ts';
import { type RelatedSetting, relatedOf } from '../related.ts';
import type { RelatedRouter } from './related-router.ts';
import type { ShardServing } from './shard-serving.ts';

export interface HostParts {
  readonly world: RelatedSetting['world'];
  readonly cache: ObjectCache;
  readonly resources: Resources;
  readonly related: RelatedRouter;
  readonly loop: Pick<Loop, 'add' | 'remove'>;
  readonly clock: Clock;
  /** What waits is looked at again after so long at the latest. Default: a minute. */
  readonly lookAgainMs?: number | undefined;
  /** Parents of this namespace only. */
  readonly namespace?: string | undefined;
  /** Absent: all parents are looked at. */
  readonly shards?: ShardServing | undefined;
}

/** How it stands with one controller. */
export type HostedState =
  | { readonly kind: 'starting' | 'running' | 'stopping' | 'stopped' }
  /** It can't run as things are; tried again after a while, and when the resources of the cluster change. */
  | { readonly kind: 'waiting'; readonly problems: readonly Diagnostic[] };

export interface HostListener {
  onState(definition: Definition, state: HostedState): void;
  /** A defect of ours met in the background: the process should not go on as if nothing were. */
  onCrash(error: unknown): void;
}

interface Hosted {
  readonly definition: Definition;
  state: HostedState;
  /** The state that the listener knows. */
  told: HostedState;
  /** With the resources found; none while it waits or has stopped. */
  controllers: readonly Controller[];
  failures: number;
  cancelRetry: () => void;
}

const RETRY_MS = { base: 1_000, cap: 60_000 };

export class ControllerHost {
  readonly #parts: HostParts;
  readonly #listener: HostListener;
  readonly #hosted = new Map<string, Hosted>();
  /** What is done to one controller is done in turn; different ones do not wait for each other. */
  readonly #turns = new Map<string, Promise<void>>();
  #controllers: readonly Controller[] | undefined;
  #closed = false;

  constructor(parts: HostParts, listener: HostListener) {
    this.#parts = parts;
    this.#listener = listener;
  }

  /** Starts it, or starts it anew where it differs from the one that runs. Resolves when it runs or waits. */
  set(definition: Definition): Promise<void> {
    return this.#inTurn(definitionId(definition), async () => {
      const known = this.#hosted.get(definitionId(definition));
      if (known && isSame(known.definition, definition)) return;
      if (known) await this.#stop(known);
      if (this.#closed) return;
      const hosted = newlyHosted(definition);
      this.#hosted.set(definitionId(definition), hosted);
      await this.#start(hosted);
    });
  }

  /** Its rounds end, and what only it looked at is watched no longer. Finalizers of its parents stay. */
  delete(id: string): Promise<void> {
    return this.#inTurn(id, async () => {
      const known = this.#hosted.get(id);
      if (!known) return;
      this.#hosted.delete(id);
      await this.#stop(known);
    });
  }

  /** CRDs came, changed or went. */
  async resourcesChanged(): Promise<void> {
    this.#parts.world.client.refresh();
    // Discovery lists a new resource a moment after its CRD is established.
    for (const hosted of this.#hosted.values()) hosted.failures = 0;
    await Promise.all([...this.#hosted.keys()].map((id) => this.#inTurn(id, () => this.#lookAgain(id))));
  }

  /** Of each definition, in the order in which they came. */
  states(): readonly { readonly definition: Definition; readonly state: HostedState }[] {
    return [...this.#hosted.values()].map(({ definition, told }) => ({ definition, state: told }));
  }

  /** Of those that run: their caches may be read. */
  get running(): readonly Controller[] {
    const all = [...this.#hosted.values()];
    return all.flatMap(({ state, controllers }) => (state.kind === 'running' ? controllers : []));
  }

  /** Of all that run or are about to. The same list until that changes. */
  get controllers(): readonly Controller[] {
    this.#controllers ??= [...this.#hosted.values()].flatMap(({ controllers }) => controllers);
    return this.#controllers;
  }

  /** Nothing is started any more. Controllers that run go on until the loop ends. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { cancelRetry } of this.#hosted.values()) cancelRetry();
    await Promise.all(this.#turns.values());
  }

  async #lookAgain(id: string): Promise<void> {
    const hosted = this.#hosted.get(id);
    if (!hosted || this.#closed) return;
    if (hosted.state.kind === 'waiting') return this.#start(hosted);
    if (hosted.state.kind !== 'running') return;
    hosted.cancelRetry();
    const { problems, unknown } = await this.#resolve(hosted.definition);
    // "Can't be read now" must not pass for "not served": it goes on, and its watches tell what they meet.
    if (unknown) return this.#scheduleLook(hosted);
    hosted.failures = 0;
    if (problems.length === 0) return;
    await this.#stop(hosted);
    this.#wait(hosted, problems);
  }

  async #start(hosted: Hosted): Promise<void> {
    const { definition } = hosted;
    const { cache, related, loop, shards, clock } = this.#parts;
    const holder = definitionId(definition);
    hosted.cancelRetry();
    this.#tell(hosted, { kind: 'starting' });
    const { controllers, problems } = await this.#resolve(definition);
    if (problems.length > 0) return this.#wait(hosted, problems);
    // Known before their objects are read: what of these is kept depends on them.
    this.#known(hosted, controllers);
    shards?.opening(holder);
    const denied = await this.#open(controllers, holder);
    if (this.#closed) return;
    if (denied.length > 0) {
      shards?.closed(holder);
      cache.release(holder);
      this.#known(hosted, []);
      return this.#wait(hosted, denied);
    }
    hosted.failures = 0;
    related.set(holder, relatedOf({ ...this.#parts, controllers, held: { holder, clock } }, []));
    shards?.opened(holder);
    for (const controller of controllers) loop.add(controller);
    this.#tell(hosted, { kind: 'running' });
  }

  /** `unknown`: what is served could not be learned, and the problems say why. */
  async #resolve(definition: Definition) {
    const { resources, namespace, shards } = this.#parts;
    try {
      const { controllers, diagnostics } = await resolveControllers([definition], resources, {
        namespace,
        sharded: shards !== undefined,
      });
      return { controllers, problems: diagnostics, unknown: false };
    } catch (error) {
      return { controllers: [], problems: diagnosticsOf(error), unknown: !isApiError(error, 403) };
    }
  }

  #known(hosted: Hosted, controllers: readonly Controller[]): void {
    hosted.controllers = controllers;
    this.#controllers = undefined;
  }

  async #open(controllers: readonly Controller[], holder: string): Promise<readonly Diagnostic[]> {
    try {
      return await openCaches(controllers, this.#parts.cache, holder);
    } catch (error) {
      // Lists that were under way when the process is told to stop.
      return this.#closed ? [] : diagnosticsOf(error);
    }
  }

  async #stop(hosted: Hosted): Promise<void> {
    const id = definitionId(hosted.definition);
    const { cache, related, loop, shards } = this.#parts;
    hosted.cancelRetry();
    if (hosted.state.kind !== 'running') return;
    this.#tell(hosted, { kind: 'stopping' });
    await loop.remove(id);
    related.delete(id);
    shards?.closed(id);
    cache.release(id);
    this.#known(hosted, []);
    this.#tell(hosted, { kind: 'stopped' });
  }

  #wait(hosted: Hosted, problems: readonly Diagnostic[]): void {
    this.#scheduleLook(hosted);
    this.#tell(hosted, { kind: 'waiting', problems });
  }

  #scheduleLook(hosted: Hosted): void {
    if (this.#closed) return;
    const id = definitionId(hosted.definition);
    const { clock, lookAgainMs: cap = RETRY_MS.cap } = this.#parts;
    const retry = { base: Math.min(RETRY_MS.base, cap), cap };
    hosted.cancelRetry = clock.schedule(backoffDelay(retry, hosted.failures++), () => {
      this.#parts.world.client.refresh();
      this.#inTurn(id, () => this.#lookAgain(id)).catch((error: unknown) => this.#listener.onCrash(error));
    });
  }

  /** One that waits is tried again and again, of which nobody is told until it waits for something else or runs. */
  #tell(hosted: Hosted, state: HostedState): void {
    const { definition, told } = hosted;
    hosted.state = state;
    if (told.kind === 'waiting' && (state.kind === 'starting' || isSameWait(told, state))) return;
    hosted.told = state;
    if (told.kind === 'waiting' && state.kind === 'running') this.#listener.onState(definition, { kind: 'starting' });
    this.#listener.onState(definition, state);
  }

  #inTurn(id: string, work: () => Promise<void>): Promise<void> {
    const turn = (this.#turns.get(id) ?? Promise.resolve()).then(work);
    const settled = turn.catch(() => undefined);
    this.#turns.set(id, settled);
    void settled.then(() => {
      if (this.#turns.get(id) === settled) this.#turns.delete(id);
    });
    return turn;
  }
}

function newlyHosted(definition: Definition): Hosted {
  const state = { kind: 'stopped' } as const;
  return { definition, state, told: state, controllers: [], failures: 0, cancelRetry: () => undefined };
}

/** What it does is the same: its metadata counts for nothing, but for what of it is read as settings. */
function isSame(a: Definition, b: Definition): boolean {
  const settings = ({ object, source: _place, ...definition }: Definition): JsonValue =>
    ({ ...definition, object: getOwn(object, 'spec') ?? null }) as unknown as JsonValue;
  return jsonEqual(settings(a), settings(b));
}

function isSameWait(a: HostedState, b: HostedState): boolean {
  if (a.kind !== 'waiting' || b.kind !== 'waiting') return false;
  const told = ({ problems }: typeof a): JsonValue => problems.map(({ summary }) => summary);
  return jsonEqual(told(a), told(b));
}
