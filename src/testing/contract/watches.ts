// Watches: what is sent first, in which order, with which resourceVersion, and how they end.

import { absent, any, type Check, changed, containing, type RequestStep, type Topic } from './check.ts';
import { configMap, thing } from './objects.ts';

const created = (name: string): RequestStep => ({
  send: 'POST {core}/configmaps',
  body: configMap(name, { k: '1' }),
  code: 201,
});
const listed: RequestStep = { send: 'GET {core}/configmaps', code: 200, save: { rv: 'metadata.resourceVersion' } };
const event = (type: string, name: string) => ({ type, object: { metadata: { name } } });

const order: readonly Check[] = [
  {
    name: 'from a resourceVersion: everything after it, in order',
    reason: 'list and watch is how every cache is filled',
    steps: [
      created('before'),
      listed,
      {
        watch: '{core}/configmaps?resourceVersion={rv}',
        during: [
          created('a'),
          { send: 'PATCH {core}/configmaps/a', as: 'merge', body: { data: { k: '2' } }, code: 200 },
          { send: 'DELETE {core}/configmaps/a', code: 200 },
          created('b'),
        ],
        events: [
          { type: 'ADDED', object: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' }, data: { k: '1' } } },
          { type: 'MODIFIED', object: { metadata: { name: 'a' }, data: { k: '2' } } },
          { type: 'DELETED', object: { metadata: { name: 'a' }, data: { k: '2' } } },
          event('ADDED', 'b'),
        ],
      },
    ],
  },
  {
    name: 'from the past: what was missed comes first',
    reason: 'a watch that was cut off goes on where it stopped',
    steps: [
      listed,
      created('a'),
      created('b'),
      { watch: '{core}/configmaps?resourceVersion={rv}', events: [event('ADDED', 'a'), event('ADDED', 'b')] },
    ],
  },
  {
    name: 'an event carries the resourceVersion of its write',
    reason: 'own writes are recognised by it',
    steps: [
      listed,
      { ...created('a'), save: { created: 'metadata.resourceVersion' } },
      {
        watch: '{core}/configmaps?resourceVersion={rv}',
        events: [{ type: 'ADDED', object: { metadata: { resourceVersion: '{created}' } } }],
      },
    ],
  },
  {
    name: 'DELETED carries the resourceVersion of the delete',
    reason: 'a watch that goes on from it must not see the delete again',
    steps: [
      { ...created('a'), save: { created: 'metadata.resourceVersion' } },
      listed,
      {
        watch: '{core}/configmaps?resourceVersion={rv}',
        during: [{ send: 'DELETE {core}/configmaps/a', code: 200 }, created('b')],
        events: [
          { type: 'DELETED', object: { metadata: { name: 'a', resourceVersion: changed('created') } } },
          event('ADDED', 'b'),
        ],
      },
    ],
  },
  {
    name: 'without a resourceVersion: first the state as ADDED',
    reason: 'a synthetic beginning for clients that do not list',
    steps: [
      created('b'),
      created('a'),
      { watch: '{core}/configmaps', events: [event('ADDED', 'a'), event('ADDED', 'b')] },
      {
        watch: '{core}/configmaps?resourceVersion=0',
        during: [created('c')],
        events: [event('ADDED', 'a'), event('ADDED', 'b'), event('ADDED', 'c')],
      },
    ],
  },
  {
    name: 'custom resources: events have apiVersion and kind',
    reason: 'the same code reads both',
    steps: [
      { send: 'GET {things}', code: 200, save: { rv: 'metadata.resourceVersion' } },
      {
        watch: '{things}?resourceVersion={rv}',
        during: [
          { send: 'POST {things}', body: thing('a'), code: 201 },
          { send: 'PATCH {things}/a/status', as: 'merge', body: { status: { n: 1 } }, code: 200 },
        ],
        events: [
          { type: 'ADDED', object: { kind: 'Thing', apiVersion: '{group}/v1', metadata: { name: 'a' } } },
          { type: 'MODIFIED', object: { metadata: { generation: 1 }, status: { n: 1 } } },
        ],
      },
    ],
  },
  {
    name: 'over all namespaces',
    reason: 'one watch for a whole cluster',
    steps: [
      { send: 'GET /apis/{group}/v1/things', code: 200, save: { rv: 'metadata.resourceVersion' } },
      {
        watch: '/apis/{group}/v1/things?resourceVersion={rv}&fieldSelector=metadata.namespace%3D{ns}',
        during: [{ send: 'POST {things}', body: thing('a'), code: 201 }],
        events: [{ type: 'ADDED', object: { metadata: { name: 'a', namespace: '{ns}' } } }],
      },
    ],
  },
  {
    name: 'a write that changes nothing makes no event',
    reason: 'controllers that write the same again must not wake themselves',
    steps: [
      created('a'),
      listed,
      {
        watch: '{core}/configmaps?resourceVersion={rv}',
        during: [
          { send: 'PATCH {core}/configmaps/a', as: 'merge', body: { data: { k: '1' } }, code: 200 },
          created('b'),
        ],
        events: [event('ADDED', 'b')],
      },
    ],
  },
  {
    name: 'a dry run makes no event',
    reason: 'plans may ask the server without being seen',
    steps: [
      created('a'),
      listed,
      {
        watch: '{core}/configmaps?resourceVersion={rv}',
        during: [
          { send: 'PATCH {core}/configmaps/a?dryRun=All', as: 'merge', body: { data: { k: '2' } }, code: 200 },
          { send: 'DELETE {core}/configmaps/a?dryRun=All', code: 200 },
          created('b'),
        ],
        events: [event('ADDED', 'b')],
      },
    ],
  },
  {
    name: 'a deletion that waits: MODIFIED, then DELETED',
    reason: 'finalize hooks run between the two',
    steps: [
      { send: 'POST {core}/configmaps', body: configMap('a', {}, { finalizers: ['example.com/x'] }), code: 201 },
      listed,
      {
        watch: '{core}/configmaps?resourceVersion={rv}',
        during: [
          { send: 'DELETE {core}/configmaps/a', code: 200 },
          { send: 'PATCH {core}/configmaps/a', as: 'merge', body: { metadata: { finalizers: null } }, code: 200 },
        ],
        events: [
          {
            type: 'MODIFIED',
            object: { metadata: { deletionTimestamp: any, finalizers: ['example.com/x'] } },
          },
          { type: 'DELETED', object: { metadata: { name: 'a', deletionTimestamp: any } } },
        ],
      },
    ],
  },
];

const beginning: readonly Check[] = [
  {
    name: 'sendInitialEvents: the state, then a bookmark that says so',
    reason: 'informers of newer clients fill their caches by one watch',
    steps: [
      created('a'),
      {
        watch: '{core}/configmaps?sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan',
        during: [created('b')],
        events: [
          event('ADDED', 'a'),
          {
            type: 'BOOKMARK',
            object: {
              kind: 'ConfigMap',
              apiVersion: 'v1',
              metadata: { resourceVersion: any, annotations: { 'k8s.io/initial-events-end': 'true' } },
            },
          },
          event('ADDED', 'b'),
        ],
      },
    ],
  },
  {
    name: 'sendInitialEvents without resourceVersionMatch',
    reason: 'the server insists on saying how fresh',
    steps: [
      {
        send: 'GET {core}/configmaps?watch=true&sendInitialEvents=true&allowWatchBookmarks=true',
        code: 422,
        reason: 'Invalid',
        message: containing('resourceVersionMatch'),
      },
    ],
  },
  {
    name: 'sendInitialEvents on a list',
    reason: 'it is for watches only',
    steps: [
      {
        send: 'GET {core}/configmaps?sendInitialEvents=true&resourceVersionMatch=NotOlderThan',
        code: 422,
        reason: 'Invalid',
        message: containing('sendInitialEvents'),
      },
    ],
  },
];

const ending: readonly Check[] = [
  {
    name: 'timeoutSeconds ends it',
    reason: 'the client decides how long a watch lives',
    steps: [created('a'), { watch: '{core}/configmaps?timeoutSeconds=1', events: [event('ADDED', 'a')], ends: true }],
  },
  {
    name: 'a resourceVersion that is not one',
    reason: 'refused at once, before any event',
    steps: [
      {
        send: 'GET {core}/configmaps?watch=true&resourceVersion=yesterday',
        code: 500,
        message: containing('resourceVersion: Invalid value: "yesterday"'),
      },
    ],
  },
  {
    name: 'a selector that is none',
    reason: 'refused at once',
    steps: [{ send: 'GET {core}/configmaps?watch=true&labelSelector=%3D', code: 400, reason: 'BadRequest' }],
  },
  {
    name: 'the path of one object can not be watched',
    reason: 'it is a plain get; a field selector is the way',
    steps: [
      created('a'),
      {
        send: 'GET {core}/configmaps/a?watch=true',
        code: 200,
        want: { kind: 'ConfigMap', metadata: { name: 'a' } },
      },
    ],
  },
  {
    name: 'only the metadata',
    reason: 'metadata informers',
    steps: [
      created('a'),
      {
        watch: '{core}/configmaps',
        accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
        events: [{ type: 'ADDED', object: { kind: 'PartialObjectMetadata', metadata: { name: 'a' }, data: absent } }],
      },
    ],
  },
];

export const watches: Topic = { name: 'watches', checks: [...order, ...beginning, ...ending] };
