// Use case of `metactl daemon`: the loop, with controllers from the cluster or from files, until a signal comes or the lease
// is lost. Probes answer from the start, so that whoever started it can tell what it does.

import { randomBytes } from 'node:crypto';
import {
  createLogger,
  createMetrics,
  Events,
  type Metrics,
  openTracing,
  Pulse,
  type ServedPages,
  type Tracing,
} from '../../daemon/index.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Logger } from '../../ports/log.ts';
import type { ApiRequest } from '../../ports/transport.ts';
import { Confidential } from '../confidential.ts';
import { openWorld, type World } from '../open.ts';
import type { AppEnvironment } from '../options.ts';
import { diagnosticsOf } from '../problems.ts';
import type { DaemonOptions, DaemonOutcome } from './daemon-options.ts';
import { pageOf, serveDaemon } from './daemon-pages.ts';
import { type Leadership, leadershipOf } from './leadership.ts';
import { Leading } from './leading.ts';
import { NO_EVENTS, shadowPages } from './shadowing.ts';
import { slowedTransport } from './slowed-transport.ts';

/** Of a running daemon, what its probes and metrics look at. */
interface Now {
  leading: Leading | undefined;
  leadership: Leadership | undefined;
  phase: 'starting' | 'standing by' | 'leading' | 'stopping';
}

export async function runDaemon(options: DaemonOptions, environment: AppEnvironment): Promise<DaemonOutcome> {
  const { clock } = environment;
  const toStderr = (line: string): void => void process.stderr.write(line);
  const { onHookOutput = (line: string): void => log.info('Hook printed', { line }) } = environment;
  const confidential = new Confidential(onHookOutput, MOST_SECRETS);
  const mask = confidential.text;
  const log: Logger = await createLogger({ write: toStderr, ...options.log, clock, mask });
  const now: Now = { leading: undefined, leadership: undefined, phase: 'starting' };
  const metrics = await createMetrics(
    {
      loads: () => now.leading?.loads() ?? new Map(),
      cacheSizes: () => now.leading?.cacheSizes() ?? new Map(),
      controllers: () => now.leading?.controllers() ?? [],
      isLeader: () => now.phase === 'leading' && now.leadership?.leads() === true,
      leases: () => now.leadership?.leases() ?? new Map(),
    },
    monotonicSeconds,
  );
  const tracing = await openTracing({ variables: environment.variables, log, version: options.version ?? 'unknown' });
  const pulse = new Pulse(clock);
  const served: ServedPages[] = [];
  try {
    served.push(...(await serve(options, { now, metrics })));
    const world = await openWorld(options.cluster, environment, (transport, host) => {
      const counted = metrics.countRequests(tracing.traceRequests(transport, host), host);
      if (!options.requests) return pulse.aroundRequests(counted);
      const onWait = (request: ApiRequest, ms: number): void => metrics.waited(request, host, ms / 1_000);
      return pulse.aroundRequests(slowedTransport(counted, options.requests, { clock, onWait }));
    });
    try {
      return await run({ options, environment, log, metrics, tracing, pulse, confidential, world, now });
    } finally {
      await world.close();
    }
  } catch (error) {
    if (environment.signal.aborted && error === environment.signal.reason)
      return { status: 'stopped', diagnostics: [] };
    return { status: 'failed', diagnostics: diagnosticsOf(error).map(confidential.diagnostic) };
  } finally {
    await Promise.all([tracing.close(), ...served.map((pages) => pages.close())]);
  }
}

const monotonicSeconds = (): number => performance.now() / 1_000;

/** Secrets whose values are masked in what is said; the oldest are forgotten, and learned again when they come by. */
const MOST_SECRETS = 5_000;

interface Setting {
  readonly options: DaemonOptions;
  readonly environment: AppEnvironment;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  readonly pulse: Pulse;
  readonly confidential: Confidential;
  readonly world: World;
  readonly now: Now;
}

async function run(setting: Setting): Promise<DaemonOutcome> {
  const { options, environment, log, metrics, confidential, world, now } = setting;
  const { clock, signal } = environment;
  for (const { summary, hint } of world.notices) log.warn('Not as usual', { notice: summary, hint });
  const salt = randomBytes(4).toString('hex');
  const onFate = metrics.event;
  const events = new Events({
    ...options.events,
    writer: world.client,
    clock,
    log,
    salt,
    onFate,
    mask: confidential.text,
  });
  const leadership = leadershipOf(setting);
  now.leadership = leadership;
  now.phase = 'standing by';
  await leadership.acquire(signal);
  now.phase = 'leading';
  const leading = new Leading({
    options,
    environment,
    world,
    log,
    events: options.shadow ? NO_EVENTS : events,
    metrics,
    tracing: setting.tracing,
    pulse: setting.pulse,
    confidential,
    mayWrite: (parent) => !options.shadow && leadership.mayWrite(parent),
    shards: leadership.shards,
  });
  now.leading = leading;
  const ended = new AbortController();
  const held = leadership.hold({ stop: signal, ended: ended.signal }).then((end) => {
    if (end === 'lost') leading.abandon();
    return end;
  });
  // A defect in keeping the lease: told below, when what is under way has ended.
  held.catch(() => leading.abandon());
  let lost = false;
  try {
    await leading.run();
  } finally {
    now.phase = 'stopping';
    ended.abort(new Error('the daemon has ended'));
    lost = (await held) === 'lost';
    if (!lost) await leadership.release();
  }
  await events.flush();
  log.info('Stopped');
  const shadow = leading.shadowReport();
  const told = { diagnostics: lost ? [LOST] : [], ...(shadow ? { shadow } : {}) };
  return { status: lost ? 'lost' : 'stopped', ...told };
}

const LOST: Diagnostic = {
  severity: 'error',
  code: 'conflict',
  summary: 'the lease was lost: another process may be the leader now, and nothing more is written by this one',
  hint: 'It is to be started again, and then waits for the lease. A Deployment does so by itself.',
};

async function serve(
  options: DaemonOptions,
  { now, metrics }: Pick<Setting, 'now' | 'metrics'>,
): Promise<ServedPages[]> {
  return serveDaemon(options, {
    health: {
      '/healthz': () => pageOf(now.leading?.sick()),
      '/readyz': () => pageOf(notReady(now)),
    },
    metrics: {
      '/metrics': async () => ({ status: 200, ...(await metrics.text()) }),
      ...(options.shadow ? shadowPages(() => now.leading?.shadowReport()) : {}),
    },
  });
}

/** One that stands by is ready: it is there for when the leader goes. */
function notReady({ phase, leading }: Now): string | undefined {
  if (phase === 'standing by') return undefined;
  if (phase === 'leading') return leading?.notReady();
  return phase;
}
