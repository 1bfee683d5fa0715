import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../kit/json.ts';
import { normalizeBuiltIn, zeroStatus } from './normalize.ts';

/** What every pod and container has in the end. */
const POD_SPEC: JsonObject = {
  restartPolicy: 'Always',
  terminationGracePeriodSeconds: 30,
  dnsPolicy: 'ClusterFirst',
  securityContext: {},
  schedulerName: 'default-scheduler',
  enableServiceLinks: true,
};
const CONTAINER: JsonObject = {
  resources: {},
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
  imagePullPolicy: 'IfNotPresent',
};

const kept: readonly {
  readonly reason: string;
  readonly type: readonly [apiVersion: string, kind: string];
  readonly given: JsonObject;
  readonly want: JsonObject;
  readonly unknown?: readonly string[];
}[] = [
  {
    reason: 'unknown fields go, at any depth, and are told',
    type: ['v1', 'Pod'],
    given: { metadata: { foo: 1 }, spec: { containers: [{ name: 'c', imagee: 'x' }] }, bogus: 1 },
    want: { metadata: {}, spec: { ...POD_SPEC, containers: [{ ...CONTAINER, name: 'c' }] }, status: {} },
    unknown: ['metadata.foo', 'spec.containers[0].imagee', 'bogus'],
  },
  {
    reason: 'nulls are absent fields, a null in a map of strings is an empty one',
    type: ['v1', 'ConfigMap'],
    given: { metadata: {}, data: { a: null }, binaryData: null },
    want: { metadata: {}, data: { a: '' } },
  },
  {
    reason: 'omitempty: zero values go, unless a pointer tells them from absent ones',
    type: ['v1', 'ServiceAccount'],
    given: { metadata: {}, secrets: [], automountServiceAccountToken: false },
    want: { metadata: {}, automountServiceAccountToken: false },
  },
  {
    reason: 'without omitempty a missing list is null',
    type: ['rbac.authorization.k8s.io/v1', 'Role'],
    given: { metadata: {} },
    want: { metadata: {}, rules: null },
  },
  {
    reason: 'an embedded struct has its fields where it is embedded',
    type: ['v1', 'Pod'],
    given: { metadata: {}, spec: { containers: [], volumes: [{ name: 'v', configMap: { name: 'c' } }] } },
    want: {
      metadata: {},
      spec: { ...POD_SPEC, containers: null, volumes: [{ name: 'v', configMap: { name: 'c', defaultMode: 420 } }] },
      status: {},
    },
  },
  {
    reason: 'int-or-string stays what it was; integers beyond 2^53 stay',
    type: ['v1', 'Service'],
    given: { metadata: { generation: 9007199254740993n }, spec: { ports: [{ port: 80, targetPort: 'web' }] } },
    want: {
      metadata: { generation: 9007199254740993n },
      spec: {
        ports: [{ protocol: 'TCP', port: 80, targetPort: 'web' }],
        sessionAffinity: 'None',
        type: 'ClusterIP',
        internalTrafficPolicy: 'Cluster',
      },
      status: { loadBalancer: {} },
    },
  },
];

for (const { reason, type, given, want, unknown = [] } of kept) {
  test(reason, () => {
    const [apiVersion, kind] = type;
    const normalized = normalizeBuiltIn(apiVersion, kind, given);
    assert.deepEqual(normalized?.object, { apiVersion, kind, ...want });
    assert.deepEqual(normalized?.unknownFields, unknown);
    assert.deepEqual(normalizeBuiltIn(apiVersion, kind, normalized?.object ?? {})?.object, normalized?.object, 'twice');
  });
}

const refused: readonly (readonly [given: JsonObject, message: string])[] = [
  [{ data: { a: 1 } }, 'json: cannot unmarshal number into Go struct field ConfigMap.data of type string'],
  [{ data: [] }, 'json: cannot unmarshal array into Go struct field ConfigMap.data of type map[string]string'],
  [
    { metadata: { labels: { a: 1 } } },
    'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string',
  ],
  [{ binaryData: { a: 'not base64!' } }, 'illegal base64 data at input byte 3'],
  [{ binaryData: { a: 'YQ' } }, 'illegal base64 data at input byte 0'],
  [{ immutable: 'x' }, 'json: cannot unmarshal string into Go struct field ConfigMap.immutable of type bool'],
];

for (const [given, message] of refused) {
  test(`refused: ${JSON.stringify(given)}`, () => {
    assert.throws(() => normalizeBuiltIn('v1', 'ConfigMap', given), { name: 'DecodeError', message });
  });
}

test('the status of a new object is what its struct always writes', () => {
  assert.deepEqual(zeroStatus('apps/v1', 'Deployment'), {});
  assert.deepEqual(zeroStatus('apps/v1', 'ReplicaSet'), { replicas: 0 });
  assert.equal(zeroStatus('v1', 'ConfigMap'), undefined);
});

test('a __proto__ key is data', () => {
  const given = JSON.parse('{"metadata":{},"data":{"__proto__":"x"}}') as JsonObject;
  const data = normalizeBuiltIn('v1', 'ConfigMap', given)?.object['data'] as object;
  assert.deepEqual(Object.keys(data), ['__proto__']);
  assert.equal(Object.getPrototypeOf(data), Object.prototype);
});

test('fields that defaults add stand where the type has them', () => {
  const given = { metadata: {}, spec: { containers: [{ name: 'c' }] } };
  const normalized = normalizeBuiltIn('v1', 'Pod', given)?.object['spec'] as JsonObject;
  assert.deepEqual(Object.keys(normalized), [
    'containers',
    'restartPolicy',
    'terminationGracePeriodSeconds',
    'dnsPolicy',
    'securityContext',
    'schedulerName',
    'enableServiceLinks',
  ]);
});
