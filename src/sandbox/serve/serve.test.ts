import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, type RequestOptions, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { parse } from 'yaml';
import { DiagnosticError } from '../../model/diagnostic.ts';
import type { ApiRequest, ApiResponse, Transport } from '../../ports/transport.ts';
import { kubeconfigFor, type Served, serveSandbox } from './index.ts';

type Handler = (request: ApiRequest) => Promise<ApiResponse> | ApiResponse;

function response(status: number, body: AsyncIterable<Uint8Array> | string, headers = {}): ApiResponse {
  const stream = typeof body === 'string' ? pieces(body) : body;
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: stream,
    text: () => text(stream),
  };
}

async function* pieces(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const piece of texts) yield new TextEncoder().encode(piece);
}

async function serve(t: TestContext, handler: Handler): Promise<Served> {
  const transport: Transport = { request: async (asked) => handler(asked), close: async () => {} };
  const served = await serveSandbox({ transport }, { host: '127.0.0.1', port: 0 });
  t.after(() => served.close());
  return served;
}

function send(served: Served, path: string, options: RequestOptions = {}): ClientRequest {
  const { hostname, port } = new URL(served.url);
  return request({ hostname, port, path, agent: false, ...options });
}

async function exchange(served: Served, path: string, options: RequestOptions & { body?: string } = {}) {
  const { body, ...rest } = options;
  const outgoing = send(served, path, rest);
  outgoing.end(body);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: incoming.statusCode, headers: incoming.headers, body: await text(incoming) };
}

test('method, path, headers and body go in; status, headers and body come out', async (t) => {
  let seen: ApiRequest | undefined;
  const served = await serve(t, (asked) => {
    seen = asked;
    return response(201, '{"ok":"ä"}', { warning: '299 - "a", 299 - "b"', connection: 'close' });
  });
  const options = { method: 'PATCH', headers: { 'Content-Type': 'application/merge-patch+json', 'X-Two': ['a', 'b'] } };
  const answer = await exchange(served, '/api/v1/pods?limit=5&watch=false', { ...options, body: '{"ä":1}' });
  assert.equal(answer.status, 201);
  assert.equal(answer.body, '{"ok":"ä"}');
  assert.equal(answer.headers['warning'], '299 - "a", 299 - "b"');
  assert.ok(seen);
  const { signal, headers, ...rest } = seen;
  assert.deepEqual(rest, { method: 'PATCH', path: '/api/v1/pods?limit=5&watch=false', body: '{"ä":1}' });
  assert.deepEqual(headers, { 'content-type': 'application/merge-patch+json', 'x-two': 'a, b' });
});

test('a watch: its headers come at once, its events as they happen, and its end with the client', async (t) => {
  const events = Promise.withResolvers<string>();
  const aborted = Promise.withResolvers<void>();
  const served = await serve(t, ({ longLived, signal }) => {
    assert.equal(longLived, true);
    async function* body(): AsyncGenerator<Uint8Array> {
      yield new TextEncoder().encode(await events.promise);
      await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()));
      aborted.resolve();
    }
    return response(200, body());
  });
  const outgoing = send(served, '/api/v1/pods?watch=1');
  outgoing.end();
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  events.resolve('{"type":"ADDED"}\n');
  const [piece] = (await once(incoming, 'data')) as [Buffer];
  assert.equal(piece.toString(), '{"type":"ADDED"}\n');
  incoming.on('error', () => {});
  outgoing.destroy();
  await aborted.promise;
});

test('a slow reader holds the writer back', async (t) => {
  let written = 0;
  const served = await serve(t, () => {
    async function* body(): AsyncGenerator<Uint8Array> {
      for (; written < 1_000; written++) yield new Uint8Array(64 * 1024);
    }
    return response(200, body());
  });
  const outgoing = send(served, '/api/v1/pods');
  outgoing.end();
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  incoming.pause();
  for (let before = -1; written !== before; await new Promise((resolve) => setTimeout(resolve, 50))) before = written;
  assert.ok(written < 1_000, 'the writer waits although the reader has not ended');
  let size = 0;
  for await (const piece of incoming) size += (piece as Buffer).length;
  assert.equal(size, 1_000 * 64 * 1024);
});

const REFUSED: readonly (readonly [
  reason: string,
  options: RequestOptions & { body?: string },
  code: number,
  status: string,
])[] = [
  ['a method that the port has not', { method: 'OPTIONS' }, 405, 'MethodNotAllowed'],
  ['a body over 3 MiB', { method: 'POST', body: 'x'.repeat(3 * 1024 * 1024 + 1) }, 413, 'RequestEntityTooLarge'],
  [
    'one that does not tell its size',
    { method: 'POST', headers: { 'Transfer-Encoding': 'chunked' }, body: 'x'.repeat(3 * 1024 * 1024 + 1) },
    413,
    'RequestEntityTooLarge',
  ],
  ['a web page', { headers: { Origin: 'https://example.com' } }, 403, 'Forbidden'],
  ["a web page's own name for this machine", { headers: { Host: 'evil.example.com' } }, 403, 'Forbidden'],
  ['a path without a slash', { path: 'http://127.0.0.1/api' }, 400, 'BadRequest'],
];
for (const [reason, options, code, status] of REFUSED) {
  test(`refused with a Status: ${reason}`, async (t) => {
    const served = await serve(t, () => assert.fail('nothing must come through'));
    const answer = await exchange(served, '/api/v1/configmaps', options);
    assert.equal(answer.status, code);
    const { kind, reason: why, code: told } = JSON.parse(answer.body);
    assert.deepEqual([kind, why, told], ['Status', status, code]);
  });
}

test('exactly 3 MiB is taken', async (t) => {
  const served = await serve(t, ({ body }) => response(200, String(body?.length)));
  const answer = await exchange(served, '/x', { method: 'POST', body: 'x'.repeat(3 * 1024 * 1024) });
  assert.equal(answer.body, String(3 * 1024 * 1024));
});

test('an error of the transport is a 500; one in the middle of an answer breaks the connection; the server goes on', async (t) => {
  const served = await serve(t, ({ path }) => {
    if (path === '/early') throw new Error('broken');
    if (path === '/fine') return response(200, 'fine');
    async function* body(): AsyncGenerator<Uint8Array> {
      yield* pieces('half');
      throw new Error('broken');
    }
    return response(200, body());
  });
  const early = await exchange(served, '/early');
  assert.equal(early.status, 500);
  assert.equal(JSON.parse(early.body).message, 'Internal error occurred: broken');
  await assert.rejects(exchange(served, '/late'), /aborted|ECONNRESET|hang up/);
  assert.equal((await exchange(served, '/fine')).body, 'fine');
});

test('what is not HTTP, and a body that never ends, do no harm', async (t) => {
  const served = await serve(t, () => response(200, 'fine'));
  const { hostname, port } = new URL(served.url);
  const socket = connect(Number(port), hostname);
  socket.end('hello\r\n\r\n');
  assert.match(await text(socket), /^HTTP\/1.1 400 /);
  const half = send(served, '/x', { method: 'POST', headers: { 'Content-Length': 10 } });
  half.on('error', () => {});
  half.write('12345');
  await once(half, 'socket').then(([opened]) => once(opened, 'connect'));
  half.destroy();
  assert.equal((await exchange(served, '/fine')).body, 'fine');
});

test('close() ends what is in flight; a port that is taken is a diagnostic', async (t) => {
  const served = await serve(t, ({ signal }) => {
    async function* body(): AsyncGenerator<Uint8Array> {
      yield* pieces('{}');
      await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()));
    }
    return response(200, body());
  });
  const port = Number(new URL(served.url).port);
  await assert.rejects(
    serveSandbox({ transport: { request: () => assert.fail(), close: async () => {} } }, { host: '127.0.0.1', port }),
    (error: unknown) => error instanceof DiagnosticError && error.message === `can't listen on 127.0.0.1:${port}`,
  );
  const outgoing = send(served, '/api/v1/pods?watch=true');
  outgoing.end();
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  const ended = assert.rejects(text(incoming), /aborted/);
  await served.close();
  await ended;
});

test('the kubeconfig has one context, which is the current one', () => {
  const config = parse(kubeconfigFor('http://127.0.0.1:8080'));
  assert.equal(config.clusters[0].cluster.server, 'http://127.0.0.1:8080');
  assert.equal(config['current-context'], config.contexts[0].name);
  assert.equal(config.contexts[0].context.namespace, 'default');
});
