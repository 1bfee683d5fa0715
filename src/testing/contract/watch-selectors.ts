// Watches with a selector: an object that begins to match appears, one that ceases to match disappears.

import type { Check, RequestStep, Topic } from './check.ts';
import { configMap } from './objects.ts';

const created = (name: string, labels?: Readonly<Record<string, string>>): RequestStep => ({
  send: 'POST {core}/configmaps',
  body: configMap(name, { k: '1' }, labels ? { labels } : {}),
  code: 201,
});
const listed: RequestStep = { send: 'GET {core}/configmaps', code: 200, save: { rv: 'metadata.resourceVersion' } };
const relabelled = (name: string, value: string | null): RequestStep => ({
  send: `PATCH {core}/configmaps/${name}`,
  as: 'merge',
  body: { metadata: { labels: { l: value } } },
  code: 200,
});
const event = (type: string, name: string) => ({ type, object: { metadata: { name } } });

const checks: readonly Check[] = [
  {
    name: 'an object that begins to match is ADDED',
    reason: 'a cache of a selector must hold what matches, whenever it began',
    steps: [
      created('a'),
      listed,
      {
        watch: '{core}/configmaps?resourceVersion={rv}&labelSelector=l%3Dx',
        during: [relabelled('a', 'x')],
        events: [{ type: 'ADDED', object: { metadata: { name: 'a', labels: { l: 'x' } } } }],
      },
    ],
  },
  {
    name: 'an object that ceases to match is DELETED, as it was before',
    reason: 'the cache must let it go; the object itself lives on',
    steps: [
      created('a', { l: 'x' }),
      listed,
      {
        watch: '{core}/configmaps?resourceVersion={rv}&labelSelector=l%3Dx',
        during: [{ ...relabelled('a', 'y'), save: { written: 'metadata.resourceVersion' } }],
        events: [{ type: 'DELETED', object: { metadata: { name: 'a', labels: { l: 'x' } } } }],
      },
      {
        watch: '{core}/configmaps?resourceVersion={rv}&labelSelector=l%3Dx',
        events: [{ type: 'DELETED', object: { metadata: { resourceVersion: '{written}' } } }],
      },
    ],
  },
  {
    name: 'changes of what matches and goes on matching are MODIFIED, others are silent',
    reason: 'a selector also keeps the noise away',
    steps: [
      created('in', { l: 'x' }),
      created('out', { l: 'y' }),
      listed,
      {
        watch: '{core}/configmaps?resourceVersion={rv}&labelSelector=l%3Dx',
        during: [
          { send: 'PATCH {core}/configmaps/out', as: 'merge', body: { data: { k: '2' } }, code: 200 },
          { send: 'PATCH {core}/configmaps/in', as: 'merge', body: { data: { k: '2' } }, code: 200 },
          { send: 'DELETE {core}/configmaps/out', code: 200 },
          { send: 'DELETE {core}/configmaps/in', code: 200 },
        ],
        events: [event('MODIFIED', 'in'), event('DELETED', 'in')],
      },
    ],
  },
  {
    name: 'one object by its name',
    reason: 'kubectl wait and kubectl delete watch like this',
    steps: [
      listed,
      {
        watch: '{core}/configmaps?resourceVersion={rv}&fieldSelector=metadata.name%3Db',
        during: [created('a'), created('b')],
        events: [event('ADDED', 'b')],
      },
    ],
  },
];

export const watchSelectors: Topic = { name: 'watches with selectors', checks };
