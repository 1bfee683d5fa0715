// List, then watch, for as long as the signal allows: one streaming list that goes on as a watch where the server has it,
// else pages and then a watch. It reconnects with exponential delay, lists again when the server has
// forgotten our position (410), opens a watch anew that has been silent for longer than bookmarks allow. The delay has
// no random part: each scope is one connection of one process, and runs stay repeatable.

import { type BackoffOptions, backoffDelay } from '../../kit/backoff.ts';
import { type Clock, sleep } from '../../kit/clock.ts';
import type { KubeObject } from '../../model/object.ts';
import type { CacheScope } from '../../ports/cache.ts';
import { ApiError, ConnectionError, isApiError } from '../../ports/errors.ts';
import type { ListOptions, ObjectList, Reader } from '../../ports/read.ts';
import type { WatchEvent, Watcher } from '../../ports/watch.ts';
import { keyOfObject } from './store.ts';

export interface ReflectorOptions {
  readonly client: Reader & Watcher;
  readonly scope: CacheScope;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Applied to every object before anything else. */
  readonly trim: (object: KubeObject) => KubeObject;
  /** What it says no to is left out of lists. */
  readonly keeps?: ((object: KubeObject) => boolean) | undefined;
  /** Shared by the caches of one server, which tells once that it has none. */
  readonly streamingLists: { served: boolean };
  /** A watch without any event or bookmark for so long is opened anew. */
  readonly inactivityMs: number;
  /** Nothing else is reported until it has resolved. */
  readonly onList: (list: ObjectList) => Promise<void>;
  readonly onEvent: (event: WatchEvent) => void;
  readonly onError: (error: Error) => void;
}

const BACKOFF: BackoffOptions = { base: 500, cap: 30_000 };
/** A watch that ends sooner than this without an event did not work, however politely it ended. */
const SHORTEST_GOOD_WATCH_MS = 5_000;
/** A streaming list that sends nothing for so long is given up; a page would be, too. */
const FIRST_SILENCE_MS = 30_000;
/** What servers say to a streaming list that they don't know, or whose gate is closed. */
const NOT_SERVED: ReadonlySet<number> = new Set([400, 405, 406, 415, 422]);

export function listScope({ client, scope, trim, keeps, signal }: ReflectorOptions): Promise<ObjectList> {
  return client.list(scope.type, { ...selectionOf(scope), trim, keeps, signal });
}

export interface Following {
  /** The scope has been listed once. Rejects when that failed, and then nothing is followed. */
  readonly listed: Promise<void>;
  /** Resolves when the signal is aborted. Never rejects. */
  readonly ended: Promise<void>;
  /** Leaves off what it is at, and lists anew. Resolves when a list that began after the call has come, or it has ended. */
  relist(): Promise<void>;
}

export function followScope(options: ReflectorOptions): Following {
  const { promise: listed, resolve, reject } = Promise.withResolvers<void>();
  const onList = async (list: ObjectList): Promise<void> => {
    await options.onList(list);
    resolve();
  };
  const passes = new Passes();
  const ended = follow({ ...options, onList }, passes, reject).finally(() => passes.end());
  return { listed, ended, relist: () => passes.relist() };
}

/** Which pass is the one at work, and who waits for a list that is newer than it. */
class Passes {
  #current = new AbortController();
  #wanted = 0;
  #waiting: { readonly from: number; readonly resolve: () => void }[] = [];
  #ended = false;

  /** `listed`: to be called when its list has come. */
  begin(): { readonly signal: AbortSignal; readonly listed: () => void } {
    const began = this.#wanted;
    this.#current = new AbortController();
    return { signal: this.#current.signal, listed: () => this.#resolve(began) };
  }

  relist(): Promise<void> {
    if (this.#ended) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ from: ++this.#wanted, resolve });
    this.#current.abort(new Error('it is listed anew'));
    return promise;
  }

  get wantList(): boolean {
    return this.#waiting.length > 0;
  }

  end(): void {
    this.#ended = true;
    this.#resolve(this.#wanted);
  }

  #resolve(began: number): void {
    for (const { from, resolve } of this.#waiting) if (from <= began) resolve();
    this.#waiting = this.#waiting.filter(({ from }) => from > began);
  }
}

async function follow(
  options: ReflectorOptions,
  passes: Passes,
  onNeverListed: (error: unknown) => void,
): Promise<void> {
  const position: Position = { resourceVersion: undefined, listed: false };
  const pauses = new Pauses();
  while (!options.signal.aborted) {
    const pass = passes.begin();
    if (passes.wantList) position.resourceVersion = undefined;
    const onList = async (list: ObjectList): Promise<void> => {
      await options.onList(list);
      pass.listed();
    };
    const signal = AbortSignal.any([options.signal, pass.signal]);
    const outcome = await onePass({ ...options, signal, onList }, position);
    if (pass.signal.aborted && !options.signal.aborted) continue;
    if (!position.listed) return onNeverListed(outcome.error ?? options.signal.reason);
    if (outcome.error !== undefined && !options.signal.aborted) options.onError(outcome.error);
    const attempts = pauses.after(outcome);
    if (attempts > 0) await pause(options, backoffDelay(BACKOFF, attempts - 1));
  }
  if (!position.listed) onNeverListed(options.signal.reason);
}

/** What went wrong since something worked. */
class Pauses {
  #failures = 0;
  #expiries = 0;

  /** How many attempts the next one is to wait for; 0: not at all. */
  after({ worked, expired, error }: PassOutcome): number {
    if (worked) this.#failures = this.#expiries = 0;
    // The first 410 is ordinary and answered at once by a new list, however often the server was asked in vain before it.
    if (expired) return this.#expiries++;
    if (!worked || error) this.#failures++;
    // The first silence is answered by a new watch.
    return error instanceof SilentWatch ? this.#failures - 1 : this.#failures;
  }
}

interface Position {
  /** undefined: must be listed again. */
  resourceVersion: string | undefined;
  listed: boolean;
}

interface PassOutcome {
  readonly worked: boolean;
  readonly expired?: boolean;
  readonly error?: Error;
}

async function onePass(options: ReflectorOptions, position: Position): Promise<PassOutcome> {
  // Of the watch alone: a list that takes long says nothing of the watch after it.
  let watchingSince = position.resourceVersion === undefined ? Number.POSITIVE_INFINITY : options.clock.steady();
  let events = 0;
  const worked = (): boolean => events > 0 || options.clock.steady() - watchingSince >= SHORTEST_GOOD_WATCH_MS;
  const onEvent = (event: WatchEvent): void => {
    options.onEvent(event);
    position.resourceVersion = resourceVersionOf(event) ?? position.resourceVersion;
    events++;
  };
  const onList = async (list: ObjectList): Promise<void> => {
    await options.onList(list);
    position.resourceVersion = list.resourceVersion;
    position.listed = true;
    watchingSince = options.clock.steady();
  };
  try {
    if (position.resourceVersion === undefined && (await streamList(options, onList, onEvent))) {
      return { worked: worked() };
    }
    if (position.resourceVersion === undefined) await onList(await listScope(options));
    await watchOnce(options, { resourceVersion: position.resourceVersion, onEvent });
    return { worked: worked() };
  } catch (error) {
    if (isApiError(error, 410) && position.listed) {
      position.resourceVersion = undefined;
      return { worked: worked(), expired: true };
    }
    return { worked: worked(), error: error instanceof Error ? error : new Error(String(error)) };
  }
}

/**
 * A streaming list, and the watch that it turns into, to its end. False: it came to no list, and pages are to be tried
 * (they have their own retries, and their error is the one to show).
 */
async function streamList(
  options: ReflectorOptions,
  onList: (list: ObjectList) => Promise<void>,
  onEvent: (event: WatchEvent) => void,
): Promise<boolean> {
  const { streamingLists, signal } = options;
  if (!streamingLists.served) return false;
  const items = new Map<string, KubeObject>();
  let listed = false;
  const onAnyEvent = (event: WatchEvent): Promise<void> | undefined => {
    if (listed) onEvent(event);
    else if (event.type === 'BOOKMARK') {
      if (event.initialEnd !== true) return undefined;
      listed = true;
      const all = [...items.values()];
      items.clear();
      return onList({ items: all, resourceVersion: event.resourceVersion });
    } else if (event.type === 'DELETED') items.delete(keyOfObject(event.object));
    else if (options.keeps?.(event.object) ?? true) items.set(keyOfObject(event.object), event.object);
    return undefined;
  };
  try {
    await watchOnce(options, {
      resourceVersion: undefined,
      onEvent: onAnyEvent,
      inactivityMs: () => (listed ? options.inactivityMs : Math.min(options.inactivityMs, FIRST_SILENCE_MS)),
    });
  } catch (error) {
    if (listed || signal.aborted) throw error;
    const refused = error instanceof ApiError && NOT_SERVED.has(error.status.code);
    if (refused || error instanceof SilentWatch) streamingLists.served = false;
    return false;
  }
  // One that ends without having come to the bookmark is a plain watch of a server that knows no other.
  if (!listed) streamingLists.served = false;
  return listed;
}

class SilentWatch extends ConnectionError {}

interface OneWatch {
  readonly resourceVersion: string | undefined;
  /** A promise: nothing more is read until it has resolved. */
  readonly onEvent: (event: WatchEvent) => Promise<void> | undefined | void;
  readonly inactivityMs?: () => number;
}

async function watchOnce(options: ReflectorOptions, { resourceVersion, onEvent, ...own }: OneWatch): Promise<void> {
  const { client, scope, clock, trim, signal } = options;
  const inactivityMs = own.inactivityMs ?? (() => options.inactivityMs);
  const silence = new AbortController();
  const watchdog = startWatchdog(clock, inactivityMs, () => {
    const seconds = Math.round(inactivityMs() / 1_000);
    const what = `the watch of ${scope.type.resource} was silent for ${seconds} s and is opened anew`;
    silence.abort(new SilentWatch(what, `WATCH ${scope.type.resource}`));
  });
  const both = AbortSignal.any([signal, silence.signal]);
  try {
    const watch = client.watch(scope.type, { ...selectionOf(scope), resourceVersion, trim, signal: both });
    for await (const event of watch) {
      watchdog.alive();
      const taken = onEvent(event);
      if (taken) await taken;
    }
  } finally {
    watchdog.stop();
  }
}

/** One timer, not one for every event: it looks back when it fires. */
function startWatchdog(clock: Clock, ms: () => number, onSilence: () => void): { alive(): void; stop(): void } {
  let lastSeen = clock.steady();
  const check = (): void => {
    const left = lastSeen + ms() - clock.steady();
    if (left <= 0) onSilence();
    else cancel = clock.schedule(left, check);
  };
  let cancel = clock.schedule(ms(), check);
  return {
    alive: () => {
      lastSeen = clock.steady();
    },
    stop: () => cancel(),
  };
}

async function pause({ clock, signal }: ReflectorOptions, ms: number): Promise<void> {
  try {
    await sleep(clock, ms, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function selectionOf({ namespace, labelSelector, name }: CacheScope): ListOptions {
  return {
    ...(name === undefined ? {} : { fieldSelector: `metadata.name=${name}` }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(labelSelector === undefined ? {} : { labelSelector }),
  };
}

function resourceVersionOf(event: WatchEvent): string | undefined {
  return event.type === 'BOOKMARK' ? event.resourceVersion : event.object.metadata.resourceVersion;
}
