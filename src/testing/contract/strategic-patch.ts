// Strategic merge patch on a stored Deployment: lists by merge key, the directives, and what is refused. Each row is one
// patch of the same object.

import type { JsonValue } from '../../kit/json.ts';
import { absent, type Check, containing, type Expected, type RequestStep, type Topic } from './check.ts';

const AS = 'application/strategic-merge-patch+json';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/{ns}/deployments';
const CONTAINERS = [
  { name: 'web', image: 'web:1', env: [{ name: 'A', value: 'a' }] },
  { name: 'side', image: 'side:1' },
];

const stored: RequestStep = {
  send: `POST ${DEPLOYMENTS}`,
  body: {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'a', finalizers: ['acme.io/a', 'acme.io/b'], labels: { l: 'x' } },
    spec: {
      replicas: 0,
      selector: { matchLabels: { app: 'a' } },
      template: {
        metadata: { labels: { app: 'a' } },
        spec: { containers: CONTAINERS, volumes: [{ name: 'v', emptyDir: {} }] },
      },
    },
  },
  code: 201,
};
/** Not stored, so that the finalizers hold nothing back when the namespace goes. */
const patch = (body: JsonValue, answer: Pick<RequestStep, 'code' | 'reason' | 'message' | 'want'>): RequestStep => ({
  send: `PATCH ${DEPLOYMENTS}/a?dryRun=All`,
  as: AS,
  body,
  ...answer,
});
const inPod = (spec: JsonValue): JsonValue => ({ spec: { template: { spec } } });
const podIs = (spec: Expected): Expected => ({ spec: { template: { spec } } });

const APPLIED: readonly (readonly [name: string, reason: string, patch: JsonValue, want: Expected])[] = [
  [
    'a container by its name',
    'kubectl set image',
    inPod({ containers: [{ name: 'web', image: 'web:2' }] }),
    podIs({ containers: [{ name: 'web', image: 'web:2', env: [{ name: 'A', value: 'a' }] }, { name: 'side' }] }),
  ],
  [
    'a new container stands first',
    'items that the server does not know come before those that only it has',
    inPod({ containers: [{ name: 'new', image: 'new:1' }] }),
    podIs({ containers: [{ name: 'new' }, { name: 'web' }, { name: 'side' }] }),
  ],
  [
    'an order',
    'kubectl apply sends one with every list that has a merge key',
    inPod({ '$setElementOrder/containers': [{ name: 'side' }, { name: 'web' }] }),
    podIs({ containers: [{ name: 'side' }, { name: 'web' }] }),
  ],
  [
    'an item deleted',
    'kubectl apply takes away what is no longer in the file',
    inPod({ containers: [{ name: 'side', $patch: 'delete' }] }),
    podIs({ containers: [{ name: 'web' }] }),
  ],
  [
    'a list replaced',
    'instead of merged',
    inPod({ containers: [{ name: 'new', image: 'new:1' }, { $patch: 'replace' }] }),
    podIs({ containers: [{ name: 'new', env: absent }] }),
  ],
  [
    'a map replaced',
    'instead of merged',
    { metadata: { labels: { m: 'y', $patch: 'replace' } } },
    { metadata: { labels: { l: absent, m: 'y' } } },
  ],
  [
    'another source of a volume',
    'a union: the keys that are not retained go',
    inPod({ volumes: [{ name: 'v', $retainKeys: ['name', 'secret'], secret: { secretName: 's' } }] }),
    podIs({ volumes: [{ name: 'v', secret: { secretName: 's' }, emptyDir: absent }] }),
  ],
  [
    'plain values taken out of a list',
    'finalizers of others stay',
    { metadata: { '$deleteFromPrimitiveList/finalizers': ['acme.io/a'] } },
    { metadata: { finalizers: ['acme.io/b'] } },
  ],
  [
    'plain values added',
    'finalizers are a set',
    { metadata: { finalizers: ['acme.io/c'] } },
    { metadata: { finalizers: ['acme.io/c', 'acme.io/a', 'acme.io/b'] } },
  ],
  ['null', 'takes a field away', { metadata: { labels: null } }, { metadata: { labels: absent } }],
];

const REFUSED: readonly (readonly [name: string, patch: JsonValue, code: number, message: string])[] = [
  [
    'an item without its key',
    inPod({ containers: [{ image: 'x' }] }),
    500,
    'does not contain declared merge key: name',
  ],
  ['an unknown directive', { spec: { $patch: 'x' } }, 500, 'unknown patch type: x in map: map[$patch:x]'],
  [
    'a key that is not retained',
    { spec: { strategy: { $retainKeys: ['type'], rollingUpdate: {} } } },
    400,
    'retainKeys',
  ],
  ['text for a number', { spec: { replicas: 'x' } }, 422, 'unrecognized type: int32'],
  ['text for a list', inPod({ containers: 'x' }), 422, 'cannot restore slice from string'],
  ['a number in labels', { metadata: { labels: { a: 1 } } }, 422, 'cannot convert int64 to string'],
  ['a list', [], 400, 'json: cannot unmarshal array into Go value of type map[string]interface {}'],
];

const checks: readonly Check[] = [
  ...APPLIED.map(([name, reason, body, want]) => ({ name, reason, steps: [stored, patch(body, { code: 200, want })] })),
  ...REFUSED.map(([name, body, code, text]) => ({
    name: `refused: ${name}`,
    reason: 'in the words that users search for',
    steps: [stored, patch(body, { code, message: containing(text) })],
  })),
  {
    name: 'of a custom resource',
    reason: 'its schema has no strategies: clients fall back to a merge patch',
    steps: [
      { send: 'POST {things}', body: { apiVersion: '{group}/v1', kind: 'Thing', metadata: { name: 'a' } }, code: 201 },
      { send: 'PATCH {things}/a', as: AS, body: {}, code: 415, reason: 'UnsupportedMediaType' },
    ],
  },
];

export const strategicPatch: Topic = { name: 'strategic merge patch', checks };
