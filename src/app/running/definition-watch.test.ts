// Which controllers are there, and in what order that is told; by a cache and a discovery that the test moves.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../model/object.ts';
import type { ResourceType } from '../../model/resource.ts';
import { FakeCache } from '../../testing/fake-cache.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { FakeDiscovery } from '../../testing/fake-discovery.ts';
import { CONFIG_MAPS, widgetController } from '../../testing/objects.ts';
import { DefinitionWatch } from './definition-watch.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const CONTROLLERS = { ...CONFIG_MAPS, group: 'metacontroller.k8s.io', version: 'v1alpha1', namespaced: false };
const COMPOSITES: ResourceType = { ...CONTROLLERS, kind: 'CompositeController', resource: 'compositecontrollers' };
const CRDS: ResourceType = {
  ...{ ...CONTROLLERS, group: 'apiextensions.k8s.io', version: 'v1' },
  ...{ kind: 'CustomResourceDefinition', resource: 'customresourcedefinitions' },
};

const composite = (name: string, resourceVersion = '1'): KubeObject => ({
  apiVersion: 'metacontroller.k8s.io/v1alpha1',
  kind: 'CompositeController',
  metadata: { name, resourceVersion },
});

function bench() {
  const clock = new FakeClock();
  const cache = new FakeCache();
  const discovery = new FakeDiscovery([CRDS, COMPOSITES]);
  const said: string[] = [];
  /** Objects that are long in being read. */
  const slow = new Map<string, Promise<void>>();
  const read = async (object: KubeObject) => {
    const { name = '', resourceVersion } = object.metadata;
    await (slow.get(name) ?? turn());
    return {
      definition: { ...widgetController({ name }), resyncPeriodSeconds: Number(resourceVersion) },
      problems: [],
    };
  };
  const parts = { client: discovery, cache, clock, labelSelector: '', discoveryMs: 30_000, read };
  const watch = new DefinitionWatch(parts, {
    onDefinition: ({ name, resyncPeriodSeconds }) => said.push(`run ${name} ${resyncPeriodSeconds}`),
    onNone: (id) => said.push(`stop ${id}`),
    onResourcesChanged: () => said.push('resources changed'),
    onProblem: ({ summary }) => said.push(`problem: ${summary}`),
    onCrash: (error) => assert.fail(String(error)),
  });
  /** It comes, changes or goes. */
  const change = (type: ResourceType, before: KubeObject | undefined, after: KubeObject | undefined): void => {
    const others = cache.objects.filter((object) => object !== before);
    cache.objects = after ? [...others, after] : others;
    cache.tell({ type, before, after });
  };
  return { clock, cache, discovery, watch, said, slow, change };
}

test('changed and deleted at once, as by a finalizer that goes: it is stopped, not started', async () => {
  const { watch, cache, said, change } = bench();
  const [first, second] = [composite('a'), composite('a', '2')];
  cache.objects = [first];
  await watch.start({ definitions: true });
  change(COMPOSITES, first, second);
  change(COMPOSITES, second, undefined);
  await watch.close();
  assert.deepEqual(said, ['run a 1', 'run a 2', 'stop CompositeController/a']);
});

test('what happens while the first list is told is told after it', async () => {
  const { watch, cache, said, slow, change } = bench();
  const [a, b, c] = [composite('a'), composite('b'), composite('c')];
  cache.objects = [a, b, c];
  const { promise, resolve } = Promise.withResolvers<void>();
  slow.set('a', promise);
  const started = watch.start({ definitions: true });
  await turn();
  change(COMPOSITES, b, composite('b', '2'));
  change(COMPOSITES, c, undefined);
  await turn();
  resolve();
  await started;
  await watch.close();
  assert.deepEqual(said, ['run a 1', 'run b 1', 'run c 1', 'run b 2', 'stop CompositeController/c']);
});

test('a list that is long in coming keeps nobody from being stopped', async () => {
  const { clock, watch, cache, discovery, said, change } = bench();
  const a = composite('a');
  cache.objects = [a];
  await watch.start({ definitions: true });
  discovery.types = [...discovery.types, { ...CONTROLLERS, kind: 'MapController', resource: 'mapcontrollers' }];
  const { promise, resolve } = Promise.withResolvers<void>();
  cache.onEnsure = () => promise;
  change(CRDS, undefined, { ...composite('mapcontrollers.metacontroller.k8s.io'), kind: CRDS.kind });
  await clock.advanceAsync(1_000, 100);
  change(COMPOSITES, a, undefined);
  await turn();
  const told = said.at(-1);
  resolve();
  await watch.close();
  assert.equal(told, 'stop CompositeController/a');
});
