// The sandbox beside the real server: its start, how many requests a second, and what 50,000 ConfigMaps weigh.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { systemClock } from '../../src/app/index.ts';
import { mapLimited } from '../../src/kit/concurrency.ts';
import type { ApiRequest, Transport } from '../../src/ports/transport.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { bundled } from '../bundle.ts';
import { median } from '../measure.ts';
import { configMap, SEED } from '../project.ts';
import { type Section, verdict } from '../report.ts';
import { realServer, send, temporaryDirectory, transportTo } from '../servers.ts';

const STARTS = 15;
const START_MS = 80;
const IN_FLIGHT = 32;
const REQUESTS = 3_000;
const HEAVY = 50_000;
const NAMESPACES = '/api/v1/namespaces';

export async function sandboxTopic(): Promise<Section> {
  const script = await bundled('sandbox-process');
  const starts = await startTimes(script);
  const served = await serve(script);
  const real = await realServer();
  const places = [
    { name: 'sandbox, in the process', transport: createSandbox({ clock: systemClock }).transport },
    { name: 'sandbox, over HTTP', transport: await transportTo(served.kubeconfig) },
    ...(real ? [{ name: 'real', transport: await transportTo(real.kubeconfig) }] : []),
  ];
  const rates = new Map<string, readonly string[]>();
  for (const { name, transport } of places) rates.set(name, await ratesOf(transport));
  const weights = [await sandboxWeight(await serve(script)), ...(real ? [await realWeight(real.kubeconfig)] : [])];
  served.process.kill();
  return {
    title: 'The sandbox beside the real server',
    text: `Seed ${SEED}. Requests: ${REQUESTS.toLocaleString('en')} of each kind, ${IN_FLIGHT} at a time, one after the other on each server in one run, by the client that metactl has; it takes part of the machine's two cores, as do the servers over HTTP. A ConfigMap has about 0.6 kB.`,
    tables: [
      {
        columns: ['start of the sandbox', 'median', 'fastest–slowest', 'runs'],
        rows: [
          ['made, and the first request answered', ...spread(starts.map(({ create }) => create))],
          ['the same, and served over HTTP', ...spread(starts.map(({ serve }) => serve))],
          ['the whole process, Node and loading included', ...spread(starts.map(({ process }) => process))],
        ],
      },
      {
        columns: ['server', ...LOADS.map(({ name }) => `${name} /s`)],
        rows: [...rates].map(([name, found]) => [name, ...found]),
      },
      {
        columns: [
          'server',
          `memory before`,
          `with ${HEAVY.toLocaleString('en')} ConfigMaps`,
          'each',
          'time to create them',
        ],
        rows: weights,
      },
    ],
    verdicts: [
      startVerdict(
        'the sandbox answers its first request',
        starts.map(({ create }) => create),
      ),
      startVerdict(
        'the sandbox is served over HTTP, with node:http loaded',
        starts.map(({ serve }) => serve),
      ),
    ],
  };
}

const startVerdict = (what: string, times: readonly number[]): string =>
  verdict(`${what} within ${START_MS} ms`, median(times) <= START_MS, `${median(times).toFixed(0)} ms`);

interface Start {
  readonly create: number;
  readonly serve: number;
  readonly process: number;
}

async function startTimes(script: string): Promise<readonly Start[]> {
  const starts: Start[] = [];
  for (let run = -1; run < STARTS; run++) {
    const child = spawn(process.execPath, [script, 'start'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(createInterface({ input: child.stdout }), 'line');
    await once(child, 'close');
    if (run >= 0) starts.push(JSON.parse(String(line)) as Start);
  }
  return starts;
}

const spread = (times: readonly number[]): readonly string[] => [
  `${median(times).toFixed(0)} ms`,
  `${Math.min(...times).toFixed(0)} ms–${Math.max(...times).toFixed(0)} ms`,
  String(times.length),
];

interface ServedSandbox {
  readonly process: ChildProcess;
  readonly kubeconfig: string;
  /** Bytes, after a garbage collection. */
  memory(): Promise<{ readonly rss: number; readonly heapUsed: number }>;
}

async function serve(script: string): Promise<ServedSandbox> {
  const child = spawn(process.execPath, ['--expose-gc', script, 'serve'], { stdio: ['pipe', 'pipe', 'inherit'] });
  process.once('exit', () => child.kill());
  const lines: Interface = createInterface({ input: child.stdout });
  const next = async (): Promise<unknown> => JSON.parse(String((await once(lines, 'line'))[0]));
  const { kubeconfig } = (await next()) as { kubeconfig: string };
  const file = join(temporaryDirectory('sandbox'), 'kubeconfig');
  writeFileSync(file, kubeconfig);
  return {
    process: child,
    kubeconfig: file,
    memory: async () => {
      const answer = next();
      child.stdin.write('\n');
      return (await answer) as { rss: number; heapUsed: number };
    },
  };
}

interface Load {
  readonly name: string;
  readonly request: (namespace: string, index: number) => Pick<ApiRequest, 'method' | 'path'> & { body?: object };
}

const apply =
  (generation: number): Load['request'] =>
  (namespace, index) => {
    const object = configMap({ name: 'applied', namespace }, index) as { data: object };
    return {
      method: 'PATCH',
      path: `${NAMESPACES}/${namespace}/configmaps/applied-${index}?fieldManager=bench&force=true`,
      body: { ...object, data: { ...object.data, generation: String(generation) } },
    };
  };

const CREATES: Load = {
  name: 'creates',
  request: (namespace, index) => ({
    method: 'POST',
    path: `${NAMESPACES}/${namespace}/configmaps`,
    body: configMap({ name: 'made', namespace }, index),
  }),
};

const LOADS: readonly Load[] = [
  CREATES,
  {
    name: 'GETs',
    request: (namespace, index) => ({ method: 'GET', path: `${NAMESPACES}/${namespace}/configmaps/made-${index}` }),
  },
  { name: 'applies that create', request: apply(0) },
  { name: 'applies that change', request: apply(1) },
  { name: 'applies of the same', request: apply(1) },
];

async function namespaceOn(transport: Transport, name: string): Promise<string> {
  await send(transport, 'POST', {
    path: NAMESPACES,
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
  });
  return name;
}

async function ratesOf(transport: Transport): Promise<readonly string[]> {
  await run(transport, await namespaceOn(transport, 'bench-warm'), CREATES, REQUESTS / 3);
  const namespace = await namespaceOn(transport, 'bench-rates');
  const found: string[] = [];
  for (const load of LOADS)
    found.push(Math.round(await run(transport, namespace, load, REQUESTS)).toLocaleString('en'));
  return found;
}

/** Requests a second. */
async function run(transport: Transport, namespace: string, load: Load, count: number): Promise<number> {
  const indexes = Array.from({ length: count }, (_, index) => index);
  const begin = performance.now();
  await mapLimited(indexes, IN_FLIGHT, async (index) => {
    const { method, path, body } = load.request(namespace, index);
    const type = method === 'PATCH' ? 'application/apply-patch+yaml' : 'application/json';
    const response = await transport.request({
      method,
      path,
      headers: { accept: 'application/json', ...(body && { 'content-type': type }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = await response.text();
    if (response.status >= 300) throw new Error(`${method} ${path}: ${answer.slice(0, 500)}`);
  });
  return count / ((performance.now() - begin) / 1_000);
}

async function fill(transport: Transport): Promise<string> {
  const begin = performance.now();
  await run(transport, await namespaceOn(transport, 'bench-heavy'), CREATES, HEAVY);
  return `${((performance.now() - begin) / 1_000).toFixed(1)} s`;
}

const MIB = 2 ** 20;
const weight = (name: string, before: number, after: number, time: string): readonly string[] => [
  name,
  `${(before / MIB).toFixed(0)} MiB`,
  `${(after / MIB).toFixed(0)} MiB`,
  `${((after - before) / HEAVY / 1_024).toFixed(1)} KiB`,
  time,
];

async function sandboxWeight(served: ServedSandbox): Promise<readonly string[]> {
  const transport = await transportTo(served.kubeconfig);
  const before = await served.memory();
  const time = await fill(transport);
  const after = await served.memory();
  await transport.close();
  served.process.kill();
  return weight('sandbox, over HTTP', before.rss, after.rss, time);
}

async function realWeight(kubeconfig: string): Promise<readonly string[]> {
  const transport = await transportTo(kubeconfig);
  const before = residentOf(kubeconfig);
  const time = await fill(transport);
  const after = residentOf(kubeconfig);
  await transport.close();
  return weight('real: kube-apiserver and etcd', before, after, time);
}

/** Bytes that the server and its store hold, by the pid files beside the kubeconfig. */
function residentOf(kubeconfig: string): number {
  const directory = join(dirname(kubeconfig), 'run');
  const pids = readdirSync(directory)
    .filter((file) => /^(etcd|kube-apiserver)\.pid$/.test(file))
    .map((file) => readFileSync(join(directory, file), 'utf8').split('\n')[0]);
  const resident = pids.map((pid) => /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  return resident.reduce((sum, kib) => sum + Number(kib) * 1_024, 0);
}
