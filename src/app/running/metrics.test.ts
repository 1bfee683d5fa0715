// Every metric of the list moves in a daemon, on both servers: composite and map controller with webhooks over TLS, found by a
// name, with customize and finalize hooks, a watch that fails, an election and a rate of its own.

import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { METRICS } from '../../daemon/metrics/metric-list.ts';
import { FaultyTransport } from '../../sandbox/index.ts';
import { createAuthority } from '../../testing/certificates.ts';
import { type DaemonBed, daemonBed, type RunningDaemon } from '../../testing/daemon-bed.ts';
import { type Received, type Reply, serveHook } from '../../testing/hook-server.ts';
import { CONFIG_MAPS } from '../../testing/objects.ts';
import { realClock } from '../../testing/real-clock.ts';
import { forEachTarget } from '../../testing/targets.ts';
import { until } from '../../testing/until.ts';

const MAPS = { apiVersion: 'v1', resource: 'configmaps' };
const authority = createAuthority('hooks');

/** Every call has a connection of its own; the first call of sync fails. */
function hookAnswers(): (received: Received) => Reply {
  const map = (name: string, labels: object) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels } });
  let syncs = 0;
  return ({ url = '', body }) => {
    const headers = { connection: 'close' };
    if (url === '/sync' && syncs++ === 0) return { status: 500, headers };
    const { input } = JSON.parse(body) as { input?: { metadata: { name: string } } };
    const answers: Readonly<Record<string, object>> = {
      '/sync': { status: { seen: 1 }, children: [map('made', { app: 'thing' })] },
      '/finalize': { children: [], finalized: true },
      '/customize': { relatedResources: [{ ...MAPS, names: ['nothing'] }] },
      '/map': { outputs: [map(`copy-of-${input?.metadata.name}`, {})] },
      '/tombstone': { outputs: [] },
    };
    return { headers, body: JSON.stringify(answers[url]) };
  };
}

/** Each metric of the list that has a sample now. */
async function moving(daemon: RunningDaemon): Promise<ReadonlySet<string>> {
  const { metrics } = await daemon.addresses;
  const text = await (await fetch(`http://${metrics}/metrics`)).text();
  const names = text.split('\n').flatMap((line) => /^(\w+?)(?:_bucket|_sum|_count)?[{ ]/.exec(line)?.[1] ?? []);
  return new Set(names);
}

async function writeControllers({ project, group }: DaemonBed, port: number): Promise<readonly string[]> {
  const hook = (name: string): [string, object] => [
    name,
    { webhook: { url: `https://localhost:${port}/${name}`, caBundle: { inline: authority.cert } } },
  ];
  const apiVersion = 'metacontroller.k8s.io/v1alpha1';
  const parentResource = { apiVersion: `${group}/v1`, resource: 'things' };
  const hooks = Object.fromEntries(['sync', 'finalize', 'customize'].map(hook));
  await project.write('controller.json', {
    ...{ apiVersion, kind: 'CompositeController', metadata: { name: 'things' } },
    spec: {
      parentResource: { ...parentResource, labelSelector: { matchLabels: { of: 'composite' } } },
      childResources: [MAPS],
      hooks,
    },
  });
  const ofMap = { inputResources: [MAPS], outputResources: [MAPS] };
  await project.write('map.json', {
    ...{ apiVersion, kind: 'MapController', metadata: { name: 'copier' } },
    spec: { parentResource, ...ofMap, hooks: Object.fromEntries(['map', 'tombstone'].map(hook)) },
  });
  return ['controller.json', 'map.json'].map((file) => `${project.path}/${file}`);
}

forEachTarget('metrics', (target) => {
  test('all of them move', async (t: TestContext) => {
    const tls = authority.issue('hook', ['localhost']);
    const hooks = await serveHook(t, hookAnswers(), tls);
    let faulty: FaultyTransport | undefined;
    const through = (below: ConstructorParameters<typeof FaultyTransport>[0]): FaultyTransport => {
      faulty = new FaultyTransport(below, realClock);
      return faulty;
    };
    const bed = await daemonBed(target, 'metrics', { through });
    after(() => bed.close());
    const paths = await writeControllers(bed, hooks.port);
    const daemon = bed.start({
      paths,
      election: { name: 'metrics', namespace: bed.namespace },
      requests: { perSecond: 10_000, burst: 10_000 },
    });
    await bed.crd();
    await bed.create(CONFIG_MAPS, {
      ...{ apiVersion: 'v1', kind: 'ConfigMap' },
      metadata: { name: 'input', namespace: bed.namespace, labels: { app: 'input' } },
    });
    const type = await bed.things();
    const selectors = [
      ['one', 'composite', 'thing'],
      ['two', 'map', 'input'],
    ] as const;
    for (const [name, of, app] of selectors)
      await bed.create(type, {
        ...{ apiVersion: `${bed.group}/v1`, kind: 'Thing', spec: { selector: { matchLabels: { app } } } },
        metadata: { name, namespace: bed.namespace, labels: { of } },
      });
    const has = async (name: string) => (await bed.client.get(CONFIG_MAPS, name, bed.namespace)) !== undefined;
    await until('both have written', async () => (await has('made')) && (await has('copy-of-input')));
    const at = { verb: 'delete', fieldManager: 'test', namespace: bed.namespace } as const;
    await bed.client.write({ ...at, type: CONFIG_MAPS, name: 'input' });
    await bed.client.write({ ...at, type, name: 'one' });
    let failures = 0;
    if (faulty)
      faulty.plan = ({ longLived }) => (longLived && failures++ < 3 ? { kind: 'status', code: 500 } : undefined);
    faulty?.dropWatches();
    await until('the output is gone', async () => !(await has('copy-of-input')));
    await until('the parent is gone', async () => (await bed.client.get(type, 'one', bed.namespace)) === undefined);
    let missing: readonly string[] = [];
    const allMove = async (): Promise<boolean> => {
      const found = await moving(daemon);
      missing = Object.keys(METRICS).filter((name) => !found.has(name));
      return missing.length === 0;
    };
    await until('all metrics move', allMove).catch(() => assert.deepEqual(missing, []));
  });
});
