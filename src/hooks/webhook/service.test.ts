// Hooks that are Services, called from outside of their cluster. The API server is a fake one that speaks its proxy's and
// its port-forward's forms; how a real server takes them is in src/app/webhook-services.test.ts.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { createHttpTransports } from '../../cluster/transport/index.ts';
import type { WebhookHook } from '../../model/definition.ts';
import type { KubeObject } from '../../model/object.ts';
import { ApiError, ConnectionError } from '../../ports/errors.ts';
import type { Tunnels } from '../../ports/tunnel.ts';
import { createAuthority } from '../../testing/certificates.ts';
import { fakeKubelet } from '../../testing/fake-kubelet.ts';
import { FakeStore } from '../../testing/fake-store.ts';
import { FakeTransport } from '../../testing/fake-transport.ts';
import { HookBench } from '../../testing/hook-bench.ts';
import { hookCall, webhookHook } from '../../testing/hook-calls.ts';
import { serveHook } from '../../testing/hook-server.ts';
import { namedService, proxyPath } from './service-route.ts';

const SERVICE = { namespace: 'hooks', name: 'sync' };
const service = (
  ports: object[] = [
    { port: 80, targetPort: 8080 },
    { name: 'tls', port: 443 },
  ],
): KubeObject => ({ apiVersion: 'v1', kind: 'Service', metadata: SERVICE, spec: { ports } }) as KubeObject;
const endpoint = (name: string, ready?: boolean): object => ({
  targetRef: { kind: 'Pod', name },
  ...(ready === undefined ? {} : { conditions: { ready } }),
});
const slice = (name: string, endpoints: object[]): KubeObject =>
  ({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { namespace: 'hooks', name, labels: { 'kubernetes.io/service-name': 'sync' } },
    ports: [{ port: 8080 }, { name: 'tls', port: 8443 }],
    endpoints,
  }) as unknown as KubeObject;
const token: KubeObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { namespace: 'hooks', name: 'token' },
  data: { token: Buffer.from('abc').toString('base64') },
};
const PROXY = 'POST /api/v1/namespaces/hooks/services/sync:80/proxy/v1/sync';

/** `pods`: of the tunnels, in the order in which they were opened. */
function bench(t: TestContext, objects: readonly KubeObject[], target = 0) {
  const store = new FakeStore();
  for (const object of objects) store.put(object);
  const transport = new FakeTransport().answer(PROXY, { body: { status: { by: 'proxy' } } });
  const opened: string[] = [];
  const failing = new Set<string>();
  const tunnels: Tunnels = {
    open: async ({ namespace, name }, port) => {
      opened.push(`${namespace}/${name}:${port}`);
      if (failing.has(name)) throw new ConnectionError('no such node', 'GET /x');
      return connect(target, '127.0.0.1');
    },
  };
  const cluster = { reader: store, onSecret: () => undefined, outside: { transport, tunnels } };
  return { store, transport, opened, failing, hooks: new HookBench(t, {}, { cluster }) };
}

const named = (url: string, more: Partial<WebhookHook> = {}): WebhookHook =>
  webhookHook(url, { service: SERVICE, ...more });

describe('which Service a host names', () => {
  const cases: readonly (readonly [url: string, found: string | undefined, certain?: boolean])[] = [
    ['http://sync.hooks.svc/x', 'hooks/sync', true],
    ['http://sync.hooks.svc.cluster.local:8080/x', 'hooks/sync', true],
    ['http://sync.hooks.svc.example.com/x', 'hooks/sync', true],
    ['http://sync.hooks/x', 'hooks/sync', false],
    ['http://hooks.dev/x', 'dev/hooks', false],
    ['http://sync/x', undefined],
    ['http://a.b.example/x', undefined],
    ['http://127.0.0.1/x', undefined],
    ['http://localhost:8080/x', undefined],
    ['http://[::1]/x', undefined],
  ];
  for (const [url, found, certain] of cases)
    test(url, () => {
      const service = namedService({}, new URL(url));
      assert.equal(service && `${service.service.namespace}/${service.service.name}`, found);
      assert.equal(service?.certain, certain);
    });

  test('the path that the API server gets can not leave the Service', () => {
    for (const path of ['/../../secrets', '/%2e%2e/%2E%2E/x', '/a/../../../b'])
      assert.match(proxyPath(SERVICE, new URL(`http://sync.hooks${path}`)), /\/services\/sync:80\/proxy\/[a-z]+$/);
  });
});

test('plain http without credentials goes by the service proxy, with what the hook needs', async (t) => {
  const { hooks, transport, opened } = bench(t, []);
  const call = hookCall(named('http://sync.hooks:80/v1/sync?a=b'), { dryRun: true });
  assert.deepEqual(await hooks.body(call), { status: { by: 'proxy' } });
  const [request] = transport.requests;
  assert.equal(request?.path, '/api/v1/namespaces/hooks/services/sync:80/proxy/v1/sync?a=b');
  assert.deepEqual(request?.headers, { 'content-type': 'application/json', 'metactl-dry-run': 'true' });
  assert.deepEqual(opened, []);
});

test('name.namespace is a Service only if the cluster has it', async (t) => {
  const served = await serveHook(t, () => ({ body: '{"status":{"by":"itself"}}' }));
  const there = bench(t, [service()]);
  assert.deepEqual(await there.hooks.body(hookCall(webhookHook('http://sync.hooks/v1/sync'))), {
    status: { by: 'proxy' },
  });
  const absent = bench(t, []);
  const { summary } = await absent.hooks.failure(hookCall(webhookHook('http://sync.invalid/v1/sync')));
  assert.match(summary, /does not resolve/);
  assert.deepEqual(absent.transport.requests, []);
  assert.deepEqual(await absent.hooks.body(hookCall(webhookHook(served.url))), { status: { by: 'itself' } });
});

describe('by a connection to a pod', () => {
  const credentials = {
    kind: 'authorization',
    type: 'Bearer',
    secret: { namespace: 'hooks', name: 'token' },
    key: 'token',
  } as const;

  test('with Authorization, which the proxy would take for its own; connections are kept', async (t) => {
    const served = await serveHook(t, () => ({ body: '{"status":{"by":"pod"}}' }));
    const objects = [service(), slice('s', [endpoint('b'), endpoint('a', false), endpoint('c', true)]), token];
    const { hooks, opened, transport } = bench(t, objects, served.port);
    for (let i = 0; i < 5; i++)
      assert.deepEqual(await hooks.body(hookCall(named('http://sync.hooks:80/v1/sync', { credentials }))), {
        status: { by: 'pod' },
      });
    assert.equal(served.seen[0]?.headers.authorization, 'Bearer abc');
    assert.equal(served.seen[0]?.headers.host, 'sync.hooks');
    assert.ok(opened.length <= 2 && opened[0] === 'hooks/b:8080', opened.join());
    assert.deepEqual(transport.requests, []);
  });

  test('all the way: undici, WebSocket, channels, TLS', async (t) => {
    const authority = createAuthority('test');
    const body = JSON.stringify({ status: { text: 'x'.repeat(200_000) } });
    const served = await serveHook(t, () => ({ body }), authority.issue('x', ['sync.hooks']));
    const kubelet = await fakeKubelet(t, () => served.port);
    const identity = { headers: { authorization: 'Bearer of-the-cluster' }, tls: {} };
    const outside = createHttpTransports({
      server: kubelet.url,
      credentials: { current: async () => identity, renew: async () => undefined },
    });
    t.after(() => outside.transport.close());
    const store = new FakeStore();
    for (const object of [service(), slice('s', [endpoint('a')]), token]) store.put(object);
    const hooks = new HookBench(t, {}, { cluster: { reader: store, onSecret: () => undefined, outside } });
    const hook = named('https://sync.hooks:443/v1/sync', {
      caBundle: { kind: 'inline', pem: authority.cert },
      credentials,
    });
    const request = { parent: { text: 'y'.repeat(300_000) } };
    for (let i = 0; i < 3; i++) assert.deepEqual(await hooks.body(hookCall(hook, { request })), JSON.parse(body));
    assert.equal(served.seen.at(-1)?.headers.authorization, 'Bearer abc');
    assert.deepEqual(JSON.parse(served.seen.at(-1)?.body ?? ''), request);
    assert.ok(kubelet.opened.length <= 2);
    assert.equal(kubelet.opened[0]?.headers.authorization, 'Bearer of-the-cluster');
    kubelet.fail = 403;
    const denied = await hooks.failure(hookCall(named('https://sync.hooks:80/x', { credentials })));
    assert.equal(denied.code, 'forbidden');
    assert.match(denied.hint ?? '', /pods\/portforward/);
  });

  test('with TLS, checked against the name of the Service', async (t) => {
    const authority = createAuthority('test');
    const served = await serveHook(
      t,
      () => ({ body: '{"status":{"by":"pod"}}' }),
      authority.issue('x', ['sync.hooks']),
    );
    const { hooks, opened } = bench(t, [service(), slice('s', [endpoint('a')])], served.port);
    const inline = (pem: string): Partial<WebhookHook> => ({ caBundle: { kind: 'inline', pem } });
    const good = hookCall(named('https://sync.hooks:443/v1/sync', inline(authority.cert)));
    assert.deepEqual(await hooks.body(good), { status: { by: 'pod' } });
    assert.equal(opened[0], 'hooks/a:8443');
    const bad = hookCall(named('https://sync.hooks:443/v1/sync', inline(createAuthority('other').cert)));
    assert.match((await hooks.failure(bad)).summary, /not trusted/);
    const elsewhere = hookCall(named('https://sync.hooks.svc:443/v1/sync', inline(authority.cert)));
    assert.match((await hooks.failure(elsewhere)).summary, /for another name/);
  });

  test('a pod that does not answer: the next one', async (t) => {
    const served = await serveHook(t, () => ({}));
    const { hooks, opened, failing } = bench(
      t,
      [service(), slice('s', [endpoint('a'), endpoint('b')]), token],
      served.port,
    );
    failing.add('a');
    await hooks.body(hookCall(named('http://sync.hooks:80/', { credentials })));
    assert.deepEqual(opened, ['hooks/a:8080', 'hooks/b:8080']);
    failing.add('b');
    const other = hookCall(named('http://sync.hooks:443/', { credentials }));
    const { summary, hint } = await hooks.failure(other);
    assert.match(summary, /sync\.hooks:443 can't be reached through the API server: no such node/);
    assert.match(hint ?? '', /hookOverrides/);
  });

  const wrong: readonly (readonly [string, readonly KubeObject[], what: RegExp, hint: RegExp])[] = [
    ['no Service', [], /the Service hooks\/sync does not exist/, /context/],
    ['no such port', [service([{ port: 8080 }])], /has no port 80/, /its ports: 8080/],
    ['no pods', [service()], /has no pod that is ready/, /look at the pods/],
    ['none that is ready', [service(), slice('s', [endpoint('a', false)])], /has no pod that is ready/, /./],
  ];
  for (const [name, objects, what, hint] of wrong)
    test(name, async (t) => {
      const { hooks } = bench(t, [...objects, token]);
      const diagnostic = await hooks.failure(hookCall(named('http://sync.hooks:80/', { credentials })));
      assert.match(diagnostic.summary, what);
      assert.match(diagnostic.hint ?? '', hint);
    });

  test('a call that may take longer than the proxy waits', async (t) => {
    const served = await serveHook(t, () => ({}));
    const { hooks, opened } = bench(t, [service(), slice('s', [endpoint('a')])], served.port);
    await hooks.body(hookCall(named('http://sync.hooks:80/', { timeoutMs: 61_000 })));
    assert.deepEqual(opened, ['hooks/a:8080']);
  });
});

describe('who says no', () => {
  const status = (code: number, message: string) => ({
    status: code,
    body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', message, code },
  });
  const cases = [
    {
      answer: status(503, 'no endpoints available for service "sync"'),
      what: /the API server's proxy to the Service hooks\/sync answered 503: no endpoints/,
      hint: /no pod that is ready/,
      code: 'hook-failed',
    },
    {
      answer: status(404, 'services "sync" not found'),
      what: /proxy to the Service hooks\/sync answered 404/,
      hint: /check name/,
      code: 'hook-failed',
    },
    {
      answer: status(403, 'services "sync" is forbidden'),
      what: /answered 403/,
      hint: /services\/proxy/,
      code: 'forbidden',
    },
    {
      answer: { status: 500, body: 'KeyError' },
      what: /http:\/\/sync\.hooks\/no answered 500/,
      hint: /hook's own log/,
      code: 'hook-failed',
    },
  ];
  for (const { answer, what, hint, code } of cases)
    test(`${answer.status} by ${typeof answer.body === 'string' ? 'the hook' : 'the API server'}`, async (t) => {
      const { hooks, transport } = bench(t, []);
      const path = PROXY.replace('v1/sync', 'no');
      transport.answer(path, answer);
      const { summary, ...diagnostic } = await hooks.failure(hookCall(named('http://sync.hooks:80/no')));
      assert.match(summary, what);
      assert.match(diagnostic.hint ?? '', hint);
      assert.equal(diagnostic.code, code);
    });

  test('503 of the API server is no word of the hook: it asks for no pause', async (t) => {
    const { hooks, transport } = bench(t, []);
    transport.answer(PROXY.replace('v1/sync', 'no'), status(503, 'no endpoints'));
    const answer = await hooks.call(hookCall(named('http://sync.hooks:80/no')));
    assert.equal('retryAfterSeconds' in answer, false);
  });

  test('a right that is missing to see whether there is such a Service', async (t) => {
    const { hooks, store } = bench(t, []);
    const message =
      'services "sync" is forbidden: User "me" cannot get resource "services" in API group "" in the namespace "hooks"';
    store.get = () => Promise.reject(new ApiError({ code: 403, message }, 'GET /x'));
    const diagnostic = await hooks.failure(hookCall(webhookHook('http://sync.hooks/')));
    assert.equal(diagnostic.code, 'forbidden');
    assert.match(diagnostic.hint ?? '', /resources: \["services"\]/);
  });
});
