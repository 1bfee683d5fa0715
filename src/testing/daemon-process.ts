// `node daemon-process.ts OPTIONS`: a daemon in a process of its own, for tests that kill it or look at what it holds.
// OPTIONS: those of DaemonOptions that differ from what is usual in tests, as JSON. By a channel its parent may tell it things.

import { getEventListeners } from 'node:events';
import { createNodeFiles, type DaemonOptions, runDaemon, systemClock } from '../app/index.ts';

export type ProcessOptions = Pick<DaemonOptions, 'cluster' | 'paths'> & Partial<DaemonOptions>;

export interface Measured {
  /** Bytes, after garbage collection where the process was started with --expose-gc. */
  readonly heap: number;
  readonly rss: number;
  /** Timers, sockets and the like that are open: their kinds. */
  readonly resources: readonly string[];
  /** On the process, and on all signals and other event targets that are still alive. */
  readonly listeners: number;
}

export type Told =
  | { readonly kind: 'stop' }
  /** Answered with a Measured. */
  | { readonly kind: 'measure' }
  /** Somebody sets the machine's time. */
  | { readonly kind: 'set-clock'; readonly byMs: number };

const listenersOfTargets = watchListeners();
const given = JSON.parse(process.argv[2] ?? '') as ProcessOptions;
const ending = new AbortController();

let setByMs = 0;
const clock = { ...systemClock, now: () => systemClock.now() + setByMs };

process.on('message', (told: Told) => {
  if (told.kind === 'stop') ending.abort(new Error('stopped by the test'));
  else if (told.kind === 'set-clock') setByMs += told.byMs;
  else measure();
});

function measure(): void {
  for (let turn = 0; turn < 2; turn++) globalThis.gc?.();
  const { heapUsed: heap, rss } = process.memoryUsage();
  process.send?.({ heap, rss, resources: process.getActiveResourcesInfo(), listeners: listeners() } satisfies Measured);
}

function listeners(): number {
  const onProcess = process.eventNames().map((name) => process.listenerCount(name));
  return onProcess.reduce((sum, count) => sum + count, listenersOfTargets());
}

/** From here on; of targets that were collected since, nothing is left to count. */
function watchListeners(): () => number {
  const targets = new Map<WeakRef<EventTarget>, Set<string>>();
  const known = new WeakMap<EventTarget, Set<string>>();
  const { addEventListener } = EventTarget.prototype;
  EventTarget.prototype.addEventListener = function (this: EventTarget, ...added) {
    const types = known.get(this) ?? new Set<string>();
    if (!known.has(this)) {
      known.set(this, types);
      targets.set(new WeakRef(this), types);
    }
    types.add(added[0]);
    addEventListener.apply(this, added);
  };
  return () => {
    let count = 0;
    for (const [reference, types] of targets) {
      const target = reference.deref();
      if (target) for (const type of types) count += getEventListeners(target, type).length;
      else targets.delete(reference);
    }
    return count;
  };
}

const { status, diagnostics } = await runDaemon(
  {
    ...{ concurrency: 16, workers: 5, allowLocalHooks: true, controllerSelector: '', flushMs: 0, drainMs: 10_000 },
    ...{ log: { level: 'error', encoder: 'json' }, events: { burst: 25, perSecond: 1 / 300 } },
    ...given,
  },
  {
    variables: process.env,
    clock,
    files: createNodeFiles({ stdin: process.stdin, workingDirectory: process.cwd() }),
    signal: ending.signal,
  },
);
if (status === 'failed') process.stderr.write(`${JSON.stringify(diagnostics)}\n`);
process.channel?.unref();
process.exitCode = status === 'failed' ? 1 : 0;
