// Hooks that are Services, from outside of the cluster, as far as the servers of the tests go: neither of them has a node
// with a kubelet, so what is tested here is the way there and what is said when it ends. The whole way is tested against a
// hand-written server in src/hooks/webhook/service.test.ts and src/cluster/transport/tunnels.test.ts.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { KubeObject } from '../model/object.ts';
import { ProjectDirectory } from '../testing/project-directory.ts';
import { forEachTarget, type TestTarget } from '../testing/targets.ts';
import { useCases } from '../testing/use-cases.ts';

let counter = 0;

async function stage(target: TestTarget, webhook: (namespace: string) => object) {
  const namespace = await target.namespace();
  const group = `webhook-services-${++counter}-${target.kind}.example.com`;
  const project = await ProjectDirectory.create({ group, namespace, hook: '' });
  after(() => project.remove());
  await project.write('controller.json', {
    apiVersion: 'metacontroller.k8s.io/v1alpha1',
    kind: 'CompositeController',
    metadata: { name: 'things' },
    spec: {
      parentResource: { apiVersion: `${group}/v1`, resource: 'things' },
      hooks: { sync: { webhook: webhook(namespace) } },
    },
  });
  const create = async (path: string, object: object): Promise<void> => {
    const headers = { 'content-type': 'application/json' };
    const answer = await target.transport.request({ method: 'POST', path, headers, body: JSON.stringify(object) });
    const text = await answer.text();
    assert.equal(answer.status, 201, text);
  };
  const core = (resource: string, object: object): Promise<void> =>
    create(`/api/v1/namespaces/${namespace}/${resource}`, object);
  const problem = async () => {
    const { diagnostics } = await useCases({ cluster: target.choice, paths: [project.path], namespace }).plan();
    assert.equal(diagnostics.length, 1, JSON.stringify(diagnostics));
    return diagnostics[0];
  };
  return { namespace, create, core, problem };
}

const service = (ports: object[]): object => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'my-hook' },
  spec: { ports },
});
const secret: Omit<KubeObject, 'metadata'> & { metadata: { name: string } } = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'token' },
  data: { token: 'YWJjZGVmZ2hpamts' },
};

forEachTarget('hooks that are Services', (target) => {
  test('a Service that is not there: the API server says so', async () => {
    const { problem } = await stage(target, (namespace) => ({
      service: { name: 'my-hook', namespace },
      path: '/sync',
    }));
    const found = await problem();
    assert.equal(found?.code, 'hook-failed');
    assert.match(found.summary, /the API server's proxy to the Service test-\w+\/my-hook answered 404/);
  });

  // The sandbox has no service proxy.
  test('a Service without pods', { skip: target.kind === 'sandbox' && 'no service proxy' }, async () => {
    const { core, problem } = await stage(target, (namespace) => ({ url: `http://my-hook.${namespace}.svc/sync` }));
    await core('services', service([{ port: 80 }]));
    // Without a selector no controller makes them.
    await core('endpoints', { apiVersion: 'v1', kind: 'Endpoints', metadata: { name: 'my-hook' }, subsets: [] });
    const found = await problem();
    assert.match(found?.summary ?? '', /answered 503: no endpoints available for service "my-hook/);
    assert.match(found?.hint ?? '', /no pod that is ready/);
  });

  const withToken = (namespace: string): object => ({
    service: { name: 'my-hook', namespace },
    path: '/sync',
    authorization: { secretRef: { name: 'token', namespace, key: 'token' } },
  });

  test('with credentials: the pods of the Service are looked for', async () => {
    const { core, problem } = await stage(target, withToken);
    await core('secrets', secret);
    assert.match((await problem())?.summary ?? '', /the Service test-\w+\/my-hook does not exist/);
    await core('services', service([{ port: 8080 }]));
    assert.match((await problem())?.summary ?? '', /the Service test-\w+\/my-hook has no port 80/);
  });

  test('with credentials: a pod that no connection can be opened to is named by the server', async () => {
    const { core, create, problem, namespace } = await stage(target, withToken);
    await core('secrets', secret);
    await core('services', service([{ port: 80, targetPort: 8080 }]));
    assert.match((await problem())?.summary ?? '', /has no pod that is ready/);
    await create(`/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`, {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name: 'my-hook-1', labels: { 'kubernetes.io/service-name': 'my-hook' } },
      addressType: 'IPv4',
      ports: [{ name: '', port: 8080 }],
      endpoints: [{ addresses: ['10.1.2.3'], conditions: { ready: true }, targetRef: { kind: 'Pod', name: 'hook-0' } }],
    });
    const found = await problem();
    assert.equal(found?.code, 'hook-failed');
    assert.match(found.summary, /my-hook\.test-\w+(:80)? can't be reached through the API server: /);
    if (target.kind === 'sandbox') return;
    assert.match(found.summary, /pods "hook-0" not found/);
    // On no node, and so with nobody to forward to.
    await core('pods', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'hook-0' },
      spec: { schedulerName: 'nobody', containers: [{ name: 'hook', image: 'hook' }] },
    });
    assert.match((await problem())?.summary ?? '', /pod hook-0 does not have a host assigned/);
  });
});
