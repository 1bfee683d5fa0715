import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../kit/json.ts';
import { type BenchEvent, configMap, metadataOf, sandboxBench } from '../../testing/sandbox-bench.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const short = (events: readonly BenchEvent[]): string[] =>
  events.map(({ type, object }) =>
    `${type} ${String((object['metadata'] as JsonObject | undefined)?.['name'] ?? '')}`.trim(),
  );

async function three(): Promise<ReturnType<typeof sandboxBench> & { readonly rv: string }> {
  const bench = sandboxBench();
  for (const name of ['a', 'b', 'c']) await bench.ok(`POST ${MAPS}`, configMap(name, { labels: { l: name } }));
  const rv = String(metadataOf(await bench.ok(`GET ${MAPS}`))['resourceVersion']);
  return { ...bench, rv };
}

const change = (bench: { ok: ReturnType<typeof sandboxBench>['ok'] }) => async (): Promise<void> => {
  await bench.ok(`PATCH ${MAPS}/a`, { data: { k: 'new' } });
  await bench.ok(`DELETE ${MAPS}/b`);
};

test('without a resourceVersion: what is there as ADDED, then what happens', async () => {
  const bench = await three();
  const events = await bench.watch(MAPS, change(bench));
  assert.deepEqual(short(events), ['ADDED a', 'ADDED b', 'ADDED c', 'MODIFIED a', 'DELETED b']);
});

test('from a resourceVersion: what happened since; DELETED carries the delete own resourceVersion', async () => {
  const bench = await three();
  await change(bench)();
  const events = await bench.watch(`${MAPS}?resourceVersion=${bench.rv}`);
  assert.deepEqual(short(events), ['MODIFIED a', 'DELETED b']);
  assert.equal(metadataOf(events[1]?.object ?? {})['resourceVersion'], String(Number(bench.rv) + 2));
});

test('entering and leaving a selector is ADDED and DELETED', async () => {
  const bench = await three();
  const path = `${MAPS}?labelSelector=l%3Da&resourceVersion=${bench.rv}`;
  const events = await bench.watch(path, async () => {
    await bench.ok(`PATCH ${MAPS}/b`, { metadata: { labels: { l: 'a' } } });
    await bench.ok(`PATCH ${MAPS}/b`, { data: { k: 'new' } });
    await bench.ok(`PATCH ${MAPS}/b`, { metadata: { labels: { l: 'z' } } });
    await bench.ok(`DELETE ${MAPS}/b`);
  });
  assert.deepEqual(short(events), ['ADDED b', 'MODIFIED b', 'DELETED b']);
  assert.deepEqual(metadataOf(events[2]?.object ?? {})['labels'], { l: 'a' }, 'the last state that matched');
});

test('a no-op write is no event', async () => {
  const bench = await three();
  const events = await bench.watch(`${MAPS}?resourceVersion=${bench.rv}`, () => bench.ok(`PATCH ${MAPS}/a`, {}));
  assert.deepEqual(events, []);
});

test('bookmarks: at the end of the initial events where asked for, and before the timeout', async () => {
  const bench = await three();
  const query = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
  const events = await bench.watch(`${MAPS}?${query}`, () => bench.ok(`DELETE ${MAPS}/c`));
  assert.deepEqual(short(events), ['ADDED a', 'ADDED b', 'ADDED c', 'BOOKMARK', 'DELETED c', 'BOOKMARK']);
  assert.deepEqual(metadataOf(events[3]?.object ?? {}), {
    resourceVersion: bench.rv,
    annotations: { 'k8s.io/initial-events-end': 'true' },
  });
});

test('a quiet watch shows that it is alive once a minute', async () => {
  const { clock, sandbox } = sandboxBench();
  const query = 'watch=true&resourceVersion=1&allowWatchBookmarks=true&timeoutSeconds=150';
  const response = await sandbox.transport.request({ method: 'GET', path: `${MAPS}?${query}`, longLived: true });
  clock.advance(150_000);
  const types = (await response.text())
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as BenchEvent).type);
  assert.deepEqual(types, ['BOOKMARK', 'BOOKMARK', 'BOOKMARK'], 'after one minute, after two, and at the end');
});

test('410: too old a start, and the knob that ends open watches', async () => {
  const bench = await three();
  const events = await bench.watch(MAPS, async () => bench.sandbox.forgetHistory({ endWatches: true }));
  assert.deepEqual(short(events), ['ADDED a', 'ADDED b', 'ADDED c', 'ERROR']);
  assert.equal(events.at(-1)?.object['code'], 410);
  const old = await bench.watch(`${MAPS}?resourceVersion=2`);
  assert.deepEqual(
    old.map(({ type, object }) => [type, object['code'], object['reason']]),
    [['ERROR', 410, 'Expired']],
  );
});

test('a resourceVersion of the future is waited for', async () => {
  const bench = await three();
  const path = `${MAPS}?resourceVersion=${Number(bench.rv) + 1}`;
  assert.deepEqual(short(await bench.watch(path, change(bench))), ['DELETED b']);
});

test('an aborted watch fails with the reason and leaves nothing behind', async () => {
  const bench = await three();
  const controller = new AbortController();
  const response = await bench.sandbox.transport.request({
    method: 'GET',
    path: `${MAPS}?watch=true&timeoutSeconds=60`,
    signal: controller.signal,
  });
  const pending = bench.clock.pending;
  const reading = response.text();
  controller.abort(new Error('enough'));
  await assert.rejects(reading, /enough/);
  assert.equal(bench.clock.pending, pending - 1, 'its timeout is cancelled');
});

test('closing the sandbox ends its watches', async () => {
  const bench = await three();
  const response = await bench.sandbox.transport.request({ method: 'GET', path: `${MAPS}?watch=true` });
  await bench.sandbox.close();
  assert.equal((await response.text()).trim().split('\n').length, 3);
  await assert.rejects(bench.send(`GET ${MAPS}`), { name: 'ConnectionError' });
});

test('as Tables: the columns stand in the first event only', async () => {
  const bench = await three();
  const response = await bench.sandbox.transport.request({
    method: 'GET',
    path: `${MAPS}?watch=true&timeoutSeconds=1`,
    headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' },
  });
  bench.clock.advance(1_000);
  const events = (await response.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    events.map(({ object }) => object.kind),
    ['Table', 'Table', 'Table'],
  );
  assert.deepEqual(
    events.map(({ object }) => object.columnDefinitions === null),
    [false, true, true],
  );
});
