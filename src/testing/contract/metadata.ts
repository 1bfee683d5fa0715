// Labels, annotations, finalizers and owner references: what is accepted and how it is refused.

import type { JsonObject } from '../../kit/json.ts';
import { absent, type Check, containing, type Topic } from './check.ts';
import { configMap, thing } from './objects.ts';

/** Metadata that is refused, and parts of the message. */
const REFUSED: readonly [name: string, metadata: JsonObject, parts: readonly string[]][] = [
  [
    'a label key with white space',
    { labels: { 'a b': 'x' } },
    ['metadata.labels: Invalid value: "a b"', 'name part must consist of alphanumeric characters'],
  ],
  [
    'an empty label key',
    { labels: { '': 'x' } },
    ['metadata.labels: Invalid value: ""', 'name part must be non-empty'],
  ],
  [
    'a label key of 64 characters',
    { labels: { ['k'.repeat(64)]: 'x' } },
    ['metadata.labels: Invalid value', 'name part must be no more than 63'],
  ],
  [
    'a label key with two slashes',
    { labels: { 'a/b/c': 'x' } },
    ['metadata.labels: Invalid value: "a/b/c"', 'a valid label key must consist of alphanumeric characters'],
  ],
  [
    'a label key with an upper-case prefix',
    { labels: { 'A.com/b': 'x' } },
    ['metadata.labels: Invalid value: "A.com/b"', 'prefix part a lowercase RFC 1123 subdomain'],
  ],
  [
    'a label value with white space',
    { labels: { a: 'x y' } },
    [
      'metadata.labels: Invalid value: "x y"',
      'a valid label must be an empty string or consist of alphanumeric characters',
    ],
  ],
  [
    'a label value of 64 characters',
    { labels: { a: 'v'.repeat(64) } },
    ['metadata.labels: Invalid value', 'must be no more than 63'],
  ],
  ['a label value with a dash last', { labels: { a: 'x-' } }, ['metadata.labels: Invalid value: "x-"']],
  [
    'an annotation key with white space',
    { annotations: { 'a b': 'x' } },
    ['metadata.annotations: Invalid value: "a b"'],
  ],
  [
    'annotations of more than 256 KiB',
    { annotations: { a: 'x'.repeat(262_145) } },
    ['metadata.annotations: Too long: may not be more than 262144 bytes'],
  ],
  ['a finalizer that is no name', { finalizers: ['a b'] }, ['metadata.finalizers', 'Invalid value: "a b"']],
  [
    'an owner reference without a uid',
    { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: '' }] },
    ['metadata.ownerReferences.uid: Invalid value: "": must not be empty'],
  ],
  [
    'an owner reference without a name',
    { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: '', uid: 'u' }] },
    ['metadata.ownerReferences.name: Invalid value: "": must not be empty'],
  ],
  [
    'an owner reference without a kind',
    { ownerReferences: [{ apiVersion: 'v1', kind: '', name: 'o', uid: 'u' }] },
    ['metadata.ownerReferences.kind: Invalid value: "": must not be empty'],
  ],
  [
    'an owner reference without an apiVersion',
    { ownerReferences: [{ apiVersion: '', kind: 'ConfigMap', name: 'o', uid: 'u' }] },
    ['metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty'],
  ],
  [
    'two controllers',
    {
      ownerReferences: ['o', 'p'].map((name) => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        name,
        uid: name,
        controller: true,
      })),
    },
    ['metadata.ownerReferences: Invalid value', 'Only one reference can have Controller set to true'],
  ],
];

const refused: readonly Check[] = REFUSED.map(([name, metadata, parts]) => ({
  name,
  reason: 'found when the child is planned, not when it is written',
  steps: [
    {
      send: 'POST {core}/configmaps',
      body: configMap('a', {}, metadata),
      code: 422,
      reason: 'Invalid',
      message: containing(...parts),
    },
    {
      send: 'POST {things}',
      body: thing('a', {}, metadata),
      code: 422,
      reason: 'Invalid',
      message: containing(...parts),
    },
    { send: 'GET {core}/configmaps/a', code: 404 },
  ],
}));

const accepted: readonly Check[] = [
  {
    name: 'labels and annotations as they may be',
    reason: 'empty values, prefixes, any text in annotations',
    steps: [
      {
        send: 'POST {things}',
        body: thing(
          'a',
          {},
          {
            labels: { empty: '', 'example.com/Name_1.2': 'V-1_2.x', [`k${'k'.repeat(62)}`]: 'v'.repeat(63) },
            annotations: { 'example.com/Text': 'any text: ä\n{}', empty: '' },
          },
        ),
        code: 201,
        want: {
          metadata: {
            labels: { empty: '', 'example.com/Name_1.2': 'V-1_2.x' },
            annotations: { 'example.com/Text': 'any text: ä\n{}', empty: '' },
          },
        },
      },
    ],
  },
  {
    name: 'empty maps and lists in metadata disappear',
    reason: 'a plan must not show them as changes again and again',
    steps: [
      {
        send: 'POST {core}/configmaps',
        body: configMap('a', {}, { labels: {}, annotations: {}, finalizers: [], ownerReferences: [] }),
        code: 201,
        want: { metadata: { labels: absent, annotations: absent, finalizers: absent, ownerReferences: absent } },
      },
      {
        send: 'POST {things}',
        body: thing('a', {}, { labels: {}, annotations: {}, finalizers: [], ownerReferences: [] }),
        code: 201,
        want: { metadata: { labels: absent, annotations: absent, finalizers: absent, ownerReferences: absent } },
      },
    ],
  },
  {
    name: 'unknown fields of metadata disappear',
    reason: 'also in custom resources, whatever their schema says',
    steps: [
      {
        send: 'POST {things}',
        body: thing('a', {}, { surprise: 1, clusterName: 'x' }),
        code: 201,
        want: { metadata: { surprise: absent, clusterName: absent } },
      },
    ],
  },
  {
    name: 'a label value that is not text',
    reason: 'YAML writes numbers and booleans easily',
    steps: [
      {
        send: 'POST {core}/configmaps',
        body: configMap('a', {}, { labels: { n: 1 } }),
        code: 400,
        reason: 'BadRequest',
      },
      { send: 'POST {things}', body: thing('a', {}, { labels: { n: 1 } }), code: 400, reason: 'BadRequest' },
    ],
  },
  {
    name: 'bad labels in an update',
    reason: 'updates are checked like creates',
    steps: [
      { send: 'POST {things}', body: thing('a'), code: 201 },
      {
        send: 'PATCH {things}/a',
        as: 'merge',
        body: { metadata: { labels: { 'a b': 'x' } } },
        code: 422,
        reason: 'Invalid',
        message: containing('Thing.{group} "a" is invalid: metadata.labels: Invalid value: "a b"'),
      },
    ],
  },
];

export const metadata: Topic = { name: 'labels, annotations, references', checks: [...refused, ...accepted] };
