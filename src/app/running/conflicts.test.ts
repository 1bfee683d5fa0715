// Definitions that can't be, or can't be together, while a daemon runs, on both servers: two controllers with the same parents and
// children; one that is changed to something that is no definition, and put right.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { JsonObject } from '../../kit/json.ts';
import { type DaemonBed, daemonBed } from '../../testing/daemon-bed.ts';
import { CONTROLLER_VERSION, installControllerKinds } from '../../testing/installed-kinds.ts';
import { CONFIG_MAPS } from '../../testing/objects.ts';
import { forEachTarget, type TestTarget } from '../../testing/targets.ts';
import { until } from '../../testing/until.ts';
import { useCases } from '../../testing/use-cases.ts';

const EVENTS = { ...CONFIG_MAPS, kind: 'Event', resource: 'events' };

/** One config map of the name that the path says. */
const hook = createServer((request, response) => {
  const metadata = { name: (request.url ?? '').slice(1), labels: { app: 'thing' } };
  const children = [{ apiVersion: 'v1', kind: 'ConfigMap', metadata }];
  request.resume().on('end', () => response.end(JSON.stringify({ children })));
});
before(() => new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve)));
after(() => {
  hook.closeAllConnections();
  hook.close();
});

interface Stage {
  readonly bed: DaemonBed;
  readonly lines: string[];
  /** Creates it, or gives it another spec. */
  put(name: string, spec: JsonObject): Promise<void>;
  remove(name: string): Promise<void>;
  /** "CreateError: words" of Events about a controller. */
  told(name: string): Promise<string>;
}

const specOf = ({ group }: DaemonBed, child: string): JsonObject => ({
  parentResource: { apiVersion: `${group}/v1`, resource: 'things' },
  childResources: [{ apiVersion: 'v1', resource: 'configmaps', updateStrategy: { method: 'InPlace' } }],
  hooks: { sync: { webhook: { url: `http://127.0.0.1:${(hook.address() as AddressInfo).port}/${child}` } } },
});

async function stage(target: TestTarget): Promise<Stage> {
  const bed = await daemonBed(target, 'conflicts');
  after(() => bed.close());
  await bed.crd();
  const type = await installControllerKinds(target, bed.client);
  const label = `${bed.namespace}-${randomBytes(3).toString('hex')}`;
  const lines: string[] = [];
  const log = { level: 'info', encoder: 'json', write: (line: string) => lines.push(line) } as const;
  const controllerSelector = `metactl.dev/test=${label}`;
  bed.start({ paths: [], fromCluster: true, controllerSelector, allowLocalHooks: false, log });
  const nameOf = (name: string): string => `${bed.namespace}-${name}`;
  const remove = async (name: string): Promise<void> => {
    await bed.client.write({ verb: 'delete', type, name: nameOf(name), fieldManager: 'test' });
  };
  return {
    ...{ bed, lines, remove },
    put: async (name, spec) => {
      const live = await bed.client.get(type, nameOf(name));
      if (live) {
        await bed.client.write({ verb: 'update', type, fieldManager: 'test', object: { ...live, spec } });
        return;
      }
      after(() => remove(name).catch(() => undefined));
      const metadata = { name: nameOf(name), labels: { 'metactl.dev/test': label } };
      await bed.create(type, { apiVersion: CONTROLLER_VERSION, kind: 'CompositeController', metadata, spec });
    },
    told: async (name) => {
      const of = { namespace: 'default', fieldSelector: `involvedObject.name=${nameOf(name)}` };
      const { items } = await bed.client.list(EVENTS, of);
      return items.map(({ reason, message }) => `${reason}: ${message}`).join('\n');
    },
  };
}

forEachTarget('definitions in the way', (target) => {
  test('two controllers with the same parents and children: the second is told, and so is a plan', async () => {
    const { bed, lines, put, remove, told } = await stage(target);
    await put('first', specOf(bed, 'a'));
    await bed.thing('one', {});
    await until('the child is there', async () => (await bed.maps()) === 'a');
    await put('second', specOf(bed, 'b'));
    await until('it is told', async () =>
      /^SyncWarning: .*have the same parents \(things\)/m.test(await told('second')),
    );
    assert.ok(lines.some((line) => line.includes('Controllers are in conflict')));
    const names = ['first', 'second'].map((name) => `${bed.namespace}-${name}`);
    const cases = useCases({ cluster: target.choice, paths: [] });
    const { diagnostics } = await cases.plan({ fromCluster: true, controllers: names, namespace: bed.namespace });
    const found = diagnostics.filter(({ code }) => code === 'conflicting-controllers');
    assert.equal(found.length, 1, JSON.stringify(diagnostics));
    await remove('second');
    await until('the first has its way again', async () => (await bed.maps()) === 'a', 120_000);
  });

  test('one that is changed to what is no definition stops, says why, and goes on when it is put right', async () => {
    const { bed, put, told } = await stage(target);
    await put('only', specOf(bed, 'a'));
    await bed.thing('one', {});
    await until('the child is there', async () => (await bed.maps()) === 'a');
    const { hooks: _, ...withoutHooks } = specOf(bed, 'a');
    const wrong = { sync: { webhook: { url: 'http://127.0.0.1:1/' }, module: { path: './hook.mjs' } } };
    await put('only', { ...withoutHooks, hooks: wrong });
    await until('it says why', async () => /^CreateError: .*can have only one/m.test(await told('only')));
    await until('it stops', async () => /^Stopped: /m.test(await told('only')));
    await put('only', specOf(bed, 'b'));
    await until('it goes on', async () => (await bed.maps()) === 'b');
  });
});
