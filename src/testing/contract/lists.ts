// Lists: shapes, order, pages, resourceVersions.

import { absent, any, type Check, containing, including, type Topic } from './check.ts';
import { configMap, thing } from './objects.ts';

const three = ['a', 'b', 'c'].map((name) => ({ send: 'POST {core}/configmaps', body: configMap(name), code: 201 }));
const names = (...wanted: readonly string[]) => ({ items: wanted.map((name) => ({ metadata: { name } })) });

const checks: readonly Check[] = [
  {
    name: 'an empty list',
    reason: 'items is an empty array, never null',
    steps: [
      {
        send: 'GET {core}/configmaps',
        code: 200,
        want: {
          kind: 'ConfigMapList',
          apiVersion: 'v1',
          metadata: { resourceVersion: any, continue: absent },
          items: [],
        },
      },
      { send: 'GET {things}', code: 200, want: { kind: 'ThingList', apiVersion: '{group}/v1', items: [] } },
    ],
  },
  {
    name: 'items are sorted by name',
    reason: 'plans print in a stable order',
    steps: [
      ...['c', 'a', 'b', 'a-1', 'a.1'].map((name) => ({
        send: 'POST {core}/configmaps',
        body: configMap(name),
        code: 201,
      })),
      { send: 'GET {core}/configmaps', code: 200, want: names('a', 'a-1', 'a.1', 'b', 'c') },
    ],
  },
  {
    name: 'items of a built-in have no kind, those of a custom resource have',
    reason: 'clients must put it back where it is missing',
    steps: [
      { send: 'POST {core}/configmaps', body: configMap('a'), code: 201 },
      { send: 'POST {things}', body: thing('a'), code: 201 },
      { send: 'GET {core}/configmaps', code: 200, want: { items: [{ kind: absent, apiVersion: absent }] } },
      { send: 'GET {things}', code: 200, want: { items: [{ kind: 'Thing', apiVersion: '{group}/v1' }] } },
    ],
  },
  {
    name: 'over all namespaces',
    reason: 'caches list without a namespace where they may',
    steps: [
      { send: 'POST {things}', body: thing('mine'), code: 201 },
      {
        send: 'GET /apis/{group}/v1/things',
        code: 200,
        want: { kind: 'ThingList', items: including({ metadata: { name: 'mine', namespace: '{ns}' } }) },
      },
    ],
  },
  {
    name: 'pages',
    reason: 'big lists come in pages; each says how many items are left',
    steps: [
      ...three,
      {
        send: 'GET {core}/configmaps?limit=2',
        code: 200,
        want: { metadata: { continue: any, remainingItemCount: 1, resourceVersion: any }, ...names('a', 'b') },
        save: { token: 'metadata.continue', rv: 'metadata.resourceVersion' },
      },
      {
        send: 'GET {core}/configmaps?limit=2&continue={token}',
        code: 200,
        want: { metadata: { continue: absent, remainingItemCount: absent, resourceVersion: '{rv}' }, ...names('c') },
      },
    ],
  },
  {
    name: 'a page shows the state at the first one',
    reason: 'a list in pages is one consistent list',
    steps: [
      ...three,
      {
        send: 'GET {core}/configmaps?limit=1',
        code: 200,
        want: names('a'),
        save: { token: 'metadata.continue', rv: 'metadata.resourceVersion' },
      },
      { send: 'POST {core}/configmaps', body: configMap('b-new'), code: 201 },
      { send: 'DELETE {core}/configmaps/c', code: 200 },
      {
        send: 'GET {core}/configmaps?continue={token}',
        code: 200,
        want: { metadata: { resourceVersion: '{rv}' }, ...names('b', 'c') },
      },
    ],
  },
  {
    name: 'pages of exactly the limit',
    reason: 'no empty last page',
    steps: [
      ...three,
      {
        send: 'GET {core}/configmaps?limit=3',
        code: 200,
        want: { metadata: { continue: absent, remainingItemCount: absent }, ...names('a', 'b', 'c') },
      },
      { send: 'GET {core}/configmaps?limit=0', code: 200, want: names('a', 'b', 'c') },
    ],
  },
  {
    name: 'pages with a selector do not count what is left',
    reason: 'the server would have to read everything for it',
    steps: [
      ...['a', 'b', 'c'].map((name) => ({
        send: 'POST {core}/configmaps',
        body: configMap(name, {}, { labels: { l: 'x' } }),
        code: 201,
      })),
      { send: 'POST {core}/configmaps', body: configMap('aa', {}, { labels: { l: 'y' } }), code: 201 },
      {
        send: 'GET {core}/configmaps?limit=2&labelSelector=l%3Dx',
        code: 200,
        want: { metadata: { continue: any, remainingItemCount: absent }, ...names('a', 'b') },
        save: { token: 'metadata.continue' },
      },
      {
        send: 'GET {core}/configmaps?limit=2&labelSelector=l%3Dx&continue={token}',
        code: 200,
        want: { metadata: { continue: absent }, ...names('c') },
      },
    ],
  },
  {
    name: 'a continue token that nobody gave out',
    reason: 'a client must begin again, not loop',
    steps: [
      {
        send: 'GET {core}/configmaps?limit=1&continue=nonsense',
        code: 400,
        reason: 'BadRequest',
        message: containing('continue'),
      },
    ],
  },
  {
    name: 'a resourceVersion with a continue token',
    reason: 'the token has its own',
    steps: [
      ...three,
      { send: 'GET {core}/configmaps?limit=1', code: 200, save: { token: 'metadata.continue' } },
      {
        send: 'GET {core}/configmaps?limit=1&continue={token}&resourceVersion=1',
        code: 400,
        reason: 'BadRequest',
        message: 'specifying resource version is not allowed when using continue',
      },
    ],
  },
  {
    name: 'at or after a resourceVersion',
    reason: 'caches list at 0 or at the last they saw',
    steps: [
      { send: 'POST {core}/configmaps', body: configMap('a'), code: 201, save: { rv: 'metadata.resourceVersion' } },
      { send: 'GET {core}/configmaps?resourceVersion={rv}', code: 200, want: names('a') },
      {
        send: 'GET {core}/configmaps?resourceVersion={rv}&resourceVersionMatch=NotOlderThan',
        code: 200,
        want: names('a'),
      },
    ],
  },
  {
    name: 'at exactly a resourceVersion',
    reason: 'a snapshot of the past',
    steps: [
      { send: 'POST {core}/configmaps', body: configMap('a'), code: 201, save: { rv: 'metadata.resourceVersion' } },
      { send: 'POST {core}/configmaps', body: configMap('b'), code: 201 },
      {
        send: 'GET {core}/configmaps?resourceVersion={rv}&resourceVersionMatch=Exact',
        code: 200,
        want: { metadata: { resourceVersion: '{rv}' }, ...names('a') },
      },
    ],
  },
  {
    name: 'a resourceVersion that is not one',
    reason: 'clients must treat them as opaque and get told when they do not',
    steps: [
      {
        send: 'GET {core}/configmaps?resourceVersion=yesterday',
        code: 400,
        reason: 'BadRequest',
        message: containing('yesterday'),
      },
      {
        send: 'GET {core}/configmaps/a?resourceVersion=yesterday',
        code: 500,
        message: containing('resourceVersion: Invalid value: "yesterday"'),
        want: { reason: absent },
      },
    ],
  },
  {
    name: 'resourceVersionMatch without a resourceVersion, or a wrong one',
    reason: 'an option that can not be honoured is refused',
    steps: [
      {
        send: 'GET {core}/configmaps?resourceVersionMatch=Exact',
        code: 422,
        reason: 'Invalid',
        message: containing('resourceVersionMatch', 'Forbidden'),
      },
      {
        send: 'GET {core}/configmaps?resourceVersion=1&resourceVersionMatch=Nearly',
        code: 422,
        reason: 'Invalid',
        message: containing('resourceVersionMatch', 'Nearly'),
      },
      {
        send: 'GET {core}/configmaps?resourceVersion=0&resourceVersionMatch=Exact',
        code: 422,
        reason: 'Invalid',
        message: containing('resourceVersionMatch "exact" is forbidden for resourceVersion "0"'),
      },
    ],
  },
  {
    name: 'a limit that is not a number',
    reason: 'a typo must not become an unlimited list',
    steps: [{ send: 'GET {core}/configmaps?limit=many', code: 400, reason: 'BadRequest' }],
  },
  {
    name: 'the resourceVersion of a list moves with any write',
    reason: 'a watch from the list misses nothing',
    steps: [
      { send: 'GET {core}/configmaps', code: 200, save: { rv: 'metadata.resourceVersion' } },
      {
        send: 'POST {core}/configmaps',
        body: configMap('a'),
        code: 201,
        save: { created: 'metadata.resourceVersion' },
      },
      {
        watch: '{core}/configmaps?resourceVersion={rv}',
        events: [{ type: 'ADDED', object: { metadata: { name: 'a' } } }],
      },
    ],
  },
];

export const lists: Topic = { name: 'lists', checks };
