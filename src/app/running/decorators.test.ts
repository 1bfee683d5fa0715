// Decorators in a daemon, on both servers: one call and one write an object, then rest; objects that leave are let go.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeObject } from '../../model/object.ts';
import { type DaemonBed, daemonBed } from '../../testing/daemon-bed.ts';
import { forEachTarget, type TestTarget } from '../../testing/targets.ts';
import { until } from '../../testing/until.ts';

const kind = 'DecoratorController';
const LABEL = `return { labels: { seen: request.parent.metadata.name } };`;
const ATTACH = `return {
  labels: { seen: 'yes' },
  children: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'extra', labels: { app: 'thing' } } }],
};`;
const LEAVE = `return { children: [], labels: { seen: null }, finalized: Object.keys(request.children['ConfigMap.v1']).length === 0 };`;

type More = Parameters<typeof daemonBed>[2];

async function bedFor(target: TestTarget, more: More): Promise<DaemonBed> {
  const bed = await daemonBed(target, 'decorators', { kind, ...more });
  after(() => bed.close());
  return bed;
}

async function liveThing({ client, things, namespace }: DaemonBed): Promise<KubeObject> {
  const live = await client.get(await things(), 'one', namespace);
  assert.ok(live);
  return live;
}

async function relabel(bed: DaemonBed, labels: Record<string, string>): Promise<void> {
  const live = await liveThing(bed);
  const object = { ...live, metadata: { ...live.metadata, labels } };
  await bed.client.write({ verb: 'update', type: await bed.things(), fieldManager: 'test', object });
}

forEachTarget('decorators in a daemon', (target) => {
  test('one call and one write; a label that somebody took off comes back; then rest', async () => {
    const bed = await bedFor(target, { hook: LABEL });
    await bed.crd();
    bed.start();
    await bed.thing('one', {});
    const labelled = async (): Promise<boolean> => (await liveThing(bed)).metadata.labels?.['seen'] === 'one';
    await until('it is labelled', labelled);
    await sleep(700);
    assert.equal(await bed.hookCalls(), 1);
    assert.equal(bed.counter.take()['update things'], 1);
    await relabel(bed, { other: 'x' });
    await until('it is labelled again', labelled);
    await sleep(700);
    assert.deepEqual((await liveThing(bed)).metadata.labels, { other: 'x', seen: 'one' });
    assert.equal(await bed.hookCalls(), 1);
    assert.equal(bed.counter.take()['update things'], 1);
  });

  test('what is selected no more is finalized and let go', async () => {
    const parentResource = { labelSelector: { matchLabels: { tier: 'a' } } };
    const bed = await bedFor(target, { hook: ATTACH, moreHooks: { finalize: LEAVE }, parentResource });
    await bed.crd();
    bed.start();
    await bed.thing('one', {});
    await relabel(bed, { tier: 'a' });
    await until('the attachment is there', async () => (await bed.maps()) === 'extra');
    await until('it is labelled', async () => (await liveThing(bed)).metadata.labels?.['seen'] === 'yes');
    assert.deepEqual((await liveThing(bed)).metadata.finalizers, ['metacontroller.io/decoratorcontroller-things']);
    await relabel(bed, { tier: 'b', seen: 'yes' });
    await until('it is let go', async () => (await liveThing(bed)).metadata.finalizers === undefined);
    assert.deepEqual([await bed.maps(), (await liveThing(bed)).metadata.labels], ['', { tier: 'b' }]);
  });
});
