// The daemon on the real server, with a webhook in a process of its own, beside a bare client that sends the necessary writes:
// from empty to settled, updates, a restart, a resync, a start with many objects.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Transport } from '../../src/ports/transport.ts';
import type { BareWrite } from '../bare-client.ts';
import { bundled } from '../bundle.ts';
import { Bed, type Shape, serveBoxes } from '../daemon-bed.ts';
import {
  type DaemonProcess,
  type Done,
  type HookProcess,
  quiet,
  seen,
  startDaemon,
  startHook,
} from '../daemon-process.ts';
import { runOnce, type Usage } from '../measure.ts';
import { controllerWith, SEED } from '../project.ts';
import { type Section, seconds, verdict } from '../report.ts';
import { realServer, temporaryDirectory, transportTo } from '../servers.ts';

const AT_ONCE = 20;
export const MANY: Shape = { namespace: 'bench-daemon-many', parents: 1_000, childrenEach: 4 };
const ONE: Shape = { namespace: 'bench-daemon-one', parents: 1, childrenEach: 500 };
const LARGE: Shape = { namespace: 'bench-daemon-large', parents: 2_500, childrenEach: 3 };

interface Row {
  readonly name: string;
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  readonly peakMiB: number;
  readonly hookCalls: number;
  readonly apiCalls: ReadonlyMap<string, number>;
  readonly floor?: Usage;
}

export interface Ground {
  readonly kubeconfig: string;
  readonly transport: Transport;
  readonly hook: HookProcess;
  readonly directory: string;
  readonly bareClient: string;
}

export async function daemonTopic(): Promise<Section> {
  return onGround(async (ground) =>
    section([...(await manyRows(ground)), ...(await oneRows(ground)), ...(await largeRows(ground))]),
  );
}

/** With the parents' resource served, and a webhook. */
export async function onGround<T>(work: (ground: Ground) => Promise<T>): Promise<T> {
  const real = await realServer();
  if (!real) throw new Error('the daemon is measured on the real server');
  const { kubeconfig } = real;
  const transport = await transportTo(kubeconfig);
  const hook = await startHook();
  const directory = temporaryDirectory('daemon');
  try {
    await serveBoxes(transport);
    return await work({ kubeconfig, transport, hook, directory, bareClient: await bundled('bare-client') });
  } finally {
    await hook.stop();
    await transport.close();
  }
}

function section(rows: readonly Row[]): Section {
  return {
    title: 'The daemon',
    text: `Seed ${SEED}. \`metactl daemon --workers ${AT_ONCE} --concurrency ${AT_ONCE}\` on the real server, one run; the hook is a webhook in another process, the children are ConfigMaps of about 0.6 kB. Wall is from the daemon's start, or from the first parent that was changed, until all is as wanted, or until the hook's last call where nothing is to be written. CPU and calls include two quiet seconds afterwards; peak RSS is that of the step. The floor is a bare client that sends the same writes, finished, ${AT_ONCE} at a time, the changes of parents included. All of it ran on the same two cores: API server, etcd, webhook and the daemon.`,
    tables: [
      {
        columns: ['step', 'wall', 'floor', 'times', 'CPU', 'floor', 'peak RSS', 'hook calls', 'API calls'],
        rows: rows.map(cellsOf),
      },
    ],
    verdicts: verdictsOf(rows),
  };
}

function cellsOf({ name, wallSeconds, cpuSeconds, peakMiB, hookCalls, apiCalls, floor }: Row): string[] {
  return [
    name,
    seconds(wallSeconds),
    floor ? seconds(floor.wallSeconds) : '–',
    floor ? (wallSeconds / floor.wallSeconds).toFixed(2) : '–',
    seconds(cpuSeconds),
    floor ? seconds(floor.cpuSeconds) : '–',
    `${peakMiB.toFixed(0)} MiB`,
    hookCalls.toLocaleString('en'),
    [...apiCalls].map(([verb, times]) => `${times.toLocaleString('en')} × ${verb}`).join(', '),
  ];
}

/** 1,000 × 4 from empty; an update of all, and of half; a restart with nothing to do. */
async function manyRows(ground: Ground): Promise<Row[]> {
  const bed = await Bed.make(ground.transport, MANY);
  const bare = await Bed.make(ground.transport, { ...MANY, namespace: `${MANY.namespace}-bare` });
  const daemon = await daemonFor(ground, bed);
  const settled = (version: number) => () => bed.isSettled(version);
  const rows: Row[] = [];
  const fresh = await step(daemon, { name: '1,000 parents × 4 children, from empty', isDone: settled(0) });
  rows.push({ ...fresh, floor: await floorOf(ground, await bare.creations(bed)) });
  for (const [index, parents] of [1_000, 500].entries()) {
    const version = index + 1;
    const name = `all 4 children of ${parents.toLocaleString('en')} parents updated in place`;
    const act = () => bed.release(version, parents);
    const row = await step(daemon, { name, act, isDone: settled(version) });
    const writes = [bare.releases(version, parents), ...(await bare.updates(bed, parents))];
    rows.push({ ...row, floor: await floorOf(ground, writes) });
  }
  await daemon.stop();
  const again = await daemonFor(ground, bed);
  rows.push(await calledOnce(again, { name: 'restart: 5,000 objects, nothing to do', ground, calls: MANY.parents }));
  await again.stop();
  return rows;
}

async function oneRows(ground: Ground): Promise<Row[]> {
  const bed = await Bed.make(ground.transport, ONE);
  const bare = await Bed.make(ground.transport, { ...ONE, namespace: `${ONE.namespace}-bare` });
  const daemon = await daemonFor(ground, bed);
  const row = await step(daemon, { name: '1 parent × 500 children, from empty', isDone: () => bed.isSettled(0) });
  await daemon.stop();
  return [{ ...row, floor: await floorOf(ground, await bare.creations(bed)) }];
}

/** A start with 10,000 objects, and a resync of their 2,500 parents. */
async function largeRows(ground: Ground): Promise<Row[]> {
  const bed = await Bed.make(ground.transport, LARGE);
  const first = await daemonFor(ground, bed);
  await seen('the children of 2,500 parents', () => bed.isSettled(0));
  await quiet(first);
  await first.stop();
  const flush = 120;
  const daemon = await daemonFor(ground, bed, ['--cache-flush-interval', `${flush}s`]);
  const calls = LARGE.parents;
  const start = await calledOnce(daemon, { name: 'start with 10,000 objects, nothing to do', ground, calls });
  const wait = daemon.startedAt + flush * 1_000 - Date.now();
  if (wait <= 0) throw new Error(`the start took longer than ${flush} s`);
  const resync = await calledOnce(daemon, { name: '2,500 parents asked again', ground, calls, resync: true });
  await daemon.stop();
  return [start, resync];
}

interface Step {
  readonly name: string;
  /** What sets it off. Absent: the start. */
  readonly act?: () => Promise<void>;
  readonly isDone: () => Promise<boolean>;
}

async function step(daemon: DaemonProcess, { name, act, isDone }: Step): Promise<Row> {
  const before = act ? await daemon.done() : NOTHING;
  daemon.forgetPeak();
  const begin = act ? Date.now() : daemon.startedAt;
  const [end] = await Promise.all([seen(name, isDone), act?.()]);
  return rowOf(name, { daemon, before, wallSeconds: (end - begin) / 1_000 });
}

interface Calls {
  readonly name: string;
  readonly ground: Ground;
  readonly calls: number;
  /** Of a daemon that runs; else its start. */
  readonly resync?: boolean;
}

/** Every parent's hook is asked, and nothing written. */
async function calledOnce(daemon: DaemonProcess, { name, ground, calls, resync }: Calls): Promise<Row> {
  const { hook } = ground;
  const before = resync ? await daemon.done() : NOTHING;
  daemon.forgetPeak();
  const asked = (await hook.count()).calls;
  const so = (more: number) => async () => (await hook.count()).calls >= asked + more;
  const begin = resync ? await seen(name, so(1)) : daemon.startedAt;
  await seen(name, so(calls));
  const row = await rowOf(name, { daemon, before, wallSeconds: 0 });
  return { ...row, wallSeconds: ((await hook.count()).last - begin) / 1_000 };
}

const NOTHING: Done = { cpuSeconds: 0, hookCalls: 0, apiCalls: new Map() };

interface Measured {
  readonly daemon: DaemonProcess;
  readonly before: Done;
  readonly wallSeconds: number;
}

async function rowOf(name: string, { daemon, before, wallSeconds }: Measured): Promise<Row> {
  const after = await quiet(daemon);
  console.error(`${name}: ${seconds(wallSeconds)}, CPU ${seconds(after.cpuSeconds - before.cpuSeconds)}`);
  const apiCalls = [...after.apiCalls].map(
    ([verb, times]) => [verb, times - (before.apiCalls.get(verb) ?? 0)] as const,
  );
  return {
    name,
    wallSeconds,
    cpuSeconds: after.cpuSeconds - before.cpuSeconds,
    peakMiB: daemon.peakMiB(),
    hookCalls: after.hookCalls - before.hookCalls,
    apiCalls: new Map(apiCalls.filter(([, times]) => times > 0)),
  };
}

export function daemonFor(ground: Ground, { shape }: Bed, flags: readonly string[] = []): Promise<DaemonProcess> {
  const definition = join(ground.directory, `${shape.namespace}.json`);
  writeFileSync(definition, JSON.stringify(controllerWith({ webhook: { url: ground.hook.url } })));
  const all = ['-n', shape.namespace, '--workers', `${AT_ONCE}`, '--concurrency', `${AT_ONCE}`, ...flags];
  return startDaemon({ ...ground, definition, flags: all });
}

async function floorOf({ directory, bareClient, kubeconfig }: Ground, writes: readonly BareWrite[][]): Promise<Usage> {
  const file = join(directory, 'writes.json');
  writeFileSync(file, JSON.stringify(writes));
  const sent = ['--kubeconfig', kubeconfig, '--concurrency', `${AT_ONCE}`];
  return runOnce({ name: 'bare client', program: process.execPath, arguments: [bareClient, file, ...sent] });
}

/** The reference on a machine of two cores, given 2,000 QPS and 20 workers; its figures are not of this run. */
const REFERENCE = {
  fresh: { wallSeconds: 11.4, cpuSeconds: 4.7 },
  update: { wallSeconds: 12.5 },
  restart: { cpuSeconds: 1.5 },
};
const MOST = { timesFloor: 1.3, hookCalls: 2_000, peakMiB: 180 };

function verdictsOf([fresh, updated, , restart]: readonly Row[]): string[] {
  if (!fresh?.floor || !updated || !restart) throw new Error('rows are missing');
  const times = fresh.wallSeconds / fresh.floor.wallSeconds;
  const below = (what: string, found: number, limit: number, text: (value: number) => string): string =>
    verdict(`${what} ${text(limit)}`, found <= limit, text(found));
  const count = (value: number): string => value.toLocaleString('en');
  const halfOf = (what: string, reference: number, { wallSeconds, floor }: Row): string => {
    const found = `${seconds(wallSeconds)}; the bare client took ${seconds(floor?.wallSeconds ?? 0)}`;
    return verdict(
      `${what} in half of the reference’s wall, ${seconds(reference / 2)}`,
      wallSeconds <= reference / 2,
      found,
    );
  };
  const mebi = (value: number): string => `${value.toFixed(0)} MiB`;
  return [
    verdict(
      `1,000 × 4 within ${MOST.timesFloor} times the floor`,
      times <= MOST.timesFloor,
      `${times.toFixed(2)} times`,
    ),
    halfOf('1,000 × 4', REFERENCE.fresh.wallSeconds, fresh),
    below('1,000 × 4, hook calls within', fresh.hookCalls, MOST.hookCalls, count),
    below('1,000 × 4, CPU within the reference’s', fresh.cpuSeconds, REFERENCE.fresh.cpuSeconds, seconds),
    below('1,000 × 4, peak RSS within', fresh.peakMiB, MOST.peakMiB, mebi),
    halfOf('the update', REFERENCE.update.wallSeconds, updated),
    below('the restart, CPU within the reference’s', restart.cpuSeconds, REFERENCE.restart.cpuSeconds, seconds),
  ];
}
