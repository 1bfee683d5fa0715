// PUT: preconditions, what is replaced, what is kept, and what can not be changed.

import { absent, type Check, changed, containing, type RequestStep, type Topic } from './check.ts';
import { configMap, thing } from './objects.ts';

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

const preconditions: readonly Check[] = [
  {
    name: 'with the resourceVersion it was read at',
    reason: 'the normal case; the resourceVersion moves',
    steps: [
      stored,
      {
        send: 'PUT {core}/configmaps/a',
        body: configMap('a', { k: '2' }, { resourceVersion: '{rv}' }),
        code: 200,
        want: { metadata: { uid: '{uid}', resourceVersion: changed('rv') }, data: { k: '2' } },
      },
    ],
  },
  {
    name: 'with an old resourceVersion',
    reason: 'optimistic locking; retry loops branch on Conflict',
    steps: [
      stored,
      { send: 'PATCH {core}/configmaps/a', as: 'merge', body: { data: { k: '2' } }, code: 200 },
      {
        send: 'PUT {core}/configmaps/a',
        body: configMap('a', { k: '3' }, { resourceVersion: '{rv}' }),
        code: 409,
        reason: 'Conflict',
        message: `Operation cannot be fulfilled on configmaps "a": ${CONFLICT}`,
        want: { details: { name: 'a', kind: 'configmaps' } },
      },
      { send: 'GET {core}/configmaps/a', code: 200, want: { data: { k: '2' } } },
    ],
  },
  {
    name: 'with an old resourceVersion, custom resource',
    reason: 'the group stands in the message',
    steps: [
      storedThing,
      { send: 'PATCH {things}/a', as: 'merge', body: { spec: { n: 2 } }, code: 200 },
      {
        send: 'PUT {things}/a',
        body: thing('a', { n: 3 }, { resourceVersion: '{rv}' }),
        code: 409,
        reason: 'Conflict',
        message: `Operation cannot be fulfilled on things.{group} "a": ${CONFLICT}`,
        want: { details: { name: 'a', kind: 'things', group: '{group}' } },
      },
    ],
  },
  {
    name: 'without a resourceVersion: built-in',
    reason: 'unconditional updates are allowed for most built-ins',
    steps: [
      stored,
      { send: 'PUT {core}/configmaps/a', body: configMap('a', { k: '2' }), code: 200, want: { data: { k: '2' } } },
    ],
  },
  {
    name: 'without a resourceVersion: custom resource',
    reason: 'and never for custom resources',
    steps: [
      storedThing,
      {
        send: 'PUT {things}/a',
        body: thing('a', { n: 2 }),
        code: 422,
        reason: 'Invalid',
        message: containing('metadata.resourceVersion: Invalid value', 'must be specified for an update'),
        want: { details: { kind: 'things', group: '{group}', causes: [{ field: 'metadata.resourceVersion' }] } },
      },
    ],
  },
  {
    name: 'with the uid of another object',
    reason: 'an update must never hit a namesake that was created since',
    steps: [
      stored,
      {
        send: 'PUT {core}/configmaps/a',
        body: configMap('a', { k: '2' }, { uid: '00000000-0000-0000-0000-000000000000' }),
        code: 409,
        reason: 'Conflict',
        message: containing(
          'Precondition failed: UID in precondition: 00000000-0000-0000-0000-000000000000, UID in object meta: {uid}',
        ),
      },
      { send: 'PUT {core}/configmaps/a', body: configMap('a', { k: '2' }, { uid: '{uid}' }), code: 200 },
    ],
  },
  {
    name: 'of an object that is not there',
    reason: 'no create by update for these kinds',
    steps: [
      {
        send: 'PUT {core}/configmaps/a',
        body: configMap('a'),
        code: 404,
        reason: 'NotFound',
        message: 'configmaps "a" not found',
      },
      {
        send: 'PUT {things}/a',
        body: thing('a', {}, { resourceVersion: '1' }),
        code: 404,
        reason: 'NotFound',
        message: 'things.{group} "a" not found',
      },
    ],
  },
  {
    name: 'of an object that was deleted since',
    reason: 'recreated by nobody: what is gone stays gone',
    steps: [
      stored,
      { send: 'DELETE {core}/configmaps/a', code: 200 },
      {
        send: 'PUT {core}/configmaps/a',
        body: configMap('a', {}, { uid: '{uid}', resourceVersion: '{rv}' }),
        code: 404,
        reason: 'NotFound',
      },
    ],
  },
];

const contents: readonly Check[] = [
  {
    name: 'what is left out is removed',
    reason: 'PUT replaces; only metadata of the server stays',
    steps: [
      {
        send: 'POST {core}/configmaps',
        body: configMap('a', { k: '1' }, { labels: { l: 'x' }, annotations: { n: 'y' } }),
        code: 201,
        save: { uid: 'metadata.uid', created: 'metadata.creationTimestamp' },
      },
      {
        send: 'PUT {core}/configmaps/a',
        body: configMap('a'),
        code: 200,
        want: {
          metadata: { uid: '{uid}', creationTimestamp: '{created}', labels: absent, annotations: absent },
          data: absent,
        },
      },
    ],
  },
  {
    name: 'a change of nothing keeps the resourceVersion',
    reason: 'writing the same again is free, and wakes nobody',
    steps: [
      stored,
      {
        send: 'PUT {core}/configmaps/a',
        body: configMap('a', { k: '1' }),
        code: 200,
        want: { metadata: { resourceVersion: '{rv}' } },
      },
      storedThing,
      {
        send: 'PUT {things}/a',
        body: thing('a', { n: 1 }, { resourceVersion: '{rv}' }),
        code: 200,
        want: { metadata: { resourceVersion: '{rv}', generation: 1 } },
      },
    ],
  },
  {
    name: 'another name than that of the path',
    reason: 'a rename is a delete and a create',
    steps: [
      stored,
      {
        send: 'PUT {core}/configmaps/a',
        body: configMap('b'),
        code: 400,
        reason: 'BadRequest',
        message: 'the name of the object (b) does not match the name on the URL (a)',
      },
    ],
  },
  {
    name: 'another namespace than that of the path',
    reason: 'objects do not move',
    steps: [
      stored,
      {
        send: 'PUT {core}/configmaps/a',
        body: configMap('a', {}, { namespace: 'default' }),
        code: 400,
        reason: 'BadRequest',
        message: containing('does not match the namespace'),
      },
    ],
  },
  {
    name: 'the creation time can not be changed',
    reason: 'the server puts its own back',
    steps: [
      stored,
      {
        send: 'PUT {core}/configmaps/a',
        body: configMap('a', { k: '1' }, { creationTimestamp: '2001-01-01T00:00:00Z' }),
        code: 200,
        want: { metadata: { creationTimestamp: '{created}' } },
      },
    ],
  },
  {
    name: 'an immutable ConfigMap',
    reason: 'the plan says recreate where the server says no',
    steps: [
      { send: 'POST {core}/configmaps', body: { ...configMap('a', { k: '1' }), immutable: true }, code: 201 },
      {
        send: 'PUT {core}/configmaps/a',
        body: { ...configMap('a', { k: '2' }), immutable: true },
        code: 422,
        reason: 'Invalid',
        message: containing('ConfigMap "a" is invalid', 'data: Forbidden: field is immutable when `immutable` is set'),
      },
      {
        send: 'PUT {core}/configmaps/a',
        body: configMap('a', { k: '1' }),
        code: 422,
        reason: 'Invalid',
        message: containing('immutable: Forbidden: field is immutable when `immutable` is set'),
      },
    ],
  },
  {
    name: 'PUT on a collection',
    reason: 'there is no such thing',
    steps: [{ send: 'PUT {core}/configmaps', body: configMap('a'), code: 405, reason: 'MethodNotAllowed' }],
  },
];

export const update: Topic = { name: 'update', checks: [...preconditions, ...contents] };
