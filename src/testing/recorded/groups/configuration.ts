// ConfigMap, Secret, ServiceAccount, Namespace, and metadata as such.

import { creates, type RecordedCase, type RecordedGroup, updates } from '../case.ts';

const MAP = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'map' }, data: { a: 'b' } };
const SECRET = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'secret' } };
const ACCOUNT = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } };
const NAMESPACE = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: '{ns}-more' } };
const MIB = 1024 * 1024;

const namespaces: readonly RecordedCase[] = [
  ...creates('/api/v1/namespaces', NAMESPACE, {
    minimal: {},
    'bad name': { metadata: { name: 'A_b' } },
    'long name': { metadata: { name: 'x'.repeat(64) } },
    'own finalizer': { spec: { finalizers: ['example.com/x'] } },
    'bad finalizer': { spec: { finalizers: ['x y'] } },
    'wrong name label': { metadata: { labels: { 'kubernetes.io/metadata.name': 'other' } } },
  }),
  {
    name: 'namespace by generated name',
    send: 'POST /api/v1/namespaces?dryRun=All',
    body: { metadata: { generateName: 'gen-' } },
  },
];

export const CONFIGURATION: RecordedGroup = {
  name: 'configuration',
  cases: [
    ...creates('{core}/configmaps', MAP, {
      minimal: {},
      empty: { data: null },
      'empty data': { data: {} },
      'binary data': { binaryData: { c: 'AAEC' } },
      'data of other types': { data: { a: 1 } },
      'null value': { data: { a: null, z: 'z' } },
      'bad key': { data: { 'a b': '1' } },
      'key that leads up': { data: { '../x': '5' } },
      'long key': { data: { ['k'.repeat(254)]: '6' } },
      'one key in both': { binaryData: { a: 'AAEC' } },
      'not base64': { binaryData: { c: 'a?' } },
      'base64 cut short': { binaryData: { c: 'AAE' } },
      'too large': { data: { a: 'x'.repeat(MIB + 1) } },
      'as large as may be': { data: { a: 'x'.repeat(MIB - 1) } },
      'too large together': { data: { a: 'x'.repeat(MIB / 2) }, binaryData: { c: 'AAAA'.repeat(MIB / 4) } },
      immutable: { immutable: true },
      'mutable said': { immutable: false },
      'unknown field': { spec: {} },
      'labels of other types': { metadata: { labels: { a: 1 } } },
      'label without value': { metadata: { labels: { a: '', b: null } } },
      'long label': { metadata: { labels: { ['l'.repeat(64)]: 'v'.repeat(64) } } },
      'large annotation': { metadata: { annotations: { a: 'x'.repeat(262_145) } } },
      'bad owner': { metadata: { ownerReferences: [{ apiVersion: '', kind: '', name: '', uid: '' }] } },
      'two controllers': {
        metadata: {
          ownerReferences: [
            { apiVersion: 'v1', kind: 'Pod', name: 'a', uid: 'u1', controller: true },
            { apiVersion: 'v1', kind: 'Pod', name: 'b', uid: 'u2', controller: true },
          ],
        },
      },
      'bad finalizers': { metadata: { finalizers: ['x', 'a b/c', 'example.com/ok'] } },
      'given uid, time and version': {
        metadata: { uid: 'x', creationTimestamp: '2020-01-01T00:00:00Z', generation: 7 },
      },
      'bad time': { metadata: { creationTimestamp: 'yesterday' } },
      'another namespace': { metadata: { namespace: 'elsewhere' } },
      'name of many parts': { metadata: { name: 'a.b-c.d' } },
      'upper case name': { metadata: { name: 'Map' } },
      'generated name with capitals': { metadata: { name: null, generateName: 'Gen_' } },
    }),
    ...updates(
      '{core}/configmaps',
      { ...MAP, immutable: true },
      {
        same: {},
        'other data': { data: { a: 'c' } },
        'other binary data': { binaryData: { x: 'AAEC' } },
        mutable: { immutable: null },
        'mutable and other data': { immutable: false, data: null },
        'a label': { metadata: { labels: { a: 'b' } } },
      },
    ),
    ...updates(
      '{core}/configmaps',
      { ...MAP, metadata: { name: 'other' } },
      {
        'too large': { data: { a: 'x'.repeat(MIB + 1) } },
        'bad key': { data: { 'a b': 'c' } },
        'bad label': { metadata: { labels: { 'a b': 'c' } } },
        'other version': { metadata: { resourceVersion: '1' } },
        'version in words': { metadata: { resourceVersion: 'x' } },
      },
    ),
    ...creates('{core}/secrets', SECRET, {
      minimal: {},
      data: { data: { a: 'YQ==' } },
      'plain data': { stringData: { a: 'a', b: '' } },
      'plain over data': { data: { a: 'YQ==', c: 'Yw==' }, stringData: { a: 'b' } },
      'not base64': { data: { a: 'a b' } },
      'data of other types': { data: { a: 1 } },
      'empty value': { data: { a: '' } },
      'null value': { data: { a: null } },
      'bad key': { data: { '..': '' } },
      'too large': { stringData: { a: 'x'.repeat(MIB + 1) } },
      'tls without data': { type: 'kubernetes.io/tls' },
      tls: { type: 'kubernetes.io/tls', stringData: { 'tls.crt': '', 'tls.key': '' } },
      'basic auth without data': { type: 'kubernetes.io/basic-auth' },
      'basic auth': { type: 'kubernetes.io/basic-auth', stringData: { username: 'u' } },
      'ssh auth': { type: 'kubernetes.io/ssh-auth', stringData: { 'ssh-privatekey': '' } },
      'docker config without data': { type: 'kubernetes.io/dockerconfigjson' },
      'docker config': { type: 'kubernetes.io/dockerconfigjson', stringData: { '.dockerconfigjson': '{}' } },
      'docker config that is no json': {
        type: 'kubernetes.io/dockerconfigjson',
        stringData: { '.dockerconfigjson': 'x' },
      },
      'old docker config': { type: 'kubernetes.io/dockercfg', stringData: { '.dockercfg': '[' } },
      token: {
        type: 'kubernetes.io/service-account-token',
        metadata: { annotations: { 'kubernetes.io/service-account.name': 'robot' } },
      },
      'token without account': { type: 'kubernetes.io/service-account-token' },
      'own type': { type: 'example.com/x' },
      immutable: { immutable: true },
    }),
    ...updates(
      '{core}/secrets',
      { ...SECRET, data: { a: 'YQ==' } },
      {
        same: {},
        'other data': { stringData: { a: 'b' } },
        'other type': { type: 'example.com/x' },
        'no type': { type: '' },
        immutable: { immutable: true },
      },
    ),
    ...updates(
      '{core}/secrets',
      { ...SECRET, metadata: { name: 'fixed' }, immutable: true, data: { a: 'YQ==' } },
      {
        'other data': { stringData: { a: 'b' } },
        'one more key': { stringData: { z: 'b' } },
        mutable: { immutable: false },
      },
    ),
    ...creates('{core}/serviceaccounts', ACCOUNT, {
      minimal: {},
      full: { secrets: [{ name: 's' }], imagePullSecrets: [{ name: 'p' }], automountServiceAccountToken: false },
      'bad name': { metadata: { name: 'Robot_1' } },
    }),
    ...namespaces,
    ...updates('/api/v1/namespaces', NAMESPACE, {
      'a label': { metadata: { labels: { a: 'b' } } },
      'other finalizers': { spec: { finalizers: ['example.com/x'] } },
      'no spec': { spec: {} },
    }),
  ],
};
