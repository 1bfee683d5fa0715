// The daemon's flags: Metacontroller's command lines are understood, and mean what they mean there.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from '@oclif/core/parser';
import { type DaemonFlagValues, daemonFlags, daemonOptionsOf, idleDaemonFlags } from './daemon-flags.ts';
import { clusterFlags, fileFlags, hookFlags } from './flags.ts';
import { fromGoFlags } from './go-flags.ts';
import { writeFlags } from './write-flags.ts';

const ALL = { ...fileFlags, ...clusterFlags, ...hookFlags, ...writeFlags, ...daemonFlags };

async function flagsOf(line: string): Promise<DaemonFlagValues> {
  const argv = fromGoFlags(line === '' ? [] : line.split(' '), ['leader-election', 'zap-devel']);
  return (await parse(argv, { flags: ALL })).flags as unknown as DaemonFlagValues;
}
const optionsOf = async (line: string) => daemonOptionsOf(await flagsOf(line));

test('without flags: the defaults of Metacontroller', async () => {
  const options = await optionsOf('');
  assert.deepEqual(options, {
    cluster: {},
    paths: [],
    fromCluster: true,
    concurrency: 16,
    workers: 5,
    controllerSelector: '',
    healthAddress: { port: 8081 },
    metricsAddress: { port: 9999 },
    log: { level: 'info', encoder: 'json' },
    flushMs: 1_800_000,
    discoveryMs: 30_000,
    events: { burst: 25, perSecond: 1 / 300 },
    drainMs: 20_000,
  });
});

/** A flag as it may be written → the part of the options that it changes. */
const FLAGS: readonly [line: string, changed: object][] = [
  ['--workers=20', { workers: 20 }],
  ['-workers 20', { workers: 20 }],
  ['--target-label-selector=a=b', { controllerSelector: 'a=b' }],
  ['--cache-flush-interval=1h30m', { flushMs: 5_400_000 }],
  ['--cache-flush-interval=0', { flushMs: 0 }],
  ['--discovery-interval=20s', { discoveryMs: 20_000 }],
  ['--discovery-interval=0', { discoveryMs: 0 }],
  ['--client-go-qps=20 --client-go-burst=40', { requests: { perSecond: 20, burst: 40 } }],
  ['--client-go-qps=2.5', { requests: { perSecond: 2.5, burst: 10 } }],
  ['--client-go-qps=0', {}],
  ['--events-qps=0.1 --events-burst=5', { events: { burst: 5, perSecond: 0.1 } }],
  ['--health-probe-bind-address=127.0.0.1:1234', { healthAddress: { host: '127.0.0.1', port: 1234 } }],
  ['--metrics-address=[::1]:1234', { metricsAddress: { host: '::1', port: 1234 } }],
  ['--metrics-address=0', { metricsAddress: undefined }],
  ['--pprof-address=:6060', { pprofAddress: { port: 6060 } }],
  ['--pprof-address=0', {}],
  ['--leader-election', { election: { name: 'metacontroller' } }],
  ['-leader-election=true --leader-election-id=x', { election: { name: 'x' } }],
  ['--leader-election=false', {}],
  ['--leader-election --leader-election-namespace=n', { election: { name: 'metacontroller', namespace: 'n' } }],
  ['--shards=4', { election: { name: 'metacontroller', shards: 4 } }],
  [
    '--leader-election --shards 4 --leader-election-id=x --leader-election-namespace=n',
    { election: { name: 'x', namespace: 'n', shards: 4 } },
  ],
  ['--leader-election-resource-lock=leases', {}],
  ['--zap-log-level=4', { log: { level: 'debug', encoder: 'json' } }],
  ['-zap-log-level=0', { log: { level: 'info', encoder: 'json' } }],
  ['--zap-log-level=error --zap-encoder=console', { log: { level: 'error', encoder: 'console' } }],
  ['--zap-devel', { log: { level: 'debug', encoder: 'console' } }],
  ['--zap-devel=true --zap-log-level=info', { log: { level: 'info', encoder: 'console' } }],
  ['--zap-stacktrace-level=error --zap-time-encoding=iso8601', {}],
  [
    '--apply-strategy=server-side-apply',
    { applyMode: 'server-side', fieldManager: 'metacontroller', forceConflicts: true },
  ],
  ['-kubeconfig=/x', { cluster: { kubeconfig: '/x' } }],
  ['-f a -f b', { paths: ['a', 'b'], fromCluster: undefined }],
  ['--drain-timeout=5s', { drainMs: 5_000 }],
];
for (const [line, changed] of FLAGS)
  test(`${line}`, async () => {
    const wanted = { ...(await optionsOf('')), ...changed };
    const defined = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
    assert.deepEqual(await optionsOf(line), defined);
  });

test('flags that mean nothing here are named', async () => {
  assert.deepEqual(idleDaemonFlags(await flagsOf('')), []);
  const line = '--zap-stacktrace-level=error --zap-time-encoding=iso8601';
  assert.deepEqual(idleDaemonFlags(await flagsOf(line)), ['--zap-stacktrace-level', '--zap-time-encoding']);
});

test('no flag of the daemon is without a line above', () => {
  const lines = FLAGS.map(([line]) => line).join(' ');
  const missing = Object.keys(daemonFlags).filter((name) => !new RegExp(`-${name}[ =]|-${name}$`).test(`${lines} `));
  assert.deepEqual(missing, []);
});

/** As its own --help has them, each with its default said aloud. */
const OF_METACONTROLLER = [
  '--apply-strategy=dynamic-apply --apply-strategy-ssa-field-manager=metacontroller --cache-flush-interval=30m0s',
  '--discovery-interval=30s --events-burst=25 --health-probe-bind-address=:8081 --leader-election=false',
  '--leader-election-id=metacontroller --leader-election-namespace= --leader-election-resource-lock=leases',
  '--metrics-address=:9999 --pprof-address=0 --target-label-selector= --workers=5 --zap-devel=false',
  '--zap-encoder=json --zap-log-level=info --zap-time-encoding=epoch',
].join(' ');
for (const dash of ['-', '--'])
  test(`Metacontroller's flags with their defaults, each with ${dash}, change nothing`, async () => {
    const line = OF_METACONTROLLER.replaceAll('--', dash);
    const { fieldManager, applyMode, ...said } = await optionsOf(line);
    assert.deepEqual(said, await optionsOf(''));
    assert.deepEqual([fieldManager ?? 'metacontroller', applyMode ?? 'dynamic'], ['metacontroller', 'dynamic']);
    assert.deepEqual(idleDaemonFlags(await flagsOf(line)), []);
    // These have another default here: no limit.
    const { requests } = await optionsOf(`${line} ${dash}client-go-qps=5 ${dash}client-go-burst=10`);
    assert.deepEqual(requests, { perSecond: 5, burst: 10 });
    assert.deepEqual((await optionsOf(`${dash}events-qps=0.0033333333333333335`)).events, said.events);
  });

const WRONG: readonly [line: string, said: RegExp][] = [
  ['--cache-flush-interval=soon', /is not a duration/],
  ['--health-probe-bind-address=8081', /is no address to listen on/],
  ['--metrics-address=:99999', /is no address to listen on/],
  ['--zap-log-level=loud', /is no log level/],
  ['--events-qps=many', /is not a number/],
  ['--pprof-address=6060', /is no address to listen on/],
  ['--discovery-interval=often', /is not a duration/],
  ['--drain-timeout=-1s', /is not a duration|negative/],
  ['--leader-election=maybe', /is true or false/],
  ['--leader-election-resource-lock=configmaps', /leases/],
  ['--workers=0', /workers/],
  ['--shards=0', /shards/],
  ['--shards=-1', /shards/],
  ['--shards=257', /shards/],
  ['--shards=few', /shards/],
  ['--no-such-flag', /no-such-flag/],
];
for (const [line, said] of WRONG) test(`wrong: ${line}`, () => assert.rejects(flagsOf(line), said));

test('what stands after "--", and short flags, are left as they are', () => {
  assert.deepEqual(fromGoFlags(['-f', 'x', '-n=y', '--', '-zap-devel=true'], ['zap-devel']), [
    '-f',
    'x',
    '-n=y',
    '--',
    '-zap-devel=true',
  ]);
});
