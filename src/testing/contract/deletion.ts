// Deleting at once: preconditions, options, whole collections. What waits for finalizers: finalizers.ts.

import { any, type Check, containing, type RequestStep, type Topic } from './check.ts';
import { configMap, pod, thing } from './objects.ts';

const stored: RequestStep = {
  send: 'POST {core}/configmaps',
  body: configMap('a', { k: '1' }),
  code: 201,
  save: { uid: 'metadata.uid', rv: 'metadata.resourceVersion' },
};
const withFinalizer: RequestStep = {
  send: 'POST {things}',
  body: thing('a', {}, { finalizers: ['example.com/x'] }),
  code: 201,
  save: { uid: 'metadata.uid', rv: 'metadata.resourceVersion' },
};
const gone: RequestStep = { send: 'GET {things}/a', code: 404, reason: 'NotFound' };
const removeFinalizers: RequestStep = {
  send: 'PATCH {things}/a',
  as: 'merge',
  body: { metadata: { finalizers: null } },
  code: 200,
};
const options = (fields: Readonly<Record<string, unknown>>) =>
  JSON.stringify({ apiVersion: 'v1', kind: 'DeleteOptions', ...fields });

const atOnce: readonly Check[] = [
  {
    name: 'at once: the answer is a Status with the uid',
    reason: 'clients tell "gone" from "marked" by it',
    steps: [
      stored,
      {
        send: 'DELETE {core}/configmaps/a',
        code: 200,
        want: { kind: 'Status', status: 'Success', details: { name: 'a', kind: 'configmaps', uid: '{uid}' } },
      },
      { send: 'GET {core}/configmaps/a', code: 404 },
    ],
  },
  {
    name: 'at once: custom resource',
    reason: 'the details name the group',
    steps: [
      { send: 'POST {things}', body: thing('a'), code: 201, save: { uid: 'metadata.uid' } },
      {
        send: 'DELETE {things}/a',
        code: 200,
        want: {
          kind: 'Status',
          status: 'Success',
          details: { name: 'a', group: '{group}', kind: 'things', uid: '{uid}' },
        },
      },
      gone,
    ],
  },
  {
    name: 'of an object that is not there',
    reason: 'a second delete is told so',
    steps: [
      { send: 'DELETE {core}/configmaps/a', code: 404, reason: 'NotFound', message: 'configmaps "a" not found' },
      { send: 'DELETE {things}/a', code: 404, reason: 'NotFound', message: 'things.{group} "a" not found' },
    ],
  },
  {
    name: 'with the right uid and resourceVersion',
    reason: 'every delete of ours is guarded',
    steps: [
      stored,
      {
        send: 'DELETE {core}/configmaps/a',
        body: options({ preconditions: { uid: '{uid}', resourceVersion: '{rv}' } }),
        code: 200,
      },
    ],
  },
  {
    name: 'with the uid of another object',
    reason: 'a namesake that was created since must live',
    steps: [
      stored,
      {
        send: 'DELETE {core}/configmaps/a',
        body: options({ preconditions: { uid: '00000000-0000-0000-0000-000000000000' } }),
        code: 409,
        reason: 'Conflict',
        message:
          'Operation cannot be fulfilled on ConfigMap "a": the UID in the precondition (00000000-0000-0000-0000-000000000000) does not match the UID in record ({uid}). The object might have been deleted and then recreated',
        want: { details: { name: 'a', kind: 'ConfigMap' } },
      },
      { send: 'GET {core}/configmaps/a', code: 200 },
      { send: 'POST {things}', body: thing('a'), code: 201, save: { thing: 'metadata.uid' } },
      {
        send: 'DELETE {things}/a',
        body: options({ preconditions: { uid: '{uid}' } }),
        code: 409,
        reason: 'Conflict',
        message: containing('Operation cannot be fulfilled on Thing.{group} "a"', '({thing})'),
      },
    ],
  },
  {
    name: 'with an old resourceVersion',
    reason: 'what changed since must be looked at again first',
    steps: [
      stored,
      {
        send: 'PATCH {core}/configmaps/a',
        as: 'merge',
        body: { data: { k: '2' } },
        code: 200,
        save: { now: 'metadata.resourceVersion' },
      },
      {
        send: 'DELETE {core}/configmaps/a',
        body: options({ preconditions: { resourceVersion: '{rv}' } }),
        code: 409,
        reason: 'Conflict',
        message:
          'Operation cannot be fulfilled on ConfigMap "a": the ResourceVersion in the precondition ({rv}) does not match the ResourceVersion in record ({now}). The object might have been modified',
      },
    ],
  },
  {
    name: 'options in the query',
    reason: 'curl and some clients send them there',
    steps: [
      { send: 'POST {things}', body: thing('a'), code: 201 },
      { send: 'DELETE {things}/a?propagationPolicy=Orphan&gracePeriodSeconds=0', code: 200 },
    ],
  },
  {
    name: 'a propagation policy nobody knows',
    reason: 'a typo must not become the default',
    steps: [
      stored,
      {
        send: 'DELETE {core}/configmaps/a',
        body: options({ propagationPolicy: 'Sideways' }),
        code: 422,
        reason: 'Invalid',
        message: containing(
          'DeleteOptions',
          'propagationPolicy',
          'Sideways',
          '"Foreground"',
          '"Background"',
          '"Orphan"',
        ),
      },
      {
        send: 'DELETE {core}/configmaps/a',
        body: options({ propagationPolicy: 'Background', orphanDependents: true }),
        code: 422,
        reason: 'Invalid',
      },
    ],
  },
  {
    name: 'options that are not JSON',
    reason: 'a guard that can not be read must not be ignored',
    steps: [
      stored,
      { send: 'DELETE {core}/configmaps/a', body: '{"preconditions":', code: 400, reason: 'BadRequest' },
      { send: 'GET {core}/configmaps/a', code: 200 },
    ],
  },
  {
    name: 'a pod without a node goes at once',
    reason: 'there is no kubelet to wait for',
    steps: [
      { send: 'POST {core}/pods', body: pod('a'), code: 201 },
      { send: 'DELETE {core}/pods/a', code: 200 },
      { send: 'GET {core}/pods/a', code: 404 },
    ],
  },
];

const collections: readonly Check[] = [
  {
    name: 'a whole collection',
    reason: 'kubectl delete --all',
    steps: [
      ...['a', 'b', 'c'].map((name) => ({ send: 'POST {things}', body: thing(name), code: 201 })),
      { send: 'DELETE {things}', code: 200, want: { kind: 'ThingList' } },
      { send: 'GET {things}', code: 200, want: { items: [] } },
    ],
  },
  {
    name: 'a collection by labels',
    reason: 'only what matches',
    steps: [
      { send: 'POST {things}', body: thing('a', {}, { labels: { l: 'x' } }), code: 201 },
      { send: 'POST {things}', body: thing('b', {}, { labels: { l: 'y' } }), code: 201 },
      { send: 'DELETE {things}?labelSelector=l%3Dx', code: 200 },
      { send: 'GET {things}', code: 200, want: { items: [{ metadata: { name: 'b' } }] } },
    ],
  },
  {
    name: 'a collection with finalizers',
    reason: 'each waits for its own',
    steps: [
      withFinalizer,
      { send: 'POST {things}', body: thing('b'), code: 201 },
      { send: 'DELETE {things}', code: 200 },
      { send: 'GET {things}', code: 200, want: { items: [{ metadata: { name: 'a', deletionTimestamp: any } }] } },
      removeFinalizers,
    ],
  },
];

export const deletion: Topic = { name: 'deletion', checks: [...atOnce, ...collections] };
