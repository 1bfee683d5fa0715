// List, then watch, for as long as the signal allows: reconnects with exponential delay, lists again when the server has
// forgotten our position (410), opens a watch anew that has been silent for longer than bookmarks allow. The delay has
// no random part: each scope is one connection of one process, and runs stay repeatable.

import { type BackoffOptions, backoffDelay } from '../../kit/backoff.ts';
import { type Clock, sleep } from '../../kit/clock.ts';
import type { CacheScope } from '../../ports/cache.ts';
import { ConnectionError, isApiError } from '../../ports/errors.ts';
import type { ListOptions, ObjectList, Reader } from '../../ports/read.ts';
import type { WatchEvent, Watcher } from '../../ports/watch.ts';

export interface ReflectorOptions {
  readonly client: Reader & Watcher;
  readonly scope: CacheScope;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** A watch without any event or bookmark for so long is opened anew. */
  readonly inactivityMs: number;
  readonly onList: (list: ObjectList) => void;
  readonly onEvent: (event: WatchEvent) => void;
  readonly onError: (error: Error) => void;
}

const BACKOFF: BackoffOptions = { base: 500, cap: 30_000 };
/** A watch that ends sooner than this without an event did not work, however politely it ended. */
const SHORTEST_GOOD_WATCH_MS = 5_000;

export function listScope({ client, scope, signal }: ReflectorOptions): Promise<ObjectList> {
  return client.list(scope.type, { ...selectionOf(scope), signal });
}

/** Goes on after a list of this resourceVersion; resolves when the signal is aborted. */
export async function followScope(options: ReflectorOptions, listedAt: string): Promise<void> {
  const position: Position = { resourceVersion: listedAt };
  let failures = 0;
  while (!options.signal.aborted) {
    const outcome = await onePass(options, position);
    failures = (outcome.worked ? 0 : failures) + (outcome.worked && outcome.error === undefined ? 0 : 1);
    if (outcome.error !== undefined && !options.signal.aborted) options.onError(outcome.error);
    // The first 410 is ordinary and answered at once by a new list; everything else waits.
    const attempts = outcome.expired ? failures - 1 : failures;
    if (attempts > 0) await pause(options, backoffDelay(BACKOFF, attempts - 1));
  }
}

interface Position {
  /** undefined: must be listed again. */
  resourceVersion: string | undefined;
}

interface PassOutcome {
  readonly worked: boolean;
  readonly expired?: boolean;
  readonly error?: Error;
}

async function onePass(options: ReflectorOptions, position: Position): Promise<PassOutcome> {
  const startedAt = options.clock.now();
  let events = 0;
  const worked = (): boolean => events > 0 || options.clock.now() - startedAt >= SHORTEST_GOOD_WATCH_MS;
  try {
    position.resourceVersion ??= await relist(options);
    await watchOnce(options, position.resourceVersion, (event) => {
      options.onEvent(event);
      position.resourceVersion = resourceVersionOf(event) ?? position.resourceVersion;
      events++;
    });
    return { worked: worked() };
  } catch (error) {
    if (isApiError(error, 410)) {
      position.resourceVersion = undefined;
      return { worked: worked(), expired: true };
    }
    return { worked: worked(), error: error instanceof Error ? error : new Error(String(error)) };
  }
}

async function relist(options: ReflectorOptions): Promise<string> {
  const list = await listScope(options);
  options.onList(list);
  return list.resourceVersion;
}

async function watchOnce(
  { client, scope, clock, signal, inactivityMs }: ReflectorOptions,
  resourceVersion: string,
  onEvent: (event: WatchEvent) => void,
): Promise<void> {
  const silence = new AbortController();
  const watchdog = startWatchdog(clock, inactivityMs, () => {
    const seconds = Math.round(inactivityMs / 1_000);
    const what = `the watch of ${scope.type.resource} was silent for ${seconds} s and is opened anew`;
    silence.abort(new ConnectionError(what, `WATCH ${scope.type.resource}`));
  });
  const both = AbortSignal.any([signal, silence.signal]);
  try {
    for await (const event of client.watch(scope.type, { ...selectionOf(scope), resourceVersion, signal: both })) {
      watchdog.alive();
      onEvent(event);
    }
  } finally {
    watchdog.stop();
  }
}

/** One timer, not one for every event: it looks back when it fires. */
function startWatchdog(clock: Clock, ms: number, onSilence: () => void): { alive(): void; stop(): void } {
  let lastSeen = clock.now();
  const check = (): void => {
    const left = lastSeen + ms - clock.now();
    if (left <= 0) onSilence();
    else cancel = clock.schedule(left, check);
  };
  let cancel = clock.schedule(ms, check);
  return {
    alive: () => {
      lastSeen = clock.now();
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

function selectionOf({ namespace, labelSelector }: CacheScope): ListOptions {
  return {
    ...(namespace === undefined ? {} : { namespace }),
    ...(labelSelector === undefined ? {} : { labelSelector }),
  };
}

function resourceVersionOf(event: WatchEvent): string | undefined {
  return event.type === 'BOOKMARK' ? event.resourceVersion : event.object.metadata.resourceVersion;
}
