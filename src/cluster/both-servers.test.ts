// What the client and its caches rely on, on the sandbox and on a real API server.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject } from '../model/object.ts';
import type { ResourceType } from '../model/resource.ts';
import type { ApiRequest, Transport } from '../ports/transport.ts';
import { CONFIG_MAPS } from '../testing/objects.ts';
import { realClock } from '../testing/real-clock.ts';
import { findRealServer } from '../testing/real-server.ts';
import { forEachTarget, type TestTarget } from '../testing/targets.ts';
import { until } from '../testing/until.ts';
import { type ClusterClient, connect, createCache, createClient } from './index.ts';

/** The target's transport, with what went through it. */
function listening(target: TestTarget): { transport: Transport; log: ApiRequest[] } {
  const log: ApiRequest[] = [];
  const request: Transport['request'] = (one) => {
    log.push(one);
    return target.transport.request(one);
  };
  return { transport: { request, close: async () => undefined }, log };
}

forEachTarget('client and cache', (target) => {
  const fieldManager = 'test';
  const kinds = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' };
  const crdType = async (client: ClusterClient): Promise<ResourceType> => {
    const type = await client.byKind(kinds.apiVersion, kinds.kind);
    assert.ok(type);
    return type;
  };

  /** A CRD that is served. */
  async function gadgets(client: ClusterClient, group: string): Promise<ResourceType> {
    const schema = {
      type: 'object',
      properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    };
    const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } };
    const names = { kind: 'Gadget', plural: 'gadgets' };
    const object = {
      ...kinds,
      metadata: { name: `gadgets.${group}` },
      spec: { group, scope: 'Namespaced', names, versions: [version] },
    };
    await client.write({ verb: 'create', type: await crdType(client), object, fieldManager });
    return until('gadgets are served', () => {
      client.refresh();
      return client.byKind(`${group}/v1`, 'Gadget');
    });
  }

  it('an object that is not there is undefined; one of a kind that is served no more is an error', async () => {
    const client = createClient(target.transport);
    const namespace = await target.namespace();
    const type = await gadgets(client, `served-${namespace}.example.com`);
    assert.equal(await client.get(type, 'a', namespace), undefined);
    assert.equal(await client.get(CONFIG_MAPS, 'a', 'no-such-namespace'), undefined);
    const name = `gadgets.${type.group}`;
    await client.write({ verb: 'delete', type: await crdType(client), name, fieldManager });
    const failure = await until('gadgets are gone', () =>
      client.get(type, 'a', namespace).then(
        () => undefined,
        (error: unknown) => String(error),
      ),
    );
    assert.match(failure, /does not serve gadgets of served-test-\w+\.example\.com\/v1 any more/);
    // The server's discovery documents follow a moment later.
    await until('discovery says so', async () => {
      client.refresh();
      return (await client.byKind(`${type.group}/v1`, 'Gadget')) === undefined;
    });
  });

  it('integers above 2^53 survive create, get, list, watch and update', async () => {
    const client = createClient(target.transport);
    const namespace = await target.namespace();
    const type = await gadgets(client, `numbers-${namespace}.example.com`);
    const cache = createCache(client, { follow: true, clock: realClock });
    await cache.ensure({ type, namespace });
    const big = 9_007_199_254_740_993n;
    const spec = { big, least: -9_223_372_036_854_775_808n, small: 1, share: 0.5 };
    const object: KubeObject = {
      apiVersion: `${type.group}/v1`,
      kind: 'Gadget',
      metadata: { name: 'a', namespace },
      spec,
    };
    const created = await client.write({ verb: 'create', type, object, fieldManager });
    assert.deepEqual(created?.['spec'], spec);
    assert.deepEqual((await client.get(type, 'a', namespace))?.['spec'], spec);
    assert.deepEqual((await client.list(type, { namespace })).items[0]?.['spec'], spec);
    const watched = await until('the watch has it', () => cache.get({ type, namespace }, 'a', namespace));
    assert.deepEqual(watched?.['spec'], spec);
    const changed = { ...watched, spec: { ...spec, small: 2 } };
    const updated = await client.write({ verb: 'update', type, object: changed, fieldManager });
    assert.deepEqual(updated?.['spec'], { ...spec, small: 2 });
    await cache.close();
  });

  it('a cache that follows lists and watches in one request, and holds no managedFields', async () => {
    const { transport, log } = listening(target);
    const client = createClient(transport);
    const namespace = await target.namespace();
    const create = (name: string): Promise<unknown> =>
      client.write({
        verb: 'create',
        type: CONFIG_MAPS,
        object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace } },
        fieldManager,
      });
    await create('before');
    log.length = 0;
    const cache = createCache(client, { follow: true, clock: realClock });
    const scope = { type: CONFIG_MAPS, namespace };
    await cache.ensure(scope);
    const held = cache.get(scope, 'before', namespace);
    assert.equal(held?.metadata.managedFields, undefined);
    await create('after');
    const after = await until('the watch has it', () => cache.get(scope, 'after', namespace));
    assert.equal(after.metadata.managedFields, undefined);
    assert.deepEqual(
      log.filter(({ method }) => method === 'GET').map(({ longLived }) => longLived),
      [true],
    );
    await cache.close();
  });
});

const real = findRealServer(process.env);

describe('impersonation [real]', { skip: real.available ? false : real.reason }, () => {
  it('the server sees the user, each group for itself, the UID and the extra values', async () => {
    assert.ok(real.available);
    const connection = await connect({
      kubeconfig: real.kubeconfig,
      variables: {},
      clock: realClock,
      impersonation: {
        user: 'jane',
        uid: 'u-1',
        groups: ['first', 'second, third'],
        extra: { 'example.com/Reason': ['a', 'b'] },
      },
    });
    assert.ok(connection);
    const response = await connection.transport.request({
      method: 'POST',
      path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }),
    });
    const { status } = JSON.parse(await response.text()) as { status: { userInfo: object } };
    assert.deepEqual(status.userInfo, {
      username: 'jane',
      uid: 'u-1',
      groups: ['first', 'second, third', 'system:authenticated'],
      extra: { 'example.com/reason': ['a', 'b'] },
    });
    await connection.transport.close();
  });
});
