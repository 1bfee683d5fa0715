// Reading one object: what is there, what is not, and other representations.

import { absent, any, type Check, containing, matching, type Topic } from './check.ts';
import { configMap, thing } from './objects.ts';

const checks: readonly Check[] = [
  {
    name: 'an object that is not there',
    reason: 'NotFound is data for every reconciler',
    steps: [
      {
        send: 'GET {core}/configmaps/a',
        code: 404,
        reason: 'NotFound',
        message: 'configmaps "a" not found',
        want: { details: { name: 'a', kind: 'configmaps' } },
      },
      {
        send: 'GET {things}/a',
        code: 404,
        reason: 'NotFound',
        message: 'things.{group} "a" not found',
        want: { details: { name: 'a', kind: 'things', group: '{group}' } },
      },
    ],
  },
  {
    name: 'in a namespace that is not there',
    reason: 'reads do not look for the namespace',
    steps: [
      {
        send: 'GET /api/v1/namespaces/{ns}-not/configmaps/a',
        code: 404,
        reason: 'NotFound',
        message: 'configmaps "a" not found',
      },
      { send: 'GET /api/v1/namespaces/{ns}-not/configmaps', code: 200, want: { items: [] } },
    ],
  },
  {
    name: 'a resource nobody serves, in a known group',
    reason: 'a CRD that is not there yet looks like this',
    steps: [
      {
        send: 'GET /api/v1/namespaces/{ns}/gadgets',
        code: 404,
        reason: 'NotFound',
        message: 'the server could not find the requested resource',
        want: { details: {} },
      },
      { send: 'GET /apis/{group}/v1/namespaces/{ns}/gadgets', code: 404, text: '404 page not found\n' },
    ],
  },
  {
    name: 'a group or a path nobody serves',
    reason: 'not every 404 is a Status',
    steps: [
      { send: 'GET /apis/nobody.example.com/v1/things', code: 404, text: '404 page not found\n' },
      { send: 'GET /apis/{group}/v9/namespaces/{ns}/things', code: 404, text: '404 page not found\n' },
      { send: 'GET /apis/{group}/v1/namespaces/{ns}/things/a/scale', code: 404 },
    ],
  },
  {
    name: 'what was created is what is read',
    reason: 'create answers with the stored object',
    steps: [
      {
        send: 'POST {core}/configmaps',
        body: configMap('a', { k: 'v' }),
        code: 201,
        save: { uid: 'metadata.uid', rv: 'metadata.resourceVersion' },
      },
      {
        send: 'GET {core}/configmaps/a',
        code: 200,
        want: { kind: 'ConfigMap', metadata: { uid: '{uid}', resourceVersion: '{rv}' }, data: { k: 'v' } },
      },
      { send: 'GET {core}/configmaps/a?resourceVersion=0', code: 200, want: { metadata: { uid: '{uid}' } } },
      { send: 'GET {core}/configmaps/a?resourceVersion={rv}', code: 200, want: { metadata: { uid: '{uid}' } } },
    ],
  },
  {
    name: 'only the metadata',
    reason: 'metadata informers and garbage collectors ask for it',
    steps: [
      { send: 'POST {core}/configmaps', body: configMap('a', { k: 'v' }, { labels: { l: 'x' } }), code: 201 },
      {
        send: 'GET {core}/configmaps/a',
        accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
        code: 200,
        want: {
          kind: 'PartialObjectMetadata',
          apiVersion: 'meta.k8s.io/v1',
          metadata: { name: 'a', labels: { l: 'x' } },
          data: absent,
        },
      },
      {
        send: 'GET {core}/configmaps',
        accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
        code: 200,
        want: {
          kind: 'PartialObjectMetadataList',
          apiVersion: 'meta.k8s.io/v1',
          items: [{ metadata: { name: 'a' }, data: absent }],
        },
      },
    ],
  },
  {
    name: 'as a table',
    reason: '`kubectl get` shows nothing else',
    steps: [
      { send: 'POST {things}', body: thing('a'), code: 201 },
      {
        send: 'GET {things}',
        accept: 'application/json;as=Table;g=meta.k8s.io;v=v1',
        code: 200,
        want: {
          kind: 'Table',
          apiVersion: 'meta.k8s.io/v1',
          metadata: { resourceVersion: any },
          columnDefinitions: [
            { name: 'Name', type: 'string', format: 'name', priority: 0 },
            { name: 'Age', type: 'date', priority: 0 },
          ],
          rows: [
            { cells: ['a', matching(/^\d+s$/)], object: { kind: 'PartialObjectMetadata', metadata: { name: 'a' } } },
          ],
        },
      },
    ],
  },
  {
    name: 'in a form nobody can make',
    reason: 'a client that asks for something else only must be told',
    steps: [
      {
        send: 'GET {core}/configmaps',
        accept: 'text/html',
        code: 406,
        reason: 'NotAcceptable',
        message: containing('application/json'),
      },
    ],
  },
];

export const get: Topic = { name: 'get', checks };
