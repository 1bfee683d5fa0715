// A map controller with 10,000 inputs in a daemon: the first round, one input that changes, one that goes. What matters is that
// the second and the third do not cost what the first did.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../src/app/index.ts';
import { type ClusterClient, createClient } from '../../src/cluster/index.ts';
import { mapLimited } from '../../src/kit/concurrency.ts';
import type { KubeObject } from '../../src/model/object.ts';
import type { Transport } from '../../src/ports/transport.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { callCounter } from '../../src/testing/call-counter.ts';
import { metactl } from '../metactl.ts';
import { cpuSecondsOf, memoryOf } from '../process-account.ts';
import { BOXES, configMap, crd, MAPS, RESOURCES, SEED } from '../project.ts';
import { type Section, seconds } from '../report.ts';
import { realServer, send, temporaryDirectory, transportTo } from '../servers.ts';

const INPUTS = 10_000;
const NAMESPACE = 'bench-map';
const LABELS = { bench: 'input' };
/** Nothing more has been asked for so long: the round is over. */
const QUIET_MS = 3_000;
const LONGEST_MS = 900_000;

export async function mapTopic(): Promise<Section> {
  const rows: string[][] = [];
  const sandbox = createSandbox({ clock: systemClock });
  rows.push(...(await rowsOn('sandbox', sandbox.transport)));
  const real = await realServer();
  if (real) {
    const transport = await transportTo(real.kubeconfig);
    rows.push(...(await rowsOn('real', transport)));
    await transport.close();
  }
  return {
    title: `A map controller with ${INPUTS.toLocaleString('en')} inputs`,
    text: `Seed ${SEED}. \`metactl daemon\`; every input is a ConfigMap of about 0.5 kB and so is its one output, the hook is a JavaScript module, 16 calls at a time. All calls go through a proxy that counts them. Wall is until the last write can be read; memory is the process's at the end of the step, and its peak so far.`,
    tables: [{ columns: ['server', 'step', 'wall', 'CPU', 'hook calls', 'API calls', 'RSS', 'peak RSS'], rows }],
  };
}

interface Bed {
  readonly client: ClusterClient;
  readonly hookLog: string;
  readonly daemon: ChildProcess;
  readonly take: () => Record<string, number>;
}

async function rowsOn(server: string, transport: Transport): Promise<string[][]> {
  const client = createClient(transport);
  await fill(client, transport);
  const directory = temporaryDirectory('map');
  const hookLog = writeDefinition(directory);
  const kubeconfig = join(directory, 'kubeconfig');
  const counter = await callCounter(transport, kubeconfig);
  const flags = [
    '--allow-local-hooks',
    '--zap-log-level',
    'error',
    '--metrics-address',
    '0',
    '--health-probe-bind-address',
    '0',
  ];
  const definition = join(directory, 'controller.json');
  const command = metactl('daemon', ['daemon', '-f', definition, '-n', NAMESPACE, ...flags], { kubeconfig });
  const daemon = spawn(command.program, command.arguments as string[], { stdio: ['ignore', 'ignore', 'inherit'] });
  const bed: Bed = { client, hookLog, daemon, take: () => counter.take() };
  const outputs = async () => totalOf(await client.get(BOXES, 'box', NAMESPACE));
  const rows = [
    await step(bed, 'the first round', { isDone: async () => (await outputs()) === INPUTS }),
    await step(bed, 'one input changes', {
      act: () => change(client, 'input-5000'),
      isDone: async () => isChanged(await client.get(MAPS, 'output-5000', NAMESPACE)),
    }),
    await step(bed, 'one input goes', {
      act: () => remove(client, 'input-5001'),
      isDone: async () => (await outputs()) === INPUTS - 1,
    }),
  ];
  daemon.kill('SIGTERM');
  await once(daemon, 'exit');
  await counter.close();
  return rows.map((cells) => [server, ...cells]);
}

interface Step {
  readonly act?: () => Promise<void>;
  readonly isDone: () => Promise<boolean>;
}

/** The cells of a row: from the act until it is done; what was asked is counted until nothing more is. */
async function step(bed: Bed, name: string, { act, isDone }: Step): Promise<string[]> {
  const { hookLog, daemon, take } = bed;
  const asked = sizeOf(hookLog);
  const cpu = cpuSecondsOf(daemon.pid);
  take();
  const begin = performance.now();
  await act?.();
  while (!(await isDone())) {
    if (performance.now() - begin > LONGEST_MS) throw new Error(`${name} was not done in time`);
    await sleep(20);
  }
  const wall = (performance.now() - begin) / 1_000;
  const calls: Record<string, number> = {};
  for (let quietSince = performance.now(), size = -1; performance.now() - quietSince < QUIET_MS; await sleep(100)) {
    const now = sizeOf(hookLog);
    if (now !== size) quietSince = performance.now();
    size = now;
    for (const [what, times] of Object.entries(take())) calls[what] = (calls[what] ?? 0) + times;
  }
  const apiCalls = Object.entries(calls).filter(([what]) => WRITES.test(what));
  return [
    name,
    seconds(wall),
    seconds(cpuSecondsOf(daemon.pid) - cpu),
    (sizeOf(hookLog) - asked).toLocaleString('en'),
    apiCalls.map(([what, times]) => `${times.toLocaleString('en')} × ${what}`).join(', '),
    `${memoryOf(daemon.pid, 'VmRSS').toFixed(0)} MiB`,
    `${memoryOf(daemon.pid, 'VmHWM').toFixed(0)} MiB`,
  ];
}

/** Our own looks at what has been done are none of the program's calls; these do not pass the proxy, but watches renew. */
const WRITES = /^(create|update|patch|delete|list) (configmaps|boxes)/;

const sizeOf = (file: string): number => (existsSync(file) ? statSync(file).size : 0);

async function fill(client: ClusterClient, transport: Transport): Promise<void> {
  const post = (path: string, body: object): Promise<void> => send(transport, 'POST', { path, body });
  await post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', crd());
  await post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  const indexes = Array.from({ length: INPUTS }, (_, index) => index);
  await mapLimited(indexes, 32, (index) => {
    const { metadata, ...rest } = configMap({ name: 'input', namespace: NAMESPACE }, index) as KubeObject;
    return post(`/api/v1/namespaces/${NAMESPACE}/configmaps`, { ...rest, metadata: { ...metadata, labels: LABELS } });
  });
  const metadata = { name: 'box', namespace: NAMESPACE };
  const spec = { selector: { matchLabels: LABELS } };
  const box: KubeObject = { apiVersion: RESOURCES.apiVersion, kind: 'Box', metadata, spec };
  await client.write({ verb: 'create', type: BOXES, fieldManager: 'bench', object: box });
}

/** Returns where the hook leaves a byte for each call. */
function writeDefinition(directory: string): string {
  const hookLog = join(directory, 'hook-calls');
  const maps = { apiVersion: 'v1', resource: 'configmaps' };
  const controller = {
    apiVersion: 'metacontroller.k8s.io/v1alpha1',
    kind: 'MapController',
    metadata: { name: 'copier' },
    spec: {
      parentResource: RESOURCES,
      inputResources: [maps],
      outputResources: [{ ...maps, updateStrategy: { method: 'InPlace' } }],
      hooks: { map: { module: { path: './hook.mjs' } } },
    },
  };
  writeFileSync(join(directory, 'controller.json'), JSON.stringify(controller));
  writeFileSync(
    join(directory, 'hook.mjs'),
    `import { appendFileSync } from 'node:fs';
export function map({ input: { metadata, data } }) {
  appendFileSync(${JSON.stringify(hookLog)}, '.');
  const name = metadata.name.replace('input', 'output');
  return { outputs: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data }] };
}
`,
  );
  return hookLog;
}

const totalOf = (box: KubeObject | undefined): unknown => {
  const status = box?.['status'] as { outputs?: { configmaps?: { total?: number } } } | undefined;
  return status?.outputs?.configmaps?.total;
};

const CHANGED = { changed: 'yes' };
const isChanged = (map: KubeObject | undefined): boolean =>
  (map?.['data'] as Record<string, string> | undefined)?.['changed'] === CHANGED.changed;

async function change(client: ClusterClient, name: string): Promise<void> {
  const patch = { data: CHANGED };
  const contentType = 'application/merge-patch+json';
  const place = { type: MAPS, fieldManager: 'bench', name, namespace: NAMESPACE };
  await client.write({ verb: 'patch', ...place, contentType, patch });
}

async function remove(client: ClusterClient, name: string): Promise<void> {
  await client.write({ verb: 'delete', type: MAPS, fieldManager: 'bench', name, namespace: NAMESPACE });
}
