// Rolling updates from their first child to their last, on both servers: how long, how many hook calls, how many API calls.

import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { callCounter } from '../../src/testing/call-counter.ts';
import { type Measured, measure, runOnce } from '../measure.ts';
import { type Cluster, metactl } from '../metactl.ts';
import { type Section, seconds, USAGE_COLUMNS, usageCells } from '../report.ts';
import { type RolloutFiles, type RolloutShape, writeRollout } from '../rollout-project.ts';
import { realServer, temporaryDirectory, transportOf } from '../servers.ts';

interface Given extends RolloutShape {
  readonly runs: number;
}

const SHAPES: readonly Given[] = [
  { method: 'RollingInPlace', kind: 'ConfigMap', children: 200, runs: 3 },
  { method: 'RollingRecreate', kind: 'ConfigMap', children: 50, runs: 3 },
  { method: 'RollingRecreate', kind: 'Pod', children: 50, runs: 1 },
];

interface Row {
  readonly shape: Given;
  readonly server: string;
  readonly measured: Measured;
  readonly hookCalls: number;
  readonly apiCalls: string;
}

export async function rolloutTopic(): Promise<Section> {
  const real = await realServer();
  const rows: Row[] = [];
  for (const [index, shape] of SHAPES.entries()) {
    const directory = temporaryDirectory(`rollout-${index}`);
    const files = writeRollout(directory, `bench-rollout-${index}`, shape);
    if (real) rows.push(await rowOn('real', { files, shape, cluster: { kubeconfig: real.kubeconfig } }));
    const cluster = { sandboxDirectory: join(directory, 'sandbox') };
    if (shape.kind !== 'Pod') rows.push(await rowOn('sandbox', { files, shape, cluster }));
  }
  return {
    title: 'Rolling updates to the end',
    text: 'One parent whose version changes; `metactl apply` until every child is at the latest revision and all has settled. Each child is its turn: on record in two ControllerRevisions, then updated or replaced, then the parent’s status. Pods are those of KWOK, without a grace period; the next one moves when the one before is Ready. Calls were counted in a run of their own, through a proxy.',
    tables: [
      {
        columns: ['rollout', 'server', ...USAGE_COLUMNS, 'a child', 'hook calls', 'API calls'],
        rows: rows.map(({ shape, server, measured, hookCalls, apiCalls }) => [
          `${shape.method}, ${shape.children} ${shape.kind}s`,
          server,
          ...usageCells(measured),
          seconds(measured.wallSeconds / shape.children),
          String(hookCalls),
          apiCalls,
        ]),
      },
    ],
  };
}

interface RowOptions {
  readonly files: RolloutFiles;
  readonly shape: Given;
  readonly cluster: Cluster;
}

const applyOf = (definition: string, { parent, namespace }: RolloutFiles): string[] => [
  ...['apply', '-f', definition, '-f', parent, '-n', namespace],
  ...['--yes', '--timeout', '15m'],
];

async function rowOn(server: string, { files, shape, cluster }: RowOptions): Promise<Row> {
  let version = 1;
  files.release(version);
  await runOnce(metactl('set-up', [...applyOf(files.definition, files), '-f', files.inputs], cluster));
  const before = async (): Promise<void> => files.release(++version);
  const command = metactl(shape.method, applyOf(files.definition, files), cluster);
  const [measured] = await measure([{ ...command, before }], { runs: shape.runs, warmUps: 0 });
  if (!measured) throw new Error('nothing was measured');
  files.release(++version);
  return { shape, server, measured, ...(await count(cluster, files)) };
}

/** Not measured: the proxy would be part of it. */
async function count(cluster: Cluster, files: RolloutFiles): Promise<Pick<Row, 'hookCalls' | 'apiCalls'>> {
  const transport = await transportOf(cluster);
  const kubeconfig = join(temporaryDirectory('count'), 'kubeconfig');
  const counter = await callCounter(transport, kubeconfig);
  rmSync(files.hookLog, { force: true });
  await runOnce(metactl('counted', applyOf(files.countedDefinition, files), { kubeconfig }));
  const apiCalls = Object.entries(counter.take()).map(([what, times]) => `${times} × ${what}`);
  await counter.close();
  await transport.close();
  return { hookCalls: readFileSync(files.hookLog, 'utf8').length, apiCalls: apiCalls.join(', ') };
}
