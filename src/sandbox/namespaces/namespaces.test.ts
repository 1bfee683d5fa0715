import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configMap, metadataOf, type SandboxBench, sandboxBench } from '../../testing/sandbox-bench.ts';

const NAMESPACES = '/api/v1/namespaces';

async function withNamespace(): Promise<SandboxBench> {
  const bench = sandboxBench();
  await bench.ok(`POST ${NAMESPACES}`, { metadata: { name: 'n' } });
  return bench;
}

test('those of every cluster are there', async () => {
  const bench = sandboxBench();
  for (const name of ['default', 'kube-node-lease', 'kube-public', 'kube-system']) {
    const namespace = await bench.ok(`GET ${NAMESPACES}/${name}`);
    assert.deepEqual([namespace['spec'], namespace['status']], [{ finalizers: ['kubernetes'] }, { phase: 'Active' }]);
  }
});

test('deleted with its contents, at once', async () => {
  const bench = await withNamespace();
  await bench.ok(`POST ${NAMESPACES}/n/configmaps`, configMap('a'));
  const answer = await bench.ok(`DELETE ${NAMESPACES}/n`);
  assert.deepEqual(answer['status'], { phase: 'Terminating' });
  assert.equal((await bench.send(`GET ${NAMESPACES}/n`)).status, 404);
  assert.equal((await bench.send(`GET ${NAMESPACES}/n/configmaps/a`)).status, 404);
});

test('it waits for contents with finalizers, and takes in nothing new', async () => {
  const bench = await withNamespace();
  await bench.ok(`POST ${NAMESPACES}/n/configmaps`, configMap('held', { finalizers: ['a.io/b'] }));
  await bench.ok(`DELETE ${NAMESPACES}/n`);
  assert.deepEqual((await bench.ok(`GET ${NAMESPACES}/n`))['status'], { phase: 'Terminating' });
  const refused = await bench.send(`POST ${NAMESPACES}/n/configmaps`, configMap('late'));
  assert.equal(refused.status, 403);
  assert.match(refused.text, /because it is being terminated.*NamespaceTerminating/);
  await bench.ok(`PATCH ${NAMESPACES}/n/configmaps/held`, { metadata: { finalizers: null } });
  assert.equal((await bench.send(`GET ${NAMESPACES}/n`)).status, 404);
});

test('and for finalizers of its own', async () => {
  const bench = await withNamespace();
  await bench.ok(`PATCH ${NAMESPACES}/n`, { metadata: { finalizers: ['a.io/b'] } });
  await bench.ok(`DELETE ${NAMESPACES}/n`);
  assert.equal((await bench.send(`GET ${NAMESPACES}/n`)).status, 200);
  await bench.ok(`PATCH ${NAMESPACES}/n`, { metadata: { finalizers: null } });
  assert.equal((await bench.send(`GET ${NAMESPACES}/n`)).status, 404);
});

test('some may not be deleted; the label with the name comes back', async () => {
  const bench = await withNamespace();
  assert.equal((await bench.send(`DELETE ${NAMESPACES}/kube-system`)).status, 403);
  const patched = await bench.ok(`PATCH ${NAMESPACES}/n`, {
    metadata: { labels: { 'kubernetes.io/metadata.name': null } },
  });
  assert.deepEqual(metadataOf(patched)['labels'], { 'kubernetes.io/metadata.name': 'n' });
});
