// Answers of decorators' and map controllers' hooks that can't be, with a daemon that runs on: an Event that says it, nothing of
// the answer is used, and all is well soon after it is put right. On both servers.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { JsonObject } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import type { ResourceType } from '../../model/resource.ts';
import { type DaemonBed, daemonBed } from '../../testing/daemon-bed.ts';
import { CONFIG_MAPS } from '../../testing/objects.ts';
import { told, untilTold } from '../../testing/parent-events.ts';
import { forEachTarget, type TestTarget } from '../../testing/targets.ts';
import { until } from '../../testing/until.ts';

const MAPS = { apiVersion: 'v1', resource: 'configmaps' };
const INPUTS: ResourceType = { ...CONFIG_MAPS, kind: 'ServiceAccount', resource: 'serviceaccounts' };

async function bedFor(target: TestTarget, options: Parameters<typeof daemonBed>[2]): Promise<DaemonBed> {
  const bed = await daemonBed(target, 'bad-answers', options);
  after(() => bed.close());
  await bed.crd();
  return bed;
}

const liveThing = async (bed: DaemonBed, name: string): Promise<KubeObject> => {
  const live = await bed.client.get(await bed.things(), name, bed.namespace);
  assert.ok(live);
  return live;
};

const map = (name: string, data: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels: { app: 'thing' } },
  data,
});

/** Object → what is answered about it, and what is said of that. Beside it always stands a label that is in order. */
const DECORATIONS: readonly (readonly [name: string, answer: JsonObject, words: RegExp])[] = [
  ['number', { labels: { ok: 'yes', n: 1 } }, /labels\["n"\] is a number, not a string/],
  ['reserved', { labels: { ok: 'yes', 'metactl.dev/map-key-hash': 'x' } }, /map-key-hash"\] is reserved/],
  ['key', { labels: { ok: 'yes' }, annotations: { 'two words': 'x' } }, /\["two words"\] is not an annotation key/],
  ['itself', { labels: { ok: 'yes' }, attachments: 'itself' }, /attachments\[0\] is Thing \S+\/itself itself/],
  ['undeclared', { labels: { ok: 'yes' }, attachments: [{ ...map('x'), kind: 'Secret' }] }, /does not list/],
];
const DECORATE = `
  const { answer, right } = request.parent.spec;
  if (right) return { labels: { ok: 'yes' } };
  const { attachments, ...others } = answer;
  return { ...others, ...(attachments ? { children: attachments === 'itself' ? [request.parent] : attachments } : {}) };`;

/** By the name of its parent: what is made of an input; spec.right puts it right. */
const MAP = `
  const { name } = request.parent.metadata;
  const { right } = request.parent.spec;
  const input = request.input.metadata.name;
  const made = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: input + '-made', labels: { app: 'thing' } }, data: { of: input } };
  if (right) return { children: [made] };
  if (name === 'undeclared') return { children: [made, { ...made, kind: 'Secret' }] };
  if (name === 'no-list') return { children: {} };
  if (name === 'twice') return { children: [{ ...made, metadata: { ...made.metadata, name: 'same' } }] };
  return { children: [made] };`;
const TOMBSTONE = `
  const kept = Object.values(request.children['ConfigMap.v1']);
  return { children: kept.map((one) => (request.parent.spec.right ? one : { ...one, data: { of: 'nobody' } })) };`;

forEachTarget('bad answers to a daemon', (target) => {
  test('a decorator: labels, annotations and attachments that can not be', async () => {
    const bed = await bedFor(target, { kind: 'DecoratorController', hook: DECORATE });
    await attachThingsToo(bed);
    for (const [name, answer] of DECORATIONS) await bed.thing(name, { answer });
    bed.start();
    for (const [name, , words] of DECORATIONS) await untilTold(bed, name, { reason: 'SyncError', words });
    for (const [name] of DECORATIONS) assert.equal((await liveThing(bed, name)).metadata.labels, undefined, name);
    assert.equal(await bed.maps(), '', 'nothing of an answer that is wrong is used');
    for (const [name] of DECORATIONS) await bed.edit(name, { spec: { right: true } });
    for (const [name] of DECORATIONS)
      await until(`${name} is labelled`, async () => (await liveThing(bed, name)).metadata.labels?.['ok'] === 'yes');
  });

  test('a decorator: an attachment that another controller owns is left alone, and the rest is done', async () => {
    const bed = await bedFor(target, { kind: 'DecoratorController', hook: DECORATE });
    await bed.thing('owner', { answer: {} });
    const { apiVersion, kind, metadata } = await liveThing(bed, 'owner');
    const owner = { apiVersion, kind, name: 'owner', uid: metadata.uid ?? '', controller: true };
    const place = { name: 'taken', namespace: bed.namespace, labels: { app: 'thing' }, ownerReferences: [owner] };
    await bed.create(CONFIG_MAPS, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: place,
      data: { whose: 'the owner' },
    });
    await bed.thing('one', { answer: { attachments: [map('taken', { whose: 'mine' }), map('free')] } });
    bed.start();
    await untilTold(bed, 'one', { reason: 'SyncError', words: /taken exists already and belongs to Thing \S*owner/ });
    await until('the other one is there', async () => (await bed.maps()) === 'free taken');
    const taken = await bed.client.get(CONFIG_MAPS, 'taken', bed.namespace);
    assert.deepEqual(taken?.['data'], { whose: 'the owner' });
  });

  test('a decorator: a status of a kind that has none is said, and the rest is done', async () => {
    const bed = await bedFor(target, { kind: 'DecoratorController', hook: DECORATE });
    await decorateMaps(bed);
    const metadata = { name: 'plain', namespace: bed.namespace, labels: { decorate: bed.namespace } };
    await bed.create(CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
    bed.start();
    await untilTold(bed, 'plain', { reason: 'SyncWarning', words: /status is not written, as a ConfigMap has none/ });
    const labels = async () => (await bed.client.get(CONFIG_MAPS, 'plain', bed.namespace))?.metadata.labels;
    await until('it is labelled', async () => (await labels())?.['ok'] === 'yes');
  });

  test('a map controller: kinds that are not declared, no list, two inputs with one output, a tombstone that edits', async () => {
    const bed = await bedFor(target, { kind: 'MapController', hook: MAP, moreHooks: { tombstone: TOMBSTONE } });
    for (const name of ['undeclared', 'no-list', 'edits']) await withInputs(bed, name, [`${name}-a`]);
    await withInputs(bed, 'twice', ['twice-a']);
    bed.start();
    await untilTold(bed, 'undeclared', { reason: 'SyncError', words: /outputs\[1\].*does not list/ });
    await untilTold(bed, 'no-list', { reason: 'SyncError', words: /outputs is an object, not a list/ });
    await until('what is in order is made', async () => (await bed.maps()) === 'edits-a-made same');

    await input(bed, 'twice', 'twice-b');
    const both = /same is returned for 2 inputs: ServiceAccount \S+twice-a, ServiceAccount \S+twice-b/;
    await untilTold(bed, 'twice', { reason: 'SyncError', words: both });
    const before = await bed.client.get(CONFIG_MAPS, 'same', bed.namespace);
    assert.deepEqual(before?.['data'], { of: 'twice-a' }, 'it stays as it is');

    const gone = { type: INPUTS, name: 'edits-a', namespace: bed.namespace, fieldManager: 'test' };
    await bed.client.write({ verb: 'delete', ...gone });
    await untilTold(bed, 'edits', {
      reason: 'SyncError',
      words: /outputs\[0\]\.data\.of is changed: the answer says which/,
    });
    const kept = await bed.client.get(CONFIG_MAPS, 'edits-a-made', bed.namespace);
    assert.deepEqual(kept?.['data'], { of: 'edits-a' });

    // Many questions later neither of the two has had its way.
    for (const round of ['1', '2', '3']) await bed.edit('twice', { metadata: { labels: { round } } });
    await bed.edit('twice', { spec: { right: true } });
    await until('each has its own', async () => /twice-a-made twice-b-made/.test(await bed.maps()));
    for (const name of ['undeclared', 'no-list', 'edits']) await bed.edit(name, { spec: { right: true } });
    const all = 'edits-a-made no-list-a-made twice-a-made twice-b-made undeclared-a-made';
    await until('all are made', async () => (await bed.maps()) === all);
    const warned = (await told(bed, 'twice')).filter(({ reason }) => reason === 'SyncError');
    assert.equal(warned.length, 1, 'said once');
  });
});

/** Things are decorated, and may be attached: to others. */
function attachThingsToo(bed: DaemonBed): Promise<void> {
  const things = { apiVersion: `${bed.group}/v1`, resource: 'things' };
  return writeDecorator(bed, { resources: [things], attachments: [things, MAPS] });
}

/** Config maps of the test are, instead of things. */
async function decorateMaps(bed: DaemonBed): Promise<void> {
  await bed.project.hook('return { labels: { ok: "yes" }, status: { seen: true } };');
  await writeDecorator(bed, { resources: [{ ...MAPS, labelSelector: { matchLabels: { decorate: bed.namespace } } }] });
}

async function writeDecorator({ project }: DaemonBed, lists: object): Promise<void> {
  await project.write('controller.json', {
    apiVersion: 'metacontroller.k8s.io/v1alpha1',
    kind: 'DecoratorController',
    metadata: { name: 'things' },
    spec: { ...lists, hooks: { sync: { module: { path: './hook.mjs' } } } },
  });
}

async function withInputs(bed: DaemonBed, parent: string, inputs: readonly string[]): Promise<void> {
  for (const name of inputs) await input(bed, parent, name);
  await bed.thing(parent, { selector: { matchLabels: { for: parent } } });
}

async function input({ create, namespace }: DaemonBed, parent: string, name: string): Promise<void> {
  const metadata = { name, namespace, labels: { for: parent } };
  await create(INPUTS, { apiVersion: 'v1', kind: 'ServiceAccount', metadata });
}
