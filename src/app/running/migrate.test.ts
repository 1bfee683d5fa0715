// docs/guide/migrate.md, on both servers: what Metacontroller left is taken over without a write, a shadow says so before, and what a
// daemon of ours leaves is what Metacontroller would have left. The program itself is not there: its objects are (testdata/metacontroller).

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../kit/json.ts';
import type { KubeObject, ObjectMeta } from '../../model/object.ts';
import { type DaemonBed, daemonBed } from '../../testing/daemon-bed.ts';
import { CONFIG_MAPS } from '../../testing/objects.ts';
import { shadowOf, shadowPair } from '../../testing/shadow-bed.ts';
import { forEachTarget, type TestTarget } from '../../testing/targets.ts';
import { until } from '../../testing/until.ts';

const IN_ITS_FORM = join(import.meta.dirname, '../../../testdata/metacontroller');
const FINALIZE = `return { children: [], finalized: true };`;

interface Left {
  /** As its user made it. */
  readonly given: KubeObject;
  /** What Metacontroller made of its metadata. */
  readonly parent: ObjectMeta;
  readonly status: JsonObject;
  readonly children: readonly KubeObject[];
}

const SCENES = {
  composite: {
    generateSelector: true,
    moreHooks: { finalize: FINALIZE },
    hook: `
      const { names, text } = request.parent.spec;
      const child = (name) => ({
        apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { app: 'thing' } }, data: { text },
      });
      return { status: { seen: Object.keys(request.children['ConfigMap.v1']).length }, children: names.map(child) };`,
  },
  decorator: {
    kind: 'DecoratorController',
    moreHooks: { finalize: FINALIZE },
    hook: `
      const { text } = request.parent.spec;
      const extra = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'extra', labels: { app: 'thing' } }, data: { text } };
      return {
        labels: { seen: 'yes' }, annotations: { note: 'x' }, children: [extra],
        status: { seen: Object.keys(request.children['ConfigMap.v1']).length },
      };`,
  },
} as const;

async function bedFor(target: TestTarget, scene: keyof typeof SCENES): Promise<DaemonBed> {
  const bed = await daemonBed(target, `migrate-${scene}`, SCENES[scene]);
  after(() => bed.close());
  await bed.crd();
  return bed;
}

/** In a JSON text: what Go's JSON escapes stands in the record of what was applied. */
const TEXTS = {
  first: { text: 'x<1>&y', goText: String.raw`x\\u003c1\\u003e\\u0026y` },
  second: { text: 'z', goText: 'z' },
};

async function leftIn(
  { group, namespace }: DaemonBed,
  scene: keyof typeof SCENES,
  { uid, texts = TEXTS.first }: { readonly uid: string; readonly texts?: typeof TEXTS.first },
): Promise<Left> {
  const words: Readonly<Record<string, string>> = { group, namespace, uid, ...texts };
  const text = await readFile(join(IN_ITS_FORM, `${scene}.json`), 'utf8');
  return JSON.parse(text.replace(/\$\{(\w+)\}/g, (_, word: string) => words[word] ?? '')) as Left;
}

/** Everything is in the cluster, as Metacontroller would have put it there. */
async function stage(bed: DaemonBed, scene: keyof typeof SCENES): Promise<void> {
  const write = { fieldManager: 'metacontroller', type: await bed.things() } as const;
  const { given, parent, status } = await leftIn(bed, scene, { uid: '' });
  const object = { ...given, metadata: { ...given.metadata, ...parent } };
  const live = await bed.client.write({ ...write, verb: 'create', object });
  assert.ok(live);
  const reported = { ...live, status } as unknown as KubeObject;
  await bed.client.write({ ...write, verb: 'update', subresource: 'status', object: reported });
  const { children } = await leftIn(bed, scene, { uid: live.metadata.uid ?? '' });
  for (const child of children) await bed.client.write({ ...write, verb: 'create', type: CONFIG_MAPS, object: child });
}

/** Without what the server says for itself. */
function plain({ metadata, ...rest }: KubeObject): object {
  const { uid: _u, resourceVersion: _r, generation: _g, creationTimestamp: _c, managedFields: _m, ...own } = metadata;
  return { ...rest, metadata: own };
}

async function liveIn({ client, things, namespace }: DaemonBed) {
  const parent = await client.get(await things(), 'one', namespace);
  const { items } = await client.list(CONFIG_MAPS, { namespace, labelSelector: 'app=thing' });
  const children = [...items].sort((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));
  return { parent, children };
}

/** Is it what Metacontroller would have left of a parent with this text? */
async function isAsLeft(bed: DaemonBed, scene: keyof typeof SCENES, texts = TEXTS.first): Promise<boolean> {
  const { parent, children } = await liveIn(bed);
  assert.ok(parent);
  const { generation = 0, uid = '' } = parent.metadata;
  const left = await leftIn(bed, scene, { uid, texts });
  const status = 'observedGeneration' in left.status ? { ...left.status, observedGeneration: generation } : left.status;
  const wanted = { ...left.given, metadata: { ...left.given.metadata, ...left.parent }, status };
  return isDeepStrictEqual([plain(parent), children.map(plain)], [wanted, left.children]);
}

forEachTarget('migration', (target) => {
  for (const scene of ['composite', 'decorator'] as const)
    test(`${scene}: what Metacontroller left is taken over without a write, and given back in its form`, async () => {
      const bed = await bedFor(target, scene);
      await stage(bed, scene);
      const before = await liveIn(bed);
      const pair = await shadowPair(bed, target);
      const calls = (): Promise<string> => readFile(join(bed.project.path, 'hook-calls.log'), 'utf8').catch(() => '');
      await until('both have asked the hook', async () => (await calls()).length >= 2);
      const { hits, misses, open } = await pair.decided();
      assert.deepEqual([hits, misses, open], [0, 0, 0]);
      assert.deepEqual([pair.writesAtWork(), pair.writesOfShadow()], [[], []]);
      assert.deepEqual(await liveIn(bed), before);

      const type = await bed.things();
      const { parent } = before;
      assert.ok(parent);
      const object = { ...parent, spec: { ...(parent['spec'] as object), text: TEXTS.second.text } };
      await bed.client.write({ verb: 'update', type, fieldManager: 'test', object });
      await until('it is as Metacontroller would leave it', () => isAsLeft(bed, scene, TEXTS.second));
      assert.equal((await pair.decided()).misses, 0);
      assert.deepEqual(pair.writesOfShadow(), []);
    });

  for (const scene of ['composite', 'decorator'] as const)
    test(`${scene}: what is made from nothing is what Metacontroller would have made`, async () => {
      const bed = await bedFor(target, scene);
      const { given } = await leftIn(bed, scene, { uid: '' });
      bed.start();
      await bed.create(await bed.things(), given);
      await until('it is as Metacontroller would leave it', () => isAsLeft(bed, scene));
    });

  test('a shadow of one that writes as Metacontroller does, in its order', async () => {
    const bed = await bedFor(target, 'composite');
    const shadow = await shadowOf(bed, target, ['metacontroller']);
    const type = await bed.things();
    const { given, parent, status } = await leftIn(bed, 'composite', { uid: '' });
    const write = { fieldManager: 'metacontroller', type } as const;
    const made = await bed.client.write({ ...write, fieldManager: 'test', verb: 'create', object: given });
    assert.ok(made);
    const metadata = { ...made.metadata, finalizers: parent.finalizers ?? [] };
    let live = await bed.client.write({ ...write, verb: 'update', object: { ...made, metadata } });
    const { uid = '' } = made.metadata;
    const report = async (said: object): Promise<void> => {
      const object = { ...live, status: { ...status, ...said } } as unknown as KubeObject;
      live = await bed.client.write({ ...write, verb: 'update', subresource: 'status', object });
    };
    const { children } = await leftIn(bed, 'composite', { uid });
    const written: KubeObject[] = [];
    for (const object of children) {
      const child = await bed.client.write({ ...write, verb: 'create', type: CONFIG_MAPS, object });
      if (child) written.push(child);
    }
    // Its status is that of the hook call before the children were there; the next sync says the other.
    await report({ seen: 0 });
    await report({});
    await shadow.decided(5);
    const spec = { ...(given['spec'] as object), text: TEXTS.second.text };
    live = await bed.client.write({
      ...write,
      fieldManager: 'test',
      verb: 'update',
      object: { ...live, spec } as KubeObject,
    });
    const later = await leftIn(bed, 'composite', { uid, texts: TEXTS.second });
    for (const [index, object] of later.children.entries()) {
      const { resourceVersion = '' } = written[index]?.metadata ?? {};
      const changed = { ...object, metadata: { ...object.metadata, resourceVersion } };
      await bed.client.write({ ...write, verb: 'update', type: CONFIG_MAPS, object: changed });
    }
    await report({ observedGeneration: 2 });
    const { hits, misses, found } = await shadow.decided(8);
    assert.deepEqual([misses, found], [0, []]);
    // All but the first status, perhaps: that is said by the time the next one is written.
    assert.ok(hits >= 7, `${hits} hits`);
    assert.deepEqual(shadow.writes(), []);
  });

  test('a Secret whose hook says stringData: the record of it is written anew, once', async () => {
    const desired = {
      ...{ apiVersion: 'v1', kind: 'Secret' },
      ...{ metadata: { labels: { app: 'thing' }, name: 'hidden' }, stringData: { key: 'x' } },
    };
    const hook = `return { children: [${JSON.stringify(desired)}] };`;
    const bed = await daemonBed(target, 'migrate-secret', { hook, childResources: ['secrets'] });
    after(() => bed.close());
    await bed.crd();
    const { namespace, group, client } = bed;
    await bed.thing('one', {});
    const live = await client.get(await bed.things(), 'one', namespace);
    assert.ok(live);
    const write = { fieldManager: 'metacontroller', type: await bed.things() } as const;
    const reported = { ...live, status: { observedGeneration: 1 } } as unknown as KubeObject;
    await client.write({ ...write, verb: 'update', subresource: 'status', object: reported });
    const owner = { apiVersion: `${group}/v1`, kind: 'Thing', name: 'one', uid: live.metadata.uid ?? '' };
    const record = JSON.stringify({ ...desired, metadata: { ...desired.metadata, namespace } });
    const metadata = {
      ...{ ...desired.metadata, namespace },
      annotations: { 'metacontroller.k8s.io/last-applied-configuration': record },
      ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }],
    };
    const secrets = { ...CONFIG_MAPS, kind: 'Secret', resource: 'secrets' };
    await client.write({ ...write, type: secrets, verb: 'create', object: { ...desired, metadata } });
    const pair = await shadowPair(bed, target);
    await until('it is written', () => pair.writesAtWork().length > 0);
    assert.equal((await pair.decided()).misses, 0);
    assert.deepEqual(pair.writesAtWork(), [`PUT /api/v1/namespaces/${namespace}/secrets/hidden`]);
  });
});
