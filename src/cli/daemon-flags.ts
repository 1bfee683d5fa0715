// The flags of `metactl daemon`: Metacontroller's by their names and with their defaults, and ours beside them; and from
// what was parsed to what the use case takes. Those that mean nothing here are accepted, and said to mean nothing.

import { Flags } from '@oclif/core';
import type { DaemonOptions, LogLevel } from '../app/index.ts';
import { parseListenAddress, parseLogLevel, parseRate } from './daemon-values.ts';
import { type PlanFlags, parseFlagDuration, planOptionsOf } from './flag-values.ts';
import { withVariables } from './flags.ts';
import { shardsFlag } from './shards-flag.ts';

const OF_METACONTROLLER = 'DAEMON';

const duration = (summary: string, ofDefault: string) =>
  Flags.custom<number>({ parse: async (text) => parseFlagDuration(text) })({
    summary,
    default: async () => parseFlagDuration(ofDefault),
    defaultHelp: async () => ofDefault,
    helpValue: 'DURATION',
    helpGroup: OF_METACONTROLLER,
  });

const address = (summary: string, ofDefault: string) =>
  Flags.custom<ReturnType<typeof parseListenAddress>>({ parse: async (text) => parseListenAddress(text) })({
    summary,
    default: async () => parseListenAddress(ofDefault),
    defaultHelp: async () => ofDefault,
    helpValue: '[HOST]:PORT',
    helpGroup: OF_METACONTROLLER,
  });

const text = (summary: string, ofDefault: string, helpValue = 'TEXT') =>
  Flags.string({ summary, default: ofDefault, helpValue, helpGroup: OF_METACONTROLLER });

const rate = { parse: async (said: string) => parseRate(said) };
const inNumbers = (summary: string) => ({ summary, helpValue: 'N', helpGroup: OF_METACONTROLLER });

export const daemonFlags = withVariables({
  workers: Flags.integer({
    summary: 'Parents of one controller in work at a time.',
    default: 5,
    min: 1,
    max: 1_000,
    helpValue: 'N',
    helpGroup: OF_METACONTROLLER,
  }),
  'target-label-selector': text('Only controllers whose objects have these labels.', '', 'SELECTOR'),
  'cache-flush-interval': duration(
    'After so long every parent is looked at again, and its hooks are asked; 0: never.',
    '30m',
  ),
  'discovery-interval': duration(
    'How often to look for resources that are not served yet, where CRDs may not be watched or no CRD tells; 0: more and more seldom.',
    '30s',
  ),
  'client-go-qps': Flags.custom<number>(rate)(
    inNumbers('Requests to the API server a second. Default: no limit of our own.'),
  ),
  'client-go-burst': Flags.custom<number>(rate)(inNumbers('With --client-go-qps: so many at once.')),
  'events-qps': Flags.custom<number>(rate)({
    ...inNumbers('Events about one object a second, once its burst is used up.'),
    default: 1 / 300,
    defaultHelp: async () => '0.00333',
  }),
  'events-burst': Flags.custom<number>(rate)({ ...inNumbers('Events about one object at once.'), default: 25 }),
  'health-probe-bind-address': address('Where /healthz and /readyz are; 0: nowhere.', ':8081'),
  'metrics-address': address('Where /metrics is; 0: nowhere.', ':9999'),
  'pprof-address': address(
    'Where CPU profiles and heap snapshots are; whoever reaches it can read Secrets. 0: nowhere.',
    '0',
  ),
  'leader-election': Flags.boolean({
    summary: 'Of several processes one is at work, by a Lease.',
    allowNo: true,
    helpGroup: OF_METACONTROLLER,
  }),
  'leader-election-id': text('Name of the Lease.', 'metacontroller', 'NAME'),
  'leader-election-namespace': text("Namespace of the Lease. Default: the process's own.", '', 'NAME'),
  shards: shardsFlag({
    summary:
      'Share the parents among the replicas in so many parts, each with a Lease. The same number for all of them.',
    helpGroup: OF_METACONTROLLER,
  }),
  'leader-election-resource-lock': Flags.option({ options: ['leases'] as const, default: 'leases' })({
    summary: 'A Lease is the only lock there is.',
    helpGroup: OF_METACONTROLLER,
  }),
  'drain-timeout': duration('How long what is under way may take after SIGTERM or SIGINT.', '20s'),
  'zap-log-level': Flags.custom<LogLevel>({ parse: async (said) => parseLogLevel(said) })({
    summary: 'debug, info, warn, error, or a number: 0 is info, more is debug.',
    helpValue: 'LEVEL',
    helpGroup: OF_METACONTROLLER,
  }),
  'zap-encoder': Flags.option({ options: ['json', 'console'] as const })({
    summary: 'Lines of the log for programs or for people. Default: json.',
    helpGroup: OF_METACONTROLLER,
  }),
  'zap-devel': Flags.boolean({
    summary: 'Log for people, with debug lines, unless the other flags say otherwise.',
    allowNo: true,
    helpGroup: OF_METACONTROLLER,
  }),
  'zap-stacktrace-level': text('Accepted, and does nothing.', '', 'LEVEL'),
  'zap-time-encoding': text('Accepted: times are seconds of the epoch.', 'epoch', 'ENCODING'),
});

/** What oclif parsed. */
export interface DaemonFlagValues extends PlanFlags {
  readonly workers: number;
  readonly 'target-label-selector': string;
  readonly 'cache-flush-interval': number;
  readonly 'discovery-interval': number;
  readonly 'client-go-qps'?: number | undefined;
  readonly 'client-go-burst'?: number | undefined;
  readonly 'events-qps': number;
  readonly 'events-burst': number;
  readonly 'health-probe-bind-address': ReturnType<typeof parseListenAddress>;
  readonly 'metrics-address': ReturnType<typeof parseListenAddress>;
  readonly 'pprof-address': ReturnType<typeof parseListenAddress>;
  readonly 'leader-election': boolean;
  readonly 'leader-election-id': string;
  readonly 'leader-election-namespace': string;
  readonly shards?: number | undefined;
  readonly 'drain-timeout': number;
  readonly 'zap-log-level'?: LogLevel | undefined;
  readonly 'zap-encoder'?: 'json' | 'console' | undefined;
  readonly 'zap-devel': boolean;
  readonly 'zap-stacktrace-level': string;
  readonly 'zap-time-encoding': string;
}

/** `version`: of the program. */
export function daemonOptionsOf(flags: DaemonFlagValues, version?: string): DaemonOptions {
  const health = flags['health-probe-bind-address'];
  const metrics = flags['metrics-address'];
  const devel = flags['zap-devel'];
  const qps = flags['client-go-qps'];
  return {
    ...planOptionsOf({ ...flags, 'from-cluster': flags.file === undefined }),
    workers: flags.workers,
    controllerSelector: flags['target-label-selector'],
    ...electionOf(flags),
    ...(version === undefined ? {} : { version }),
    ...(health === 'none' ? {} : { healthAddress: health }),
    ...(metrics === 'none' ? {} : { metricsAddress: metrics }),
    ...(flags['pprof-address'] === 'none' ? {} : { pprofAddress: flags['pprof-address'] }),
    log: {
      level: flags['zap-log-level'] ?? (devel ? 'debug' : 'info'),
      encoder: flags['zap-encoder'] ?? (devel ? 'console' : 'json'),
    },
    flushMs: flags['cache-flush-interval'],
    discoveryMs: flags['discovery-interval'],
    events: { burst: flags['events-burst'], perSecond: flags['events-qps'] },
    drainMs: flags['drain-timeout'],
    ...(qps === undefined || qps === 0 ? {} : { requests: { perSecond: qps, burst: flags['client-go-burst'] ?? 10 } }),
  };
}

/** Shards have Leases whether an election is asked for or not. */
function electionOf(flags: DaemonFlagValues): Pick<DaemonOptions, 'election'> {
  const { shards } = flags;
  const namespace = flags['leader-election-namespace'];
  if (!flags['leader-election'] && shards === undefined) return {};
  return {
    election: {
      name: flags['leader-election-id'],
      ...(namespace === '' ? {} : { namespace }),
      ...(shards === undefined ? {} : { shards }),
    },
  };
}

/** Of what was said, what means nothing here: for stderr. */
export function idleDaemonFlags(flags: DaemonFlagValues): readonly string[] {
  const idle = [
    flags['zap-stacktrace-level'] === '' ? undefined : '--zap-stacktrace-level',
    flags['zap-time-encoding'] === 'epoch' ? undefined : '--zap-time-encoding',
  ];
  return idle.filter((name) => name !== undefined);
}
