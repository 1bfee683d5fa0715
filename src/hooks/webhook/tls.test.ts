// TLS between us and a hook: what works, and what each way of not working says and proposes. Certificates are made here.

import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { WebhookHook } from '../../model/definition.ts';
import type { KubeObject } from '../../model/object.ts';
import type { WebhookSecurity } from '../../model/webhook.ts';
import { createAuthority, type Pem } from '../../testing/certificates.ts';
import { FakeStore } from '../../testing/fake-store.ts';
import { HookBench } from '../../testing/hook-bench.ts';
import { hookCall, webhookHook } from '../../testing/hook-calls.ts';
import { type HookServer, serveHook } from '../../testing/hook-server.ts';
import { connectionFailure } from './connection-words.ts';

const ours = createAuthority('our authority');
const other = createAuthority('another authority');
const LOOPBACK = ['127.0.0.1'];
const server = ours.issue('hook', LOOPBACK);
const client = ours.issue('client');
const expired = ours.issue('client', [], [2020, 2024]);

const NS = 'hooks';
function stored(kind: 'Secret' | 'ConfigMap', name: string, texts: Record<string, string>): KubeObject {
  const encode = (text: string): string => (kind === 'Secret' ? Buffer.from(text).toString('base64') : text);
  const data = Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, encode(text)]));
  return { apiVersion: 'v1', kind, metadata: { namespace: NS, name }, data };
}
const pair = (name: string, { cert, key }: Pem): KubeObject =>
  stored('Secret', name, { 'tls.crt': cert, 'tls.key': key });

const inline: WebhookSecurity = { caBundle: { kind: 'inline', pem: ours.cert } };
const inSecret: WebhookSecurity = { caBundle: { kind: 'Secret', namespace: NS, name: 'ca', key: 'ca.crt' } };
const inConfigMap: WebhookSecurity = { caBundle: { kind: 'ConfigMap', namespace: NS, name: 'ca', key: 'ca.crt' } };
const clientTls = { secret: { namespace: NS, name: 'client' }, certKey: 'tls.crt', privateKeyKey: 'tls.key' };

interface Setting {
  readonly tls?: object;
  readonly objects?: readonly KubeObject[];
  readonly hook?: WebhookSecurity;
  readonly url?: (url: string) => string;
}

async function bench(t: TestContext, { tls = server, objects = [], hook = {}, url = (text) => text }: Setting) {
  const served = await serveHook(t, () => ({ body: '{"status":{"ok":true}}' }), tls);
  const store = new FakeStore();
  for (const object of objects) store.put(object);
  const secrets: KubeObject[] = [];
  const cluster = { reader: store, onSecret: (secret: KubeObject) => void secrets.push(secret) };
  const hooks = new HookBench(t, {}, { cluster });
  const definition: WebhookHook = webhookHook(url(served.url), hook);
  return { served, store, secrets, hooks, call: hookCall(definition) };
}

/** Certificates of a server are replaced, and its connections closed, as with a new pod. */
function replace({ server: running }: HookServer, tls: object): void {
  (running as unknown as { setSecureContext(options: object): void }).setSecureContext(tls);
  running.closeAllConnections();
}

describe('works', () => {
  const cases: readonly (readonly [string, Setting])[] = [
    ['an authority in the definition', { hook: inline }],
    ['in a Secret', { hook: inSecret, objects: [stored('Secret', 'ca', { 'ca.crt': ours.cert })] }],
    ['in a ConfigMap', { hook: inConfigMap, objects: [stored('ConfigMap', 'ca', { 'ca.crt': ours.cert })] }],
    ['one of several', { hook: { caBundle: { kind: 'inline', pem: `# all\n${other.cert}\n${ours.cert}` } } }],
    [
      'with a client certificate',
      {
        tls: { ...server, requestCert: true, rejectUnauthorized: true, ca: ours.cert },
        hook: { ...inline, clientTls },
        objects: [pair('client', client)],
      },
    ],
    ['TLS 1.2', { tls: { ...server, maxVersion: 'TLSv1.2' }, hook: inline }],
  ];
  for (const [name, setting] of cases)
    test(name, async (t) => {
      const { hooks, call, served } = await bench(t, setting);
      for (let i = 0; i < 5; i++) assert.deepEqual(await hooks.body(call), { status: { ok: true } });
      assert.ok(served.sockets() <= 2, 'connections are kept');
    });
});

const asks = { ...server, requestCert: true, rejectUnauthorized: true, ca: ours.cert };
const withClient = (objects: readonly KubeObject[]): Setting => ({
  tls: asks,
  hook: { ...inline, clientTls },
  objects,
});

// biome-ignore format: one case a line
const FAILURES: readonly (readonly [string, Setting, what: RegExp, hint: RegExp])[] = [
  ['no authority named', {}, /signed by an authority that is not trusted/, /webhook\.caBundle/],
  ['another authority', { hook: { caBundle: { kind: 'inline', pem: other.cert } } }, /not trusted/, /not in caBundle\.inline/],
  ['another authority in a Secret', { hook: inSecret, objects: [stored('Secret', 'ca', { 'ca.crt': other.cert })] }, /not trusted/, /not in the key "ca\.crt" of the Secret hooks\/ca/],
  ['an expired certificate', { tls: ours.issue('hook', LOOPBACK, [2020, 2024]), hook: inline }, /TLS certificate of 127\.0\.0\.1:\d+ has expired/, /renew it where 127/],
  ['one of the future', { tls: ours.issue('hook', LOOPBACK, [2048, 2049]), hook: inline }, /is not valid yet/, /clock/],
  ['a certificate for another name', { tls: ours.issue('hook', ['hook.example.com']), hook: inline }, /is for another name/, /must be for "127\.0\.0\.1".*DNS:hook\.example\.com/],
  ['a client certificate is asked for', { tls: asks, hook: inline }, /closed the connection/, /another client certificate \(webhook\.clientTLS\)/],
  ['the same with TLS 1.2', { tls: { ...asks, maxVersion: 'TLSv1.2' }, hook: inline }, /refused the TLS handshake/, /client certificate/],
  ['a client certificate of another authority', withClient([pair('client', other.issue('client'))]), /closed the connection/, /another client certificate/],
  ['an expired client certificate: told before it is shown', withClient([pair('client', expired)]), /webhook\.clientTLS: the key "tls\.crt" of the Secret hooks\/client holds a certificate that expired on Jan/, /renew/],
  ['a key of another certificate', withClient([pair('client', { cert: client.cert, key: expired.key })]), /"tls\.key" of the Secret hooks\/client is not the private key of the certificate under "tls\.crt"/, /^$/],
  ['no key in it', withClient([stored('Secret', 'client', { 'tls.crt': client.cert, 'tls.key': 'hush-hush-hush' })]), /"tls\.key" .* holds no private key that can be read/, /without a passphrase/],
  ['no certificate in it', withClient([stored('Secret', 'client', { 'tls.crt': 'hush-hush-hush', 'tls.key': client.key })]), /"tls\.crt" .* holds no certificate/, /PEM/],
  ['no certificates in the ConfigMap', { hook: inConfigMap, objects: [stored('ConfigMap', 'ca', { 'ca.crt': 'hush-hush-hush' })] }, /webhook\.caBundle: the key "ca\.crt" of the ConfigMap hooks\/ca holds no certificates/, /PEM/],
  ['an old server', { tls: { ...server, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }, hook: inline }, /doesn't speak TLS the way we do/, /Older than TLS 1\.2/],
  ['plain http', { url: (url) => url.replace('https', 'http') }, /closed the connection|not HTTP|answered 400/, /./],
];

describe('fails, with one error', () => {
  for (const [name, setting, what, hint] of FAILURES)
    test(name, async (t) => {
      const { hooks, call } = await bench(t, setting);
      const diagnostic = await hooks.failure(call);
      assert.equal(diagnostic.code, 'hook-failed');
      assert.match(diagnostic.summary, what);
      assert.match(diagnostic.hint ?? '', hint);
      assert.doesNotMatch(JSON.stringify(diagnostic), /hush|PRIVATE KEY|BEGIN/);
    });
});

// Node's servers close without a word; those of others say why in an alert, which Node's clients get under these codes.
const ALERTS: readonly (readonly [code: string, what: RegExp])[] = [
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', /asks for a client certificate/],
  ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED', /our client certificate has expired/],
  ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_REVOKED', /was revoked/],
  ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', /does not trust the authority of our client certificate/],
  ['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', /did not take our client certificate/],
];
for (const [code, what] of ALERTS)
  test(`alert ${code}`, () => {
    const error = Object.assign(new Error('alert'), { code });
    const url = 'https://hook.example:8443/sync';
    for (const hook of [webhookHook(url), webhookHook(url, { clientTls })]) {
      const { facts } = connectionFailure(error, new URL(url), hook);
      assert.match(facts.what, what);
      assert.match(facts.hint ?? '', hook.clientTls ? /Secret hooks\/client/ : /webhook\.clientTLS/);
    }
  });

test('a ConfigMap with a new authority counts with the call that needs it', async (t) => {
  const setting = { hook: inConfigMap, objects: [stored('ConfigMap', 'ca', { 'ca.crt': ours.cert })] };
  const { hooks, call, served, store } = await bench(t, setting);
  await hooks.body(call);
  replace(served, other.issue('hook', LOOPBACK));
  hooks.clock.advance(2_000);
  assert.match((await hooks.failure(call)).hint ?? '', /not in the key "ca.crt" of the ConfigMap hooks\/ca/);
  store.put(stored('ConfigMap', 'ca', { 'ca.crt': other.cert }));
  hooks.clock.advance(2_000);
  await hooks.body(call);
});

test('a new client certificate counts with the call that needs it, on connections of its own', async (t) => {
  const { hooks, call, served, store } = await bench(t, withClient([pair('client', client)]));
  await hooks.body(call);
  replace(served, { ...server, ca: other.cert });
  store.put(pair('client', other.issue('client')));
  hooks.clock.advance(2_000);
  await hooks.body(call);
});
