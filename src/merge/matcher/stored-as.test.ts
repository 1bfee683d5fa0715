// What the server writes in another way than it was given, and what it does not: "is" is stored as "was", or stays.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, JsonValue } from '../../kit/json.ts';
import { allSchemas } from '../../sandbox/kube-data/index.ts';
import { type KindType, mergeSchemaFromComponents, schemaFromCrd } from '../../schema/index.ts';
import { storedAs } from './stored-as.ts';

const schemas = allSchemas();
const schema = mergeSchemaFromComponents((name) => schemas[name]);
const builtIn = (named: string) => ({ schema, type: { named: `io.k8s.api.${named}` } });
const custom = schemaFromCrd({ type: 'object', properties: { list: { type: 'array', items: {} } } }, schema);

const pod = (container: JsonObject, spec: JsonObject = {}): JsonObject => ({
  spec: { containers: [{ name: 'c', ...container }], ...spec },
});
const env = (...items: JsonValue[]): JsonObject => pod({ env: items });
const vct = (item: JsonObject): JsonObject => ({ spec: { volumeClaimTemplates: [item] } });
const claim = (spec: JsonObject): JsonObject => vct({ metadata: { name: 'a' }, spec });

type Row = readonly [why: string, kind: KindType, is: JsonObject, was: JsonObject];

const POD = builtIn('core.v1.Pod');
const SET = builtIn('apps.v1.StatefulSet');
const MAP = builtIn('core.v1.ConfigMap');

const THE_SAME: readonly Row[] = [
  ['amounts', POD, pod({ resources: { limits: { cpu: '1000m' } } }), pod({ resources: { limits: { cpu: '1' } } })],
  ['empty text of a variable', POD, env({ name: 'A', value: '' }), env({ name: 'A' })],
  ['an empty list', POD, pod({ command: [] }), pod({})],
  ['null', POD, pod({ command: null, securityContext: null }), pod({})],
  ['an empty map', MAP, { data: {}, metadata: { labels: {} } }, { metadata: {} }],
  ['an empty list that is always written', builtIn('rbac.v1.Role'), { rules: [] }, { rules: null }],
  [
    'a default in a structure that is one value',
    POD,
    env({ name: 'A', valueFrom: { fieldRef: { fieldPath: 'x' } } }),
    env({ name: 'A', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'x' } } }),
  ],
  [
    'claims of a StatefulSet',
    SET,
    claim({}),
    vct({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'a' },
      spec: { volumeMode: 'Filesystem' },
      status: { phase: 'Pending' },
    }),
  ],
  [
    'the group of a user',
    builtIn('rbac.v1.RoleBinding'),
    { subjects: [{ kind: 'User', name: 'u' }] },
    { subjects: [{ kind: 'User', name: 'u', apiGroup: 'rbac.authorization.k8s.io' }] },
  ],
];

const ANOTHER: readonly Row[] = [
  ['empty text of a pointer', SET, claim({ storageClassName: '' }), claim({})],
  ['an empty structure', POD, pod({ securityContext: {} }), pod({})],
  ['a flag that is a pointer', POD, pod({}, { automountServiceAccountToken: false }), pod({})],
  ['another default', SET, claim({}), claim({ volumeMode: 'Block' })],
  [
    'the group of a ServiceAccount',
    builtIn('rbac.v1.RoleBinding'),
    { subjects: [{ kind: 'ServiceAccount', name: 'u' }] },
    { subjects: [{ kind: 'ServiceAccount', name: 'u', apiGroup: 'x' }] },
  ],
  [
    'anything inside of what may be anything',
    builtIn('apps.v1.ControllerRevision'),
    { data: { a: [], b: null, c: {} } },
    { data: {} },
  ],
  ['an empty list of a custom resource', custom, { list: [] }, {}],
  ['metadata of a custom resource', custom, { metadata: { labels: {} } }, { metadata: {} }],
];

for (const [why, kind, is, was] of THE_SAME)
  test(`the same: ${why}`, () => assert.deepEqual(storedAs(is, was, kind), was));
for (const [why, kind, is, was] of ANOTHER)
  test(`another: ${why}`, () => assert.notDeepEqual(storedAs(is, was, kind), was));
