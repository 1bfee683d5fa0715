// A daemon whose time is the test's: it, its hooks and the sandbox go by one clock, which stands still until it is moved. On the
// sandbox alone, as nobody can move the clock of a real server.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DaemonOptions, type RunningDaemon, runDaemon } from '../app/index.ts';
import { type ClusterClient, createClient } from '../cluster/index.ts';
import { createSandbox, kubeconfigFor, serveSandbox } from '../sandbox/index.ts';
import { FakeClock } from './fake-clock.ts';
import { testEnvironment, useCases } from './use-cases.ts';

export interface VirtualDaemon {
  readonly clock: FakeClock;
  /** Of the sandbox, in the process. */
  readonly client: ClusterClient;
  /** Moves the clock to the time (milliseconds since the epoch) and resolves when everything is done that was due by then. */
  moveTo(time: number): Promise<void>;
  /** Looks until `look` finds it; resolves when the daemon has done all that followed. */
  until(what: string, look: () => Promise<boolean>): Promise<void>;
  /** By hook: how many have been answered so far. */
  hookCalls(): Promise<Readonly<Record<string, number>>>;
  close(): Promise<void>;
}

export interface VirtualDaemonOptions {
  /** Applied to the end first, by `metactl apply`. */
  readonly inputs: readonly string[];
  /** Of the daemon. */
  readonly definitions: readonly string[];
}

const LONGEST_MS = 120_000;
/** While it works the clock goes as the machine's, or hooks would run out of time; while it waits for a watch to be opened anew, faster. */
const WORKING_TICK_MS = 1;
const WAITING_TICK_MS = 200;
/** Of the clock that runs along. */
const ALONG_MS = 10;

export async function startVirtualDaemon({ inputs, definitions }: VirtualDaemonOptions): Promise<VirtualDaemon> {
  const clock = new FakeClock();
  const sandbox = createSandbox({ clock });
  const served = await serveSandbox(sandbox, { host: '127.0.0.1', port: 0 });
  const directory = await mkdtemp(join(tmpdir(), 'metactl-virtual-'));
  const cluster = { kubeconfig: join(directory, 'kubeconfig') };
  await writeFile(cluster.kubeconfig, kubeconfigFor(served.url));
  const apply = () => useCases({ cluster, paths: inputs }).apply({}, { clock });
  const { status, diagnostics } = await runningAlong(clock, apply);
  if (status !== 'settled') throw new Error(JSON.stringify([status, diagnostics]));

  const signal = new AbortController();
  const { promise: listening, resolve: onListening } = Promise.withResolvers<Addresses>();
  const { promise: started, resolve: onStarted } = Promise.withResolvers<RunningDaemon>();
  const options: DaemonOptions = { ...OPTIONS, cluster, paths: definitions, onListening, onStarted };
  const ended = runDaemon(options, { ...testEnvironment, clock, signal: signal.signal });
  const failed = ended.then((outcome): never => {
    throw new Error(`the daemon has ended: ${JSON.stringify(outcome)}`);
  });
  const running = await runningAlong(clock, () => Promise.race([started, failed]));
  const { metrics } = await listening;
  const untilRest = async (what: string, look: () => Promise<boolean>): Promise<void> => {
    const deadline = performance.now() + LONGEST_MS;
    const atRest = (): boolean => running.idle() && running.caughtUp();
    while (!atRest() || !(await look()) || !atRest()) {
      if (performance.now() > deadline) throw new Error(`it did not come to it: ${what}`);
      await sleep(1);
      clock.advance(running.idle() ? WAITING_TICK_MS : WORKING_TICK_MS);
    }
  };
  await untilRest('the first round is over', async () => true);
  return {
    clock,
    client: createClient(sandbox.transport),
    until: untilRest,
    moveTo: async (time) => {
      // What is due is in the queue when this returns, so that rest means that it was done.
      clock.advance(time - clock.now());
      await untilRest('all that was due is done', async () => true);
    },
    hookCalls: async () => hookCallsIn(await (await fetch(`http://${metrics}/metrics`)).text()),
    close: async () => {
      signal.abort(new Error('stopped by the test'));
      await runningAlong(clock, () => ended);
      await served.close();
      await sandbox.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

type Addresses = Parameters<NonNullable<DaemonOptions['onListening']>>[0];

const OPTIONS = {
  ...{ concurrency: 8, workers: 5, controllerSelector: '', allowLocalHooks: true },
  log: { level: 'error', encoder: 'json' },
  ...{ flushMs: 0, events: { burst: 25, perSecond: 1 / 300 }, drainMs: 10_000 },
  metricsAddress: { host: '127.0.0.1', port: 0 },
} as const;

/** The clock goes as the machine's while somebody works. */
async function runningAlong<T>(clock: FakeClock, work: () => Promise<T>): Promise<T> {
  const running = setInterval(() => clock.advance(ALONG_MS), ALONG_MS);
  try {
    return await work();
  } finally {
    clearInterval(running);
  }
}

function hookCallsIn(metrics: string): Record<string, number> {
  const calls: Record<string, number> = {};
  for (const [, hook = '', count] of metrics.matchAll(/^metacontroller_(\w+)_requests_total\{.*\} (\d+)$/gm))
    calls[hook] = (calls[hook] ?? 0) + Number(count);
  return calls;
}
