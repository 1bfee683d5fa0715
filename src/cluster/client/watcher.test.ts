import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonValue } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import type { ResourceType } from '../../model/resource.ts';
import { ConnectionError } from '../../ports/errors.ts';
import { FakeStream, FakeTransport, turn } from '../../testing/fake-transport.ts';
import { createClient } from './client.ts';

const PODS: ResourceType = {
  group: '',
  version: 'v1',
  kind: 'Pod',
  resource: 'pods',
  namespaced: true,
  verbs: ['get', 'list', 'watch'],
  subresources: ['status'],
};
const pod = (name: string, metadata: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default', ...metadata },
});
const status = (code: number, more: object = {}): JsonValue => ({
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  code,
  message: `refused with ${code}`,
  ...more,
});
const reset = (): ConnectionError =>
  new ConnectionError('reset', 'GET', { cause: Object.assign(new Error('x'), { code: 'ECONNRESET' }) });

describe('watch', () => {
  const start = (stream: FakeStream, signal = new AbortController().signal) => {
    const transport = new FakeTransport().answer('WATCH /api/v1/pods', { stream });
    return { transport, events: createClient(transport).watch(PODS, { resourceVersion: '5', signal }) };
  };
  const types = async (events: AsyncIterable<{ type: string }>): Promise<string[]> => {
    const seen: string[] = [];
    for await (const event of events) seen.push(event.type);
    return seen;
  };

  it('reads events and bookmarks, cut anywhere, also inside a character', async () => {
    const added = Buffer.from(`${JSON.stringify({ type: 'ADDED', object: pod('a', { labels: { x: 'é' } }) })}\n`);
    const stream = new FakeStream();
    for (const byte of added) stream.push(Uint8Array.of(byte));
    stream.push({ type: 'BOOKMARK', object: { kind: 'Pod', metadata: { resourceVersion: '9' } } }).end();
    const { transport, events } = start(stream);
    const seen: unknown[] = [];
    for await (const event of events) seen.push(event);
    assert.deepEqual(seen, [
      { type: 'ADDED', object: pod('a', { labels: { x: 'é' } }) },
      { type: 'BOOKMARK', resourceVersion: '9' },
    ]);
    const query = new URLSearchParams(transport.requests[0]?.path.split('?')[1]);
    assert.equal(query.get('allowWatchBookmarks'), 'true');
    assert.equal(query.get('resourceVersion'), '5');
    const seconds = Number(query.get('timeoutSeconds'));
    assert.ok(seconds >= 240 && seconds < 360);
  });

  const endings = [
    {
      why: 'an ERROR event is the error that it says',
      feed: (s: FakeStream) => s.push({ type: 'ERROR', object: status(410, { reason: 'Expired' }) }),
      want: { name: 'ApiError' },
    },
    { why: 'half a line', feed: (s: FakeStream) => s.push('{"type":"ADD').end(), want: { name: 'ConnectionError' } },
    { why: 'a line that is not JSON', feed: (s: FakeStream) => s.push('oops\n'), want: { name: 'ConnectionError' } },
    {
      why: 'an unknown event',
      feed: (s: FakeStream) => s.push({ type: 'X', object: {} }),
      want: { name: 'ConnectionError' },
    },
    { why: 'a broken connection', feed: (s: FakeStream) => s.fail(reset()), want: { name: 'ConnectionError' } },
    {
      why: 'an object without a name',
      feed: (s: FakeStream) => s.push({ type: 'ADDED', object: {} }),
      want: { name: 'ConnectionError' },
    },
  ];
  for (const { why, feed, want } of endings) {
    it(`throws: ${why}`, async () => {
      const stream = new FakeStream();
      feed(stream);
      await assert.rejects(types(start(stream).events), want);
    });
  }

  it('ends with the signal’s reason when aborted', async () => {
    const abort = new AbortController();
    const read = assert.rejects(types(start(new FakeStream(), abort.signal).events), { message: 'enough' });
    await turn();
    abort.abort(new Error('enough'));
    await read;
  });

  it('is refused with the Status when it can’t be opened', async () => {
    const transport = new FakeTransport().answer('WATCH /api/v1/pods', { status: 403, body: status(403) });
    const events = createClient(transport).watch(PODS, { resourceVersion: '1', signal: new AbortController().signal });
    await assert.rejects(types(events), { name: 'ApiError' });
  });
});
