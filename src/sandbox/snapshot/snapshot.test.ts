import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isJsonObject, type JsonObject, type JsonValue, parseJson, stringifyJson } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { randomFrom, withSeeds } from '../../testing/random-json.ts';
import { createSandbox, parseSnapshot, type Sandbox, type SandboxSnapshot } from '../index.ts';

const NAMESPACE = '/api/v1/namespaces/default';
const MAPS = `${NAMESPACE}/configmaps`;
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';

async function send(sandbox: Sandbox, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await sandbox.transport.request({ method, path, headers: { 'content-type': type }, ...sent });
  const text = await response.text();
  return { status: response.status, body: (text.startsWith('{') ? parseJson(text) : {}) as JsonObject };
}

const configMap = (name: string, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...more },
  data: { k: '1' },
});

const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i:1' }] } },
  },
};

const crd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'things', kind: 'Thing' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};
const THINGS = '/apis/example.com/v1/namespaces/default/things';
const thing = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 't' } };

/** The objects without their resourceVersions, in no order. */
const contentOf = ({ objects }: SandboxSnapshot): string[] =>
  objects
    .map(({ object }) => {
      const { resourceVersion: _, ...metadata } = object.metadata;
      return stringifyJson({ ...object, metadata } as KubeObject);
    })
    .sort();

test('there and back: what was changed, deleted and added since; nothing stirs afterwards', async () => {
  const clock = new FakeClock();
  const sandbox = createSandbox({ clock, seed: 1 });
  await send(sandbox, 'POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', crd);
  await send(sandbox, 'POST', THINGS, thing);
  await send(sandbox, 'POST', MAPS, configMap('a'));
  await send(sandbox, 'POST', DEPLOYMENTS, deployment);
  clock.advance(5_000);
  const before = sandbox.snapshot();

  await send(sandbox, 'PATCH', `${MAPS}/a`, { data: { k: '2' } });
  await send(sandbox, 'POST', MAPS, configMap('b'));
  await send(sandbox, 'DELETE', `${DEPLOYMENTS}/web`);
  await send(sandbox, 'DELETE', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.example.com');
  assert.equal((await send(sandbox, 'GET', THINGS)).status, 404);
  clock.advance(60_000);

  sandbox.restore(before);
  assert.deepEqual(contentOf(sandbox.snapshot()), contentOf(before));
  assert.equal((await send(sandbox, 'GET', `${THINGS}/t`)).status, 200, 'the definition is served again');
  const { resourceVersion } = (await send(sandbox, 'GET', MAPS)).body['metadata'] as JsonObject;
  clock.advance(60_000);
  const later = (await send(sandbox, 'GET', MAPS)).body['metadata'] as JsonObject;
  assert.equal(later['resourceVersion'], resourceVersion, 'pods are as old as they were: nothing is to be done');
});

test('watches follow: each object that differs is an event, and resourceVersions grow', async () => {
  const sandbox = createSandbox({ clock: new FakeClock(), seed: 1 });
  await send(sandbox, 'POST', MAPS, configMap('changed'));
  await send(sandbox, 'POST', MAPS, configMap('gone'));
  await send(sandbox, 'POST', MAPS, configMap('another'));
  await send(sandbox, 'POST', MAPS, configMap('same'));
  const before = sandbox.snapshot();
  await send(sandbox, 'PATCH', `${MAPS}/changed`, { data: { k: '2' } });
  await send(sandbox, 'DELETE', `${MAPS}/gone`);
  await send(sandbox, 'DELETE', `${MAPS}/another`);
  await send(sandbox, 'POST', MAPS, configMap('another'));
  await send(sandbox, 'POST', MAPS, configMap('new'));
  const { resourceVersion } = (await send(sandbox, 'GET', MAPS)).body['metadata'] as JsonObject;
  const path = `${MAPS}?watch=true&resourceVersion=${resourceVersion}`;
  const watch = await sandbox.transport.request({ method: 'GET', path, longLived: true });
  sandbox.restore(before);
  await sandbox.close();
  const events = (await watch.text())
    .trim()
    .split('\n')
    .map((line) => parseJson(line) as { type: string; object: KubeObject });
  const seen = events.map(({ type, object }) => `${type} ${object.metadata.name}`);
  assert.deepEqual(seen.sort(), ['ADDED another', 'ADDED gone', 'DELETED another', 'DELETED new', 'MODIFIED changed']);
  for (const { object } of events) assert.ok(Number(object.metadata.resourceVersion) > Number(resourceVersion));
});

test('a dependent whose owner comes back is not collected', async () => {
  const sandbox = createSandbox({ clock: new FakeClock(), seed: 1 });
  const { body } = await send(sandbox, 'POST', MAPS, configMap('owner'));
  const { uid } = body['metadata'] as JsonObject;
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }];
  await send(sandbox, 'POST', MAPS, configMap('held', { ownerReferences, finalizers: ['example.com/x'] }));
  const before = sandbox.snapshot();
  await send(sandbox, 'DELETE', `${MAPS}/owner`);
  sandbox.restore(before);
  const held = await send(sandbox, 'GET', `${MAPS}/held`);
  assert.equal((held.body['metadata'] as JsonObject)['deletionTimestamp'], undefined);
});

test('into another sandbox, through JSON', async () => {
  const from = createSandbox({ clock: new FakeClock(), seed: 1 });
  await send(from, 'POST', MAPS, configMap('a'));
  const parsed = parseSnapshot(parseJson(stringifyJson(from.snapshot() as unknown as JsonValue)));
  assert.ok(parsed);
  const into = createSandbox({ clock: new FakeClock(), seed: 2 });
  await send(into, 'POST', MAPS, configMap('b'));
  into.restore(parsed);
  assert.deepEqual(contentOf(into.snapshot()), contentOf(from.snapshot()));
  const next = await send(into, 'PATCH', `${MAPS}/a`, { data: { k: '3' } });
  assert.equal(next.status, 200);
});

test('what is no snapshot is told apart', () => {
  const format = 'metactl-sandbox-snapshot.v1';
  const wrong: readonly JsonValue[] = [
    null,
    [],
    {},
    { format },
    { format: 'v2', objects: [] },
    { format, objects: [1] },
  ];
  for (const value of wrong) assert.equal(parseSnapshot(value), undefined, stringifyJson(value));
  assert.ok(isJsonObject(parseSnapshot({ format, objects: [] }) as unknown as JsonValue));
});

test('any two states, there and back', async () => {
  const seeds: (() => number)[] = [];
  withSeeds(1, 20, (random) => seeds.push(randomFrom(Math.floor(random() * 2 ** 32))));
  for (const random of seeds) {
    const sandbox = createSandbox({ clock: new FakeClock(), seed: 3 });
    const edits = async (): Promise<void> => {
      for (let i = 0; i < 12; i++) {
        const name = `m${Math.floor(random() * 5)}`;
        if (random() < 0.4) await send(sandbox, 'DELETE', `${MAPS}/${name}`);
        else if (random() < 0.5) await send(sandbox, 'POST', MAPS, configMap(name));
        else await send(sandbox, 'PATCH', `${MAPS}/${name}`, { data: { k: String(Math.floor(random() * 3)) } });
      }
    };
    await edits();
    const first = sandbox.snapshot();
    await edits();
    const second = sandbox.snapshot();
    sandbox.restore(first);
    assert.deepEqual(contentOf(sandbox.snapshot()), contentOf(first));
    sandbox.restore(second);
    assert.deepEqual(contentOf(sandbox.snapshot()), contentOf(second));
  }
});
