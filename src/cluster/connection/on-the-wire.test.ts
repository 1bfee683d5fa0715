// What a server and a proxy really see: raw header lines, client certificates that rotate, tunnels.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect as connectSocket, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { TLSSocket } from 'node:tls';
import type { ApiRequest, Transport } from '../../ports/transport.ts';
import { createAuthority } from '../../testing/certificates.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { type ConnectOptions, connect } from './connect.ts';

const directory = mkdtempSync(join(tmpdir(), 'metactl-wire-'));
after(() => rmSync(directory, { recursive: true }));
let count = 0;
const write = (content: string, name = `file-${count++}`): string => {
  const file = join(directory, name);
  writeFileSync(file, content);
  return file;
};

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

interface Place {
  readonly server: string;
  readonly cluster?: object;
  readonly user?: object;
}

async function open({ server, cluster, user }: Place, more: Partial<ConnectOptions> = {}): Promise<Transport> {
  const kubeconfig = write(
    JSON.stringify({
      'current-context': 'a',
      clusters: [{ name: 'a', cluster: { server, ...cluster } }],
      users: [{ name: 'a', user: user ?? {} }],
      contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
    }),
  );
  const connection = await connect({ kubeconfig, variables: {}, clock: new FakeClock(), ...more });
  assert.ok(connection);
  after(() => connection.transport.close());
  return connection.transport;
}

const get = async (transport: Transport, more: Partial<ApiRequest> = {}): Promise<string> =>
  (await transport.request({ method: 'GET', path: '/x', ...more })).text();

const authority = createAuthority('test authority');
const ca = Buffer.from(authority.cert).toString('base64');

/** An https server that answers with the common name of the client's certificate and that of its own. */
async function tlsServer(own = authority): Promise<{ address: string; answersAs(name: string): void }> {
  const issue = (name: string) => own.issue(name, ['127.0.0.1']);
  const server = createTlsServer(
    { ...issue('first'), ca: authority.cert, requestCert: true, rejectUnauthorized: false },
    (request, response) => {
      const { subject } = (request.socket as TLSSocket).getPeerCertificate();
      response.end(`client ${subject?.CN ?? 'nobody'}`);
    },
  );
  const port = await listen(server);
  return {
    address: `https://127.0.0.1:${port}`,
    answersAs: (name) => server.setSecureContext({ ...issue(name), ca: authority.cert }),
  };
}

describe('impersonation on the wire', () => {
  it('every group and every extra value is a header line of its own, on calls and on watches', async () => {
    const lines: string[][] = [];
    const port = await listen(
      createServer((request, response) => {
        const raw = request.rawHeaders;
        const pairs = raw.flatMap((name, i) => (i % 2 === 0 ? [`${name.toLowerCase()}: ${raw[i + 1]}`] : []));
        lines.push(pairs.filter((line) => line.startsWith('impersonate-')));
        response.end('{}');
      }),
    );
    const user = { as: 'jane', 'as-groups': ['a', 'b, c'], 'as-uid': 'u', 'as-user-extra': { 'x/y': ['1', '2'] } };
    const transport = await open({ server: `http://127.0.0.1:${port}`, user });
    await get(transport);
    await get(transport, { longLived: true });
    await get(transport, { method: 'POST', body: '{}' });
    const want = [
      'impersonate-user: jane',
      'impersonate-group: a',
      'impersonate-group: b, c',
      'impersonate-uid: u',
      'impersonate-extra-x%2fy: 1',
      'impersonate-extra-x%2fy: 2',
    ];
    assert.deepEqual(lines, [want, want, want]);
  });

  it('a pod’s service account impersonates as flags say', async () => {
    const seen: IncomingMessage['headers'][] = [];
    const { issue, cert } = authority;
    const server = createTlsServer(issue('api', ['127.0.0.1']), (request, response) => {
      seen.push(request.headers);
      response.end('{}');
    });
    const port = await listen(server);
    const account = mkdtempSync(join(directory, 'account-'));
    for (const [name, text] of [
      ['token', 'pod'],
      ['ca.crt', cert],
    ] as const)
      writeFileSync(join(account, name), text);
    const connection = await connect({
      variables: { KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: String(port) },
      clock: new FakeClock(),
      serviceAccountDirectory: account,
      impersonation: { user: 'jane', groups: ['g'] },
    });
    assert.ok(connection);
    await get(connection.transport);
    assert.equal(seen[0]?.authorization, 'Bearer pod');
    assert.equal(seen[0]?.['impersonate-user'], 'jane');
    await connection.transport.close();
  });
});

describe('what rotates on disk', () => {
  it('a client certificate: new connections, the old watch goes on', async () => {
    const server = await tlsServer();
    const alice = authority.issue('alice');
    const cert = write(alice.cert, 'client.crt');
    const key = write(alice.key, 'client.key');
    const clock = new FakeClock();
    const cluster = { 'certificate-authority-data': ca };
    const user = { 'client-certificate': cert, 'client-key': key };
    const transport = await open({ server: server.address, cluster, user }, { clock });
    assert.equal(await get(transport), 'client alice');
    const bob = authority.issue('bob');
    writeFileSync(cert, bob.cert);
    writeFileSync(key, bob.key);
    assert.equal(await get(transport), 'client alice', 'looked at once a minute');
    clock.advance(60_000);
    assert.equal(await get(transport), 'client bob');
    assert.equal(await get(transport, { longLived: true }), 'client bob');
  });

  it('token and authority of a service account', async () => {
    const second = createAuthority('second authority');
    let own = authority;
    const tokens: (string | undefined)[] = [];
    const server = createTlsServer(own.issue('api', ['127.0.0.1']), (request, response) => {
      tokens.push(request.headers.authorization);
      // Every answer ends its connection, so that the next one shows the server's certificate again.
      response.setHeader('connection', 'close');
      response.end('ok');
    });
    const port = await listen(server);
    const account = mkdtempSync(join(directory, 'account-'));
    const put = (token: string, cert: string): void => {
      writeFileSync(join(account, 'token'), token);
      writeFileSync(join(account, 'ca.crt'), cert);
    };
    put('one', authority.cert);
    const clock = new FakeClock();
    const connection = await connect({
      variables: { KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: String(port) },
      clock,
      serviceAccountDirectory: account,
    });
    assert.ok(connection);
    const { transport } = connection;
    assert.equal(await get(transport), 'ok');
    own = second;
    server.setSecureContext(own.issue('api', ['127.0.0.1']));
    await assert.rejects(get(transport), { name: 'ConnectionError', message: /trusted authority/ });
    put('two', second.cert);
    clock.advance(60_000);
    assert.equal(await get(transport), 'ok');
    assert.deepEqual(tokens, ['Bearer one', 'Bearer two']);
    await transport.close();
  });
});

interface Proxy {
  readonly address: string;
  /** "CONNECT host:port" or "GET http://…", with the credentials it was shown. */
  readonly log: string[];
}

async function proxyServer({ password = '', tls = false }: { password?: string; tls?: boolean } = {}): Promise<Proxy> {
  const log: string[] = [];
  const allowed = (request: IncomingMessage): boolean => {
    const shown = request.headers['proxy-authorization'] ?? '';
    log.push(`${request.method} ${request.url}${shown === '' ? '' : ` ${shown}`}`);
    return password === '' || shown === `Basic ${btoa(password)}`;
  };
  const server = tls ? createTlsServer(authority.issue('proxy', ['127.0.0.1'])) : createServer();
  server.on('request', async (request: IncomingMessage, response) => {
    response.statusCode = allowed(request) ? 200 : 407;
    response.end('from the proxy');
  });
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    if (!allowed(request)) return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    const { port, hostname } = new URL(`http://${request.url}`);
    const there = connectSocket(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      there.pipe(socket).pipe(there);
    });
    for (const end of [there, socket]) end.on('error', () => end.destroy());
    after(() => there.destroy());
  });
  const port = await listen(server);
  return { address: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`, log };
}

describe('proxies', () => {
  const withUser = (address: string, user: string): string => address.replace('//', `//${user}@`);

  it('proxy-url: calls and watches go through a tunnel, TLS from end to end, client certificates too', async () => {
    const [server, proxy] = [await tlsServer(), await proxyServer()];
    const alice = authority.issue('alice');
    const user = {
      'client-certificate-data': Buffer.from(alice.cert).toString('base64'),
      'client-key-data': Buffer.from(alice.key).toString('base64'),
    };
    const cluster = { 'certificate-authority-data': ca, 'proxy-url': proxy.address };
    const transport = await open({ server: server.address, cluster, user });
    assert.equal(await get(transport), 'client alice');
    assert.equal(await get(transport), 'client alice');
    assert.equal(await get(transport, { longLived: true }), 'client alice');
    const host = new URL(server.address).host;
    assert.deepEqual(new Set(proxy.log), new Set([`CONNECT ${host}`]));
  });

  it('the server’s certificate is checked through the tunnel', async () => {
    const [server, proxy] = [await tlsServer(createAuthority('stranger')), await proxyServer()];
    const cluster = { 'certificate-authority-data': ca, 'proxy-url': proxy.address };
    await assert.rejects(get(await open({ server: server.address, cluster })), { message: /trusted authority/ });
  });

  it('a proxy that wants a password gets it; one that does not get it is an error without it', async () => {
    const [server, proxy] = [await tlsServer(), await proxyServer({ password: 'me:canary' })];
    const cluster = { 'certificate-authority-data': ca, 'proxy-url': withUser(proxy.address, 'me:canary') };
    assert.equal(await get(await open({ server: server.address, cluster })), 'client nobody');
    const wrong = { ...cluster, 'proxy-url': withUser(proxy.address, 'me:canary2') };
    await assert.rejects(get(await open({ server: server.address, cluster: wrong })), (error: Error) => {
      assert.match(error.message, /by the proxy 127\.0\.0\.1:\d+: the proxy wants a user and a password \(407\)/);
      return !error.message.includes('canary');
    });
  });

  it('an https proxy that the cluster’s authority vouches for', async () => {
    const [server, proxy] = [await tlsServer(), await proxyServer({ tls: true })];
    const cluster = { 'certificate-authority-data': ca, 'proxy-url': proxy.address };
    assert.equal(await get(await open({ server: server.address, cluster })), 'client nobody');
    assert.equal(proxy.log.length, 1);
  });

  it('an http server is asked for with its whole address', async () => {
    const proxy = await proxyServer();
    const transport = await open({ server: 'http://api.example' }, { variables: { HTTP_PROXY: proxy.address } });
    assert.equal(await get(transport), 'from the proxy');
    assert.deepEqual(proxy.log, ['GET http://api.example/x']);
  });

  it('a proxy that is not there', async () => {
    const cluster = { 'proxy-url': 'http://127.0.0.1:1' };
    const transport = await open({ server: 'https://api.example', cluster });
    await assert.rejects(get(transport), {
      name: 'ConnectionError',
      message: /by the proxy 127.0.0.1:1: connection refused/,
    });
  });
});
