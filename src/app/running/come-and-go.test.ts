// A hundred controllers come to a daemon and go again, on both servers: it holds as many watches, sockets, timers, other
// things that keep a process alive, and listeners as before. Exact: what is in use is waited for, and then compared.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { ResourceType } from '../../model/resource.ts';
import { countingFront } from '../../testing/counting-front.ts';
import { type DaemonBed, daemonBed } from '../../testing/daemon-bed.ts';
import { CONTROLLER_VERSION, installControllerKinds } from '../../testing/installed-kinds.ts';
import { OpenWatches } from '../../testing/open-watches.ts';
import { type SpawnedDaemon, spawnDaemon } from '../../testing/spawn-daemon.ts';
import { forEachTarget, type TestTarget } from '../../testing/targets.ts';
import { until } from '../../testing/until.ts';

const COUNT = 100;
const AT_A_TIME = 25;

interface Stage {
  readonly bed: DaemonBed;
  readonly type: ResourceType;
  readonly watches: OpenWatches;
  readonly daemon: SpawnedDaemon;
  readonly label: Readonly<Record<string, string>>;
  readonly hook: string;
}

/** Sync: one ConfigMap, of the parent's name. Customize: a rule that no other controller has. */
async function serveHooks(): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { parent } = JSON.parse(Buffer.concat(chunks).toString()) as { parent: { metadata: { name: string } } };
    const { name } = parent.metadata;
    const child = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { app: 'thing' } } };
    const rule = { apiVersion: 'v1', resource: 'secrets', labelSelector: { matchLabels: { of: name } } };
    response.end(
      JSON.stringify(request.url === '/customize' ? { relatedResources: [rule] } : { children: [child], status: {} }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function stage(target: TestTarget): Promise<Stage> {
  const bed = await daemonBed(target, 'come-and-go');
  after(() => bed.close());
  await bed.crd();
  const type = await installControllerKinds(target, bed.client);
  const watches = new OpenWatches();
  const kubeconfig = join(bed.project.path, 'front');
  const front = await countingFront(watches.over(target.transport), kubeconfig, () => undefined);
  const label = { 'metactl.dev/test': `${bed.namespace}-${randomBytes(3).toString('hex')}` };
  const daemon = spawnDaemon({
    ...{ cluster: { kubeconfig }, paths: [], fromCluster: true, namespace: bed.namespace, allowLocalHooks: false },
    controllerSelector: Object.entries(label).join().replace(',', '='),
  });
  after(async () => {
    await daemon.kill();
    await front.close();
  });
  return { bed, type, watches, daemon, label, hook: await serveHooks() };
}

/** So many controllers, each with a parent of its own; then they go. */
async function comeAndGo({ bed, type, label, hook }: Stage, names: readonly string[]): Promise<void> {
  const things = await bed.things();
  const objects = names.map((name) => ({
    apiVersion: CONTROLLER_VERSION,
    kind: 'CompositeController',
    metadata: { name: `${bed.namespace}-${name}`, labels: label },
    spec: {
      parentResource: {
        apiVersion: `${bed.group}/v1`,
        resource: 'things',
        labelSelector: { matchLabels: { of: name } },
      },
      childResources: [{ apiVersion: 'v1', resource: 'configmaps', updateStrategy: { method: 'InPlace' } }],
      hooks: { sync: { webhook: { url: `${hook}/sync` } }, customize: { webhook: { url: `${hook}/customize` } } },
    },
  }));
  const there = async (): Promise<string[]> => (await bed.maps()).split(' ').filter((name) => name !== '');
  const before = await there();
  await Promise.all(objects.map((object) => bed.create(type, object)));
  for (const name of names) {
    const metadata = { name, namespace: bed.namespace, labels: { of: name } };
    const spec = { selector: { matchLabels: { app: 'thing' } } };
    await bed.create(things, { apiVersion: `${bed.group}/v1`, kind: 'Thing', metadata, spec });
  }
  await until(
    'each parent has its child',
    async () => (await there()).length === before.length + names.length,
    120_000,
  );
  for (const { metadata } of objects)
    await bed.client.write({ verb: 'delete', type, name: metadata.name, fieldManager: 'test' });
}

/** The watches of the controllers' three kinds and of the CRDs. */
const OWN = 4;

interface Open {
  readonly watches: number;
  readonly timers: number;
  readonly others: number;
  readonly listeners: number;
}

/**
 * What is open once nothing is under way: a socket for each watch, and at most one that waits for the next call. With
 * `before`: once no more is open than that; throws when it does not come to it.
 */
async function openAtRest({ daemon, watches }: Stage, before?: Open): Promise<Open> {
  let seen = {};
  const look = async (): Promise<Open | undefined> => {
    const { resources, listeners } = await daemon.measure();
    const of = (kind: string): number => resources.filter((one) => one === kind).length;
    const sockets = of('TCPSocketWrap');
    const timers = of('Timeout');
    const open = { watches: watches.open, timers, others: resources.length - sockets - timers, listeners };
    seen = { ...open, sockets };
    if (open.watches !== OWN || sockets - OWN > 1) return undefined;
    if (!before) return open;
    const isMore = timers > before.timers || open.others > before.others || listeners > before.listeners;
    return isMore ? undefined : open;
  };
  const words = (): string => `open: ${JSON.stringify(seen)}, at the start: ${JSON.stringify(before)}`;
  return until('what is idle is closed', look, 90_000).catch(() => assert.fail(words()));
}

forEachTarget('controllers that come and go', (target) => {
  test(`${COUNT} of them leave nothing open`, async (t) => {
    const staged = await stage(target);
    const namesOf = (from: number): string[] => Array.from({ length: AT_A_TIME }, (_, index) => `c${from + index}`);
    // The first ones load what is loaded once.
    await comeAndGo(staged, ['warm-0', 'warm-1']);
    const before = await openAtRest(staged);
    for (let from = 0; from < COUNT; from += AT_A_TIME) await comeAndGo(staged, namesOf(from));
    t.diagnostic(JSON.stringify([before, await openAtRest(staged, before)]));
  });
});
