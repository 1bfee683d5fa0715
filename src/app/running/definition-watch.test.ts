// Which controllers are there, and in what order that is told; by a cache and a discovery that the test moves.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../model/object.ts';
import type { ResourceType } from '../../model/resource.ts';
import { ApiError, ConnectionError } from '../../ports/errors.ts';
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

const crdOf = (resource: string, established: boolean, version = 'v1alpha1'): KubeObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${resource}.metacontroller.k8s.io` },
  spec: { versions: [{ name: version, served: true }] },
  status: { conditions: [{ type: 'Established', status: established ? 'True' : 'False' }] },
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
  change(CRDS, undefined, crdOf('mapcontrollers', true));
  await clock.advanceAsync(1_000, 100);
  change(COMPOSITES, a, undefined);
  await turn();
  const told = said.at(-1);
  resolve();
  await watch.close();
  assert.equal(told, 'stop CompositeController/a');
});

test('a kind that can not be listed is tried ever more slowly until it can; that is told once', async () => {
  const { clock, watch, cache, discovery, said } = bench();
  cache.objects = [composite('a')];
  cache.onEnsure = async ({ type }) => {
    if (type === COMPOSITES) throw new ConnectionError('connection refused', 'GET compositecontrollers');
  };
  await watch.start({ definitions: true });
  assert.deepEqual(watch.unfollowed(), ['compositecontrollers (connection refused)']);
  assert.equal(watch.followsControllers, false);
  const asked = discovery.asked;
  // After 1, 3, 7, 15, 31 seconds: three kinds each time.
  await clock.advanceAsync(60_000, 500);
  assert.equal((discovery.asked - asked) / 3, 5);
  cache.onEnsure = async () => undefined;
  await clock.advanceAsync(60_000, 500);
  assert.deepEqual([said, watch.unfollowed()], [['problem: connection refused', 'run a 1'], []]);
  assert.equal(clock.pending, 0, 'watches tell the rest');
  await watch.close();
});

test('what keeps a kind from being followed is told again when it is something else', async () => {
  const { clock, watch, cache, said } = bench();
  let problem = 'refused';
  cache.onEnsure = async ({ type }) => {
    if (type === COMPOSITES) throw new ConnectionError(problem, 'GET compositecontrollers');
  };
  await watch.start({ definitions: true });
  await clock.advanceAsync(10_000, 500);
  problem = 'reset';
  await clock.advanceAsync(60_000, 500);
  await watch.close();
  assert.deepEqual(said, ['problem: refused', 'problem: reset']);
  assert.equal(clock.pending, 0);
});

test('CRDs that come, and discovery that lists them late: looked for until it does', async () => {
  const { clock, watch, cache, discovery, said, change } = bench();
  discovery.types = [CRDS];
  await watch.start({ definitions: true });
  change(CRDS, undefined, crdOf('compositecontrollers', false));
  change(CRDS, cache.objects[0], crdOf('compositecontrollers', true));
  await clock.advanceAsync(1_500, 100);
  assert.deepEqual([said, watch.unfollowed()], [['resources changed'], ['compositecontrollers (not served yet)']]);
  discovery.types = [CRDS, COMPOSITES];
  cache.objects = [...cache.objects, composite('a')];
  await clock.advanceAsync(5_000, 100);
  assert.deepEqual([said.at(-1), watch.unfollowed(), clock.pending], ['run a 1', [], 0]);
  await watch.close();
});

const NOT_ASKED_FOR: readonly (readonly [why: string, crds: readonly KubeObject[]])[] = [
  ['has no CRD', []],
  ['has a CRD that is not established', [crdOf('mapcontrollers', false)]],
  ['has a CRD that serves another version', [crdOf('mapcontrollers', true, 'v1beta1')]],
];
for (const [why, crds] of NOT_ASKED_FOR)
  test(`a kind that ${why} is not asked for`, async () => {
    const { clock, watch, cache, discovery } = bench();
    cache.objects = crds;
    await watch.start({ definitions: true });
    const asked = discovery.asked;
    await clock.advanceAsync(3_600_000, 60_000);
    assert.deepEqual([discovery.asked - asked, clock.pending, watch.unfollowed()], [0, 0, []]);
    await watch.close();
  });

test('CRDs that can not be listed are tried again, and what became of them is looked at; who may not asks at the interval', async () => {
  const { clock, watch, cache, said } = bench();
  cache.onEnsure = async ({ type }) => {
    if (type === CRDS) throw new ConnectionError('refused', 'GET customresourcedefinitions');
  };
  await watch.start({ definitions: false });
  cache.onEnsure = async () => undefined;
  await clock.advanceAsync(1_000, 500);
  assert.deepEqual(said, ['problem: refused', 'resources changed']);
  await watch.close();
  const other = bench();
  other.cache.onEnsure = async () => {
    throw new ApiError({ code: 403, message: 'no' }, 'GET customresourcedefinitions');
  };
  await other.watch.start({ definitions: false });
  await other.clock.advanceAsync(29_000, 1_000);
  assert.equal(other.discovery.asked, 1);
  await other.clock.advanceAsync(31_000, 1_000);
  assert.equal(other.discovery.asked, 3);
  await other.watch.close();
});
