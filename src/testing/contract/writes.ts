// What holds for all writes: dry runs, and values that must arrive unharmed.

import { absent, any, type Check, changed, type Topic } from './check.ts';
import { configMap, secret, thing } from './objects.ts';

const dryRuns: readonly Check[] = [
  {
    name: 'create: an object without a resourceVersion, and nothing stored',
    reason: 'plan shows what create would make',
    steps: [
      {
        send: 'POST {core}/configmaps?dryRun=All',
        body: configMap('a', { k: '1' }),
        code: 201,
        want: { metadata: { uid: any, creationTimestamp: any, resourceVersion: absent }, data: { k: '1' } },
      },
      { send: 'GET {core}/configmaps/a', code: 404 },
      {
        send: 'POST {things}?dryRun=All',
        body: thing('a'),
        code: 201,
        want: { metadata: { generation: 1, uid: any } },
      },
      { send: 'GET {things}/a', code: 404 },
    ],
  },
  {
    name: 'create of what exists',
    reason: 'the dry run tells what the real one would',
    steps: [
      { send: 'POST {core}/configmaps', body: configMap('a'), code: 201 },
      { send: 'POST {core}/configmaps?dryRun=All', body: configMap('a'), code: 409, reason: 'AlreadyExists' },
    ],
  },
  {
    name: 'create of what is invalid',
    reason: 'validation runs',
    steps: [{ send: 'POST {core}/configmaps?dryRun=All', body: configMap('A'), code: 422, reason: 'Invalid' }],
  },
  {
    name: 'update and patch: the result, and nothing stored',
    reason: 'plan shows what an update would make',
    steps: [
      {
        send: 'POST {things}',
        body: thing('a', { n: 1 }),
        code: 201,
        save: { rv: 'metadata.resourceVersion', uid: 'metadata.uid' },
      },
      {
        send: 'PATCH {things}/a?dryRun=All',
        as: 'merge',
        body: { spec: { n: 2 } },
        code: 200,
        want: { spec: { n: 2 }, metadata: { generation: 2, uid: '{uid}', resourceVersion: '{rv}' } },
      },
      {
        send: 'PUT {things}/a?dryRun=All',
        body: thing('a', { n: 3 }, { resourceVersion: '{rv}' }),
        code: 200,
        want: { spec: { n: 3 }, metadata: { generation: 2 } },
      },
      {
        send: 'PATCH {things}/a/status?dryRun=All',
        as: 'merge',
        body: { status: { n: 1 } },
        code: 200,
        want: { status: { n: 1 } },
      },
      {
        send: 'GET {things}/a',
        code: 200,
        want: { spec: { n: 1 }, status: absent, metadata: { generation: 1, resourceVersion: '{rv}' } },
      },
    ],
  },
  {
    name: 'update with an old resourceVersion',
    reason: 'preconditions are checked',
    steps: [
      { send: 'POST {things}', body: thing('a', { n: 1 }), code: 201, save: { rv: 'metadata.resourceVersion' } },
      { send: 'PATCH {things}/a', as: 'merge', body: { spec: { n: 2 } }, code: 200 },
      {
        send: 'PUT {things}/a?dryRun=All',
        body: thing('a', { n: 3 }, { resourceVersion: '{rv}' }),
        code: 409,
        reason: 'Conflict',
      },
    ],
  },
  {
    name: 'delete',
    reason: 'the object lives on, also in a collection and with a finalizer',
    steps: [
      { send: 'POST {things}', body: thing('a', {}, { finalizers: ['example.com/x'] }), code: 201 },
      { send: 'POST {things}', body: thing('b'), code: 201 },
      { send: 'DELETE {things}/a?dryRun=All', code: 200 },
      { send: 'DELETE {things}/b', body: { apiVersion: 'v1', kind: 'DeleteOptions', dryRun: ['All'] }, code: 200 },
      { send: 'DELETE {things}?dryRun=All', code: 200 },
      {
        send: 'GET {things}',
        code: 200,
        want: {
          items: [{ metadata: { name: 'a', deletionTimestamp: absent } }, { metadata: { name: 'b' } }],
        },
      },
    ],
  },
  {
    name: 'generateName',
    reason: 'the name of a dry run is not the one of the real run',
    steps: [
      {
        send: 'POST {core}/configmaps?dryRun=All',
        body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'a-' } },
        code: 201,
        want: { metadata: { name: any } },
        save: { name: 'metadata.name' },
      },
      {
        send: 'POST {core}/configmaps',
        body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'a-' } },
        code: 201,
        want: { metadata: { name: changed('name') } },
      },
    ],
  },
  {
    name: 'a dry run of half the way',
    reason: 'All is the only one there is',
    steps: [
      { send: 'POST {core}/configmaps?dryRun=Some', body: configMap('a'), code: 422, reason: 'Invalid' },
      { send: 'GET {core}/configmaps/a', code: 404 },
    ],
  },
];

const secretChecks: readonly Check[] = [
  {
    name: 'stringData becomes data',
    reason: 'it is for writing only',
    steps: [
      {
        send: 'POST {core}/secrets',
        body: secret('a', { data: { a: 'MQ==', b: 'Mg==' }, stringData: { b: 'two', c: 'drei ä' } }),
        code: 201,
        want: { data: { a: 'MQ==', b: 'dHdv', c: 'ZHJlaSDDpA==' }, stringData: absent, type: 'Opaque' },
      },
      { send: 'GET {core}/secrets/a', code: 200, want: { data: { b: 'dHdv' }, stringData: absent } },
    ],
  },
  {
    name: 'stringData in a patch',
    reason: 'merged over what is there',
    steps: [
      { send: 'POST {core}/secrets', body: secret('a', { data: { a: 'MQ==' } }), code: 201 },
      {
        send: 'PATCH {core}/secrets/a',
        as: 'merge',
        body: { stringData: { b: 'two' } },
        code: 200,
        want: { data: { a: 'MQ==', b: 'dHdv' }, stringData: absent },
      },
    ],
  },
  {
    name: 'data that is not base64',
    reason: 'a plain text in data is the usual mistake',
    steps: [
      {
        send: 'POST {core}/secrets',
        body: secret('a', { data: { a: 'not base64!' } }),
        code: 400,
        reason: 'BadRequest',
      },
    ],
  },
  {
    name: 'the type can not be changed',
    reason: 'immutable: the plan says recreate',
    steps: [
      { send: 'POST {core}/secrets', body: secret('a', {}), code: 201 },
      {
        send: 'PATCH {core}/secrets/a',
        as: 'merge',
        body: { type: 'example.com/other' },
        code: 422,
        reason: 'Invalid',
        message: 'Secret "a" is invalid: type: Invalid value: "example.com/other": field is immutable',
      },
    ],
  },
  {
    name: 'an immutable Secret',
    reason: 'the plan says recreate where the server says no',
    steps: [
      { send: 'POST {core}/secrets', body: secret('a', { data: { a: 'MQ==' }, immutable: true }), code: 201 },
      {
        send: 'PATCH {core}/secrets/a',
        as: 'merge',
        body: { data: { a: 'Mg==' } },
        code: 422,
        reason: 'Invalid',
        message: 'Secret "a" is invalid: data: Forbidden: field is immutable when `immutable` is set',
      },
    ],
  },
];

const integerChecks: readonly Check[] = [
  {
    name: 'integers above 2^53',
    reason: 'a PUT of the whole object must not damage the fields of others',
    steps: [
      {
        send: 'POST {things}',
        body: thing('a', { most: 9223372036854775807n, least: -9223372036854775808n, odd: 9007199254740993n }),
        code: 201,
        want: { spec: { most: 9223372036854775807n, least: -9223372036854775808n, odd: 9007199254740993n } },
      },
      { send: 'PATCH {things}/a', as: 'merge', body: { spec: { other: 1 } }, code: 200 },
      {
        send: 'PATCH {things}/a',
        as: 'json',
        body: [{ op: 'add', path: '/spec/more', value: 9007199254740995n }],
        code: 200,
      },
      {
        send: 'GET {things}/a',
        code: 200,
        want: { spec: { most: 9223372036854775807n, odd: 9007199254740993n, more: 9007199254740995n } },
      },
    ],
  },
  {
    name: 'the next integer is a change',
    reason: 'doubles would call the two equal',
    steps: [
      {
        send: 'POST {things}',
        body: thing('a', { n: 9007199254740992n }),
        code: 201,
        save: { rv: 'metadata.resourceVersion' },
      },
      {
        send: 'PATCH {things}/a',
        as: 'merge',
        body: { spec: { n: 9007199254740993n } },
        code: 200,
        want: { spec: { n: 9007199254740993n }, metadata: { generation: 2, resourceVersion: changed('rv') } },
      },
    ],
  },
  {
    name: 'keys with a special meaning in JavaScript',
    reason: 'data is data',
    steps: [
      {
        send: 'POST {core}/configmaps',
        body: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"__proto__":"1","constructor":"2","toString":"3"}}',
        code: 201,
        want: { data: { ['__proto__']: '1', constructor: '2', toString: '3' } },
      },
      {
        send: 'PATCH {core}/configmaps/a',
        as: 'merge',
        body: '{"data":{"__proto__":"4","toString":null}}',
        code: 200,
        want: { data: { ['__proto__']: '4', constructor: '2', toString: absent } },
      },
    ],
  },
];

export const dryRun: Topic = { name: 'dry run', checks: dryRuns };
export const secrets: Topic = { name: 'secrets', checks: secretChecks };
export const values: Topic = { name: 'values', checks: integerChecks };
