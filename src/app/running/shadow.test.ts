// A shadow beside a daemon of ours, on both servers: every write of the one is as the other foretold, and the shadow writes
// nothing at all.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { JsonObject } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import { type DaemonBed, daemonBed, NAMES_HOOK } from '../../testing/daemon-bed.ts';
import { CONFIG_MAPS } from '../../testing/objects.ts';
import { allForetold, otherHook, shadowPair } from '../../testing/shadow-bed.ts';
import { forEachTarget, type TestTarget } from '../../testing/targets.ts';
import { until } from '../../testing/until.ts';

async function bedFor(target: TestTarget, more: Parameters<typeof daemonBed>[2] = {}): Promise<DaemonBed> {
  const bed = await daemonBed(target, 'shadow', more);
  after(() => bed.close());
  await bed.crd();
  return bed;
}

async function liveThing({ client, things, namespace }: DaemonBed): Promise<KubeObject> {
  const live = await client.get(await things(), 'one', namespace);
  assert.ok(live);
  return live;
}

/** Whatever else is written meanwhile. */
async function edit(bed: DaemonBed, patch: JsonObject): Promise<void> {
  const { client, namespace } = bed;
  const how = { verb: 'patch', contentType: 'application/merge-patch+json', fieldManager: 'test' } as const;
  await client.write({ ...how, type: await bed.things(), name: 'one', namespace, patch });
}

const respec = (bed: DaemonBed, spec: JsonObject): Promise<void> => edit(bed, { spec });

async function remove({ client, namespace }: DaemonBed, type: typeof CONFIG_MAPS, name: string): Promise<void> {
  await client.write({ verb: 'delete', type, fieldManager: 'test', name, namespace });
}

const FINALIZE = `return { children: [], finalized: Object.keys(request.children['ConfigMap.v1']).length === 0 };`;

forEachTarget('shadow', (target) => {
  test('children come, change, are put back and go; a parent is finalized', async () => {
    const bed = await bedFor(target, { moreHooks: { finalize: FINALIZE } });
    const pair = await shadowPair(bed, target);
    await bed.thing('one', { names: ['a', 'b'], text: '1' });
    await until('the children are there', async () => (await bed.maps()) === 'a b');
    await respec(bed, { text: '2', names: ['b', 'c'] });
    await until('the children follow', async () => (await bed.maps()) === 'b c');
    await remove(bed, CONFIG_MAPS, 'c');
    await until('it is there again', async () => (await bed.maps()) === 'b c');
    await allForetold(pair, 4);
    await remove(bed, await bed.things(), 'one');
    await until('it is gone', async () => !(await bed.client.get(await bed.things(), 'one', bed.namespace)));
    await allForetold(pair, 5);
    const { shadow } = await pair.shadow.stop();
    assert.deepEqual([shadow?.misses, shadow?.open], [0, 0]);
  });

  test('a shadow that is always too late: what was written is judged by the state before it', async () => {
    const bed = await bedFor(target);
    const slow = `return new Promise((resolve) => setTimeout(() => resolve((() => {${NAMES_HOOK}})()), 400));`;
    const { paths, remove: removeHook } = await otherHook(bed, slow);
    after(removeHook);
    const pair = await shadowPair(bed, target, { shadow: { paths } });
    await bed.thing('one', { names: ['a', 'b', 'c'], text: '1' });
    await until('the children are there', async () => (await bed.maps()) === 'a b c');
    await respec(bed, { text: '2', names: ['b'] });
    await until('the children follow', async () => (await bed.maps()) === 'b');
    await allForetold(pair, 2);
  });

  test('a decorator', async () => {
    const hook = `return {
      labels: { seen: 'yes' },
      children: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'extra', labels: { app: 'thing' } } }],
    };`;
    const finalize = `return { children: [], labels: { seen: null }, finalized: Object.keys(request.children['ConfigMap.v1']).length === 0 };`;
    const parentResource = { labelSelector: { matchLabels: { tier: 'a' } } };
    const kind = 'DecoratorController';
    const bed = await bedFor(target, { kind, hook, moreHooks: { finalize }, parentResource });
    const pair = await shadowPair(bed, target);
    await bed.thing('one', {});
    const relabel = (labels: Record<string, string>): Promise<void> => edit(bed, { metadata: { labels } });
    await relabel({ tier: 'a' });
    await until('it is labelled', async () => (await liveThing(bed)).metadata.labels?.['seen'] === 'yes');
    await until('the attachment is there', async () => (await bed.maps()) === 'extra');
    await allForetold(pair, 2);
    await relabel({ tier: 'b', seen: 'yes' });
    await until('it is let go', async () => (await liveThing(bed)).metadata.finalizers === undefined);
    await allForetold(pair, 3);
  });
});
