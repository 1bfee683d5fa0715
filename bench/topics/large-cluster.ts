// 100,000 ConfigMaps in the cluster, of which a plan needs ten: it must not notice the others.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../src/app/index.ts';
import { mapLimited } from '../../src/kit/concurrency.ts';
import type { Transport } from '../../src/ports/transport.ts';
import { createSandbox, kubeconfigFor, serveSandbox } from '../../src/sandbox/index.ts';
import { type Command, type Measured, measure, median, runOnce } from '../measure.ts';
import { metactl } from '../metactl.ts';
import { configMap, SEED, writeProject } from '../project.ts';
import { type Section, USAGE_COLUMNS, usageCells } from '../report.ts';
import { realServer, send, temporaryDirectory, transportTo } from '../servers.ts';

const OTHERS = 100_000;
const NAMESPACES = 100;
const OWN = 10;
const FILL_MS = 120_000;

interface Row {
  readonly server: string;
  readonly others: number;
  readonly measured: Measured;
  readonly stallMs: number;
}

export async function largeClusterTopic(): Promise<Section> {
  const rows: Row[] = [];
  const notes: string[] = [];
  const real = await realServer();
  const sandbox = createSandbox({ clock: systemClock });
  const served = await serveSandbox(sandbox, { host: '127.0.0.1', port: 0 });
  const kubeconfig = join(temporaryDirectory('large'), 'kubeconfig');
  writeFileSync(kubeconfig, kubeconfigFor(served.url));
  const servers = [
    { server: 'sandbox', kubeconfig, transport: sandbox.transport },
    ...(real ? [{ server: 'real', kubeconfig: real.kubeconfig, transport: await transportTo(real.kubeconfig) }] : []),
  ];
  for (const { server, kubeconfig: file, transport } of servers) {
    const plan = await setUp(file);
    rows.push(await rowOf(server, 0, plan));
    const begin = performance.now();
    const others = await fill(transport);
    notes.push(
      `${server}: ${((performance.now() - begin) / 1000).toFixed(0)} s to create ${others.toLocaleString('en')}`,
    );
    rows.push(await rowOf(server, others, plan));
    await transport.close();
  }
  await served.close();
  return {
    title: '100,000 ConfigMaps in the cluster, one namespace used',
    text: `Seed ${SEED}. A plan of ${OWN} unchanged children with \`-n\`, while other namespaces hold no ConfigMaps, and then up to ${OTHERS.toLocaleString('en')} in ${NAMESPACES} namespaces (as many as two minutes allow). Both servers are reached over HTTP. The longest stall is that of the program's event loop from before its first line to its end, loading itself included (perf_hooks, resolution 1 ms).`,
    tables: [
      {
        columns: ['server', 'other ConfigMaps', ...USAGE_COLUMNS, 'longest stall'],
        rows: rows.map(({ server, others, measured, stallMs }) => [
          server,
          others.toLocaleString('en'),
          ...usageCells(measured),
          `${stallMs.toFixed(0)} ms`,
        ]),
      },
    ],
    verdicts: notes,
  };
}

async function setUp(kubeconfig: string): Promise<Command> {
  const directory = temporaryDirectory('large-project');
  const namespace = 'bench-large';
  const { inputs, definition } = writeProject({ directory, namespace, parents: 1, childrenEach: OWN });
  await runOnce(metactl('set-up', ['apply', '-f', inputs, '-f', definition, '-n', namespace, '--yes'], { kubeconfig }));
  return metactl('plan', ['plan', '-f', definition, '-n', namespace, '--detailed-exitcode'], { kubeconfig });
}

async function rowOf(server: string, others: number, plan: Command): Promise<Row> {
  const file = join(temporaryDirectory('stall'), 'stall');
  const [measured] = await measure([plan], { runs: 5 });
  if (!measured) throw new Error('nothing was measured');
  const stalls: number[] = [];
  for (let run = 0; run < 5; run++) {
    const watch = join(import.meta.dirname, '..', 'stall-watch.mjs');
    const given = plan.arguments as readonly string[];
    await runOnce({ ...plan, arguments: ['--import', watch, ...given], environment: { METACTL_BENCH_STALL: file } });
    stalls.push(Number(readFileSync(file, 'utf8')));
  }
  return { server, others, measured, stallMs: median(stalls) };
}

/** Creates the others, as many as it can in the time. Returns how many. */
async function fill(transport: Transport): Promise<number> {
  const deadline = performance.now() + FILL_MS;
  const indexes = Array.from({ length: OTHERS / NAMESPACES }, (_, index) => index);
  let created = 0;
  for (let space = 0; space < NAMESPACES && performance.now() < deadline; space++) {
    const name = `bench-other-${space}`;
    const path = '/api/v1/namespaces';
    await send(transport, 'POST', { path, body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } } });
    await mapLimited(indexes, 32, (index) =>
      send(transport, 'POST', {
        path: `${path}/${name}/configmaps`,
        body: configMap({ name: 'other', namespace: name }, index),
      }),
    );
    created += indexes.length;
  }
  return created;
}
