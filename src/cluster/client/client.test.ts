import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject, JsonValue } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import type { ResourceType } from '../../model/resource.ts';
import { ApiError, ConnectionError } from '../../ports/errors.ts';
import type { WriteRequest } from '../../ports/write.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { FakeTransport, turn } from '../../testing/fake-transport.ts';
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
const ROLES: ResourceType = {
  ...PODS,
  group: 'rbac.authorization.k8s.io',
  kind: 'ClusterRole',
  resource: 'clusterroles',
  namespaced: false,
};
const POD_PATH = '/api/v1/namespaces/default/pods';

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
const list = (names: string[], metadata: object): JsonValue => ({
  kind: 'PodList',
  apiVersion: 'v1',
  metadata: { ...metadata },
  items: names.map((name) => ({ metadata: { name, namespace: 'default' } })),
});
const reset = (): ConnectionError =>
  new ConnectionError('reset', 'GET', { cause: Object.assign(new Error('x'), { code: 'ECONNRESET' }) });

describe('get', () => {
  it('keeps the case of names and encodes path segments', async () => {
    const path = '/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3AFoo%2FBar';
    const transport = new FakeTransport().answer(`GET ${path}`, {
      body: { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'system:Foo/Bar' } },
    });
    assert.equal((await createClient(transport).get(ROLES, 'system:Foo/Bar'))?.metadata.name, 'system:Foo/Bar');
  });

  const absent = (details?: object): JsonValue => status(404, { reason: 'NotFound', ...(details ? { details } : {}) });

  it('is undefined when the server says that this object is not there', async () => {
    const body = absent({ name: 'a', kind: 'pods' });
    const transport = new FakeTransport().answer(`GET ${POD_PATH}/a`, { status: 404, body }, { status: 403 });
    const client = createClient(transport);
    assert.equal(await client.get(PODS, 'a', 'default'), undefined);
    await assert.rejects(client.get(PODS, 'a', 'default'), { name: 'ApiError' });
  });

  for (const [why, body] of [
    ['plain text', '404 page not found\n'],
    ['a Status about no object', absent()],
    ['a page of something in between', '<html>nothing here</html>'],
  ] as const) {
    it(`another 404 is an error, of get and of list: ${why}`, async () => {
      const transport = new FakeTransport()
        .answer(`GET ${POD_PATH}/a`, { status: 404, body })
        .answer(`GET ${POD_PATH}`, { status: 404, body })
        .answer('GET /api', { body: { kind: 'APIVersions', versions: [] } })
        .answer('GET /apis', { body: { kind: 'APIGroupList', groups: [] } });
      const client = createClient(transport);
      await client.all();
      const message = 'the API server does not serve pods of v1 any more';
      await assert.rejects(client.get(PODS, 'a', 'default'), { name: 'ApiError', message });
      await assert.rejects(client.list(PODS, { namespace: 'default' }), { name: 'ApiError', message });
      await client.all();
      assert.equal(transport.paths('GET /apis').length, 2, 'what is served is asked for again');
    });
  }

  it('keeps integers above 2^53', async () => {
    const body = '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"big":9007199254740993}';
    const transport = new FakeTransport().answer(`GET ${POD_PATH}/a`, { body });
    assert.equal((await createClient(transport).get(PODS, 'a', 'default'))?.['big'], 9007199254740993n);
  });
});

describe('list', () => {
  it('follows pages, and gives every item its apiVersion and kind', async () => {
    const transport = new FakeTransport().answer(
      'GET /api/v1/pods',
      { body: list(['a', 'b'], { resourceVersion: '7', continue: 'next/1=' }) },
      { body: list(['c'], { resourceVersion: '7' }) },
    );
    const found = await createClient(transport, { pageSize: 2 }).list(PODS, { labelSelector: 'app in (a, b)' });
    assert.deepEqual(
      found.items.map((item) => `${item.apiVersion} ${item.kind} ${item.metadata.name}`),
      ['v1 Pod a', 'v1 Pod b', 'v1 Pod c'],
    );
    assert.equal(found.resourceVersion, '7');
    assert.deepEqual(transport.paths('GET /api/v1/pods'), [
      '/api/v1/pods?labelSelector=app%20in%20(a%2C%20b)&limit=2',
      '/api/v1/pods?labelSelector=app%20in%20(a%2C%20b)&limit=2&continue=next%2F1%3D',
    ]);
  });

  it('starts again when the continue token has expired, at last without pages', async () => {
    const first = { body: list(['a'], { resourceVersion: '7', continue: 'x' }) };
    const expired = { status: 410, body: status(410, { reason: 'Expired' }) };
    const whole = { body: list(['a', 'b'], { resourceVersion: '9' }) };
    const transport = new FakeTransport().answer('GET /api/v1/pods', first, expired, first, expired, whole);
    const found = await createClient(transport).list(PODS);
    assert.equal(found.items.length, 2);
    assert.equal(transport.requests.at(-1)?.path, '/api/v1/pods');
  });

  it('takes Go’s null for an empty list, and nothing else', async () => {
    const transport = new FakeTransport().answer(
      'GET /api/v1/pods',
      { body: { kind: 'PodList', metadata: { resourceVersion: '1' }, items: null } },
      { body: { kind: 'PodList', metadata: { resourceVersion: '1' } } },
    );
    const client = createClient(transport);
    assert.deepEqual((await client.list(PODS)).items, []);
    await assert.rejects(client.list(PODS), { name: 'ConnectionError' });
  });
});

describe('errors', () => {
  const cases = [
    {
      name: 'a Status is kept',
      answer: {
        status: 409,
        body: status(409, { reason: 'Conflict', details: { name: 'a', kind: 'pods', causes: [{ field: 'x' }] } }),
      },
      want: {
        code: 409,
        reason: 'Conflict',
        message: 'refused with 409',
        details: { name: 'a', kind: 'pods', causes: [{ field: 'x' }] },
      },
    },
    {
      name: 'plain text becomes an excerpt',
      answer: { status: 404, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: '404 page not\nfound\n' },
      want: { code: 404, message: 'the server answered 404 (text/plain): 404 page not found' },
    },
    {
      name: 'an empty body',
      answer: { status: 503, body: '' },
      want: { code: 503, message: 'the server answered 503 with an empty body' },
    },
    {
      name: 'Retry-After of a header joins the Status',
      answer: { status: 429, headers: { 'retry-after': '7' }, body: status(429) },
      want: { code: 429, message: 'refused with 429', details: { retryAfterSeconds: 7 } },
    },
  ];
  for (const { name, answer, want } of cases) {
    it(name, async () => {
      const client = createClient(new FakeTransport().answer('GET /version', answer));
      await assert.rejects(client.serverVersion(), (error: unknown) => {
        assert.ok(error instanceof ApiError);
        assert.deepEqual(error.status, want);
        assert.equal(error.request, 'GET /version');
        return true;
      });
    });
  }

  for (const body of ['{"kind":"Pod","metadata":{"data":"s3cret', 'OK', '[]', '<html>']) {
    it(`2xx that is no JSON object is no usable answer, and is not quoted: ${body}`, async () => {
      const client = createClient(new FakeTransport().answer(`GET ${POD_PATH}/a`, { body }));
      await assert.rejects(client.get(PODS, 'a', 'default'), (error: unknown) => {
        assert.ok(error instanceof ConnectionError);
        assert.ok(!error.message.includes('s3cret'));
        return true;
      });
    });
  }
});

describe('retries', () => {
  it('reads once more after a reset, and only once', async () => {
    const transport = new FakeTransport().answer('GET /version', reset(), { body: { gitVersion: 'v1' } });
    assert.equal(await createClient(transport).serverVersion(), 'v1');
    const broken = new FakeTransport().answer('GET /version', reset());
    await assert.rejects(createClient(broken).serverVersion(), { name: 'ConnectionError' });
    assert.equal(broken.requests.length, 2);
  });

  it('never repeats a write whose answer was lost', async () => {
    const transport = new FakeTransport().answer(`POST ${POD_PATH}`, reset());
    const write = createClient(transport).write({ verb: 'create', type: PODS, object: pod('a'), fieldManager: 'm' });
    await assert.rejects(write, { name: 'ConnectionError' });
    assert.equal(transport.requests.length, 1);
  });

  it('waits as long as a 429 says, whatever the verb', async () => {
    const clock = new FakeClock();
    const throttled = { status: 429, headers: { 'retry-after': '3' }, body: 'slow down' };
    const transport = new FakeTransport().answer(`POST ${POD_PATH}`, throttled, throttled, { body: pod('a') });
    const client = createClient(transport, { clock });
    const write = client.write({ verb: 'create', type: PODS, object: pod('a'), fieldManager: 'm' });
    await turn();
    await clock.advanceAsync(2_999);
    assert.equal(transport.requests.length, 1);
    await clock.advanceAsync(1);
    assert.equal(transport.requests.length, 2);
    await clock.advanceAsync(3_000);
    assert.equal((await write)?.metadata.name, 'a');
  });

  const notRetried = [
    { why: '429 that does not say when', answer: { status: 429, body: status(429) } },
    {
      why: '429 that asks for an hour',
      answer: { status: 429, headers: { 'retry-after': '3600' }, body: status(429) },
    },
    { why: '500', answer: { status: 500, body: status(500) } },
    { why: '503 with Retry-After', answer: { status: 503, headers: { 'retry-after': '1' }, body: status(503) } },
  ];
  for (const { why, answer } of notRetried) {
    it(`not retried: ${why}`, async () => {
      const transport = new FakeTransport().answer('GET /version', answer);
      await assert.rejects(createClient(transport, { clock: new FakeClock() }).serverVersion(), { name: 'ApiError' });
      assert.equal(transport.requests.length, 1);
    });
  }

  it('gives up after a bounded number of 429', async () => {
    const clock = new FakeClock();
    const transport = new FakeTransport().answer('GET /version', { status: 429, headers: { 'retry-after': '1' } });
    const asked = assert.rejects(createClient(transport, { clock }).serverVersion(), { name: 'ApiError' });
    await clock.advanceAsync(60_000, 1_000);
    await asked;
    assert.equal(transport.requests.length, 9);
  });
});

describe('write', () => {
  const cases: { name: string; request: WriteRequest; want: string; body: JsonValue; type?: string }[] = [
    {
      name: 'create',
      request: { verb: 'create', type: PODS, object: pod('a'), fieldManager: 'me & you' },
      want: `POST ${POD_PATH}?fieldManager=me%20%26%20you&fieldValidation=Warn`,
      body: pod('a'),
    },
    {
      name: 'update of a subresource',
      request: { verb: 'update', type: PODS, object: pod('a'), fieldManager: 'm', subresource: 'status' },
      want: `PUT ${POD_PATH}/a/status?fieldManager=m&fieldValidation=Warn`,
      body: pod('a'),
    },
    {
      name: 'server-side apply',
      request: {
        verb: 'patch',
        type: ROLES,
        name: 'Big',
        fieldManager: 'm',
        force: true,
        contentType: 'application/apply-patch+yaml',
        patch: { x: 1 },
      },
      want: 'PATCH /apis/rbac.authorization.k8s.io/v1/clusterroles/Big?fieldManager=m&fieldValidation=Warn&force=true',
      body: { x: 1 },
      type: 'application/apply-patch+yaml',
    },
    {
      name: 'delete with guards',
      request: {
        verb: 'delete',
        type: PODS,
        name: 'a',
        namespace: 'default',
        fieldManager: 'm',
        uid: 'u',
        resourceVersion: '5',
        propagation: 'Foreground',
      },
      want: `DELETE ${POD_PATH}/a`,
      body: {
        kind: 'DeleteOptions',
        apiVersion: 'v1',
        preconditions: { uid: 'u', resourceVersion: '5' },
        propagationPolicy: 'Foreground',
      },
    },
  ];
  for (const { name, request, want, body, type = 'application/json' } of cases) {
    it(name, async () => {
      const transport = new FakeTransport().answer(want.split('?', 1)[0] ?? '', { body: pod('a') });
      await createClient(transport).write(request);
      const sent = transport.requests[0];
      assert.equal(`${sent?.method} ${sent?.path}`, want);
      assert.deepEqual(JSON.parse(sent?.body ?? ''), body);
      assert.equal(sent?.headers?.['content-type'], type);
    });
  }

  const remains = [
    { why: 'a Status: gone', body: { kind: 'Status', status: 'Success' }, left: false },
    { why: 'the last state without a deletionTimestamp: gone', body: pod('a'), left: false },
    {
      why: 'grace period over, nothing holds it: gone',
      body: pod('a', { deletionTimestamp: 't', deletionGracePeriodSeconds: 0 }),
      left: false,
    },
    {
      why: 'a finalizer holds it',
      body: pod('a', { deletionTimestamp: 't', deletionGracePeriodSeconds: 0, finalizers: ['f'] }),
      left: true,
    },
    {
      why: 'it may end in peace',
      body: pod('a', { deletionTimestamp: 't', deletionGracePeriodSeconds: 30 }),
      left: true,
    },
    { why: 'a namespace that is being emptied', body: pod('a', { deletionTimestamp: 't' }), left: true },
  ];
  for (const { why, body, left } of remains) {
    it(`what a delete leaves: ${why}`, async () => {
      const transport = new FakeTransport().answer(`DELETE ${POD_PATH}/a`, { body });
      const request = { verb: 'delete', type: PODS, name: 'a', namespace: 'default', fieldManager: 'm' } as const;
      assert.equal((await createClient(transport).write(request)) !== undefined, left);
    });
  }

  it('hands on warnings', async () => {
    const warning = '299 - "unknown field \\"spec.x\\"", 299 - "second, with comma"';
    const transport = new FakeTransport().answer(`POST ${POD_PATH}`, { headers: { warning }, body: pod('a') });
    const seen: string[] = [];
    const client = createClient(transport, { onWarning: (text, request) => seen.push(`${request}: ${text}`) });
    await client.write({ verb: 'create', type: PODS, object: pod('a'), fieldManager: 'm' });
    assert.deepEqual(seen, [`POST ${POD_PATH}: unknown field "spec.x"`, `POST ${POD_PATH}: second, with comma`]);
  });

  it('predicts by dryRun=All', async () => {
    const transport = new FakeTransport().answer(`PUT ${POD_PATH}/a`, { body: pod('a') });
    await createClient(transport).predict({ verb: 'update', type: PODS, object: pod('a'), fieldManager: 'm' });
    assert.equal(transport.requests[0]?.path, `${POD_PATH}/a?fieldManager=m&fieldValidation=Warn&dryRun=All`);
  });

  it('reads the schemas of kinds from OpenAPI v3, each document once, and looks again for a kind that is new', async () => {
    const index = (hash: string) => ({
      body: { paths: { 'api/v1': { serverRelativeURL: `/openapi/v3/api/v1?hash=${hash}` } } },
    });
    const gvk = (kind: string, version = 'v1') => ({
      'x-kubernetes-group-version-kind': [{ group: '', version, kind }],
    });
    const document = (schemas: JsonObject) => ({ body: { components: { schemas } } });
    const transport = new FakeTransport()
      .answer('GET /openapi/v3', index('1'), index('2'))
      .answer(
        'GET /openapi/v3/api/v1',
        document({ 'core.Old': gvk('Pod', 'v1beta1') }),
        document({ 'core.Pod': gvk('Pod'), 'core.Node': gvk('Node') }),
      );
    const client = createClient(transport);
    assert.equal((await client.schemaOf(PODS))?.name, 'core.Pod');
    assert.equal((await client.schemaOf({ ...PODS, kind: 'Node' }))?.name, 'core.Node');
    assert.equal(transport.requests.length, 4);
    assert.equal(await client.schemaOf({ ...PODS, group: 'example.com' }), undefined);
  });

  it('reads a document that has changed since the index was read without its old hash', async () => {
    const transport = new FakeTransport()
      .answer('GET /openapi/v3', { body: { paths: { 'api/v1': { serverRelativeURL: '/openapi/v3/api/v1?hash=1' } } } })
      .answer('GET /openapi/v3/api/v1', { status: 301, body: {} }, { body: { components: { schemas: {} } } });
    assert.equal(await createClient(transport).schemaOf(PODS), undefined);
    assert.deepEqual(
      transport.requests.slice(0, 3).map(({ path }) => path),
      ['/openapi/v3', '/openapi/v3/api/v1?hash=1', '/openapi/v3/api/v1'],
    );
  });

  it('takes a server without OpenAPI v3 for one that says nothing of its kinds', async () => {
    const client = createClient(new FakeTransport().answer('GET /openapi/v3', { status: 404, body: {} }));
    assert.equal(await client.schemaOf(PODS), undefined);
  });

  it('is a bug of ours to address a namespaced object without its namespace', async () => {
    const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } };
    const client = createClient(new FakeTransport());
    await assert.rejects(client.write({ verb: 'create', type: PODS, object, fieldManager: 'm' }), { name: 'BugError' });
    await assert.rejects(client.get(PODS, 'a'), { name: 'BugError' });
    await assert.rejects(client.get(PODS, '..', 'default'), { name: 'BugError' });
  });
});
