// Authorization from Secrets: what is sent, that a changed Secret counts, what a wrong one says, and that no value of it
// comes out anywhere.

import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { KubeObject } from '../../model/object.ts';
import type { HookCredentials } from '../../model/webhook.ts';
import { ApiError, ConnectionError } from '../../ports/errors.ts';
import { FakeStore } from '../../testing/fake-store.ts';
import { HookBench } from '../../testing/hook-bench.ts';
import { hookCall, webhookHook } from '../../testing/hook-calls.ts';
import { type Received, serveHook } from '../../testing/hook-server.ts';

const SECRET = { namespace: 'hooks', name: 'token' };
const bearer: HookCredentials = { kind: 'authorization', type: 'Bearer', secret: SECRET, key: 'token' };
const basic: HookCredentials = { kind: 'basic', secret: SECRET, usernameKey: 'username', passwordKey: 'password' };

const secret = (texts: Record<string, string>): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: SECRET,
  data: Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')])),
});

/** A hook that takes `accepted` only; reads of the Secret are counted. */
async function bench(t: TestContext, credentials: HookCredentials, object: KubeObject | undefined) {
  const state = { accepted: undefined as string | undefined, echo: '' };
  const reply = ({ headers }: Received) =>
    state.accepted === undefined || headers.authorization === state.accepted
      ? {}
      : { status: 401, body: `bad: ${headers.authorization}${state.echo}` };
  const served = await serveHook(t, reply);
  const store = new FakeStore();
  if (object) store.put(object);
  let reads = 0;
  const reader = {
    get: (...args: Parameters<FakeStore['get']>) => {
      reads++;
      return store.get(...args);
    },
    list: () => assert.fail('Secrets are never listed'),
  };
  const secrets: KubeObject[] = [];
  const hooks = new HookBench(t, {}, { cluster: { reader, onSecret: (each) => void secrets.push(each) } });
  const call = hookCall(webhookHook(served.url, { credentials }));
  return { served, state, store, reader, hooks, call, secrets, reads: () => reads };
}

describe('what is sent', () => {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const cases: readonly (readonly [string, HookCredentials, Record<string, string>, string])[] = [
    ['a token', bearer, { token: 'abc' }, 'Bearer abc'],
    ['without the line end that files have', bearer, { token: ' abc\n' }, 'Bearer abc'],
    ['another type', { ...bearer, type: 'Token' }, { token: 'abc' }, 'Token abc'],
    ['user and password', basic, { username: 'me\n', password: 'p:w\n' }, `Basic ${base64('me:p:w')}`],
    ['letters beyond ASCII', basic, { username: 'jö', password: 'ß' }, `Basic ${base64('jö:ß')}`],
    ['other keys', { ...basic, usernameKey: 'u', passwordKey: 'p' }, { u: 'a', p: 'b' }, `Basic ${base64('a:b')}`],
  ];
  for (const [name, credentials, texts, want] of cases)
    test(name, async (t) => {
      const { hooks, call, served } = await bench(t, credentials, secret(texts));
      await hooks.body(call);
      assert.equal(served.seen[0]?.headers.authorization, want);
    });
});

test('read once for many calls, again when it is old, and told before it is used', async (t) => {
  const { hooks, call, reads, secrets } = await bench(t, basic, secret({ username: 'u', password: 'p' }));
  await Promise.all(Array.from({ length: 8 }, () => hooks.body(call)));
  assert.equal(reads(), 1);
  assert.equal(secrets.length, 1);
  hooks.clock.advance(29_000);
  await hooks.body(call);
  assert.equal(reads(), 1);
  hooks.clock.advance(1_000);
  await hooks.body(call);
  assert.equal(reads(), 2);
  assert.equal(secrets.length, 1, 'it is the same');
});

test('a changed Secret counts with the first call that is refused: no call fails', async (t) => {
  const { hooks, call, state, store, served, reads } = await bench(t, bearer, secret({ token: 'first' }));
  state.accepted = 'Bearer first';
  await hooks.body(call);
  hooks.clock.advance(5_000);
  store.put(secret({ token: 'second' }));
  state.accepted = 'Bearer second';
  await Promise.all([hooks.body(call), hooks.body(call)]);
  assert.equal(served.seen.at(-1)?.headers.authorization, 'Bearer second');
  assert.equal(reads(), 2);
});

test('a token that stays wrong is not sent twice, and does not turn every call into a read', async (t) => {
  const { hooks, call, state, served, reads } = await bench(t, bearer, secret({ token: 'wrong-token' }));
  state.accepted = 'Bearer right';
  for (let i = 0; i < 10; i++) {
    const { summary, hint } = await hooks.failure(call);
    assert.match(summary, /answered 401/);
    assert.match(hint ?? '', /the credentials in the Secret hooks\/token, which was read again/);
  }
  assert.deepEqual([served.seen.length, reads()], [10, 1]);
  hooks.clock.advance(1_000);
  await hooks.failure(call);
  assert.deepEqual([served.seen.length, reads()], [11, 2]);
});

test('what the hook repeats of the credentials is not shown, however short they are', async (t) => {
  const { hooks, call, state } = await bench(t, basic, secret({ username: 'joe', password: 'tiny' }));
  state.accepted = 'nobody';
  state.echo = ' (joe/tiny)';
  const diagnostic = await hooks.failure(call);
  assert.match(diagnostic.detail ?? '', /bad: Basic \(Secret value\) \(\(Secret value\)\/\(Secret value\)\)/);
  assert.doesNotMatch(JSON.stringify(diagnostic), /joe|tiny|am9lOnRpbnk/);
});

const denied = new ApiError(
  {
    code: 403,
    message:
      'secrets "token" is forbidden: User "me" cannot get resource "secrets" in API group "" in the namespace "hooks"',
  },
  'GET /x',
);
// biome-ignore format: one case a line
const WRONG: readonly (readonly [string, HookCredentials, KubeObject | Error | undefined, code: string, what: RegExp, hint: RegExp])[] = [
  ['no Secret', bearer, undefined, 'hook-failed', /webhook\.authorization: the Secret hooks\/token does not exist/, /create it with the key "token"/],
  ['no key', bearer, secret({ tokn: 'hush', other: 'hush' }), 'hook-failed', /the Secret hooks\/token has no key "token"/, /its keys: other, tokn;/],
  ['no data', bearer, { apiVersion: 'v1', kind: 'Secret', metadata: SECRET }, 'hook-failed', /has no key/, /it has no keys/],
  ['a key of the prototype', { ...bearer, key: 'constructor' }, secret({ token: 'hush' }), 'hook-failed', /has no key "constructor"/, /its keys: token/],
  ['an empty value', bearer, secret({ token: '' }), 'hook-failed', /the key "token" of the Secret hooks\/token is empty/, /^$/],
  ['white space', bearer, secret({ token: ' \n' }), 'hook-failed', /is empty/, /^$/],
  ['a line break within', bearer, secret({ token: 'hush\nx: y' }), 'hook-failed', /holds characters that no header can carry/, /^$/],
  ['a user name with a colon', basic, secret({ username: 'hu:sh', password: 'hush' }), 'hook-failed', /webhook\.basicAuth: the key "username" .* holds a colon/, /^$/],
  ['no password', basic, secret({ username: 'hush' }), 'hook-failed', /no key "password"/, /its keys: username/],
  ['no right to read it', bearer, denied, 'forbidden', /Secret hooks\/token can't be read: user "me" may not get secrets/, /Role in namespace "hooks" needs the rule .*resourceNames: \["token"\], verbs: \["get"\]/],
  ['no API server', bearer, new ConnectionError('the server is gone', 'GET /x'), 'hook-failed', /can't be read: the server is gone/, /^$/],
];

describe('a Secret that is wrong: one error, nothing is sent; put right, it works at once', () => {
  for (const [name, credentials, given, code, what, hint] of WRONG)
    test(name, async (t) => {
      const object = given instanceof Error ? undefined : given;
      const { hooks, call, served, store, reader } = await bench(t, credentials, object);
      const { get } = reader;
      if (given instanceof Error) reader.get = () => Promise.reject(given);
      const diagnostic = await hooks.failure(call);
      assert.equal(diagnostic.code, code);
      assert.match(diagnostic.summary, what);
      assert.match(diagnostic.hint ?? '', hint);
      assert.doesNotMatch(JSON.stringify(diagnostic), /hu:?sh/);
      assert.equal(served.seen.length, 0);
      reader.get = get;
      store.put(secret({ token: 'good', constructor: 'good', username: 'good', password: 'good' }));
      await hooks.body(call);
    });
});

test('without a cluster there is nothing to read', async (t) => {
  const served = await serveHook(t, () => ({}));
  const diagnostic = await new HookBench(t).failure(hookCall(webhookHook(served.url, { credentials: bearer })));
  assert.match(diagnostic.summary, /no cluster to read the Secret hooks\/token from/);
});
