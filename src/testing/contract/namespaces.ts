// Namespaces, as far as they can be tested without deleting one: on a real cluster that takes five seconds each.

import { absent, any, including, type Topic } from './check.ts';

export const namespaces: Topic = {
  name: 'namespaces',
  checks: [
    {
      name: 'active, with a finalizer in spec and a label of its name',
      reason: 'selectors by namespace use the label',
      steps: [
        {
          send: 'POST /api/v1/namespaces',
          body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: '{ns}-2' } },
          code: 201,
          want: {
            metadata: {
              name: '{ns}-2',
              namespace: absent,
              uid: any,
              labels: { 'kubernetes.io/metadata.name': '{ns}-2' },
            },
            spec: { finalizers: ['kubernetes'] },
            status: { phase: 'Active' },
          },
        },
      ],
    },
    {
      name: 'the label comes back',
      reason: 'it can not be removed or changed',
      steps: [
        {
          send: 'PATCH /api/v1/namespaces/{ns}',
          as: 'merge',
          body: { metadata: { labels: { 'kubernetes.io/metadata.name': null, l: 'x' } } },
          code: 200,
          want: { metadata: { labels: { 'kubernetes.io/metadata.name': '{ns}', l: 'x' } } },
        },
      ],
    },
    {
      name: 'that exists already',
      reason: 'inputs may hold namespaces that are there',
      steps: [
        {
          send: 'POST /api/v1/namespaces',
          body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: '{ns}' } },
          code: 409,
          reason: 'AlreadyExists',
          message: 'namespaces "{ns}" already exists',
        },
      ],
    },
    {
      name: 'the ones a cluster begins with',
      reason: 'default is where a kubeconfig points',
      steps: [
        {
          send: 'GET /api/v1/namespaces',
          code: 200,
          want: {
            kind: 'NamespaceList',
            items: including({ metadata: { name: 'default' } }, { metadata: { name: 'kube-system' } }),
          },
        },
      ],
    },
    {
      name: 'the protected ones',
      reason: 'nobody can delete what the server needs',
      steps: [
        {
          send: 'DELETE /api/v1/namespaces/default',
          code: 403,
          reason: 'Forbidden',
          message: 'namespaces "default" is forbidden: this namespace may not be deleted',
        },
        { send: 'DELETE /api/v1/namespaces/kube-system', code: 403, reason: 'Forbidden' },
      ],
    },
    {
      name: 'that is not there',
      reason: 'reads and deletes are told so',
      steps: [
        {
          send: 'GET /api/v1/namespaces/{ns}-not',
          code: 404,
          reason: 'NotFound',
          message: 'namespaces "{ns}-not" not found',
        },
        { send: 'DELETE /api/v1/namespaces/{ns}-not', code: 404, reason: 'NotFound' },
      ],
    },
    {
      name: 'objects of the same name in two of them',
      reason: 'a name is taken in its namespace only',
      steps: [
        {
          send: 'POST /api/v1/namespaces',
          body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: '{ns}-2' } },
          code: 201,
        },
        ...['{ns}', '{ns}-2'].map((namespace) => ({
          send: `POST /apis/{group}/v1/namespaces/${namespace}/things`,
          body: { apiVersion: '{group}/v1', kind: 'Thing', metadata: { name: 'a' } },
          code: 201,
        })),
        { send: 'DELETE /apis/{group}/v1/namespaces/{ns}-2/things/a', code: 200 },
        { send: 'GET {things}/a', code: 200 },
      ],
    },
    {
      name: 'all of them are no place for a create',
      reason: 'a namespaced object needs one',
      steps: [
        {
          send: 'POST /apis/{group}/v1/things',
          body: { apiVersion: '{group}/v1', kind: 'Thing', metadata: { name: 'a' } },
          code: 404,
          text: '404 page not found\n',
        },
      ],
    },
  ],
};
