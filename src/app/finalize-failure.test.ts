// A finalize hook that fails for an hour, on a clock that a test turns: each attempt says so once, nothing is written,
// nothing is lost, and the first run after the hour finishes it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCache, createClient } from '../cluster/index.ts';
import { type Settled, settle } from '../loop/index.ts';
import type { KubeObject } from '../model/object.ts';
import type { Controller } from '../reconcile/index.ts';
import { createSandbox } from '../sandbox/index.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { FakeHooks } from '../testing/fake-hooks.ts';
import { nothingRelated } from '../testing/fake-related.ts';
import { CONFIG_MAPS, configMap, ofWidgets, WIDGETS, widget, widgetController } from '../testing/objects.ts';

const HOUR = 3_600_000;
const CRD: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Widget', plural: 'widgets', singular: 'widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        subresources: { status: {} },
      },
    ],
  },
};

// The definition's apply mode is dynamic.
const NO_SERVER_SIDE = {
  schemas: { schemaOf: async () => undefined },
  dryRuns: { ask: () => Promise.reject(new Error('nothing is tried')) },
};

/** Turns the clock until the promise has settled; real time passes only in turns of the event loop. */
async function turning<T>(clock: FakeClock, promise: Promise<T>): Promise<T> {
  let over = false;
  const ended = promise.finally(() => {
    over = true;
  });
  while (!over) await clock.advanceAsync(100, 50);
  return ended;
}

test('a finalize hook that fails for an hour', async () => {
  const clock = new FakeClock();
  const sandbox = createSandbox({ clock });
  const client = createClient(sandbox.transport, { clock });
  const write = { fieldManager: 'test' };
  const crds = await client.byResource('apiextensions.k8s.io/v1', 'customresourcedefinitions');
  assert.ok(crds);
  await client.write({ ...write, verb: 'create', type: crds, object: CRD });
  await clock.advanceAsync(5_000, 100);
  const { uid: _uid, resourceVersion: _version, generation: _generation, ...metadata } = widget().metadata;
  await client.write({ ...write, verb: 'create', type: WIDGETS, object: { ...widget(), metadata } });

  const start = clock.now();
  const hooks = new FakeHooks({
    sync: () => ({ children: [configMap('a')] }),
    finalize: ({ children }) => {
      if (clock.now() - start < HOUR) throw new Error('the billing system does not answer');
      const left = Object.keys((children as Record<string, object>)['ConfigMap.v1'] ?? {}).length;
      return { children: [], finalized: left === 0 };
    },
  });
  const definition = widgetController({ hook: { kind: 'webhook', sideEffects: 'Unknown' } });
  const controller: Controller = {
    ...ofWidgets({ ...definition, hooks: { ...definition.hooks, finalize: definition.hooks.sync } }),
    parentType: WIDGETS,
    childTypes: [CONFIG_MAPS],
    parentScope: { type: WIDGETS },
    childScopes: [{ type: CONFIG_MAPS, namespace: 'default' }],
  };
  const run = async (): Promise<Settled> => {
    const cache = createCache(client, { follow: true, clock });
    for (const scope of [{ type: WIDGETS }, { type: CONFIG_MAPS, namespace: 'default' }]) await cache.ensure(scope);
    const ports = { cache, clock, hooks, related: nothingRelated, reader: client, writer: client, ...NO_SERVER_SIDE };
    const settled = await turning(
      clock,
      settle(ports, {
        controllers: [controller],
        target: () => true,
        guard: () => [],
        timeoutMs: 10 * 60_000,
        wait: true,
        concurrency: 4,
        signal: new AbortController().signal,
        onProgress: () => undefined,
      }),
    );
    await cache.close();
    return settled;
  };

  assert.equal((await run()).status, 'settled');
  await client.write({ ...write, verb: 'delete', type: WIDGETS, name: 'w', namespace: 'default' });
  while (clock.now() - start < HOUR) {
    const { status, diagnostics, applied } = await run();
    assert.deepEqual([status, applied.length, diagnostics.map(({ code }) => code)], ['failed', 0, ['hook-failed']]);
    assert.match(diagnostics[0]?.summary ?? '', /finalize hook failed for Widget default\/w: the billing system/);
    assert.ok(await client.get(CONFIG_MAPS, 'a', 'default'), 'the child is still there');
    await clock.advanceAsync(10 * 60_000, 60_000);
  }
  const { status, applied } = await run();
  assert.equal(status, 'settled');
  assert.deepEqual(
    applied.map(({ change }) => change.action),
    ['delete', 'status', 'update'],
  );
  assert.deepEqual(
    [await client.get(WIDGETS, 'w', 'default'), await client.get(CONFIG_MAPS, 'a', 'default')],
    [undefined, undefined],
  );
  // Six tries of each of the six runs, and the two that went well: none of them in a hot loop.
  assert.ok(hooks.count('finalize') < 50, `${hooks.count('finalize')} calls`);
  await sandbox.close();
});
