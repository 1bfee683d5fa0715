// Hooks by the proxy that the environment names, as Go's clients take it.

import assert from 'node:assert/strict';
import { createServer, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { environmentProxy } from '../../cluster/index.ts';
import { createAuthority } from '../../testing/certificates.ts';
import { HookBench } from '../../testing/hook-bench.ts';
import { hookCall, webhookHook } from '../../testing/hook-calls.ts';
import { listenForTest, serveHook } from '../../testing/hook-server.ts';

/** Leads whatever it is asked for to a port of this machine; `status` refuses instead. */
async function proxyTo(t: TestContext, port: number, status?: number) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers['proxy-authorization'] ?? '-'}`);
    if (status) return void response.writeHead(status).end();
    const { method, headers } = request;
    const onward = httpRequest({ host: '127.0.0.1', port, method, headers, path: '/sync' }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  server.on('connect', (request, socket) => {
    asked.push(`CONNECT ${request.url} ${request.headers['proxy-authorization'] ?? '-'}`);
    if (status) return void socket.end(`HTTP/1.1 ${status} no\r\n\r\n`);
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    t.after(() => onward.destroy());
  });
  return { asked, address: `127.0.0.1:${await listenForTest(t, server)}` };
}

function bench(t: TestContext, variables: Record<string, string>): HookBench {
  return new HookBench(t, {}, { proxyOf: (url) => environmentProxy(url, variables) });
}

test('http: the proxy is asked for the whole url', async (t) => {
  const served = await serveHook(t, () => ({}));
  const { asked, address } = await proxyTo(t, served.port);
  const hooks = bench(t, { HTTP_PROXY: `http://me:pass@${address}`, HTTPS_PROXY: 'http://127.0.0.1:1' });
  await hooks.body(hookCall(webhookHook('http://hook.example/sync')));
  assert.equal(served.seen.length, 1);
  assert.match(asked[0] ?? '', /hook\.example.* Basic bWU6cGFzcw==$/);
});

test("https: through a tunnel, with the hook's own authority", async (t) => {
  const authority = createAuthority('test');
  const served = await serveHook(t, () => ({}), authority.issue('x', ['hook.example']));
  const { asked, address } = await proxyTo(t, served.port);
  const hooks = bench(t, { HTTPS_PROXY: address });
  const hook = webhookHook('https://hook.example:8443/sync', { caBundle: { kind: 'inline', pem: authority.cert } });
  await hooks.body(hookCall(hook));
  await hooks.body(hookCall(hook));
  assert.match(asked.join(), /^CONNECT hook\.example:8443 -/);
  const { summary } = await hooks.failure(hookCall(webhookHook('https://hook.example:8443/sync')));
  assert.match(summary, /not trusted/);
});

test('a proxy that refuses: one error, without its password', async (t) => {
  const { address } = await proxyTo(t, 1, 407);
  const hooks = bench(t, { HTTPS_PROXY: `http://me:hush@${address}` });
  const diagnostic = await hooks.failure(hookCall(webhookHook('https://hook.example/sync')));
  assert.match(diagnostic.summary, /the proxy on the way to hook\.example:443 refused \(407\)/);
  assert.match(diagnostic.hint ?? '', /NO_PROXY/);
  assert.doesNotMatch(JSON.stringify(diagnostic), /hush/);
});

test('not for this machine, and not for what NO_PROXY names', async (t) => {
  const served = await serveHook(t, () => ({}));
  await bench(t, { HTTP_PROXY: 'http://127.0.0.1:1' }).body(hookCall(webhookHook(served.url)));
  const direct = bench(t, { HTTP_PROXY: 'http://127.0.0.1:1', NO_PROXY: '.invalid' });
  assert.match((await direct.failure(hookCall(webhookHook('http://hook.invalid/')))).summary, /does not resolve/);
});

test('an address that is none is told as what it is', async (t) => {
  const hooks = bench(t, { HTTP_PROXY: 'socks5://127.0.0.1:1' });
  const { summary } = await hooks.failure(hookCall(webhookHook('http://hook.example/')));
  assert.match(summary, /the variable HTTP_PROXY names a proxy of the type socks5/);
});
