// Controllers that are objects of the cluster, on both servers: they come, change and go while the daemon runs, and it says
// so. The real server is shared: only controllers with the test's own label are run.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import type { ResourceType } from '../../model/resource.ts';
import { type DaemonBed, daemonBed, type RunningDaemon } from '../../testing/daemon-bed.ts';
import { CONTROLLER_VERSION, installControllerKinds } from '../../testing/installed-kinds.ts';
import { CONFIG_MAPS } from '../../testing/objects.ts';
import { forEachTarget, type TestTarget } from '../../testing/targets.ts';
import { until } from '../../testing/until.ts';

const EVENTS: ResourceType = { ...CONFIG_MAPS, kind: 'Event', resource: 'events' };

/** One config map "a" for each parent, with the path's last part as its text; "down" answers 500. */
let down = false;
const server: Server = createServer((request, response) => {
  request.resume().on('end', () => {
    const text = (request.url ?? '').split('/').at(-1);
    const metadata = { name: 'a', labels: { app: 'thing' } };
    response.statusCode = down ? 500 : 200;
    response.end(JSON.stringify({ children: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { text } }] }));
  });
});
before(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
after(() => server.close());
const urlOf = (text: string): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/${text}`;

interface Stage {
  readonly bed: DaemonBed;
  readonly daemon: RunningDaemon;
  readonly type: ResourceType;
  readonly name: string;
  install(sync: JsonObject): Promise<void>;
  /** Changes its spec. */
  edit(spec: JsonObject): Promise<void>;
  /** "Normal Started" of the controller, in order of their first time. */
  events(): Promise<string[]>;
  text(): Promise<unknown>;
}

async function stage(target: TestTarget): Promise<Stage> {
  const bed = await daemonBed(target, 'controllers');
  after(() => bed.close());
  const type = await installControllerKinds(target, bed.client);
  const name = `${bed.namespace}-${randomBytes(3).toString('hex')}`;
  const label = { 'metactl.dev/test': name };
  const daemon = bed.start({
    paths: [],
    fromCluster: true,
    controllerSelector: `metactl.dev/test=${name}`,
    allowLocalHooks: false,
  });
  const rules = {
    parentResource: { apiVersion: `${bed.group}/v1`, resource: 'things' },
    childResources: [{ apiVersion: 'v1', resource: 'configmaps', updateStrategy: { method: 'InPlace' } }],
  };
  return {
    ...{ bed, daemon, type, name },
    install: (sync) => {
      const spec = { ...rules, hooks: { sync } };
      after(() => bed.client.write({ verb: 'delete', type, name, fieldManager: 'test' }).catch(() => undefined));
      return bed.create(type, {
        apiVersion: CONTROLLER_VERSION,
        kind: 'CompositeController',
        metadata: { name, labels: label },
        spec,
      });
    },
    edit: async (spec) => {
      const live = await bed.client.get(type, name);
      assert.ok(live);
      const object = { ...live, spec: { ...(live['spec'] as object), ...spec } };
      await bed.client.write({ verb: 'update', type, fieldManager: 'test', object });
    },
    events: async () => {
      const { items } = await bed.client.list(EVENTS, {
        namespace: 'default',
        fieldSelector: `involvedObject.name=${name}`,
      });
      return items.map(({ type: level, reason }) => `${level} ${reason}`);
    },
    text: async () => {
      const live = (await bed.client.get(CONFIG_MAPS, 'a', bed.namespace)) as
        | (KubeObject & { data?: { text?: string } })
        | undefined;
      return live?.data?.text;
    },
  };
}

async function page(daemon: RunningDaemon, of: 'metrics' | 'health', path: string): Promise<[number, string]> {
  const address = (await daemon.addresses)[of];
  const response = await fetch(`http://${address}${path}`);
  return [response.status, await response.text()];
}

forEachTarget('controllers of the cluster', (target) => {
  test('a controller comes, changes and goes', async () => {
    const { bed, daemon, type, name, install, edit, events, text } = await stage(target);
    await until('it is ready', async () => (await page(daemon, 'health', '/readyz'))[0] === 200);
    await install({ webhook: { url: urlOf('one') } });
    await until('it waits for its CRD', async () => (await events()).includes('Warning CreateError'));
    await bed.crd();
    await bed.thing('one', {});
    await until('the child is there', async () => (await text()) === 'one');
    await edit({ hooks: { sync: { webhook: { url: urlOf('two') } } } });
    await until('the child follows the new hook', async () => (await text()) === 'two');
    const scraped = async (): Promise<string> => (await page(daemon, 'metrics', '/metrics'))[1];
    const done = `metactl_sync_total{controller="CompositeController/${name}",outcome="done"}`;
    await until('it has come to rest', async () => (await scraped()).includes(done));
    const metrics = await scraped();
    const line = metrics
      .split('\n')
      .find((one) => one.startsWith('metacontroller_sync_requests_total') && one.includes('/two'));
    for (const label of ['code="200"', `controller_name="${name}"`, 'controller_type="CompositeController"'])
      assert.ok(line?.includes(label), `${label}: ${line}`);
    for (const line of [
      `metactl_child_operations_total{controller="CompositeController/${name}",kind="ConfigMap",verb="create",result="done"} 1`,
      'metactl_api_requests_total{verb="create",resource="configmaps",code="201"}',
      'metactl_cache_objects{resource="configmaps"}',
      'metactl_leader 1',
      'nodejs_eventloop_lag_seconds',
    ])
      assert.ok(metrics.includes(line), `${line}\n${metrics}`);
    await bed.client.write({ verb: 'delete', type, name, fieldManager: 'test' });
    await until(
      'it has stopped',
      async () => (await events()).filter((event) => event === 'Normal Stopped').length > 0,
    );
    const seen = new Set(await events());
    for (const reason of ['Starting', 'Started', 'Stopping', 'Stopped'])
      assert.ok(seen.has(`Normal ${reason}`), reason);
    await sleep(300);
    await bed.client.write({
      verb: 'delete',
      type: CONFIG_MAPS,
      fieldManager: 'test',
      name: 'a',
      namespace: bed.namespace,
    });
    await sleep(700);
    assert.equal(await text(), undefined, 'nobody is at work any more');
    assert.deepEqual((await page(daemon, 'health', '/healthz'))[0], 200);
  });

  test('programs of the cluster are not run; a metadata edit restarts nothing', async () => {
    const { bed, type, name, install, edit, events, text } = await stage(target);
    await bed.crd();
    await bed.thing('one', {});
    await install({ exec: { command: ['/bin/true'] } });
    await until('it is refused', async () => (await events()).includes('Warning CreateError'));
    assert.equal(await text(), undefined);
    await edit({ hooks: { sync: { webhook: { url: urlOf('one') } } } });
    await until('put right, it runs', async () => (await text()) === 'one');
    const live = await bed.client.get(type, name);
    assert.ok(live);
    const annotated = { ...live, metadata: { ...live.metadata, annotations: { a: 'b' } } };
    await bed.client.write({ verb: 'update', type, fieldManager: 'test', object: annotated });
    await sleep(500);
    assert.ok(!(await events()).includes('Normal Stopping'));
  });

  test('a hook that is down: the parent has an Event, and gets what it wants when the hook is back', async () => {
    const { bed, install, text } = await stage(target);
    await bed.crd();
    down = true;
    await install({ webhook: { url: urlOf('one') } });
    await bed.thing('one', {});
    const told = async (): Promise<boolean> => {
      const { items } = await bed.client.list(EVENTS, { namespace: bed.namespace });
      return items.some(({ reason, message }) => reason === 'SyncError' && /answered 500/.test(String(message)));
    };
    await until('the parent has an Event', told);
    down = false;
    await until('the child is there', async () => (await text()) === 'one');
  });
});
