import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../kit/json.ts';
import { metadataOf, sandboxBench } from '../testing/sandbox-bench.ts';

const TEMPLATE = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'x' }] } };
const DEPLOYMENT = {
  metadata: { name: 'd' },
  spec: { replicas: 2, selector: { matchLabels: { a: 'b' } }, template: TEMPLATE },
};
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';

test('a Deployment has its pods when its creation is answered, they are Ready when the clock says so', async () => {
  const bench = sandboxBench();
  await bench.ok(`POST ${DEPLOYMENTS}`, DEPLOYMENT);
  const phases = async (): Promise<unknown[]> =>
    ((await bench.ok('GET /api/v1/namespaces/default/pods'))['items'] as unknown as JsonObject[]).map(
      (pod) => (pod['status'] as JsonObject)['phase'],
    );
  assert.deepEqual(await phases(), ['Pending', 'Pending']);
  bench.clock.advance(1_500);
  assert.deepEqual(await phases(), ['Running', 'Running']);
  const deployment = await bench.ok(`GET ${DEPLOYMENTS}/d`);
  assert.equal((deployment['status'] as JsonObject)['availableReplicas'], 2);
  assert.equal(metadataOf(deployment)['generation'], 1, 'what a controller annotates is no change of the spec');
  const annotated = await bench.ok(`PATCH ${DEPLOYMENTS}/d`, { metadata: { annotations: { a: 'b' } } });
  assert.equal(
    metadataOf(annotated)['generation'],
    2,
    'what a client annotates is: the server counts it for this kind',
  );
  const [pod] = (await bench.ok('GET /api/v1/pods'))['items'] as unknown as JsonObject[];
  assert.equal(metadataOf(pod ?? {})['generation'], 1, 'being bound to a node is none either');
});

test('deleting it takes replica sets and pods along, and nothing comes back', async () => {
  const bench = sandboxBench();
  await bench.ok(`POST ${DEPLOYMENTS}`, DEPLOYMENT);
  await bench.ok(`DELETE ${DEPLOYMENTS}/d`);
  bench.clock.advance(60_000);
  for (const path of ['/api/v1/pods', '/apis/apps/v1/replicasets']) {
    assert.deepEqual((await bench.ok(`GET ${path}`))['items'], []);
  }
});

test('a namespace with running workloads goes away and stays away', async () => {
  const bench = sandboxBench();
  await bench.ok('POST /api/v1/namespaces', { metadata: { name: 'n' } });
  await bench.ok(`POST ${DEPLOYMENTS.replace('default', 'n')}`, DEPLOYMENT);
  await bench.ok('DELETE /api/v1/namespaces/n');
  bench.clock.advance(60_000);
  assert.equal((await bench.send('GET /api/v1/namespaces/n')).status, 404);
  assert.deepEqual((await bench.ok('GET /api/v1/pods'))['items'], []);
});

test('readiness models are handed on, and a closed sandbox leaves no timers', async () => {
  const bench = sandboxBench({ models: [{ kind: 'ready-after', seconds: 5 }] });
  await bench.ok(`POST ${DEPLOYMENTS}`, DEPLOYMENT);
  bench.clock.advance(1_500);
  const { items } = await bench.ok('GET /api/v1/pods?fieldSelector=status.phase%3DPending');
  assert.equal((items as unknown as JsonObject[]).length, 2);
  await bench.sandbox.close();
  assert.equal(bench.clock.pending, 0);
});

test('a claim that is deleted goes once the last pod that uses it has gone', async () => {
  const bench = sandboxBench();
  const CORE = '/api/v1/namespaces/default';
  const resources = { requests: { storage: '1Gi' } };
  await bench.ok(`POST ${CORE}/persistentvolumeclaims`, {
    metadata: { name: 'data' },
    spec: { accessModes: ['ReadWriteOnce'], resources },
  });
  await bench.ok(`POST ${CORE}/pods`, {
    metadata: { name: 'user' },
    spec: { ...TEMPLATE.spec, volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }] },
  });
  bench.clock.advance(1_500);
  const statusOfClaim = async (): Promise<number> =>
    (await bench.send(`GET ${CORE}/persistentvolumeclaims/data`)).status;
  await bench.ok(`DELETE ${CORE}/persistentvolumeclaims/data`);
  assert.equal(await statusOfClaim(), 200, 'a pod uses it');
  await bench.ok(`DELETE ${CORE}/pods/user?gracePeriodSeconds=0`);
  bench.clock.advance(60_000);
  assert.equal(await statusOfClaim(), 404);
});
