// Answers kept by their ETag: when the hook is asked whether one still holds, when it is used, and for whom.

import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { JsonObject } from '../../kit/json.ts';
import type { HookCall } from '../../model/need.ts';
import type { EtagCaching } from '../../model/webhook.ts';
import { HookBench } from '../../testing/hook-bench.ts';
import { hookCall, syncRequest, webhookHook } from '../../testing/hook-calls.ts';
import { type Reply, serveHook } from '../../testing/hook-server.ts';
import { EtagCache } from './etag-cache.ts';

/** A hook whose answer has a version; it says `unchanged` to whoever knows that. */
async function bench(
  t: TestContext,
  { caching = {}, unchanged = 304 }: { caching?: EtagCaching; unchanged?: number } = {},
) {
  const state = { version: 1, tagged: true };
  const served = await serveHook(t, ({ headers }): Reply => {
    const etag = `"v${state.version}"`;
    if (headers['if-none-match'] === etag) return { status: unchanged };
    return { body: `{"status":{"version":${state.version}}}`, ...(state.tagged ? { headers: { etag } } : {}) };
  });
  const hooks = new HookBench(t);
  const hook = webhookHook(served.url, { etag: caching });
  const ask = async (more: Partial<HookCall> = {}): Promise<unknown> =>
    ((await hooks.body(hookCall(hook, more))) as { status: { version: number } }).status.version;
  const asked = (): (string | undefined)[] => served.seen.map(({ headers }) => headers['if-none-match']);
  return { state, hooks, hook, ask, asked };
}

for (const unchanged of [304, 412])
  test(`${unchanged}: the answer that was kept, until another one comes`, async (t) => {
    const { state, ask, asked } = await bench(t, { unchanged });
    assert.deepEqual([await ask(), await ask(), await ask()], [1, 1, 1]);
    state.version = 2;
    assert.deepEqual([await ask(), await ask()], [2, 2]);
    assert.deepEqual(asked(), [undefined, '"v1"', '"v1"', '"v1"', '"v2"']);
  });

test('an answer without an ETag ends what was kept', async (t) => {
  const { state, ask, asked } = await bench(t);
  await ask();
  Object.assign(state, { version: 2, tagged: false });
  assert.deepEqual([await ask(), await ask()], [2, 2]);
  assert.deepEqual(asked(), [undefined, '"v1"', undefined]);
});

test('not enabled: nothing is kept, and 304 is a failure', async (t) => {
  const served = await serveHook(t, () => ({ status: 304, headers: { etag: '"v1"' } }));
  const diagnostic = await new HookBench(t).failure(hookCall(webhookHook(served.url)));
  assert.match(diagnostic.summary, /answered 304/);
});

describe('how long', () => {
  test('cacheTimeoutSeconds alone', async (t) => {
    const { hooks, ask, asked } = await bench(t, { caching: { timeoutMs: 5_000 } });
    await ask();
    hooks.clock.advance(4_999);
    await ask();
    hooks.clock.advance(1);
    await ask();
    assert.deepEqual(asked(), [undefined, '"v1"', undefined]);
  });

  test('cacheCleanupSeconds alone', async (t) => {
    const { hooks, ask, asked } = await bench(t, { caching: { cleanupMs: 1_000 } });
    await ask();
    hooks.clock.advance(3_600_000);
    await ask();
    assert.deepEqual(asked(), [undefined, '"v1"']);
  });

  test('a cleanup drops what is too old', () => {
    const cache = new EtagCache();
    const answer = { etag: 'e', body: Buffer.from('{}') };
    const caching = { timeoutMs: 1_000, cleanupMs: 10_000 };
    for (let i = 0; i < 5; i++) cache.put(`old ${i}`, answer, { ...caching, now: 0 });
    cache.put('new', answer, { ...caching, now: 9_999 });
    assert.equal(cache.size, 6);
    cache.put('newer', answer, { ...caching, now: 10_000 });
    assert.equal(cache.size, 2);
  });
});

test('bounded by number and by size: what was not used for longest goes first', () => {
  const cache = new EtagCache({ answers: 3, bytes: 100 });
  const put = (key: string, bytes: number): void =>
    cache.put(key, { etag: key, body: Buffer.alloc(bytes) }, { now: 0 });
  const keys = (...all: string[]): string => all.filter((key) => cache.get(key, 0) !== undefined).join('');
  for (const key of ['a', 'b', 'c']) put(key, 10);
  assert.equal(keys('a'), 'a');
  put('d', 10);
  assert.equal(keys('a', 'b', 'c', 'd'), 'acd');
  put('e', 95);
  assert.equal(keys('a', 'c', 'd', 'e'), 'e');
  put('f', 101);
  assert.equal(keys('e', 'f'), 'e', 'larger than all room: not kept, and nothing makes way for it');
});

describe('whose answer it is', () => {
  const parent = (spec: JsonObject, metadata: JsonObject = {}, more: JsonObject = {}): Partial<HookCall> => ({
    request: syncRequest({ metadata: { name: 'web', ...metadata }, spec, ...more }),
  });
  const cases: readonly (readonly [string, Partial<HookCall>, shares: boolean])[] = [
    ['the same request', parent({ image: 'a' }), true],
    ['another status or resourceVersion', parent({ image: 'a' }, { resourceVersion: '2' }, { status: { x: 1 } }), true],
    [
      'other children',
      { request: { ...syncRequest({ metadata: { name: 'web' }, spec: { image: 'a' } }, { pods: {} }) } },
      true,
    ],
    ["a revision's fields: another variant of the same parent", parent({ image: 'b' }), false],
    ['a revision of labels', parent({ image: 'a' }, { labels: { x: 'y' } }), false],
    ['another parent', { ...parent({ image: 'a' }), parent: { apiVersion: 'v1', kind: 'X', name: 'y' } }, false],
    ['another controller', { ...parent({ image: 'a' }), controller: 'CompositeController/other' }, false],
    ['another hook', { ...parent({ image: 'a' }), hookName: 'customize' }, false],
    ['a dry run', { ...parent({ image: 'a' }), dryRun: true }, false],
    [
      'finalizing',
      { request: { ...syncRequest({ metadata: { name: 'web' }, spec: { image: 'a' } }), finalizing: true } },
      false,
    ],
  ];
  for (const [name, more, shares] of cases)
    test(name, async (t) => {
      const { ask, asked } = await bench(t);
      await ask(parent({ image: 'a' }));
      await ask(more);
      assert.deepEqual(asked(), [undefined, shares ? '"v1"' : undefined]);
    });
});
