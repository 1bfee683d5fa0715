// Rights that no life of a controller in a test cluster shows; and how rights are summed up. The others: src/app/rights.test.ts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Definition, WebhookHook } from '../model/definition.ts';
import type { Right } from '../model/right.ts';
import { widgetController } from '../testing/objects.ts';
import { rightsOf, rolesOf, sumRights } from './index.ts';

const NO_LEASES = { namespace: 'metactl', names: [] };
const said = (rights: readonly Right[]): string[] =>
  sumRights(rights).map(({ namespace = '*', resource, names = [], verbs }) =>
    [namespace, resource, ...names, verbs.join(',')].join(' '),
  );

function calling(hook: Partial<WebhookHook>): Definition {
  const sync: WebhookHook = {
    ...{
      kind: 'webhook',
      url: 'https://hooks.example.com/sync',
      version: 'v1',
      timeoutMs: 1,
      strict: false,
      sideEffects: 'None',
    },
    ...hook,
  };
  return { ...widgetController(), children: [], hooks: { sync } };
}

/** Those that its hooks are the reason of. */
const ofHooks = (hook: Partial<WebhookHook>, purpose: 'apply' | 'daemon'): string[] => {
  const rights = rightsOf([calling(hook)], { purpose, related: [], leases: NO_LEASES });
  return said(rights.filter(({ why }) => why.includes('webhooks')));
};

const secret = (name: string) => ({ namespace: 'vault', name });

const CASES: readonly (readonly [
  why: string,
  hook: Partial<WebhookHook>,
  purpose: 'apply' | 'daemon',
  want: string[],
])[] = [
  ['a url elsewhere needs nothing', {}, 'daemon', []],
  [
    'what it refers to is read, each by its name',
    {
      clientTls: { secret: secret('tls'), certKey: 'a', privateKeyKey: 'b' },
      credentials: { kind: 'basic', secret: secret('login'), usernameKey: 'a', passwordKey: 'b' },
      caBundle: { kind: 'ConfigMap', key: 'ca.crt', namespace: 'public', name: 'ca' },
    },
    'daemon',
    ['public configmaps ca get', 'vault secrets login get', 'vault secrets tls get'],
  ],
  ['a daemon in the cluster calls Services by their names', { url: 'http://a.hooks/sync' }, 'daemon', []],
  [
    'from outside they are called through the API server',
    { url: 'http://a.hooks.svc:8080/sync' },
    'apply',
    [
      'hooks services a get',
      'hooks services/proxy a:8080 create',
      'hooks pods/portforward create',
      'hooks endpointslices list',
    ],
  ],
  ['three labels are a domain', { url: 'http://a.hooks.dev/sync' }, 'apply', []],
];

for (const [why, hook, purpose, want] of CASES)
  test(`rights of hooks: ${why}`, () => assert.deepEqual(ofHooks(hook, purpose).sort(), [...want].sort()));

const right = (more: Partial<Right>): Right => ({ group: '', resource: 'secrets', verbs: ['get'], why: 'x', ...more });

test('what is allowed everywhere, or for all names, is not said again for less', () => {
  const rights = [
    right({ verbs: ['get', 'list'] }),
    right({ namespace: 'a' }),
    right({ namespace: 'a', names: ['b'], verbs: ['get', 'update'] }),
  ];
  assert.deepEqual(said(rights), ['a secrets b update', '* secrets get,list']);
  assert.deepEqual(said([right({ namespace: 'a' }), right({ namespace: 'a', names: ['b'] })]), ['a secrets get']);
  assert.deepEqual(said([right({}), right({})]), ['* secrets get'], 'the same twice is it once');
});

test('resources with the same verbs share a rule; each place has a role, and a binding where somebody is named', () => {
  const rights = [
    right({}),
    right({ resource: 'pods' }),
    right({ resource: 'pods', namespace: 'a', verbs: ['delete'] }),
  ];
  const roles = rolesOf(rights, { name: 'x', serviceAccount: { namespace: 'n', name: 's' } });
  assert.deepEqual(
    roles.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}`),
    ['ClusterRole ', 'ClusterRoleBinding ', 'Role a', 'RoleBinding a'],
  );
  assert.deepEqual(roles[0]?.['rules'], [{ apiGroups: [''], resources: ['pods', 'secrets'], verbs: ['get'] }]);
});

test('rights of Leases: one by its name; with shards all of the namespace, as those of other replicas are listed and tidied up', () => {
  const leasesOf = (more: object): string[] => {
    const leases = { namespace: 'n', names: ['x'], ...more };
    const rights = rightsOf([calling({})], { purpose: 'daemon', related: [], leases });
    return said(rights.filter(({ resource }) => resource === 'leases'));
  };
  assert.deepEqual(leasesOf({}), ['n leases x get,update', 'n leases create']);
  assert.deepEqual(leasesOf({ names: [] }), []);
  assert.deepEqual(leasesOf({ shared: true }), ['n leases get,list,create,update,delete']);
});
