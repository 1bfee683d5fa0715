import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonValue } from '../../kit/json.ts';
import { FakeTransport } from '../../testing/fake-transport.ts';
import { createClient } from './client.ts';

const AGGREGATED_CORE: JsonValue = {
  kind: 'APIGroupDiscoveryList',
  apiVersion: 'apidiscovery.k8s.io/v2',
  items: [
    {
      metadata: { creationTimestamp: null },
      versions: [
        {
          version: 'v1',
          resources: [
            {
              resource: 'pods',
              responseKind: { group: '', version: 'v1', kind: 'Pod' },
              scope: 'Namespaced',
              verbs: ['get', 'list'],
              subresources: [{ subresource: 'status', responseKind: { kind: 'Pod' }, verbs: ['update'] }],
            },
            { resource: 'orphaned', responseKind: null, scope: 'Namespaced', verbs: null },
          ],
        },
      ],
    },
  ],
};
const AGGREGATED_GROUPS: JsonValue = {
  kind: 'APIGroupDiscoveryList',
  apiVersion: 'apidiscovery.k8s.io/v2',
  items: [
    {
      metadata: { name: 'apps' },
      versions: [
        {
          version: 'v1',
          resources: [
            { resource: 'deployments', responseKind: { kind: 'Deployment' }, scope: 'Namespaced', verbs: ['get'] },
          ],
        },
      ],
    },
  ],
};

const aggregated = (): FakeTransport =>
  new FakeTransport().answer('GET /api', { body: AGGREGATED_CORE }).answer('GET /apis', { body: AGGREGATED_GROUPS });

const legacy = (): FakeTransport =>
  new FakeTransport()
    .answer('GET /api', { body: { kind: 'APIVersions', versions: ['v1'] } })
    .answer('GET /apis', {
      body: {
        kind: 'APIGroupList',
        groups: [
          { name: 'apps', versions: [{ groupVersion: 'apps/v1', version: 'v1' }] },
          { name: 'metrics.k8s.io', versions: [{ groupVersion: 'metrics.k8s.io/v1', version: 'v1' }] },
        ],
      },
    })
    .answer('GET /api/v1', {
      body: {
        kind: 'APIResourceList',
        groupVersion: 'v1',
        resources: [
          { name: 'pods', kind: 'Pod', namespaced: true, verbs: ['get', 'list'] },
          { name: 'pods/status', kind: 'Pod', namespaced: true, verbs: ['update'] },
        ],
      },
    })
    .answer('GET /apis/apps/v1', {
      body: { resources: [{ name: 'deployments', kind: 'Deployment', namespaced: true, verbs: ['get'] }] },
    })
    .answer('GET /apis/metrics.k8s.io/v1', { status: 503, body: 'service unavailable' });

describe('discovery', () => {
  for (const [form, server] of [
    ['aggregated', aggregated],
    ['legacy', legacy],
  ] as const) {
    it(`finds resources and kinds: ${form}`, async () => {
      const client = createClient(server());
      const pods = await client.byKind('v1', 'Pod');
      assert.deepEqual(pods, {
        group: '',
        version: 'v1',
        kind: 'Pod',
        resource: 'pods',
        namespaced: true,
        verbs: ['get', 'list'],
        subresources: ['status'],
      });
      assert.equal((await client.byResource('apps/v1', 'deployments'))?.kind, 'Deployment');
      assert.equal(await client.byResource('apps/v2', 'deployments'), undefined);
      assert.deepEqual(
        (await client.all()).map((type) => type.resource),
        ['pods', 'deployments'],
      );
    });
  }

  it('does not take a group that can’t be read now for one that is not served', async () => {
    const client = createClient(legacy());
    await assert.rejects(client.byKind('metrics.k8s.io/v1', 'PodMetrics'), { name: 'ApiError' });
    assert.equal(await client.byKind('nowhere/v1', 'X'), undefined);
  });

  it('reads once for any number of questions, again after refresh()', async () => {
    const transport = aggregated();
    const client = createClient(transport);
    await Promise.all([client.all(), client.byKind('v1', 'Pod'), client.byKind('v1', 'Nope')]);
    assert.equal(transport.requests.length, 2);
    client.refresh();
    await client.all();
    assert.equal(transport.requests.length, 4);
  });

  it('does not keep a failure', async () => {
    const transport = new FakeTransport()
      .answer('GET /api', { status: 500, body: 'no' }, { body: AGGREGATED_CORE })
      .answer('GET /apis', { body: AGGREGATED_GROUPS });
    const client = createClient(transport);
    await assert.rejects(client.all(), { name: 'ApiError' });
    assert.equal((await client.all()).length, 2);
  });
});
