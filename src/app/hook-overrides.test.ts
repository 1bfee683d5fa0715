import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CompositeDefinition, Definition, Hook } from '../model/definition.ts';
import { moduleHook, webhookHook } from '../testing/hook-calls.ts';
import { overrideHooks } from './hook-overrides.ts';
import type { HookOverride } from './options.ts';

const SECRET = { kind: 'authorization', type: 'Bearer', secret: { namespace: 'n', name: 's' }, key: 'k' } as const;
const SERVICE = { namespace: 'ns', name: 'my-hook' };
const atService = webhookHook('https://my-hook.ns:443/v1/sync?a=b', {
  service: SERVICE,
  sideEffects: 'NoneOnDryRun',
  credentials: SECRET,
  caBundle: { kind: 'inline', pem: 'x' },
  etag: {},
  timeoutMs: 3_000,
});

const definitionOf = (sync: Hook, finalize?: Hook): Definition =>
  ({ kind: 'CompositeController', name: 'catset', hooks: { sync, ...(finalize ? { finalize } : {}) } }) as Definition;
const ofHook = (hook: 'sync' | 'finalize', controller = 'catset') => ({ kind: 'hook', controller, hook }) as const;
const ofService = { kind: 'service', ...SERVICE } as const;
const url = (text: string) => ({ kind: 'url', url: text }) as const;
const file = (path: string) => ({ kind: 'file', path }) as const;

async function hooksAfter(definition: Definition, ...overrides: HookOverride[]) {
  const { definitions, notices } = await overrideHooks([definition], overrides);
  const hooks = definitions[0]?.hooks as CompositeDefinition['hooks'] | undefined;
  return { hooks, notices: notices.map(({ summary }) => summary) };
}

test('a url in the place of one hook: its own settings stay, TLS and credentials do not go there', async () => {
  const { hooks, notices } = await hooksAfter(definitionOf(atService, atService), {
    of: ofHook('sync'),
    to: url('http://me:secret@127.0.0.1:8080/dev'),
  });
  assert.deepEqual(hooks?.sync, {
    kind: 'webhook',
    version: 'v1',
    strict: false,
    timeoutMs: 3_000,
    sideEffects: 'NoneOnDryRun',
    url: 'http://me:secret@127.0.0.1:8080/dev',
    direct: true,
    etag: {},
  });
  assert.equal(hooks?.finalize, atService);
  assert.deepEqual(notices, [
    'CompositeController/catset: the sync hook is http://127.0.0.1:8080/dev, not https://my-hook.ns/v1/sync, by hookOverrides',
  ]);
});

test('a url in the place of a Service: every hook of it keeps its path', async () => {
  const other = webhookHook('http://my-hook.ns.svc.cluster.local/finalize');
  const { hooks } = await hooksAfter(definitionOf(atService, other), {
    of: ofService,
    to: url('http://localhost:8080/x/'),
  });
  const urls = [hooks?.sync, hooks?.finalize].map((hook) => (hook?.kind === 'webhook' ? hook.url : ''));
  assert.deepEqual(urls, ['http://localhost:8080/x/v1/sync?a=b', 'http://localhost:8080/x/finalize']);
});

test('the hook is named more closely than its Service', async () => {
  const { hooks } = await hooksAfter(
    definitionOf(atService),
    { of: ofService, to: url('http://a/') },
    { of: ofHook('sync'), to: url('http://b/') },
  );
  assert.equal(hooks?.sync.kind === 'webhook' && hooks.sync.url, 'http://b/');
});

describe('files', () => {
  const base = { version: 'v1', strict: false, timeoutMs: 3_000, sideEffects: 'None' };
  const cases: readonly (readonly [path: string, want: object])[] = [
    ['/w/hook.ts', { ...base, kind: 'module', path: '/w/hook.ts', export: 'sync' }],
    ['/w/hook.mjs', { ...base, kind: 'module', path: '/w/hook.mjs', export: 'sync' }],
    ['/w/a.jsonnet', { ...base, kind: 'jsonnet', path: '/w/a.jsonnet', directory: '/w', importPaths: [] }],
    ['/w/hook.py', { ...base, kind: 'exec', command: ['/w/hook.py'], mode: 'once', env: {}, directory: '/w' }],
  ];
  for (const [path, want] of cases)
    test(path, async () => {
      const { hooks } = await hooksAfter(definitionOf(atService), { of: ofHook('sync'), to: file(path) });
      assert.deepEqual(hooks?.sync, want);
    });
});

test('what fits nothing changes nothing, and says nothing: the configuration may be for many projects', async () => {
  const local = definitionOf(moduleHook('/w/a.ts'));
  const overrides: HookOverride[] = [
    { of: ofHook('sync', 'other'), to: url('http://a/') },
    { of: ofHook('finalize'), to: url('http://a/') },
    { of: ofService, to: url('http://a/') },
  ];
  const { definitions, notices } = await overrideHooks([local], overrides);
  assert.deepEqual([definitions, notices], [[local], []]);
});
