import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { ConnectionError } from '../../ports/errors.ts';
import type { Transport } from '../../ports/transport.ts';
import type { CredentialSource, Credentials } from './credentials.ts';
import { createHttpTransport, type HttpTransportOptions } from './http-transport.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const ends: (() => Promise<void>)[] = [];
after(async () => {
  for (const end of ends) await end();
});

const NOBODY: CredentialSource = {
  current: async () => ({ headers: {}, tls: {} }),
  renew: async () => undefined,
};

async function serve(
  handler: Handler,
  options: Partial<HttpTransportOptions> = {},
): Promise<{ transport: Transport; server: Server; connections: () => number; address: string }> {
  let connections = 0;
  const server = createServer(handler);
  server.on('connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const transport = createHttpTransport({ server: `${address}/prefix/`, credentials: NOBODY, ...options });
  ends.push(async () => {
    await transport.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { transport, server, connections: () => connections, address };
}

const collect = async (body: AsyncIterable<Uint8Array>): Promise<string> => {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces).toString();
};

describe('http transport', () => {
  it('sends path, headers and body as they are', async () => {
    let seen = '';
    const { transport } = await serve(
      async (request, response) => {
        const body = await collect(request);
        seen = `${request.method} ${request.url} ${request.headers['content-type']} ${request.headers['x-who']} ${body}`;
        response.end('{}');
      },
      {
        credentials: { ...NOBODY, current: async () => ({ headers: { 'x-who': 'me' }, tls: {} }) },
      },
    );
    const response = await transport.request({
      method: 'PATCH',
      path: '/api/%2e%2e/B?x=%20',
      headers: { 'content-type': 'application/json' },
      body: 'é',
    });
    assert.equal(await response.text(), '{}');
    assert.equal(seen, 'PATCH /prefix/api/%2e%2e/B?x=%20 application/json me é');
  });

  it('keeps repeated headers', async () => {
    const { transport } = await serve((_, response) => {
      response.setHeader('Warning', ['299 - "a"', '299 - "b"']);
      response.end();
    });
    const response = await transport.request({ method: 'GET', path: '/' });
    assert.equal(response.headers['warning'], '299 - "a", 299 - "b"');
    await response.text();
  });

  it('asks for gzip on reads and unpacks it; never on watches', async () => {
    const { transport } = await serve((request, response) => {
      if (request.headers['accept-encoding'] !== 'gzip') return void response.end('plain');
      response.setHeader('content-encoding', 'gzip');
      response.end(gzipSync('x'.repeat(100_000)));
    });
    const read = await transport.request({ method: 'GET', path: '/' });
    assert.equal((await read.text()).length, 100_000);
    assert.equal(read.headers['content-encoding'], undefined);
    const watch = await transport.request({ method: 'GET', path: '/', longLived: true });
    assert.equal(await watch.text(), 'plain');
  });

  it('needs at most two connections for 300 reads in a row', async () => {
    const { transport, connections } = await serve((_, response) => void response.end('{}'));
    for (let i = 0; i < 300; i++) await (await transport.request({ method: 'GET', path: `/${i}` })).text();
    assert.ok(connections() <= 2, `${connections()} connections`);
  });

  it('bounds the connections of parallel calls', async () => {
    const { transport, connections } = await serve((_, response) => void response.end('{}'), { connections: 4 });
    const calls = Array.from({ length: 60 }, async () =>
      (await transport.request({ method: 'GET', path: '/' })).text(),
    );
    await Promise.all(calls);
    assert.ok(connections() <= 4, `${connections()} connections`);
  });

  it('open watches do not hold back calls', async () => {
    const { transport } = await serve(
      (request, response) => {
        if (request.url?.includes('watch')) response.write('{}\n');
        else response.end('{}');
      },
      { connections: 2 },
    );
    const watches = await Promise.all(
      Array.from({ length: 10 }, () => transport.request({ method: 'GET', path: '/?watch=true', longLived: true })),
    );
    assert.equal(watches.length, 10);
    assert.equal(await (await transport.request({ method: 'GET', path: '/' })).text(), '{}');
  });

  it('aborting gives the signal’s reason, before and while the body is read', async () => {
    const { transport } = await serve((_, response) => void response.write('{}\n'));
    const aborted = AbortSignal.abort(new Error('stop'));
    await assert.rejects(transport.request({ method: 'GET', path: '/', signal: aborted }), { message: 'stop' });
    const abort = new AbortController();
    const response = await transport.request({ method: 'GET', path: '/', longLived: true, signal: abort.signal });
    const read = assert.rejects(collect(response.body), { message: 'enough' });
    abort.abort(new Error('enough'));
    await read;
  });

  it('close() ends what is in flight, and refuses what comes later', async () => {
    const { transport } = await serve((_, response) => void response.write('{}\n'));
    const response = await transport.request({ method: 'GET', path: '/', longLived: true });
    const read = assert.rejects(collect(response.body), { name: 'ConnectionError' });
    await transport.close();
    await read;
    await assert.rejects(transport.request({ method: 'GET', path: '/' }), { name: 'ConnectionError' });
  });
});

describe('http transport: failures', () => {
  const cases: { why: string; handler: Handler; options?: Partial<HttpTransportOptions>; words: RegExp }[] = [
    { why: 'no answer', handler: () => undefined, options: { headersTimeoutMs: 50 }, words: /no answer within/ },
    {
      why: 'an answer that stops half way',
      handler: (_, response) => void response.write('half'),
      options: { bodyTimeoutMs: 50 },
      words: /stopped half way/,
    },
    { why: 'a reset', handler: (request) => void request.socket.resetAndDestroy(), words: /ECONNRESET|UND_ERR_SOCKET/ },
    {
      why: 'a body that is cut',
      handler: (request, response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('half', () => request.socket.destroy());
      },
      words: /before the answer was complete|reset/,
    },
    {
      why: 'damaged gzip',
      handler: (_, response) => {
        response.setHeader('content-encoding', 'gzip');
        response.end('not gzip');
      },
      words: /Z_DATA_ERROR/,
    },
    {
      why: 'something that is not HTTP',
      handler: (request) => void request.socket.end('hello\r\n'),
      words: /not HTTP/,
    },
  ];
  for (const { why, handler, options, words } of cases) {
    it(`${why} is a ConnectionError with the request`, async () => {
      const { transport, address } = await serve(handler, options ?? {});
      const read = transport.request({ method: 'GET', path: '/a?token=x' }).then((response) => response.text());
      await assert.rejects(read, (error: unknown) => {
        assert.ok(error instanceof ConnectionError);
        assert.match(error.message, words);
        assert.ok(error.message.startsWith(address));
        assert.equal(error.request, 'GET /a');
        return true;
      });
    });
  }

  it('a refused connection', async () => {
    const { transport, server } = await serve(() => undefined);
    await new Promise((resolve) => server.close(resolve));
    await assert.rejects(transport.request({ method: 'GET', path: '/' }), { message: /connection refused/ });
  });
});

describe('http transport: credentials', () => {
  const tokens = (list: readonly string[]): CredentialSource => {
    let at = 0;
    const credentials = (): Credentials => ({ headers: { authorization: `Bearer ${list[at]}` }, tls: {} });
    return {
      current: async () => credentials(),
      renew: async () => {
        if (at + 1 >= list.length) return undefined;
        at++;
        return credentials();
      },
    };
  };
  const guarded =
    (token: string): Handler =>
    (request, response) => {
      response.statusCode = request.headers.authorization === `Bearer ${token}` ? 200 : 401;
      response.end();
    };

  const cases = [
    { why: 'renewed once after a 401, writes too', have: ['old', 'new'], status: 200, times: 2 },
    { why: 'no newer ones: the 401 is the answer', have: ['old'], status: 401, times: 1 },
    { why: 'the newer ones are refused as well: no third try', have: ['old', 'older', 'new'], status: 401, times: 2 },
  ];
  for (const { why, have, status, times } of cases) {
    it(why, async () => {
      let calls = 0;
      const handler: Handler = (request, response) => {
        calls++;
        guarded('new')(request, response);
      };
      const { transport } = await serve(handler, { credentials: tokens(have) });
      const response = await transport.request({ method: 'POST', path: '/', body: '{}' });
      await response.text();
      assert.equal(response.status, status);
      assert.equal(calls, times);
    });
  }

  it('credentials that can’t be had are a ConnectionError', async () => {
    const failing: CredentialSource = {
      ...NOBODY,
      current: async () => Promise.reject(new Error('the credential plugin x failed')),
    };
    const { transport } = await serve(() => undefined, { credentials: failing });
    await assert.rejects(transport.request({ method: 'GET', path: '/' }), {
      name: 'ConnectionError',
      message: /credential plugin x failed/,
    });
  });
});
