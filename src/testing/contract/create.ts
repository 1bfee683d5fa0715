// Creating: what the server fills in, what it drops, and what it refuses.

import { absent, any, changed, containing, type Topic, timestamp } from './check.ts';
import { configMap, pod, thing } from './objects.ts';

export const create: Topic = {
  name: 'create',
  checks: [
    {
      name: 'a new object has an identity',
      reason: 'uid, resourceVersion and creationTimestamp are what guards and caches are built on',
      steps: [
        {
          send: 'POST {core}/configmaps',
          body: configMap('a', { k: 'v' }),
          code: 201,
          want: {
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: { name: 'a', namespace: '{ns}', uid: any, resourceVersion: any, creationTimestamp: timestamp },
            data: { k: 'v' },
          },
        },
      ],
    },
    {
      name: 'what the client says about identity is ignored',
      reason: 'objects are copied with their metadata; the copy must not take over the uid of the original',
      steps: [
        {
          send: 'POST {core}/configmaps',
          body: configMap('a', {}, { uid: 'mine', creationTimestamp: '2001-01-01T00:00:00Z' }),
          code: 201,
          save: { uid: 'metadata.uid', created: 'metadata.creationTimestamp' },
        },
        {
          send: 'GET {core}/configmaps/a',
          code: 200,
          want: { metadata: { uid: '{uid}', creationTimestamp: '{created}' } },
        },
        {
          send: 'POST {things}',
          body: thing('a', {}, { uid: 'mine', generation: 7, deletionTimestamp: '2001-01-01T00:00:00Z' }),
          code: 201,
          want: { metadata: { uid: any, generation: 1, deletionTimestamp: absent } },
        },
      ],
    },
    {
      name: 'two objects of one name have different uids',
      reason: 'delete and recreate must be told from update',
      steps: [
        { send: 'POST {core}/configmaps', body: configMap('a'), code: 201, save: { uid: 'metadata.uid' } },
        { send: 'DELETE {core}/configmaps/a', code: 200 },
        {
          send: 'POST {core}/configmaps',
          body: configMap('a'),
          code: 201,
          want: { metadata: { uid: changed('uid') } },
        },
      ],
    },
    {
      name: 'a name that is taken',
      reason: 'create-or-adopt loops branch on AlreadyExists',
      steps: [
        { send: 'POST {core}/configmaps', body: configMap('a'), code: 201 },
        {
          send: 'POST {core}/configmaps',
          body: configMap('a'),
          code: 409,
          reason: 'AlreadyExists',
          message: 'configmaps "a" already exists',
          want: { details: { name: 'a', kind: 'configmaps', group: absent } },
        },
      ],
    },
    {
      name: 'a name that is taken, custom resource',
      reason: 'the group stands in the message and in the details',
      steps: [
        { send: 'POST {things}', body: thing('a'), code: 201 },
        {
          send: 'POST {things}',
          body: thing('a'),
          code: 409,
          reason: 'AlreadyExists',
          message: 'things.{group} "a" already exists',
          want: { details: { name: 'a', kind: 'things', group: '{group}' } },
        },
      ],
    },
    {
      name: 'with a resourceVersion',
      reason: 'a client that posts what it has read gets told so, by an error without a reason',
      steps: [
        {
          send: 'POST {core}/configmaps',
          body: configMap('a', {}, { resourceVersion: '1' }),
          code: 500,
          message: 'resourceVersion should not be set on objects to be created',
          want: { reason: absent },
        },
      ],
    },
    {
      name: 'the namespace of the path is filled in',
      reason: 'hooks return children without a namespace',
      steps: [{ send: 'POST {things}', body: thing('a'), code: 201, want: { metadata: { namespace: '{ns}' } } }],
    },
    {
      name: 'another namespace than that of the path',
      reason: 'a child must not land elsewhere than where it says',
      steps: [
        {
          send: 'POST {core}/configmaps',
          body: configMap('a', {}, { namespace: 'default' }),
          code: 400,
          reason: 'BadRequest',
          message: 'the namespace of the provided object does not match the namespace sent on the request',
        },
      ],
    },
    {
      name: 'in a namespace that does not exist',
      reason: 'inputs are applied in order for this',
      steps: [
        {
          send: 'POST /api/v1/namespaces/{ns}-not/configmaps',
          body: configMap('a'),
          code: 404,
          reason: 'NotFound',
          message: 'namespaces "{ns}-not" not found',
          want: { details: { name: '{ns}-not', kind: 'namespaces' } },
        },
        {
          send: 'POST /apis/{group}/v1/namespaces/{ns}-not/things',
          body: thing('a'),
          code: 404,
          reason: 'NotFound',
          message: 'namespaces "{ns}-not" not found',
        },
      ],
    },
    {
      name: 'without a name',
      reason: 'the field error names the field',
      steps: [
        {
          send: 'POST {core}/configmaps',
          body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} },
          code: 422,
          reason: 'Invalid',
          message: 'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
          want: {
            details: {
              kind: 'ConfigMap',
              causes: [
                {
                  reason: 'FieldValueRequired',
                  message: 'Required value: name or generateName is required',
                  field: 'metadata.name',
                },
              ],
            },
          },
        },
        {
          send: 'POST {things}',
          body: { apiVersion: '{group}/v1', kind: 'Thing' },
          code: 422,
          reason: 'Invalid',
          message: 'Thing.{group} "" is invalid: metadata.name: Required value: name or generateName is required',
          want: { details: { kind: 'Thing', group: '{group}' } },
        },
      ],
    },
    {
      name: 'another kind than the path says',
      reason: 'a wrong path must not store the object under another kind',
      steps: [
        {
          send: 'POST {core}/configmaps',
          body: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } },
          code: 400,
          reason: 'BadRequest',
          message: containing('Secret', 'ConfigMap'),
        },
        {
          send: 'POST {things}',
          body: { apiVersion: '{group}/v1', kind: 'Other', metadata: { name: 'a' } },
          code: 422,
          reason: 'Invalid',
          message: 'Other.{group} "a" is invalid: kind: Invalid value: "Other": must be Thing',
        },
      ],
    },
    {
      name: 'another version than the path says',
      reason: 'as above, for the apiVersion',
      steps: [
        {
          send: 'POST {things}',
          body: { apiVersion: '{group}/v9', kind: 'Thing', metadata: { name: 'a' } },
          code: 400,
          reason: 'BadRequest',
          message: containing('v9', '{group}/v1'),
        },
      ],
    },
    {
      name: 'without apiVersion and kind: built-in',
      reason: 'the server knows them from the path',
      steps: [
        {
          send: 'POST {core}/configmaps',
          body: { metadata: { name: 'a' } },
          code: 201,
          want: { apiVersion: 'v1', kind: 'ConfigMap' },
        },
      ],
    },
    {
      name: 'without apiVersion and kind: custom resource',
      reason: 'a custom resource must say what it is',
      steps: [{ send: 'POST {things}', body: { metadata: { name: 'a' } }, code: 400, reason: 'BadRequest' }],
    },
    {
      name: 'a body that is not JSON',
      reason: 'a cut-off request is refused before anything is stored',
      steps: [
        { send: 'POST {core}/configmaps', body: '{"metadata": {"name": "a"', code: 400, reason: 'BadRequest' },
        { send: 'POST {things}', body: '{"metadata": {"name": "a"', code: 400, reason: 'BadRequest' },
        { send: 'GET {core}/configmaps', code: 200, want: { items: [] } },
      ],
    },
    {
      name: 'an empty body',
      reason: 'what a client sends when it forgot the object',
      steps: [{ send: 'POST {core}/configmaps', body: '', code: 400, reason: 'BadRequest' }],
    },
    {
      name: 'a content type nobody knows',
      reason: 'the answer lists what is understood',
      steps: [
        {
          send: 'POST {core}/configmaps',
          body: 'a',
          as: 'text/plain',
          code: 415,
          reason: 'UnsupportedMediaType',
          message: containing('application/json'),
        },
      ],
    },
    {
      name: 'by a path with a name',
      reason: 'POST creates in collections only',
      steps: [
        {
          send: 'POST {core}/configmaps/a',
          body: configMap('a'),
          code: 405,
          reason: 'MethodNotAllowed',
          message: 'the server does not allow this method on the requested resource',
        },
      ],
    },
    {
      name: 'the status of a custom resource is dropped',
      reason: 'with a status subresource, status is written there only',
      steps: [
        {
          send: 'POST {things}',
          body: { ...thing('a', { n: 1 }), status: { ready: true } },
          code: 201,
          want: { spec: { n: 1 }, status: absent },
        },
      ],
    },
    {
      name: 'a pod begins as Pending',
      reason: 'readiness is judged by the status the server put there',
      steps: [
        {
          send: 'POST {core}/pods',
          body: { ...pod('a'), status: { phase: 'Running' } },
          code: 201,
          want: { status: { phase: 'Pending' } },
        },
      ],
    },
    {
      name: 'nulls',
      reason: 'hooks write nulls for "nothing"; a null is not an empty map',
      steps: [
        {
          send: 'POST {core}/configmaps',
          body: { ...configMap('a'), data: null },
          code: 201,
          want: { data: absent },
        },
      ],
    },
    {
      name: 'a custom resource may hold anything its schema allows',
      reason: 'values come back as they were sent: nested, mixed, empty, in any script',
      steps: [
        {
          send: 'POST {things}',
          body: thing('a', {
            list: [1, 'two', { three: [] }],
            empty: {},
            text: 'Grüße ☃ \u0001',
            no: false,
            zero: 0,
            float: 1.5,
          }),
          code: 201,
        },
        {
          send: 'GET {things}/a',
          code: 200,
          want: {
            spec: {
              list: [1, 'two', { three: [] }],
              empty: {},
              text: 'Grüße ☃ \u0001',
              no: false,
              zero: 0,
              float: 1.5,
            },
          },
        },
      ],
    },
  ],
};
