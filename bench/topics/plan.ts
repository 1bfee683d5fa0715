// A plan of 1,000 unchanged ConfigMaps, under one parent and under 250, on both servers; beside it what kubectl takes to find
// that the same objects are unchanged.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mapLimited } from '../../src/kit/concurrency.ts';
import type { Transport } from '../../src/ports/transport.ts';
import { callCounter } from '../../src/testing/call-counter.ts';
import { type Command, type Measured, measure, runOnce } from '../measure.ts';
import { type Cluster, metactl } from '../metactl.ts';
import { type BenchProject, childrenOf, SEED, writeProject } from '../project.ts';
import { type Section, seconds, USAGE_COLUMNS, usageCells, verdict } from '../report.ts';
import { type RealServer, realServer, send, temporaryDirectory, transportOf, transportTo } from '../servers.ts';

const CHILDREN = 1000;
const SHAPES = [
  { parents: 1, childrenEach: 1000 },
  { parents: 250, childrenEach: 4 },
] as const;

interface Row {
  readonly server: string;
  readonly measured: Measured;
  readonly hookCalls: string;
  readonly apiCalls: string;
}

export async function planTopic(): Promise<Section> {
  const real = await realServer();
  const rows: Row[] = [];
  for (const shape of SHAPES) {
    const directory = temporaryDirectory(`plan-${shape.parents}`);
    const namespace = `bench-plan-${shape.parents}`;
    const project = writeProject({ directory, namespace, ...shape });
    rows.push(await planRow('sandbox', project, { sandboxDirectory: join(directory, 'sandbox') }));
    if (real) rows.push(await planRow('real', project, { kubeconfig: real.kubeconfig }));
  }
  const peers = real ? await kubectlRows(real) : [];
  return {
    title: 'Plan of 1,000 unchanged ConfigMaps',
    text: `Seed ${SEED}; about 0.6 kB each, the annotation included. The sandbox is in the process and reads its directory; the real server is kube-apiserver on the same machine. API calls were counted in a run of their own, through a proxy. kubectl compares the same objects in namespaces of their own, where its own annotations and fields are as it left them, so that it finds no difference either.`,
    tables: [
      {
        columns: ['command', 'server', ...USAGE_COLUMNS, 'hook calls', 'API calls'],
        rows: [...rows, ...peers].map(({ server, measured, hookCalls, apiCalls }) => [
          measured.name,
          server,
          ...usageCells(measured),
          hookCalls,
          apiCalls,
        ]),
      },
    ],
    verdicts: verdictsOf(rows, peers),
  };
}

async function planRow(server: string, project: BenchProject, cluster: Cluster): Promise<Row> {
  const { namespace, parents } = project.options;
  await runOnce(
    metactl('set-up', ['apply', '-f', project.inputs, '-f', project.definition, '-n', namespace, '--yes'], cluster),
  );
  const plan = (definition: string): string[] => ['plan', '-f', definition, '-n', namespace, '--detailed-exitcode'];
  const name = `metactl plan, ${parents} ${parents === 1 ? 'parent' : 'parents'}`;
  const [measured] = await measure([metactl(name, plan(project.definition), cluster)], { runs: 5 });
  if (!measured) throw new Error('nothing was measured');
  const counted = await count(cluster, project, plan(project.countedDefinition));
  return { server, measured, ...counted };
}

/** Not measured: the proxy would be part of it. */
async function count(
  cluster: Cluster,
  project: BenchProject,
  plan: readonly string[],
): Promise<{ readonly hookCalls: string; readonly apiCalls: string }> {
  const transport = await transportOf(cluster);
  const kubeconfig = join(temporaryDirectory('count'), 'kubeconfig');
  const counter = await callCounter(transport, kubeconfig);
  rmSync(project.hookLog, { force: true });
  await runOnce(metactl('counted', plan, { kubeconfig }));
  const apiCalls = Object.entries(counter.take()).map(([what, times]) => `${times} × ${what}`);
  await counter.close();
  await transport.close();
  const hookCalls = readFileSync(project.hookLog, 'utf8').trim().split('\n').length;
  return { hookCalls: String(hookCalls), apiCalls: apiCalls.join(', ') };
}

async function kubectlRows({ kubeconfig, kubectl }: RealServer): Promise<Row[]> {
  const transport = await transportTo(kubeconfig);
  const command = (name: string, file: string, flags: readonly string[]): Command => ({
    name,
    program: kubectl,
    arguments: ['diff', '-f', file, ...flags],
    environment: { KUBECONFIG: kubeconfig },
  });
  const client = await asKubectlLeftThem(transport, 'client');
  const server = await asKubectlLeftThem(transport, 'server');
  await transport.close();
  const fast = command('kubectl diff --server-side --concurrency=16', server, ['--server-side', '--concurrency=16']);
  const measured = [
    // A minute each: one run, and no other to warm up.
    ...(await measure([command('kubectl diff', client, [])], { runs: 1, warmUps: 0 })),
    ...(await measure([fast], { runs: 3 })),
  ];
  return measured.map((one) => ({ server: 'real', measured: one, hookCalls: '–', apiCalls: '' }));
}

/** The children as `kubectl apply` (client-side or server-side) leaves them, and a file with the same for `kubectl diff`. */
async function asKubectlLeftThem(transport: Transport, side: 'client' | 'server'): Promise<string> {
  const namespace = `bench-kubectl-${side}`;
  const items = childrenOf({ directory: '', namespace, parents: 1, childrenEach: CHILDREN });
  await send(transport, 'POST', {
    path: '/api/v1/namespaces',
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
  });
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  await mapLimited(items, 16, async (item) => {
    const { metadata } = item as { metadata: { name: string } };
    const lastApplied = { 'kubectl.kubernetes.io/last-applied-configuration': `${JSON.stringify(item)}\n` };
    if (side === 'client') {
      const body = { ...item, metadata: { ...metadata, annotations: lastApplied } };
      await send(transport, 'POST', { path: `${path}?fieldManager=kubectl-client-side-apply`, body });
    } else {
      const contentType = 'application/apply-patch+yaml';
      await send(transport, 'PATCH', {
        path: `${path}/${metadata.name}?fieldManager=kubectl`,
        body: item,
        contentType,
      });
    }
  });
  const file = join(temporaryDirectory('kubectl'), 'objects.json');
  writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  return file;
}

function verdictsOf(rows: readonly Row[], peers: readonly Row[]): string[] {
  const verdicts: string[] = [];
  const wall = (row: Row): number => row.measured.wallSeconds;
  const [client, server] = peers;
  for (const row of rows.filter((one) => one.server === 'real')) {
    if (client)
      verdicts.push(
        verdict(
          `${row.measured.name}, 30 times faster than kubectl diff`,
          wall(client) >= 30 * wall(row),
          ratio(client, row),
        ),
      );
    if (server)
      verdicts.push(
        verdict(
          `${row.measured.name}, twice as fast as kubectl diff --server-side --concurrency=16`,
          wall(server) >= 2 * wall(row),
          ratio(server, row),
        ),
      );
  }
  const peak = Math.max(...rows.map(({ measured }) => measured.peakMiB));
  return [...verdicts, verdict('within 200 MiB', peak <= 200, `the largest is ${peak.toFixed(0)} MiB`)];
}

function ratio(slow: Row, fast: Row): string {
  const times = slow.measured.wallSeconds / fast.measured.wallSeconds;
  return `${times.toFixed(1)} times (${seconds(slow.measured.wallSeconds)} beside ${seconds(fast.measured.wallSeconds)})`;
}
