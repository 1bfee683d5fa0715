// Shards: by simulation, a million keys and replicas that come and go; and for real, 50,000 parents on the sandbox, looked
// after by one daemon, by two and by three, of which one is killed.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../src/app/index.ts';
import { createClient } from '../../src/cluster/index.ts';
import { mapLimited } from '../../src/kit/concurrency.ts';
import type { Transport } from '../../src/ports/transport.ts';
import { createSandbox, kubeconfigFor, serveSandbox } from '../../src/sandbox/index.ts';
import { Bed, serveBoxes } from '../daemon-bed.ts';
import { type DaemonProcess, type HookProcess, seen, startDaemon, startHook } from '../daemon-process.ts';
import { RESOURCES } from '../project.ts';
import { type Section, type Table, verdict } from '../report.ts';
import { send, temporaryDirectory } from '../servers.ts';
import { comingsAndGoings, failovers, KEYS, populations, sizesOf } from '../shard-simulation.ts';

const PARENTS = Number(process.env['METACTL_BENCH_PARENTS'] ?? 50_000);
const EACH = 100;
const SPACES = PARENTS / EACH;
const SHARDS = 8;
const RUNS = 200;

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const count = (number: number): string => Math.round(number).toLocaleString('en');

export async function shardsTopic(): Promise<Section> {
  const { table, gap } = await realTable();
  const killed = await failovers('killed', RUNS);
  const stopped = await failovers('stopped', RUNS);
  return {
    title: `Shards: ${count(KEYS)} keys by simulation, ${count(PARENTS)} parents on the sandbox`,
    text: `Simulated: keys into shards by the daemon's own functions, and replicas that come one after the other up to five, of which two go again. "Even" is a share of the mean; "moved" is of all keys. The Leases of three replicas with 16 shards on a clock that is moved, ${RUNS} runs: how long the last shard of one that is gone has nobody. For real: ${count(PARENTS)} parents with one ConfigMap each, ${EACH} to a namespace, webhooks in a process of their own; every daemon is a process, \`--shards ${SHARDS}\` but for the first row; the sandbox is in the process that measures. RSS as it is three seconds after the last hook call, and at its highest. Everything is as the hooks want it; a daemon that starts asks them about each of its parents once.`,
    tables: [shardTable(), movesTable(), failoverTable(killed, stopped), table],
    verdicts: [
      verdict(
        'the shards of a dead replica move within lease and two looks (19 s)',
        (killed.at(-1) ?? 0) <= 19,
        `${killed.at(-1)?.toFixed(1)} s`,
      ),
      gap,
    ],
  };
}

function shardTable(): Table {
  const rows = populations().flatMap((population) =>
    [16, 64].map((shards) => {
      const sizes = sizesOf(population, shards);
      const mean = KEYS / shards;
      const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
      return [population.name, String(shards), percent(least / mean), percent(most / mean)];
    }),
  );
  return { columns: ['keys', 'shards', 'smallest shard (even: 100 %)', 'largest'], rows };
}

function movesTable(): Table {
  const rows = populations().map((population) => {
    const steps = comingsAndGoings(sizesOf(population, 64));
    return [
      population.name,
      ...steps.map(({ moved, movedOfLiving, largest, what }) => {
        const [before = '', after = ''] = what.split(' → ');
        const needless = Number(after) < Number(before) ? `, of the living ${percent(movedOfLiving)}` : '';
        return `${percent(moved)}${needless}; largest ${percent(largest)}`;
      }),
    ];
  });
  const [first] = populations();
  const columns = first ? comingsAndGoings(sizesOf(first, 64)).map(({ what }) => what) : [];
  return { columns: ['moved with 64 shards, replicas:', ...columns], rows };
}

function failoverTable(killed: readonly number[], stopped: readonly number[]): Table {
  const row = (how: string, gaps: readonly number[]): string[] => [
    how,
    ...[gaps[0], gaps[Math.floor(gaps.length / 2)], gaps.at(-1)].map((gap) => `${gap?.toFixed(1)} s`),
  ];
  return {
    columns: ['one of three is', 'least', 'median', 'most'],
    rows: [row('killed', killed), row('stopped', stopped)],
  };
}

interface Ground {
  readonly kubeconfig: string;
  readonly transport: Transport;
  readonly definition: string;
  readonly hook: HookProcess;
  readonly beds: readonly Bed[];
}

async function realTable(): Promise<{ readonly table: Table; readonly gap: string }> {
  const directory = temporaryDirectory('shards');
  const kubeconfig = join(directory, 'kubeconfig');
  const sandbox = createSandbox({ clock: systemClock });
  const served = await serveSandbox(sandbox, { host: '127.0.0.1', port: 0 });
  writeFileSync(kubeconfig, kubeconfigFor(served.url));
  const hook = await startHook();
  const definition = join(directory, 'definition.json');
  writeFileSync(definition, JSON.stringify(definitionOf(hook.url)));
  const ground = { kubeconfig, transport: sandbox.transport, definition, hook };
  try {
    return await measured({ ...ground, beds: await filled(ground) });
  } finally {
    await hook.stop();
    await served.close();
  }
}

/** One namespace is settled by a daemon; all others are made to be as if it had done them, too. */
async function filled(ground: Omit<Ground, 'beds'>): Promise<readonly Bed[]> {
  const { transport, hook } = ground;
  await serveBoxes(transport);
  const shape = (space: number) => ({ namespace: `team-${space}`, parents: EACH, childrenEach: 1 });
  const model = await Bed.make(transport, shape(0));
  const daemon = await start({ ...ground, beds: [] }, []);
  await seen('the model is settled', () => model.isSettled(0));
  await rested(hook, daemon.callsBefore + EACH);
  await daemon.stop();
  const beds = [model];
  for (let space = 1; space < SPACES; space++) {
    const bed = await Bed.make(transport, shape(space));
    for (const writes of await bed.creations(model))
      await mapLimited(writes, 32, ({ method, path, body, contentType = 'application/json' }) =>
        send(transport, method === 'PATCH' ? 'PATCH' : 'POST', { path, body: movedTo(bed, model, body), contentType }),
      );
    beds.push(bed);
  }
  return beds;
}

/** The annotation of what was applied last names the namespace, too. */
function movedTo(bed: Bed, model: Bed, body: object): object {
  const named = ({ shape }: Bed): string => `\\"${shape.namespace}\\"`;
  return JSON.parse(JSON.stringify(body).replaceAll(named(model), named(bed)));
}

async function measured(ground: Ground): Promise<{ readonly table: Table; readonly gap: string }> {
  const rows: string[][] = [];
  const alone = await start(ground, []);
  rows.push(await rowOf('without shards', [alone], ground));
  await alone.stop();
  for (const replicas of [2, 3]) {
    const daemons: DaemonProcess[] = [];
    for (let index = 0; index < replicas; index++) daemons.push(await start(ground, ['--shards', String(SHARDS)]));
    rows.push(await rowOf(`${replicas} replicas`, daemons, ground));
    if (replicas === 3) {
      const gap = await killOne(daemons, ground);
      await Promise.all(daemons.slice(1).map((daemon) => daemon.stop()));
      const columns = [
        '',
        'wall',
        'CPU, each',
        'RSS at rest, each',
        'at its highest, each',
        'parents in the cache, each',
        'hook calls',
        'writes',
      ];
      return { table: { columns, rows }, gap };
    }
    await Promise.all(daemons.map((daemon) => daemon.stop()));
  }
  throw new Error('three replicas were not measured');
}

const start = ({ kubeconfig, definition, hook }: Ground, flags: readonly string[]): Promise<DaemonProcess> =>
  startDaemon({
    kubeconfig,
    definition,
    hook,
    flags: [...flags, '--leader-election-namespace', 'default', '--workers', '20'],
  });

async function rowOf(name: string, daemons: readonly DaemonProcess[], { hook }: Ground): Promise<string[]> {
  const [first] = daemons;
  if (!first) throw new Error('there is no daemon');
  const before = first.callsBefore;
  const last = await rested(hook, before + PARENTS);
  const done = await Promise.all(daemons.map((daemon) => daemon.done()));
  const pages = await Promise.all(daemons.map((daemon) => daemon.metrics()));
  const cached = pages.map((page) =>
    Number(/^metactl_cache_objects\{resource="boxes[^"]*"\} (\d+)$/m.exec(page)?.[1] ?? 0),
  );
  const all = (numbers: readonly number[], unit: string): string =>
    `${numbers.map((one) => count(one)).join(', ')}${unit}`;
  return [
    name,
    `${((last - first.startedAt) / 1_000).toFixed(1)} s`,
    all(
      done.map(({ cpuSeconds }) => cpuSeconds),
      ' s',
    ),
    all(
      daemons.map((daemon) => daemon.restMiB()),
      ' MiB',
    ),
    all(
      daemons.map((daemon) => daemon.peakMiB()),
      ' MiB',
    ),
    all(cached, ''),
    count((await hook.count()).calls - before),
    count(pages.reduce((sum, page) => sum + writesIn(page), 0)),
  ];
}

/** When the last call was, of so many at least: three seconds without another one. */
async function rested(hook: HookProcess, calls: number): Promise<number> {
  let before = await hook.count();
  await seen(
    'the hooks have been asked',
    async () => {
      await sleep(3_000);
      const now = await hook.count();
      const still = now.calls >= calls && now.calls === before.calls;
      before = now;
      return still;
    },
    1_800_000,
  );
  return before.last;
}

/** And one parent of each namespace wants another version at that moment. */
async function killOne([gone, ...living]: readonly DaemonProcess[], { beds, transport }: Ground): Promise<string> {
  if (!gone) throw new Error('there is no daemon');
  const client = createClient(transport);
  const type = await client.byResource(RESOURCES.apiVersion, RESOURCES.resource);
  if (!type) throw new Error('boxes are not served');
  const created = async (): Promise<number> => {
    const done = await Promise.all(living.map((daemon) => daemon.done()));
    return done.reduce((sum, { apiCalls }) => sum + (apiCalls.get('create') ?? 0), 0);
  };
  const before = await created();
  gone.kill();
  const at = Date.now();
  for (const bed of beds) await bed.release(1, 1);
  const waiting = new Set(beds.map(({ shape }) => shape.namespace));
  const all = await seen('the others have taken over', async () => {
    for (const namespace of [...waiting]) {
      const box = (await client.get(type, 'box-0', namespace)) as { status?: { version?: number } } | undefined;
      if (box?.status?.version === 1) waiting.delete(namespace);
    }
    return waiting.size === 0;
  });
  const again = (await created()) - before;
  return `one of three was killed, and a parent in each of ${count(SPACES)} namespaces changed: all followed after ${((all - at) / 1_000).toFixed(1)} s (15 s of it the lease); ${again} objects were created`;
}

function definitionOf(url: string): object {
  return {
    apiVersion: 'metacontroller.k8s.io/v1alpha1',
    kind: 'CompositeController',
    metadata: { name: 'boxes' },
    spec: {
      parentResource: { apiVersion: RESOURCES.apiVersion, resource: RESOURCES.resource },
      childResources: [{ apiVersion: 'v1', resource: 'configmaps', updateStrategy: { method: 'InPlace' } }],
      hooks: { sync: { webhook: { url } } },
    },
  };
}

/** But for those of Leases and Events. */
function writesIn(page: string): number {
  const lines = page.matchAll(/^metactl_api_requests_total\{([^}]*)\} (\d+)$/gm);
  return [...lines].reduce((sum, [, labels = '', calls]) => {
    const isWrite = /verb="(create|update|patch|delete)"/.test(labels) && !/resource="(leases|events)/.test(labels);
    return sum + (isWrite ? Number(calls) : 0);
  }, 0);
}
