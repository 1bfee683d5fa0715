// The border between spec and status: who can write which, and by which path.

import { absent, any, type Check, changed, type RequestStep, type Topic } from './check.ts';
import { configMap, pod, thing } from './objects.ts';

const CONFLICT = 'the object has been modified; please apply your changes to the latest version and try again';

const stored: RequestStep = {
  send: 'POST {core}/configmaps',
  body: configMap('a', { k: '1' }),
  code: 201,
  save: { uid: 'metadata.uid', rv: 'metadata.resourceVersion', created: 'metadata.creationTimestamp' },
};
const storedThing: RequestStep = {
  send: 'POST {things}',
  body: thing('a', { n: 1 }),
  code: 201,
  save: { uid: 'metadata.uid', rv: 'metadata.resourceVersion' },
};

const checks: readonly Check[] = [
  {
    name: 'status is written by its own path only',
    reason: 'users write spec, controllers write status',
    steps: [
      storedThing,
      {
        send: 'PUT {things}/a/status',
        body: { ...thing('a', { n: 9 }, { resourceVersion: '{rv}' }), status: { ready: true } },
        code: 200,
        want: { spec: { n: 1 }, status: { ready: true }, metadata: { generation: 1, resourceVersion: changed('rv') } },
        save: { rv: 'metadata.resourceVersion' },
      },
      {
        send: 'PUT {things}/a',
        body: { ...thing('a', { n: 2 }, { resourceVersion: '{rv}' }), status: { ready: false } },
        code: 200,
        want: { spec: { n: 2 }, status: { ready: true }, metadata: { generation: 2 } },
      },
    ],
  },
  {
    name: 'PUT without status keeps it',
    reason: 'clients that know nothing of status do no harm',
    steps: [
      storedThing,
      {
        send: 'PATCH {things}/a/status',
        as: 'merge',
        body: { status: { n: 1 } },
        code: 200,
        save: { rv: 'metadata.resourceVersion' },
      },
      {
        send: 'PUT {things}/a',
        body: thing('a', { n: 2 }, { resourceVersion: '{rv}' }),
        code: 200,
        want: { status: { n: 1 } },
      },
    ],
  },
  {
    name: 'labels and annotations sent to /status are dropped',
    reason: 'the status path of a custom resource changes the status and nothing else',
    steps: [
      {
        send: 'POST {things}',
        body: thing('a', {}, { labels: { l: 'x' }, annotations: { n: 'x' } }),
        code: 201,
      },
      {
        send: 'PATCH {things}/a/status',
        as: 'merge',
        body: {
          metadata: { labels: { l: 'y', m: 'z' }, annotations: { n: 'y' }, finalizers: ['example.com/x'] },
          status: { n: 1 },
        },
        code: 200,
        want: {
          metadata: { labels: { l: 'x', m: absent }, annotations: { n: 'x' }, finalizers: absent },
          status: { n: 1 },
        },
      },
    ],
  },
  {
    name: 'a stale resourceVersion on /status',
    reason: 'the same locking as on the object',
    steps: [
      storedThing,
      { send: 'PATCH {things}/a', as: 'merge', body: { spec: { n: 2 } }, code: 200 },
      {
        send: 'PUT {things}/a/status',
        body: { ...thing('a', {}, { resourceVersion: '{rv}' }), status: { n: 1 } },
        code: 409,
        reason: 'Conflict',
        message: `Operation cannot be fulfilled on things.{group} "a": ${CONFLICT}`,
      },
    ],
  },
  {
    name: 'the same status again keeps the resourceVersion',
    reason: 'status updates of a settled controller are free',
    steps: [
      storedThing,
      {
        send: 'PATCH {things}/a/status',
        as: 'merge',
        body: { status: { n: 1 } },
        code: 200,
        save: { rv: 'metadata.resourceVersion' },
      },
      {
        send: 'PATCH {things}/a/status',
        as: 'merge',
        body: { status: { n: 1 } },
        code: 200,
        want: { metadata: { resourceVersion: '{rv}' } },
      },
    ],
  },
  {
    name: 'GET /status is the whole object',
    reason: 'clients read, change and put it back',
    steps: [storedThing, { send: 'GET {things}/a/status', code: 200, want: { kind: 'Thing', spec: { n: 1 } } }],
  },
  {
    name: '/status of an object that is not there',
    reason: 'a status of nothing',
    steps: [
      {
        send: 'PUT {things}/a/status',
        body: { ...thing('a', {}, { resourceVersion: '1' }), status: {} },
        code: 404,
        reason: 'NotFound',
        message: 'things.{group} "a" not found',
      },
      { send: 'PATCH {things}/a/status', as: 'merge', body: { status: {} }, code: 404, reason: 'NotFound' },
    ],
  },
  {
    name: '/status of a kind that has none',
    reason: 'ConfigMaps are all data',
    steps: [
      stored,
      {
        send: 'GET {core}/configmaps/a/status',
        code: 404,
        reason: 'NotFound',
        message: 'the server could not find the requested resource',
      },
      { send: 'PATCH {core}/configmaps/a/status', as: 'merge', body: {}, code: 404, reason: 'NotFound' },
    ],
  },
  {
    name: 'POST and DELETE on /status',
    reason: 'a status is neither made nor taken away',
    steps: [
      storedThing,
      { send: 'POST {things}/a/status', body: thing('a'), code: 405, reason: 'MethodNotAllowed' },
      { send: 'DELETE {things}/a/status', code: 405, reason: 'MethodNotAllowed' },
    ],
  },
  {
    name: 'the status of a pod',
    reason: 'kubelets write it; built-ins have the same border',
    steps: [
      { send: 'POST {core}/pods', body: pod('a'), code: 201 },
      {
        send: 'PATCH {core}/pods/a/status',
        as: 'merge',
        body: { status: { phase: 'Running' } },
        code: 200,
        want: { status: { phase: 'Running' }, metadata: { resourceVersion: any } },
      },
      {
        send: 'PATCH {core}/pods/a',
        as: 'merge',
        body: { status: { phase: 'Failed' }, metadata: { labels: { l: 'x' } } },
        code: 200,
        want: { status: { phase: 'Running' }, metadata: { labels: { l: 'x' } } },
      },
    ],
  },
];

export const statusSubresource: Topic = { name: 'status subresource', checks };
