// Defaults and the shape of a definition after all checks.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import type { JsonObject } from '../kit/json.ts';
import { type Hook, mainHookOf } from '../model/definition.ts';
import { DEFINITION_SCHEMAS, definitionFromObject, definitionSchema } from './index.ts';

const composite = (hook: JsonObject, spec: JsonObject = {}): JsonObject => ({
  apiVersion: 'metacontroller.k8s.io/v1alpha1',
  kind: 'CompositeController',
  metadata: { name: 'c', uid: 'u', managedFields: [{}] },
  spec: { parentResource: { apiVersion: 'a.b/v1', resource: 'cs' }, hooks: { sync: hook }, ...spec },
});

const DEFAULTS = { version: 'v1', timeoutMs: 10_000, strict: false };
const service = { name: 'hook', namespace: 'ns' };
const HOOKS: readonly (readonly [string, JsonObject, Hook])[] = [
  [
    'a url',
    { webhook: { url: 'http://x/y' } },
    { kind: 'webhook', ...DEFAULTS, sideEffects: 'Unknown', url: 'http://x/y' } as Hook,
  ],
  [
    'a service',
    { webhook: { service, path: '/s' } },
    { kind: 'webhook', ...DEFAULTS, sideEffects: 'Unknown', url: 'http://hook.ns:80/s', service } as Hook,
  ],
  [
    'a service with port and protocol',
    { webhook: { service: { ...service, port: 8443, protocol: 'https' }, path: '/s' } },
    { kind: 'webhook', ...DEFAULTS, sideEffects: 'Unknown', url: 'https://hook.ns:8443/s', service } as Hook,
  ],
  [
    'url and service: the url wins',
    { webhook: { url: 'http://x', service, path: '/s' } },
    { kind: 'webhook', ...DEFAULTS, sideEffects: 'Unknown', url: 'http://x' } as Hook,
  ],
  [
    'etag: both times are optional',
    { webhook: { url: 'http://x', etag: { enabled: true, cacheTimeoutSeconds: 5 } } },
    { kind: 'webhook', ...DEFAULTS, sideEffects: 'Unknown', url: 'http://x', etag: { timeoutMs: 5_000 } } as Hook,
  ],
  [
    'etag that is not enabled',
    { webhook: { url: 'http://x', etag: { enabled: false, cacheTimeoutSeconds: 5 } } },
    { kind: 'webhook', ...DEFAULTS, sideEffects: 'Unknown', url: 'http://x' } as Hook,
  ],
  [
    'TLS and a token, with the defaults of the keys',
    {
      webhook: {
        url: 'https://x',
        caBundle: { configMapRef: { name: 'ca', namespace: 'n' } },
        clientTLS: { secretRef: { name: 'tls', namespace: 'n' } },
        authorization: { secretRef: { name: 't', namespace: 'n', key: 'k' } },
      },
    },
    {
      kind: 'webhook',
      ...DEFAULTS,
      sideEffects: 'Unknown',
      url: 'https://x',
      caBundle: { kind: 'ConfigMap', namespace: 'n', name: 'ca', key: 'ca.crt' },
      clientTls: { secret: { namespace: 'n', name: 'tls' }, certKey: 'tls.crt', privateKeyKey: 'tls.key' },
      credentials: { kind: 'authorization', type: 'Bearer', secret: { namespace: 'n', name: 't' }, key: 'k' },
    } as Hook,
  ],
  [
    'v2 is strict',
    { version: 'v2', webhook: { url: 'http://x' } },
    { kind: 'webhook', ...DEFAULTS, version: 'v2', strict: true, sideEffects: 'Unknown', url: 'http://x' } as Hook,
  ],
  [
    'v2 made loose',
    { version: 'v2', webhook: { url: 'http://x', responseUnMarshallMode: 'loose' } },
    { kind: 'webhook', ...DEFAULTS, version: 'v2', sideEffects: 'Unknown', url: 'http://x' } as Hook,
  ],
  [
    'a timeout of zero is the default',
    { webhook: { url: 'http://x', timeout: '-5s' } },
    { kind: 'webhook', ...DEFAULTS, sideEffects: 'Unknown', url: 'http://x' } as Hook,
  ],
  [
    'exec',
    { exec: { command: ['./hook', ''] } },
    {
      kind: 'exec',
      ...DEFAULTS,
      sideEffects: 'None',
      command: ['./hook', ''],
      mode: 'once',
      env: {},
      directory: '/defs',
    } as Hook,
  ],
  [
    'exec, everything',
    {
      sideEffects: 'NoneOnDryRun',
      exec: { command: ['x'], mode: 'stream', env: { A: '1' }, timeout: '1m', responseUnMarshallMode: 'strict' },
    },
    {
      kind: 'exec',
      version: 'v1',
      timeoutMs: 60_000,
      strict: true,
      sideEffects: 'NoneOnDryRun',
      command: ['x'],
      mode: 'stream',
      env: { A: '1' },
      directory: '/defs',
    } as Hook,
  ],
  [
    'a module',
    { module: { path: '../hook.ts' } },
    { kind: 'module', ...DEFAULTS, sideEffects: 'None', path: '/hook.ts', export: 'sync' } as Hook,
  ],
  [
    'a module with an export',
    { module: { path: '/x.js', export: 'f', timeout: '250ms' } },
    { kind: 'module', ...DEFAULTS, timeoutMs: 250, sideEffects: 'None', path: '/x.js', export: 'f' } as Hook,
  ],
];
for (const [name, given, want] of HOOKS) {
  test(`hook: ${name}`, () => {
    const { definition } = definitionFromObject(composite(given), { directory: '/defs' });
    assert.deepEqual(definition && mainHookOf(definition), want);
  });
}

test('everything else has a default', () => {
  const object = composite({ webhook: { url: 'http://x' } });
  const { definition, diagnostics } = definitionFromObject(object, { directory: '/' });
  const { hooks: _, ...rest } = definition ?? { hooks: undefined };
  assert.deepEqual(diagnostics, []);
  assert.deepEqual(rest, {
    kind: 'CompositeController',
    name: 'c',
    object,
    parent: {
      apiVersion: 'a.b/v1',
      resource: 'cs',
      labelSelector: { matchLabels: {}, matchExpressions: [] },
      ignoreStatusChanges: false,
      revisionFieldPaths: ['spec'],
      revisionNamespace: 'default',
    },
    children: [],
    generateSelector: false,
    resyncPeriodSeconds: 0,
    apply: { mode: 'dynamic', fieldManager: 'metactl', conflicts: [], force: false },
  });
});

test('every field arrives', () => {
  const spec = {
    parentResource: {
      apiVersion: 'a.b/v1',
      resource: 'cs',
      labelSelector: { matchLabels: { a: 'b' }, matchExpressions: [{ key: 'c', operator: 'In', values: ['d'] }] },
      ignoreStatusChanges: true,
      revisionHistory: { fieldPaths: ['spec.template'] },
    },
    childResources: [
      { apiVersion: 'v1', resource: 'pods' },
      {
        apiVersion: 'apps/v1',
        resource: 'deployments',
        updateStrategy: {
          method: 'InPlace',
          statusChecks: { conditions: [{ type: 'Ready', status: 'True' }, { type: 'X' }] },
        },
      },
    ],
    generateSelector: true,
    resyncPeriodSeconds: 30,
    apply: { mode: 'dynamic', fieldManager: 'me' },
  };
  const { definition, diagnostics } = definitionFromObject(composite({ exec: { command: ['x'] } }, spec), {
    directory: '/',
  });
  assert.deepEqual(
    diagnostics.map(({ code, severity }) => `${severity} ${code}`),
    ['warning ineffective', 'warning ineffective'],
  );
  assert.ok(definition?.kind === 'CompositeController');
  assert.deepEqual(definition.parent, {
    apiVersion: 'a.b/v1',
    resource: 'cs',
    labelSelector: { matchLabels: { a: 'b' }, matchExpressions: [{ key: 'c', operator: 'In', values: ['d'] }] },
    ignoreStatusChanges: true,
    revisionFieldPaths: ['spec.template'],
    revisionNamespace: 'default',
  });
  assert.deepEqual(definition.children, [
    { apiVersion: 'v1', resource: 'pods', updateMethod: 'OnDelete', statusChecks: [] },
    {
      apiVersion: 'apps/v1',
      resource: 'deployments',
      updateMethod: 'InPlace',
      statusChecks: [{ type: 'Ready', status: 'True' }, { type: 'X' }],
    },
  ]);
  assert.equal(definition.generateSelector, true);
  assert.equal(definition.resyncPeriodSeconds, 30);
  assert.equal(definition.apply.fieldManager, 'me');
});

const user = (name: string) => ({ basicAuth: { secretRef: { name, namespace: 'n' } } });
const ENDPOINTS: readonly (readonly [
  reason: string,
  webhook: JsonObject,
  hosts: string[],
  found: string | undefined,
])[] = [
  ['the host', { url: 'https://a.example/x' }, ['b.example', 'a.example'], '1'],
  ['whatever its case', { url: 'https://a.example/x' }, ['A.EXAMPLE'], '0'],
  ['any port, where the entry has none', { url: 'https://a.example:8443/x' }, ['a.example'], '0'],
  ['the port, where it has one', { url: 'https://a.example:8443/x' }, ['a.example:443', 'a.example:8443'], '1'],
  ['the default port is left out of the url', { url: 'https://a.example/x' }, ['a.example:80', 'a.example:443'], '1'],
  ['the default port of http', { url: 'http://a.example/x' }, ['a.example:80'], '0'],
  ['the first one wins', { url: 'http://a.example/x' }, ['a.example', 'a.example:80'], '0'],
  ['not a host below it', { url: 'http://b.a.example/x' }, ['a.example'], undefined],
  ['a Service', { service, path: '/s' }, ['hook.ns:80'], '0'],
  ['a Service without its port', { service: { ...service, port: 8080 }, path: '/s' }, ['hook.ns'], '0'],
  ['its own come first, and nothing is mixed in', { url: 'http://a.example', ...user('own') }, ['a.example'], 'own'],
];
for (const [reason, webhook, hosts, found] of ENDPOINTS)
  test(`endpoint config: ${reason}`, () => {
    const endpointConfigs = hosts.map((host, index) => ({ host, ...user(String(index)) }));
    const { definition, diagnostics } = definitionFromObject(composite({ webhook }, { endpointConfigs }), {
      directory: '/',
    });
    const hook = definition && mainHookOf(definition);
    assert.ok(hook?.kind === 'webhook', JSON.stringify(diagnostics));
    assert.equal(hook.credentials?.secret.name, found);
  });

test('an object from a cluster has problems with paths and a subject, without places', () => {
  const object = { ...composite({ webhook: { url: 'x', colour: 1 } }), status: {} };
  const { definition, diagnostics } = definitionFromObject(object, { directory: '/' });
  assert.equal(definition, undefined);
  assert.deepEqual(
    diagnostics.map(({ code, path, source, subject }) => [code, path, source, subject?.name]),
    [
      ['unknown-field', 'spec.hooks.sync.webhook.colour', undefined, 'c'],
      ['invalid-value', 'spec.hooks.sync.webhook.url', undefined, 'c'],
    ],
  );
});

test('many problems of one definition are told at once', () => {
  const spec = {
    parentResource: { apiVersion: 'core/v1', resource: 7 },
    resyncPeriodSeconds: -1,
    childResources: [null, { apiVersion: 'v1', resource: 'Pod' }],
  };
  const { diagnostics } = definitionFromObject(composite({ exec: {}, webhook: {} }, spec), { directory: '/' });
  assert.deepEqual(diagnostics.map(({ code, path }) => `${code} ${path}`).sort(), [
    'conflicting-fields spec.hooks.sync.exec',
    'invalid-value spec.childResources[1].resource',
    'invalid-value spec.parentResource.apiVersion',
    'invalid-value spec.resyncPeriodSeconds',
    'missing-field spec.hooks.sync.exec',
    'missing-field spec.hooks.sync.webhook',
    'wrong-type spec.childResources[0]',
    'wrong-type spec.parentResource.resource',
  ]);
});

test('the schema for editors is a valid JSON Schema, and says that a hook is of one kind', () => {
  const ajv = new Ajv({ strict: true, strictRequired: false, allErrors: true });
  ajv.addVocabulary(['x-metactl-unsupported', 'x-metactl-unsupported-values', 'x-metactl-unused']);
  const check = ajv.compile(definitionSchema());
  assert.equal(check(composite({ exec: { command: ['x'] } })), true, JSON.stringify(check.errors));
  assert.equal(check(composite({ exec: { command: ['x'] }, webhook: {} })), false);
  assert.equal(check(composite({})), false);
});

test('every field of the schema says what it is', () => {
  const bare: string[] = [];
  const visit = (schema: unknown, path: string): void => {
    const { description, properties, items } = schema as { description?: string; properties?: object; items?: object };
    if (!description) bare.push(path);
    for (const [name, field] of Object.entries(properties ?? {})) visit(field, `${path}.${name}`);
    if (items) visit(items, `${path}[]`);
  };
  for (const [kind, schema] of Object.entries(DEFINITION_SCHEMAS)) visit(schema, kind);
  assert.deepEqual(bare, []);
});
