// A daemon in the test's own process, before a server whose calls are counted; with its hook calls.

import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type DaemonOptions, type DaemonOutcome, runDaemon } from '../app/index.ts';
import { type ClusterClient, createClient } from '../cluster/index.ts';
import type { Clock } from '../kit/clock.ts';
import type { JsonObject } from '../kit/json.ts';
import type { KubeObject } from '../model/object.ts';
import type { ResourceType } from '../model/resource.ts';
import type { Transport } from '../ports/transport.ts';
import { type CallCounter, callCounter } from './call-counter.ts';
import { CONFIG_MAPS } from './objects.ts';
import { ProjectDirectory, type ProjectOptions } from './project-directory.ts';
import type { TestTarget } from './targets.ts';
import { until } from './until.ts';
import { testEnvironment } from './use-cases.ts';

/** One config map for each name of spec.names, with the text of spec.text; `seen` counts them. */
export const NAMES_HOOK = `
  const { names = [], text = '' } = request.parent.spec;
  const children = names.map((name) => ({
    apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { app: 'thing' } }, data: { text },
  }));
  return { status: { seen: Object.keys(request.children['ConfigMap.v1']).length }, children };
`;

export interface DaemonBed {
  readonly project: ProjectDirectory;
  readonly client: ClusterClient;
  readonly counter: CallCounter;
  readonly namespace: string;
  readonly group: string;
  /** Of the parents; known once the CRD is served. */
  things(): Promise<ResourceType>;
  /** Brings the CRD. */
  crd(): Promise<void>;
  create(type: ResourceType, object: KubeObject): Promise<void>;
  thing(name: string, spec: object): Promise<void>;
  /** A merge patch of a thing, as by a user. */
  edit(name: string, patch: JsonObject): Promise<void>;
  /** Names of the config maps, sorted. */
  maps(): Promise<string>;
  /** Calls of the hook since the last time. */
  hookCalls(): Promise<number>;
  /** `variables`: beside those of this process. */
  start(more?: Partial<DaemonOptions>, variables?: Readonly<Record<string, string>>): RunningDaemon;
  close(): Promise<void>;
}

export interface RunningDaemon {
  /** As a signal would. */
  stop(): Promise<DaemonOutcome>;
  readonly ended: Promise<DaemonOutcome>;
  /** Of /metrics and /healthz, once they listen. */
  readonly addresses: Promise<{ readonly metrics?: string; readonly health?: string }>;
}

/** `everywhere`: its daemons look at all namespaces, and not at the bed's alone. */
export async function daemonBed(
  target: TestTarget,
  name: string,
  {
    through = (transport) => transport,
    everywhere = false,
    ...more
  }: Partial<ProjectOptions> & { through?: (below: Transport) => Transport; everywhere?: boolean } = {},
): Promise<DaemonBed> {
  const namespace = await target.namespace();
  // Nobody else on the server has it: namespaces have names of their own.
  const group = `${name}.${namespace}.example.com`;
  const project = await ProjectDirectory.create({ group, namespace, hook: '', ...more });
  const log = join(project.path, 'hook-calls.log');
  const note = `process.getBuiltinModule('node:fs').appendFileSync(${JSON.stringify(log)}, '.');`;
  await project.hook(`${note}\n${more.hook ?? NAMES_HOOK}`);
  const kubeconfig = join(project.path, 'kubeconfig');
  const counter = await callCounter(through(target.transport), kubeconfig);
  const client = createClient(target.transport);
  const things = (): Promise<ResourceType> =>
    until('things are served', async () => {
      const type = await client.byResource(`${group}/v1`, 'things');
      if (!type) client.refresh();
      return type;
    });
  const create = async (type: ResourceType, object: KubeObject): Promise<void> => {
    await client.write({ verb: 'create', type, fieldManager: 'test', object });
  };
  const daemons = new Set<RunningDaemon>();
  const start: DaemonBed['start'] = (given = {}, variables = {}) => {
    const place = everywhere ? {} : { namespace };
    const usual = { cluster: { kubeconfig }, paths: [join(project.path, 'controller.json')], ...place };
    const daemon = startDaemon({ ...usual, ...given }, variables);
    daemons.add(daemon);
    return daemon;
  };
  return {
    ...{ project, client, counter, namespace, group, things, create, start },
    crd: async () => {
      const type = await client.byResource('apiextensions.k8s.io/v1', 'customresourcedefinitions');
      if (!type) throw new Error('no CRDs are served');
      await create(type, JSON.parse(await readFile(join(project.path, 'crd.json'), 'utf8')) as KubeObject);
      await things();
    },
    thing: async (name, spec) => {
      const selector = { matchLabels: { app: 'thing' } };
      const object = {
        apiVersion: `${group}/v1`,
        kind: 'Thing',
        metadata: { name, namespace },
        spec: { selector, ...spec },
      };
      await create(await things(), object);
    },
    edit: async (name, patch) => {
      const at = { type: await things(), name, namespace, fieldManager: 'test' };
      await client.write({ ...at, verb: 'patch', contentType: 'application/merge-patch+json', patch });
    },
    maps: async () => {
      const { items } = await client.list(CONFIG_MAPS, { namespace, labelSelector: 'app=thing' });
      return items
        .map(({ metadata }) => metadata.name)
        .sort()
        .join(' ');
    },
    hookCalls: async () => {
      const calls = await readFile(log, 'utf8').catch(() => '');
      await rm(log, { force: true });
      return calls.length;
    },
    close: async () => {
      for (const daemon of daemons) await daemon.stop();
      await counter.close();
      await project.remove();
    },
  };
}

/** A daemon in this process, with ports of its own. */
export function startDaemon(
  given: Pick<DaemonOptions, 'cluster' | 'paths'> & Partial<DaemonOptions>,
  more: Readonly<Record<string, string>> = {},
  clock: Clock = testEnvironment.clock,
): RunningDaemon {
  const signal = new AbortController();
  const listening = Promise.withResolvers<{ readonly metrics?: string; readonly health?: string }>();
  const options: DaemonOptions = {
    ...{ concurrency: 16, workers: 5, controllerSelector: '', allowLocalHooks: true },
    log: { level: 'error', encoder: 'json' },
    ...{ flushMs: 0, events: { burst: 25, perSecond: 1 / 300 }, drainMs: 10_000 },
    metricsAddress: { host: '127.0.0.1', port: 0 },
    healthAddress: { host: '127.0.0.1', port: 0 },
    onListening: (addresses) => listening.resolve(addresses),
    ...given,
  };
  const variables = { ...testEnvironment.variables, ...more };
  const environment = { ...testEnvironment, clock, variables, signal: signal.signal };
  const ended = runDaemon(options, environment);
  return {
    ended,
    addresses: listening.promise,
    stop: () => {
      signal.abort(new Error('stopped by the test'));
      return ended;
    },
  };
}
