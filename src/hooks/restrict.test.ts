import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Hook } from '../model/definition.ts';
import { FakeHooks } from '../testing/fake-hooks.ts';
import { hookCall, jsonnetHook, moduleHook, nodeHook, webhookHook } from '../testing/hook-calls.ts';
import { type HookPolicy, refusalOf, restrictHooks } from './restrict.ts';

const POLICY: HookPolicy = {
  localHooks: false,
  hosts: ['hooks.example.com', 'ported.example:8443', '[::1]'],
  why: 'w',
};
const local: readonly Hook[] = [
  nodeHook('/d', 'a.mjs'),
  nodeHook('/d', 'a.mjs', { mode: 'stream' }),
  moduleHook('/d/a.ts'),
  jsonnetHook('/d/a.jsonnet'),
];

describe('webhooks by host', () => {
  const cases: readonly [url: string, allowed: boolean, reason: string][] = [
    ['https://hooks.example.com/sync', true, 'in the list'],
    ['http://HOOKS.example.com:8080/sync', true, 'host names have no case; no port in the list: any port'],
    ['https://ported.example:8443/', true, 'host and port'],
    ['https://ported.example/', false, 'another port'],
    ['http://[::1]:9000/', true, 'an IPv6 address'],
    ['https://evil.hooks.example.com/', false, 'a host below it is another host'],
    ['https://hooks.example.com.evil.example/', false, 'so is one that begins with it'],
    ['https://hooks.example.com@evil.example/', false, 'what stands before the @ is a user name'],
    ['https://evil.example/?hooks.example.com', false, 'nor does the query count'],
    ['https://evil.example\\@hooks.example.com/', false, 'a backslash ends the host, as in browsers'],
    ['http://hooks.example.com./', false, 'the rooted name is not what was allowed'],
    ['nonsense', false, 'not a url'],
  ];
  for (const [url, allowed, reason] of cases)
    test(`${url}: ${reason}`, () => assert.equal(refusalOf(webhookHook(url), POLICY) === undefined, allowed));

  test('entries that are no hosts allow nothing', () => {
    for (const host of [
      '',
      '*',
      'https://evil.example',
      'evil.example/',
      '@evil.example',
      'x@evil.example',
      '.example',
    ])
      assert.ok(refusalOf(webhookHook('https://evil.example/'), { ...POLICY, hosts: [host] }), host);
  });
});

test('local hooks are refused whatever the hosts, webhooks whatever is said of local hooks', () => {
  for (const hook of local) {
    assert.equal(refusalOf(hook, POLICY)?.flag, '--allow-local-hooks');
    assert.equal(refusalOf(hook, { ...POLICY, localHooks: true }), undefined);
  }
  const elsewhere = webhookHook('http://a.example:81/');
  assert.equal(refusalOf(elsewhere, { ...POLICY, localHooks: true })?.flag, '--allow-hook-host a.example:81');
});

test('a refused hook is never called; the diagnostic says who, where, why and which flag', async () => {
  const hooks = new FakeHooks(() => ({ children: [] }));
  const restricted = restrictHooks(hooks, { ...POLICY, why: 'GitHub Actions says that it comes from x/y' });
  const { signal } = new AbortController();
  for (const hook of local) {
    const answer = await restricted.call(hookCall(hook), signal);
    assert.ok(!answer.ok);
    const { code, summary, detail, hint } = answer.diagnostic;
    assert.equal(code, 'hook-refused');
    assert.match(summary, /^CompositeController\/catset: sync hook refused for CatSet default\/web: it would run the /);
    assert.match(detail ?? '', /^GitHub Actions says that it comes from x\/y\./);
    assert.match(hint ?? '', /--allow-local-hooks/);
  }
  assert.equal(hooks.calls.length, 0);
  const allowed = await restricted.call(hookCall(webhookHook('https://hooks.example.com/')), signal);
  assert.ok(allowed.ok);
  await restricted.close();
  assert.ok(hooks.closed);
});
