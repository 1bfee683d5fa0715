import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonValue } from '../../kit/json.ts';
import { ConnectionError } from '../../ports/errors.ts';
import { cacheBench, expired, line, listOf, object, PATH, SCOPE } from '../../testing/cache-bench.ts';
import { type FakeAnswer, FakeStream, FakeTransport, turn } from '../../testing/fake-transport.ts';

describe('cache: streaming lists', () => {
  const bookmark = (version: number, initialEnd = false): JsonValue => ({
    type: 'BOOKMARK',
    object: {
      metadata: {
        resourceVersion: String(version),
        ...(initialEnd ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}),
      },
    },
  });
  const streaming = { streamingLists: true };
  const query = (transport: FakeTransport, nth: number): Record<string, string> =>
    Object.fromEntries(new URLSearchParams(transport.paths(`WATCH ${PATH}`)[nth]?.split('?')[1]));

  it('one request lists and watches; nothing is shown before the list is whole', async () => {
    const stream = new FakeStream();
    const { cache, transport, changes, names } = cacheBench(
      new FakeTransport().answer(`WATCH ${PATH}`, { stream }),
      streaming,
    );
    const ready = cache.ensure(SCOPE);
    stream.push(line('ADDED', object('a', 3, { managedFields: [] }))).push(line('ADDED', object('b', 4)));
    stream
      .push(line('MODIFIED', object('a', 6)))
      .push(line('DELETED', object('b', 6)))
      .push(bookmark(5));
    await turn();
    assert.throws(names, /before ensure/);
    stream.push(bookmark(7, true)).push(line('ADDED', object('c', 8)));
    await ready;
    await turn();
    assert.deepEqual(names(), ['a@6', 'c@8']);
    assert.deepEqual(changes, ['- → c@8']);
    const { sendInitialEvents, resourceVersionMatch, resourceVersion, allowWatchBookmarks } = query(transport, 0);
    assert.deepEqual(
      [sendInitialEvents, resourceVersionMatch, resourceVersion, allowWatchBookmarks],
      ['true', 'NotOlderThan', undefined, 'true'],
    );
    assert.equal(transport.requests.length, 1);
  });

  it('goes on from where it was when the connection ends, and streams anew after 410', async () => {
    const [first, second] = [new FakeStream().push(bookmark(5, true)).end(), new FakeStream()];
    second.push(line('ADDED', object('x', 40))).push(bookmark(50, true));
    const server = new FakeTransport().answer(
      `WATCH ${PATH}`,
      { stream: first },
      { status: 410, body: expired },
      { stream: second },
    );
    const { cache, transport, clock, names } = cacheBench(server, streaming);
    await cache.ensure(SCOPE);
    for (let i = 0; i < 3; i++) await clock.advanceAsync(1_000);
    assert.deepEqual(names(), ['x@40']);
    assert.equal(query(transport, 1)['resourceVersion'], '5');
    assert.equal(query(transport, 2)['sendInitialEvents'], 'true');
  });

  const refusal = { status: 422, body: { kind: 'Status', code: 422, reason: 'Invalid', message: 'sendInitialEvents' } };
  const denied = { status: 403, body: { kind: 'Status', code: 403, reason: 'Forbidden', message: 'no watch' } };
  const fallbacks: { why: string; first: FakeAnswer | Error; asksAgain: boolean }[] = [
    { why: 'a server that has none', first: refusal, asksAgain: false },
    { why: 'an old server that sends no end', first: { stream: new FakeStream().end() }, asksAgain: false },
    { why: 'whoever may not watch', first: denied, asksAgain: true },
    { why: 'a broken connection', first: new ConnectionError('reset', 'WATCH'), asksAgain: true },
  ];
  for (const { why, first, asksAgain } of fallbacks) {
    it(`pages instead: ${why}${asksAgain ? '' : ', which is then not asked again'}`, async () => {
      const answers = [
        first,
        { stream: new FakeStream() },
        { stream: new FakeStream().push(bookmark(1, true)) },
      ] as const;
      const server = new FakeTransport()
        .answer(`GET ${PATH}`, listOf(5, object('a', 3)))
        .answer('GET /api/v1/namespaces/n/configmaps', listOf(5))
        .answer('WATCH /api/v1/namespaces/n/configmaps', { stream: new FakeStream().push(bookmark(1, true)) })
        .answer(`WATCH ${PATH}`, ...answers);
      const { cache, transport, names } = cacheBench(server, streaming);
      await cache.ensure(SCOPE);
      assert.deepEqual(names(), ['a@3']);
      await cache.ensure({ ...SCOPE, namespace: 'n' });
      assert.equal(transport.paths('GET /api/v1/namespaces/n/configmaps').length, asksAgain ? 0 : 1);
    });
  }

  it('one that says nothing is given up after 30 s', async () => {
    const server = new FakeTransport()
      .answer(`GET ${PATH}`, listOf(5, object('a', 3)))
      .answer(`WATCH ${PATH}`, { stream: new FakeStream() });
    const { cache, clock, names } = cacheBench(server, streaming);
    const ready = cache.ensure(SCOPE);
    await turn();
    await clock.advanceAsync(30_000);
    await ready;
    assert.deepEqual(names(), ['a@3']);
  });

  it('when pages fail too, their error is the caller’s', async () => {
    const server = new FakeTransport().answer(`GET ${PATH}`, denied).answer(`WATCH ${PATH}`, denied);
    const { cache } = cacheBench(server, streaming);
    await assert.rejects(cache.ensure(SCOPE), { name: 'ApiError', request: `GET ${PATH}` });
  });

  it('close() while the list streams', async () => {
    const { cache, clock } = cacheBench(
      new FakeTransport().answer(`WATCH ${PATH}`, { stream: new FakeStream() }),
      streaming,
    );
    const ready = assert.rejects(cache.ensure(SCOPE), { message: 'the cache is closed' });
    await turn();
    await cache.close();
    await ready;
    assert.equal(clock.pending, 0);
  });
});
