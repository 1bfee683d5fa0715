// What is asked of or done to a server without an object of its own: the same on both servers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isJsonObject, type JsonObject, type JsonValue } from '../../kit/json.ts';
import { forEachTarget } from '../../testing/targets.ts';

function at(value: JsonValue | undefined, ...path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((found, key) => (isJsonObject(found) ? found[key] : undefined), value);
}

forEachTarget('reviews, tokens, bindings and evictions', (target) => {
  const send = async (request: string, body?: JsonObject): Promise<{ status: number; body: JsonObject }> => {
    const [method = '', path = ''] = request.split(' ');
    const response = await target.transport.request({
      method: method as 'POST',
      path,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: response.status, body: JSON.parse(await response.text()) };
  };
  const AUTHORIZATION = '/apis/authorization.k8s.io/v1';

  test('may I?', async () => {
    const path = `${AUTHORIZATION}/selfsubjectaccessreviews`;
    const spec = { resourceAttributes: { namespace: 'default', verb: 'get', resource: 'pods' } };
    const answer = await send(`POST ${path}`, { spec });
    assert.equal(answer.status, 201);
    assert.deepEqual([at(answer.body, 'spec'), at(answer.body, 'status', 'allowed')], [spec, true]);
    const nothing = await send(`POST ${path}`, { spec: {} });
    assert.equal(nothing.status, 422);
    assert.match(String(nothing.body['message']), /exactly one of nonResourceAttributes or resourceAttributes must be/);
    assert.equal((await send(`GET ${path}`)).status, 405);
    assert.equal((await send(`GET ${path}/x`)).status, 404);
    const anonymous = await send(`POST ${AUTHORIZATION}/subjectaccessreviews`, { spec });
    assert.match(String(anonymous.body['message']), /at least one of user or group must be specified/);
    const rules = await send(`POST ${AUTHORIZATION}/selfsubjectrulesreviews`, { spec: { namespace: 'default' } });
    assert.equal(at(rules.body, 'status', 'incomplete'), false);
  });

  test('who am I?', async () => {
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    const { status, body } = await send(`POST ${path}`, {});
    assert.equal(status, 201);
    assert.ok(String(at(body, 'status', 'userInfo', 'username')).length > 0);
    assert.equal((await send('POST /apis/authentication.k8s.io/v1/tokenreviews', { spec: {} })).status, 400);
  });

  test('a token for a service account', async () => {
    const accounts = `/api/v1/namespaces/${await target.namespace()}/serviceaccounts`;
    const account = await send(`POST ${accounts}`, { metadata: { name: 'a' } });
    const { status, body } = await send(`POST ${accounts}/a/token`, { spec: { expirationSeconds: 700 } });
    assert.equal(status, 201);
    assert.equal(at(body, 'metadata', 'uid'), at(account.body, 'metadata', 'uid'));
    assert.deepEqual(at(body, 'spec', 'audiences'), ['https://kubernetes.default.svc']);
    const [, claims = ''] = String(at(body, 'status', 'token')).split('.');
    const { sub, exp, iat } = JSON.parse(Buffer.from(claims, 'base64url').toString());
    assert.match(sub, /^system:serviceaccount:test-\w+:a$/);
    assert.equal(exp - iat, 700);
    const short = await send(`POST ${accounts}/a/token`, { spec: { expirationSeconds: 7 } });
    assert.match(String(short.body['message']), /may not specify a duration less than 10 minutes/);
    assert.equal((await send(`POST ${accounts}/none/token`, { spec: {} })).status, 404);
    assert.equal((await send(`GET ${accounts}/a/token`)).status, 405);
  });

  test('a pod is bound to a node, once, and evicted', async () => {
    const pods = `/api/v1/namespaces/${await target.namespace()}/pods`;
    const spec = { schedulerName: 'none', containers: [{ name: 'a', image: 'b' }] };
    await send(`POST ${pods}`, { metadata: { name: 'a', finalizers: ['acme.io/keep'] }, spec });
    const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'a' }, target: { kind: 'Node', name: 'n' } };
    assert.equal((await send(`POST ${pods}/a/binding`, binding)).body['status'], 'Success');
    const again = await send(`POST ${pods}/a/binding`, binding);
    assert.equal(again.status, 409);
    assert.match(String(again.body['message']), /on pods\/binding "a": pod a is already assigned to node "/);
    const none = { metadata: { name: 'none' } };
    assert.equal((await send(`POST ${pods}/none/binding`, { ...binding, ...none })).status, 404);
    assert.match(
      String((await send(`POST ${pods}/none/binding`, binding)).body['message']),
      /name in URL does not match/,
    );
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'a' } };
    assert.equal((await send(`POST ${pods}/a/eviction?dryRun=All`, eviction)).status, 201);
    assert.equal(at((await send(`GET ${pods}/a`)).body, 'metadata', 'deletionTimestamp'), undefined);
    assert.equal((await send(`POST ${pods}/a/eviction`, eviction)).status, 201);
    assert.ok(at((await send(`GET ${pods}/a`)).body, 'metadata', 'deletionTimestamp'));
    const patch = { method: 'PATCH' as const, path: `${pods}/a`, body: '{"metadata":{"finalizers":null}}' };
    await target.transport.request({ ...patch, headers: { 'content-type': 'application/merge-patch+json' } });
    assert.equal((await send(`POST ${pods}/none/eviction`, { ...eviction, ...none })).status, 404);
    const other = await send(`POST ${pods}/none/eviction`, eviction);
    assert.equal(other.body['message'], 'name in URL does not match name in Eviction object');
  });
});
