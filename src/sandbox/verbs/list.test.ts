import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../kit/json.ts';
import { configMap, metadataOf, type SandboxBench, sandboxBench } from '../../testing/sandbox-bench.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const names = (list: JsonObject): unknown[] =>
  (list['items'] as unknown as JsonObject[]).map((item) => metadataOf(item)['name']);
const token = (list: JsonObject): string => String(metadataOf(list)['continue']);

async function five(): Promise<SandboxBench> {
  const bench = sandboxBench();
  for (const name of ['a', 'b', 'c', 'd', 'e']) await bench.ok(`POST ${MAPS}`, configMap(name, { labels: { l: 'x' } }));
  return bench;
}

test('pages stay those of the first one, whatever is written between them', async () => {
  const bench = await five();
  const first = await bench.ok(`GET ${MAPS}?limit=2`);
  assert.deepEqual(names(first), ['a', 'b']);
  assert.equal(metadataOf(first)['remainingItemCount'], 3);
  await bench.ok(`DELETE ${MAPS}/c`);
  await bench.ok(`POST ${MAPS}`, configMap('bb'));
  const second = await bench.ok(`GET ${MAPS}?limit=2&continue=${token(first)}`);
  assert.deepEqual(names(second), ['c', 'd']);
  const last = await bench.ok(`GET ${MAPS}?limit=2&continue=${token(second)}`);
  assert.deepEqual(names(last), ['e']);
  assert.equal(metadataOf(last)['continue'], undefined);
  assert.equal(metadataOf(last)['resourceVersion'], metadataOf(first)['resourceVersion']);
});

test('with a selector the rest is not counted', async () => {
  const bench = await five();
  const page = await bench.ok(`GET ${MAPS}?limit=2&labelSelector=l%3Dx`);
  assert.equal(metadataOf(page)['remainingItemCount'], undefined);
  assert.notEqual(metadataOf(page)['continue'], undefined);
});

test('a page whose list is forgotten: 410 with a token that goes on with the present', async () => {
  const bench = await five();
  const first = await bench.ok(`GET ${MAPS}?limit=2`);
  await bench.ok(`DELETE ${MAPS}/c`);
  bench.sandbox.forgetHistory();
  const gone = await bench.send(`GET ${MAPS}?limit=9&continue=${token(first)}`);
  assert.deepEqual([gone.status, gone.body['reason']], [410, 'Expired']);
  assert.deepEqual(names(await bench.ok(`GET ${MAPS}?continue=${token(gone.body)}`)), ['d', 'e']);
});

test('at a resourceVersion', async () => {
  const bench = await five();
  const rv = metadataOf(await bench.ok(`GET ${MAPS}`))['resourceVersion'];
  await bench.ok(`DELETE ${MAPS}/a`);
  const exact = await bench.ok(`GET ${MAPS}?resourceVersion=${rv}&resourceVersionMatch=Exact`);
  assert.deepEqual([names(exact), metadataOf(exact)['resourceVersion']], [['a', 'b', 'c', 'd', 'e'], rv]);
  assert.deepEqual(names(await bench.ok(`GET ${MAPS}?resourceVersion=${rv}`)), ['b', 'c', 'd', 'e'], 'not older than');
  assert.deepEqual(names(await bench.ok(`GET ${MAPS}?resourceVersion=0&limit=1`)).length, 4, '0 is served whole');
  const future = await bench.send(`GET ${MAPS}?resourceVersion=99999`);
  assert.deepEqual([future.status, future.headers['retry-after']], [504, '1']);
});

test('one name by field selector is one lookup, in one namespace or of a cluster-scoped kind', async () => {
  const bench = await five();
  assert.deepEqual(names(await bench.ok(`GET ${MAPS}?fieldSelector=metadata.name%3Db`)), ['b']);
  assert.deepEqual(names(await bench.ok('GET /api/v1/configmaps?fieldSelector=metadata.name%3Db')), ['b']);
  assert.deepEqual(names(await bench.ok('GET /api/v1/namespaces?fieldSelector=metadata.name%3Ddefault')), ['default']);
});

test('items of built-ins leave apiVersion and kind to the list, custom resources do not', async () => {
  const bench = await five();
  const [item] = (await bench.ok(`GET ${MAPS}`))['items'] as unknown as JsonObject[];
  assert.deepEqual([item?.['kind'], item?.['apiVersion']], [undefined, undefined]);
});
