// Updates of custom resources: what was invalid before and stays as it was is let through ("ratcheting"); status and scale.

import type { JsonObject, JsonValue } from '../../../kit/json.ts';
import type { RecordedCase, RecordedGroup } from '../case.ts';
import { CRDS_PATH, custom, definition, forget, served } from './definition-objects.ts';

const PATH = '/apis/{group}/v1/namespaces/{ns}/ratchets';
const STRING = { type: 'string' };

const named = (item: JsonObject): JsonObject => ({
  type: 'array',
  items: { type: 'object', required: ['name'], properties: { name: STRING, ...item } },
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name'],
});

const schema = (limits: { readonly length: number; readonly set: boolean }): JsonObject => {
  const text = { type: 'string', maxLength: limits.length };
  return {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          a: text,
          b: text,
          replicas: { type: 'integer' },
          inner: { type: 'object', properties: { c: text, d: text } },
          list: { type: 'array', items: text },
          byName: named({ value: text }),
          map: { type: 'object', additionalProperties: text },
          set: { type: 'array', items: STRING, ...(limits.set ? { 'x-kubernetes-list-type': 'set' } : {}) },
          free: {
            type: 'object',
            'x-kubernetes-preserve-unknown-fields': true,
            ...(limits.set ? { required: ['must'] } : {}),
          },
        },
        ...(limits.set ? { allOf: [{ properties: { a: { minLength: 2 } } }] } : {}),
      },
      status: {
        type: 'object',
        properties: {
          phase: { type: 'string', enum: ['On', 'Off'] },
          replicas: { type: 'integer' },
          selector: STRING,
          note: text,
        },
      },
    },
  };
};

const scale = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.status.selector',
};
const version = { subresources: { status: {}, scale } };
const loose = definition('ratchets', schema({ length: 100, set: false }), { version });
const LONG = 'a'.repeat(8);

const OBJECT = custom('Ratchet', {
  spec: {
    a: LONG,
    b: 'ok',
    inner: { c: LONG, d: 'ok' },
    list: [LONG, 'ok'],
    byName: [
      { name: 'x', value: LONG },
      { name: 'y', value: 'ok' },
    ],
    map: { k: LONG },
    set: ['s', 's'],
    free: { z: 1 },
  },
});

const merge = (name: string, change: JsonValue, to = ''): RecordedCase => ({
  name,
  send: `PATCH ${PATH}/one${to}?dryRun=All`,
  as: 'merge',
  body: change,
});

const RATCHETED: Readonly<Record<string, JsonObject>> = {
  'only labels': { metadata: { labels: { a: 'b' } } },
  'an unchanged field beside': { spec: { b: 'new' } },
  'the invalid field': { spec: { a: `${LONG}b` } },
  'a sibling inside': { spec: { inner: { d: 'new' } } },
  'another invalid field': { spec: { b: LONG } },
  'an item added to an atomic list': { spec: { list: [LONG, 'ok', 'new'] } },
  'an item of a keyed list changed': {
    spec: {
      byName: [
        { name: 'x', value: LONG },
        { name: 'y', value: 'new' },
      ],
    },
  },
  'an item of a keyed list moved': {
    spec: {
      byName: [
        { name: 'y', value: 'ok' },
        { name: 'x', value: LONG },
      ],
    },
  },
  'an invalid item added to a keyed list': {
    spec: {
      byName: [
        { name: 'x', value: LONG },
        { name: 'z', value: LONG },
      ],
    },
  },
  'a key of a map added': { spec: { map: { l: 'ok' } } },
  'an invalid key of a map added': { spec: { map: { l: LONG } } },
  'a set that stays double': { spec: { b: 'new', set: ['s', 's'] } },
  'a set that becomes more double': { spec: { set: ['s', 's', 's', 't', 't'] } },
  'what is not known inside': { spec: { free: { z: 2 } } },
};

export const CUSTOM_UPDATES: RecordedGroup = {
  name: 'custom-updates',
  unordered: true,
  cases: [
    ...served('ratchets', loose),
    { name: 'an object under loose rules', send: `POST ${PATH}`, body: OBJECT },
    {
      name: 'the rules become strict',
      send: `PATCH ${CRDS_PATH}/ratchets.{group}`,
      as: 'merge',
      body: {
        spec: {
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              ...version,
              schema: { openAPIV3Schema: schema({ length: 5, set: true }) },
            },
          ],
        },
      },
    },
    {
      name: 'strict rules hold',
      send: `POST ${PATH}?dryRun=All`,
      body: custom('Ratchet', { spec: { b: LONG } }),
      until: 422,
    },
    ...Object.entries(RATCHETED).map(([name, change]) => merge(`ratchet: ${name}`, change)),
    merge('status: valid', { status: { phase: 'On', replicas: 1, selector: 'a=b' } }, '/status'),
    merge('status: invalid', { status: { phase: 'Maybe' } }, '/status'),
    merge('status: wrong type', { status: { replicas: 'x' } }, '/status'),
    merge('status: unknown field', { status: { bogus: 1 }, spec: { a: 'ignored' } }, '/status'),
    merge('status: negative replicas', { status: { replicas: -1 } }, '/status'),
    merge('status: too many replicas', { status: { replicas: 3000000000 } }, '/status'),
    merge('status: of another type', { status: 'x' }, '/status'),
    merge('replicas: negative', { spec: { replicas: -1 } }),
    merge('replicas: a fraction', { spec: { replicas: 1.5 } }),
    merge('replicas: beyond int32', { spec: { replicas: 3000000000 } }),
    { name: 'scale: before replicas are set', send: `GET ${PATH}/one/scale` },
    merge('scale: by patch', { spec: { replicas: 3 } }, '/scale'),
    merge('scale: negative', { spec: { replicas: -3 } }, '/scale'),
    {
      name: 'strict patch: unknown field',
      send: `PATCH ${PATH}/one?dryRun=All&fieldValidation=Strict`,
      as: 'merge',
      body: { spec: { bogus: 1 } },
    },
    {
      name: 'warned patch: unknown field',
      send: `PATCH ${PATH}/one?dryRun=All`,
      as: 'merge',
      body: { spec: { bogus: 1 } },
    },
    {
      name: 'JSON patch: invalid',
      send: `PATCH ${PATH}/one?dryRun=All`,
      as: 'json',
      body: [{ op: 'add', path: '/spec/b', value: LONG }],
    },
    {
      name: 'patch: labels of wrong type',
      send: `PATCH ${PATH}/one?dryRun=All`,
      as: 'merge',
      body: { metadata: { labels: { a: 1 } } },
    },
    { name: 'strategic patch', send: `PATCH ${PATH}/one?dryRun=All`, as: 'strategic', body: { spec: { b: 'x' } } },
    {
      name: 'PUT: unknown field, strict',
      send: `PUT ${PATH}/one?dryRun=All&fieldValidation=Strict`,
      body: custom('Ratchet', { spec: { b: 'x', bogus: 1 } }),
    },
    {
      name: 'finalizer without a domain',
      send: `PATCH ${PATH}/one?dryRun=All`,
      as: 'merge',
      body: { metadata: { finalizers: ['x.example.com/y', 'plain'] } },
    },
    forget('ratchets'),
  ],
};
