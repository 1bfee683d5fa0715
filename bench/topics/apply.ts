// An apply of 1,000 new ConfigMaps, beside a client that sends the same writes through the same transport, as many at a
// time, and does nothing else.

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '../../src/cluster/index.ts';
import type { KubeObject } from '../../src/model/object.ts';
import type { BareWrite } from '../bare-client.ts';
import { bundled } from '../bundle.ts';
import { type Command, type Measured, measure, runOnce } from '../measure.ts';
import { type Cluster, clusterFlags, metactl } from '../metactl.ts';
import { type BenchProject, SEED, writeProject } from '../project.ts';
import { type Section, USAGE_COLUMNS, usageCells, verdict } from '../report.ts';
import { realServer, temporaryDirectory, transportTo } from '../servers.ts';

const CONFIG_MAPS = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  resource: 'configmaps',
  namespaced: true,
  verbs: ['list'],
  subresources: [],
};
const MOST = 1.3;
const CONCURRENCY = 16;

interface Pair {
  readonly server: string;
  readonly apply: Measured;
  readonly bare: Measured;
}

export async function applyTopic(): Promise<Section> {
  const real = await realServer();
  const script = await bundled('bare-client');
  const directory = temporaryDirectory('apply');
  const pairs: Pair[] = [];
  if (real) {
    const cluster = { kubeconfig: real.kubeconfig };
    const first = project(directory, 'bench-apply-0');
    await runOnce({ ...metactl('set-up', applyOf(first), cluster) });
    const children = await childrenIn(cluster.kubeconfig, first.options.namespace);
    pairs.push(await pairOn('real', { cluster, script, directory, children }));
    const sandboxDirectory = join(directory, 'sandbox');
    pairs.push(await pairOn('sandbox', { cluster: { sandboxDirectory }, script, directory, children }));
  }
  return {
    title: 'Apply of 1,000 new ConfigMaps',
    text: `Seed ${SEED}; ${CONCURRENCY} requests at a time. \`apply\` reads the files, plans, asks the hook, prints a line for each of the 1,003 writes, plans again and waits until its watches have shown everything; the bare client reads the finished requests from a file and sends them. On the sandbox, which is in the process and answers in 0.1 ms, the difference is what \`apply\` itself does.`,
    tables: [
      {
        columns: ['command', 'server', ...USAGE_COLUMNS],
        rows: pairs.flatMap(({ server, apply, bare }) =>
          [apply, bare].map((measured) => [measured.name, server, ...usageCells(measured)]),
        ),
      },
    ],
    verdicts: pairs.map(({ server, apply, bare }) => {
      const times = apply.wallSeconds / bare.wallSeconds;
      return verdict(`within ${MOST} times the bare client, ${server}`, times <= MOST, `${times.toFixed(2)} times`);
    }),
  };
}

interface PairOptions {
  readonly cluster: Cluster;
  readonly script: string;
  readonly directory: string;
  /** As the server keeps them after an apply. */
  readonly children: readonly KubeObject[];
}

let namespaces = 0;

/** Each run takes a namespace of its own; on the sandbox also an empty directory. */
async function pairOn(server: string, { cluster, script, directory, children }: PairOptions): Promise<Pair> {
  let namespace = '';
  const before = async (): Promise<void> => {
    namespace = `bench-apply-${++namespaces}`;
    if ('sandboxDirectory' in cluster) rmSync(cluster.sandboxDirectory, { recursive: true, force: true });
  };
  const writes = join(directory, 'writes.json');
  const bare: Command = {
    name: 'bare client',
    program: process.execPath,
    arguments: [script, writes, ...clusterFlags(cluster), '--concurrency', String(CONCURRENCY)],
    before: async () => {
      await before();
      writeFileSync(writes, JSON.stringify(writesOf(children, namespace)));
    },
  };
  const apply: Command = {
    ...metactl('metactl apply', [], cluster),
    before,
    arguments: () => metactl('', applyOf(project(directory, namespace)), cluster).arguments as string[],
  };
  const [measuredApply, measuredBare] = (await measure([apply, bare], { runs: 5 })) as [Measured, Measured];
  return { server, apply: measuredApply, bare: measuredBare };
}

const project = (directory: string, namespace: string): BenchProject =>
  writeProject({ directory, namespace, parents: 1, childrenEach: 1000 });

const applyOf = ({ inputs, definition, options }: BenchProject): string[] => [
  ...['apply', '-f', inputs, '-f', definition, '-n', options.namespace],
  ...['--yes', '--concurrency', String(CONCURRENCY)],
];

async function childrenIn(kubeconfig: string, namespace: string): Promise<readonly KubeObject[]> {
  const client = createClient(await transportTo(kubeconfig));
  const { items } = await client.list(CONFIG_MAPS, { namespace });
  await client.close();
  return items;
}

/** The namespace, then the children as `apply` sends them: with owner and annotation. */
function writesOf(children: readonly KubeObject[], namespace: string): BareWrite[][] {
  const own = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
  const path = `/api/v1/namespaces/${namespace}/configmaps?fieldManager=metactl&fieldValidation=Warn`;
  // The garbage collector would take away what belongs to a parent that is not in its namespace.
  const ownerless = children.map(({ metadata: { name, labels, annotations }, ...child }): BareWrite => {
    const metadata = { name, namespace, labels: labels ?? {}, annotations: { ...annotations, owner: OWNER } };
    return { method: 'POST', path, body: { ...child, metadata } };
  });
  return [[{ method: 'POST', path: '/api/v1/namespaces', body: own }], ownerless];
}

/** As long as the owner reference that stands in the children of `apply`. */
const OWNER = 'x'.repeat(190);
