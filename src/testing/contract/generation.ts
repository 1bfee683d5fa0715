// metadata.generation: what moves it, and what does not. Each row is one write on a fresh object of generation 1.

import { absent, type Check, type RequestStep, type Topic } from './check.ts';
import { configMap, definition, thing } from './objects.ts';

const ROWS: readonly [name: string, reason: string, patch: RequestStep, generation: number][] = [
  ['a change of spec', 'observedGeneration waits for it', merge({ spec: { n: 2 } }), 2],
  ['a field added to spec', 'any difference counts', merge({ spec: { more: { deep: [] } } }), 2],
  ['a field removed from spec', 'any difference counts', merge({ spec: { n: null } }), 2],
  ['the same spec again', 'no difference, no write', merge({ spec: { n: 1 } }), 1],
  ['a top-level field that is not spec', 'it need not be called spec', merge({ other: { n: 1 } }), 2],
  ['a label', 'metadata never counts', merge({ metadata: { labels: { l: 'x' } } }), 1],
  ['an annotation', 'metadata never counts', merge({ metadata: { annotations: { n: 'x' } } }), 1],
  ['a finalizer', 'metadata never counts', merge({ metadata: { finalizers: ['example.com/x'] } }), 1],
  [
    'status, by its own path',
    'status is an observation',
    { ...merge({ status: { n: 1 } }), send: 'PATCH {things}/a/status' },
    1,
  ],
  ['status, by the main path', 'it is dropped there', merge({ status: { n: 1 } }), 1],
  ["a generation of one's own", 'the server alone counts', merge({ metadata: { generation: 9 } }), 1],
  [
    "a generation of one's own with a change",
    'the server alone counts',
    merge({ metadata: { generation: 9 }, spec: { n: 2 } }),
    2,
  ],
];

function merge(body: NonNullable<RequestStep['body']>): RequestStep {
  return { send: 'PATCH {things}/a', as: 'merge', body, code: 200 };
}

const rows: readonly Check[] = ROWS.map(([name, reason, patch, generation]) => ({
  name: `${name}: ${generation}`,
  reason,
  steps: [
    { send: 'POST {things}', body: thing('a', { n: 1 }), code: 201, want: { metadata: { generation: 1 } } },
    { ...patch, want: { metadata: { generation } } },
    { send: 'GET {things}/a', code: 200, want: { metadata: { generation } } },
  ],
}));

const special: readonly Check[] = [
  {
    name: 'without a status subresource, status counts',
    reason: 'it is a field like any other then',
    steps: [
      {
        send: 'POST /apis/apiextensions.k8s.io/v1/customresourcedefinitions',
        body: definition('statelesses', { kind: 'Stateless', status: false }),
        code: 201,
      },
      { send: 'GET /apis/{group}/v1/namespaces/{ns}/statelesses', code: 200, eventually: true },
      {
        send: 'POST /apis/{group}/v1/namespaces/{ns}/statelesses',
        body: { apiVersion: '{group}/v1', kind: 'Stateless', metadata: { name: 'a' }, status: { n: 1 } },
        code: 201,
        want: { metadata: { generation: 1 }, status: { n: 1 } },
        eventually: true,
      },
      {
        send: 'PATCH /apis/{group}/v1/namespaces/{ns}/statelesses/a',
        as: 'merge',
        body: { status: { n: 2 } },
        code: 200,
        want: { metadata: { generation: 2 }, status: { n: 2 } },
      },
      { send: 'GET /apis/{group}/v1/namespaces/{ns}/statelesses/a/status', code: 404 },
    ],
  },
  {
    name: 'a deletion that waits',
    reason: 'the mark of deletion counts as a change',
    steps: [
      { send: 'POST {things}', body: thing('a', {}, { finalizers: ['example.com/x'] }), code: 201 },
      { send: 'DELETE {things}/a', code: 200, want: { metadata: { generation: 2 } } },
      { send: 'PATCH {things}/a', as: 'merge', body: { metadata: { finalizers: null } }, code: 200 },
    ],
  },
  {
    name: 'ConfigMaps, Secrets and namespaces have none',
    reason: 'a hook must not find one in the sandbox only',
    steps: [
      {
        send: 'POST {core}/configmaps',
        body: configMap('a', { k: '1' }),
        code: 201,
        want: { metadata: { generation: absent } },
      },
      {
        send: 'PATCH {core}/configmaps/a',
        as: 'merge',
        body: { data: { k: '2' } },
        code: 200,
        want: { metadata: { generation: absent } },
      },
      { send: 'GET /api/v1/namespaces/{ns}', code: 200, want: { metadata: { generation: absent } } },
    ],
  },
  {
    name: 'a Deployment',
    reason: 'built-in workloads count changes of spec',
    steps: [
      {
        send: 'POST /apis/apps/v1/namespaces/{ns}/deployments',
        body: {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata: { name: 'a' },
          spec: {
            replicas: 0,
            selector: { matchLabels: { app: 'a' } },
            template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'main', image: 'none' }] } },
          },
        },
        code: 201,
        want: { metadata: { generation: 1 } },
      },
      {
        send: 'PATCH /apis/apps/v1/namespaces/{ns}/deployments/a',
        as: 'merge',
        body: { metadata: { labels: { l: 'x' } } },
        code: 200,
        want: { metadata: { generation: 1 } },
      },
      {
        send: 'PATCH /apis/apps/v1/namespaces/{ns}/deployments/a',
        as: 'merge',
        body: { spec: { paused: true } },
        code: 200,
        want: { metadata: { generation: 2 } },
      },
    ],
  },
];

export const generation: Topic = { name: 'generation', checks: [...rows, ...special] };
