// Deletions that wait: finalizers, what may change meanwhile, and how the last finalizer ends it.

import { absent, any, type Check, containing, type RequestStep, type Topic, timestamp } from './check.ts';
import { thing } from './objects.ts';

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
const preconditions = (fields: Readonly<Record<string, string>>) => ({
  apiVersion: 'v1',
  kind: 'DeleteOptions',
  preconditions: fields,
});

const checks: readonly Check[] = [
  {
    name: 'with a finalizer: marked, and the answer is the object',
    reason: 'finalize hooks get their chance',
    steps: [
      withFinalizer,
      {
        send: 'DELETE {things}/a',
        code: 200,
        want: {
          kind: 'Thing',
          metadata: {
            uid: '{uid}',
            deletionTimestamp: timestamp,
            deletionGracePeriodSeconds: 0,
            finalizers: ['example.com/x'],
          },
        },
      },
      { send: 'GET {things}/a', code: 200, want: { metadata: { deletionTimestamp: any } } },
      removeFinalizers,
      gone,
    ],
  },
  {
    name: 'a second delete changes nothing',
    reason: 'retries are safe',
    steps: [
      withFinalizer,
      {
        send: 'DELETE {things}/a',
        code: 200,
        save: { rv: 'metadata.resourceVersion', at: 'metadata.deletionTimestamp' },
      },
      {
        send: 'DELETE {things}/a',
        code: 200,
        want: { metadata: { resourceVersion: '{rv}', deletionTimestamp: '{at}' } },
      },
      removeFinalizers,
    ],
  },
  {
    name: 'removing the last finalizer answers with the object as it was',
    reason: 'the answer of the last write still holds the old resourceVersion',
    steps: [
      withFinalizer,
      { send: 'DELETE {things}/a', code: 200, save: { rv: 'metadata.resourceVersion' } },
      { ...removeFinalizers, want: { kind: 'Thing', metadata: { finalizers: absent, resourceVersion: '{rv}' } } },
      gone,
    ],
  },
  {
    name: 'removing the last finalizer by PUT',
    reason: 'controllers that update do it so',
    steps: [
      withFinalizer,
      { send: 'DELETE {things}/a', code: 200, save: { rv: 'metadata.resourceVersion' } },
      { send: 'PUT {things}/a', body: thing('a', {}, { resourceVersion: '{rv}' }), code: 200 },
      gone,
    ],
  },
  {
    name: 'removing one of two waits for the other',
    reason: 'several controllers, one object',
    steps: [
      { send: 'POST {things}', body: thing('a', {}, { finalizers: ['example.com/x', 'example.com/y'] }), code: 201 },
      { send: 'DELETE {things}/a', code: 200 },
      {
        send: 'PATCH {things}/a',
        as: 'merge',
        body: { metadata: { finalizers: ['example.com/y'] } },
        code: 200,
        want: { metadata: { finalizers: ['example.com/y'] } },
      },
      { send: 'GET {things}/a', code: 200 },
      removeFinalizers,
      gone,
    ],
  },
  {
    name: 'no new finalizers while deleting',
    reason: 'otherwise a deletion could be held for ever',
    steps: [
      withFinalizer,
      { send: 'DELETE {things}/a', code: 200 },
      {
        send: 'PATCH {things}/a',
        as: 'merge',
        body: { metadata: { finalizers: ['example.com/x', 'example.com/z'] } },
        code: 422,
        reason: 'Invalid',
        message: containing(
          'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.com/z"}',
        ),
      },
      removeFinalizers,
    ],
  },
  {
    name: 'spec and labels may change while deleting',
    reason: 'finalize hooks write',
    steps: [
      withFinalizer,
      { send: 'DELETE {things}/a', code: 200 },
      {
        send: 'PATCH {things}/a',
        as: 'merge',
        body: { spec: { n: 2 }, metadata: { labels: { l: 'x' } } },
        code: 200,
        want: { spec: { n: 2 }, metadata: { labels: { l: 'x' }, deletionTimestamp: any } },
      },
      {
        send: 'PATCH {things}/a/status',
        as: 'merge',
        body: { status: { n: 1 } },
        code: 200,
        want: { status: { n: 1 } },
      },
      removeFinalizers,
    ],
  },
  {
    name: 'the deletion mark can not be taken back',
    reason: 'deleting is for good',
    steps: [
      withFinalizer,
      { send: 'DELETE {things}/a', code: 200, save: { at: 'metadata.deletionTimestamp' } },
      {
        send: 'PATCH {things}/a',
        as: 'merge',
        body: { metadata: { deletionTimestamp: null, deletionGracePeriodSeconds: null } },
        code: 200,
        want: { metadata: { deletionTimestamp: '{at}', deletionGracePeriodSeconds: 0 } },
      },
      removeFinalizers,
    ],
  },
  {
    name: 'a client can not mark',
    reason: 'only DELETE does',
    steps: [
      { send: 'POST {things}', body: thing('a'), code: 201 },
      {
        send: 'PATCH {things}/a',
        as: 'merge',
        body: { metadata: { deletionTimestamp: '2001-01-01T00:00:00Z' } },
        code: 422,
        reason: 'Invalid',
        message: containing('metadata.deletionTimestamp: Invalid value: "2001-01-01T00:00:00Z": field is immutable'),
      },
    ],
  },
  {
    name: 'removing finalizers from what is not being deleted',
    reason: 'the object stays',
    steps: [withFinalizer, removeFinalizers, { send: 'GET {things}/a', code: 200 }],
  },
  {
    name: 'a name that is being deleted is still taken',
    reason: 'recreate must wait for the end',
    steps: [
      withFinalizer,
      { send: 'DELETE {things}/a', code: 200 },
      {
        send: 'POST {things}',
        body: thing('a'),
        code: 409,
        reason: 'AlreadyExists',
        message: containing('things.{group} "a" already exists'),
      },
      removeFinalizers,
    ],
  },
  {
    name: 'preconditions on what is being deleted',
    reason: 'guards hold on the second delete too',
    steps: [
      withFinalizer,
      { send: 'DELETE {things}/a', code: 200 },
      {
        send: 'DELETE {things}/a',
        body: preconditions({ uid: '00000000-0000-0000-0000-000000000000' }),
        code: 409,
        reason: 'Conflict',
      },
      removeFinalizers,
    ],
  },
];

export const finalizers: Topic = { name: 'finalizers', checks };
