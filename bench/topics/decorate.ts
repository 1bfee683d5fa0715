// A decorator that labels 2,000 pods, beside a client that sends the same writes and thinks nothing; and the run after it, which
// has nothing to do. What is asked of servers and hooks is counted in runs of their own.

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../src/app/index.ts';
import { type ClusterClient, createClient } from '../../src/cluster/index.ts';
import { mapLimited } from '../../src/kit/concurrency.ts';
import type { KubeObject } from '../../src/model/object.ts';
import type { ResourceType } from '../../src/model/resource.ts';
import type { Transport } from '../../src/ports/transport.ts';
import { createSandbox, kubeconfigFor, serveSandbox } from '../../src/sandbox/index.ts';
import { callCounter } from '../../src/testing/call-counter.ts';
import type { BareWrite } from '../bare-client.ts';
import { bundled } from '../bundle.ts';
import { type Command, type Measured, measure, runOnce } from '../measure.ts';
import { metactl } from '../metactl.ts';
import { type Section, USAGE_COLUMNS, usageCells, verdict } from '../report.ts';
import { realServer, temporaryDirectory, transportTo } from '../servers.ts';

const COUNT = 2_000;
const CONCURRENCY = 16;
const RUNS = 3;
const NAMESPACE = 'bench-decorate';
const PODS: ResourceType = {
  ...{ group: '', version: 'v1', kind: 'Pod', resource: 'pods', namespaced: true },
  verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
  subresources: ['status'],
};

export async function decorateTopic(): Promise<Section> {
  const script = await bundled('bare-client');
  const results = [await onSandbox(script), await onReal(script)].filter((result) => result !== undefined);
  return {
    title: `A decorator labels ${COUNT.toLocaleString('en')} pods`,
    text: `\`metactl apply\` of a DecoratorController whose hook (a JavaScript module) answers with one label; ${CONCURRENCY} requests at a time. The pods are nobody's: no scheduler takes them, so that nothing else writes to them. The bare client reads the finished requests from a file and sends them. Both servers are reached over HTTP; the sandbox is in the process that measures. Calls were counted in runs of their own, through a proxy: the hook is asked about each pod once for the plan that is shown, and once when it is carried out.`,
    tables: [
      {
        columns: ['command', 'server', ...USAGE_COLUMNS, 'hook calls: plan, apply', 'writes'],
        rows: results.flatMap(({ rows }) => rows),
      },
    ],
    verdicts: results.flatMap(({ verdicts }) => verdicts),
  };
}

interface Result {
  readonly rows: readonly (readonly string[])[];
  readonly verdicts: readonly string[];
}

async function onSandbox(script: string): Promise<Result> {
  // Without controllers: on the real server nobody runs these pods either.
  const sandbox = createSandbox({ clock: systemClock, controllers: false });
  const served = await serveSandbox(sandbox, { host: '127.0.0.1', port: 0 });
  const kubeconfig = join(temporaryDirectory('decorate-sandbox'), 'kubeconfig');
  writeFileSync(kubeconfig, kubeconfigFor(served.url));
  const result = await on({ server: 'sandbox', kubeconfig, transport: sandbox.transport, script });
  await served.close();
  await sandbox.close();
  return result;
}

async function onReal(script: string): Promise<Result | undefined> {
  const real = await realServer();
  if (!real) return undefined;
  const transport = await transportTo(real.kubeconfig);
  const result = await on({ server: 'real', kubeconfig: real.kubeconfig, transport, script });
  await transport.close();
  return result;
}

interface Bed {
  readonly server: string;
  readonly kubeconfig: string;
  readonly transport: Transport;
  readonly script: string;
}

async function on({ server, kubeconfig, transport, script }: Bed): Promise<Result> {
  const client = createClient(transport);
  await makePods(client);
  const project = writeDefinition(temporaryDirectory('decorate'));
  const counted = await countedRuns(project, transport);
  const writes = join(project.directory, 'writes.json');
  const apply: Command = {
    ...metactl('metactl apply', applyOf(project.definition), { kubeconfig }),
    before: () => unlabel(client),
  };
  const bare: Command = {
    name: 'bare client',
    program: process.execPath,
    arguments: [script, writes, '--kubeconfig', kubeconfig, '--concurrency', String(CONCURRENCY)],
    before: async () => {
      await unlabel(client);
      writeFileSync(writes, JSON.stringify([await labelled(client)]));
    },
  };
  const again = metactl('metactl apply, nothing to do', applyOf(project.definition), { kubeconfig });
  // In this order each second run finds what the bare client has left: pods with their labels.
  const [first, floor, second] = (await measure([apply, bare, again], { runs: RUNS, warmUps: 0 })) as [
    Measured,
    Measured,
    Measured,
  ];
  const row = (measured: Measured, calls: string, sent: number): string[] => [
    ...[measured.name, server, ...usageCells(measured)],
    ...[calls, sent.toLocaleString('en')],
  ];
  const times = first.wallSeconds / floor.wallSeconds;
  return {
    rows: [
      row(first, counted.first.hookCalls, counted.first.writes),
      row(floor, '–', COUNT),
      row(second, counted.second.hookCalls, counted.second.writes),
    ],
    verdicts: [
      verdict(
        `one write each, none on the second run, ${server}`,
        counted.isExact,
        `${counted.first.writes} and ${counted.second.writes}`,
      ),
      `beside the bare client, ${server}: ${times.toFixed(2)} times`,
    ],
  };
}

interface Counted {
  readonly hookCalls: string;
  readonly writes: number;
}

interface Project {
  readonly directory: string;
  readonly definition: string;
  /** The same with a hook that leaves a letter for each call: p for one of a plan, a else. */
  readonly counted: string;
  readonly log: string;
}

async function countedRuns(project: Project, transport: Transport) {
  const kubeconfig = join(project.directory, 'counted.kubeconfig');
  const counter = await callCounter(transport, kubeconfig);
  const run = async (): Promise<Counted> => {
    rmSync(project.log, { force: true });
    await runOnce(metactl('metactl apply', applyOf(project.counted), { kubeconfig }));
    const asked = existsSync(project.log) ? readFileSync(project.log, 'utf8') : '';
    const times = (letter: string): string => (asked.split(letter).length - 1).toLocaleString('en');
    const calls = Object.entries(counter.take()).filter(([name]) => /^(create|update|patch|delete) /.test(name));
    return {
      hookCalls: `${times('p')}, ${times('a')}`,
      writes: calls.reduce((sum, [, count]) => sum + count, 0),
    };
  };
  const [first, second] = [await run(), await run()];
  await counter.close();
  return { first, second, isExact: first.writes === COUNT && second.writes === 0 };
}

const applyOf = (definition: string): string[] => [
  ...['apply', '-f', definition, '-n', NAMESPACE, '--allow-local-hooks'],
  ...['--yes', '--no-wait', '--concurrency', String(CONCURRENCY)],
];

function writeDefinition(directory: string): Project {
  const log = join(directory, 'hook-calls');
  const note = `import { appendFileSync } from 'node:fs';\nconst note = (dryRun) => appendFileSync(${JSON.stringify(log)}, dryRun ? 'p' : 'a');\n`;
  const hook = (before: string, inside: string): string =>
    `${before}export function sync({ object: { metadata } }, { dryRun }) {\n${inside}return { labels: { 'pod-name': metadata.name } };\n}\n`;
  writeFileSync(join(directory, 'hook.mjs'), hook('', ''));
  writeFileSync(join(directory, 'counted.mjs'), hook(note, 'note(dryRun);\n'));
  const write = (name: string, module: string): string => {
    const resources = [{ apiVersion: 'v1', resource: 'pods', ignoreStatusChanges: true }];
    const definition = {
      apiVersion: 'metacontroller.k8s.io/v1alpha1',
      kind: 'DecoratorController',
      metadata: { name: 'pod-name-label' },
      spec: { resources, hooks: { sync: { module: { path: module } } } },
    };
    const file = join(directory, name);
    writeFileSync(file, JSON.stringify(definition));
    return file;
  };
  const definition = write('definition.json', './hook.mjs');
  return { directory, definition, counted: write('counted.json', './counted.mjs'), log };
}

const nameOf = (index: number): string => `web-${index}`;
const INDEXES = Array.from({ length: COUNT }, (_, index) => index);

async function makePods(client: ClusterClient): Promise<void> {
  const namespaces: ResourceType = { ...PODS, kind: 'Namespace', resource: 'namespaces', namespaced: false };
  const own = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } };
  const write = { verb: 'create', fieldManager: 'bench' } as const;
  await client.write({ ...write, type: namespaces, object: own });
  await mapLimited(INDEXES, 32, (index) => {
    const metadata = { name: nameOf(index), namespace: NAMESPACE, labels: { app: 'web' } };
    const spec = { schedulerName: 'nobody', containers: [{ name: 'web', image: 'example.com/web:1' }] };
    return client.write({ ...write, type: PODS, object: { apiVersion: 'v1', kind: 'Pod', metadata, spec } });
  });
}

async function unlabel(client: ClusterClient): Promise<void> {
  const contentType = 'application/merge-patch+json';
  const patch = { metadata: { labels: { 'pod-name': null } } };
  const write = { verb: 'patch', type: PODS, fieldManager: 'bench', namespace: NAMESPACE, contentType, patch } as const;
  await mapLimited(INDEXES, 32, (index) => client.write({ ...write, name: nameOf(index) }));
}

/** As a decorator writes them: the whole object, at the version that was read. */
async function labelled(client: ClusterClient): Promise<BareWrite[]> {
  const { items } = await client.list(PODS, { namespace: NAMESPACE });
  return items.map((pod: KubeObject) => {
    const { managedFields: _none, ...metadata } = pod.metadata;
    const labels = { ...metadata.labels, 'pod-name': `${metadata.name}` };
    const path = `/api/v1/namespaces/${NAMESPACE}/pods/${metadata.name}?fieldManager=metactl&fieldValidation=Warn`;
    return { method: 'PUT', path, body: { ...pod, metadata: { ...metadata, labels } } };
  });
}
