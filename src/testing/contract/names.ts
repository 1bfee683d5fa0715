// Names and generated names: what is accepted and how it is refused.

import { type Check, containing, matching, type Topic } from './check.ts';
import { configMap, thing } from './objects.ts';

const LONG = 'a'.repeat(253);

const GOOD_NAMES: readonly [name: string, reason: string][] = [
  ['a', 'one letter'],
  ['0', 'one digit'],
  ['a-b.c-d', 'dashes and dots inside'],
  ['1a', 'a digit first'],
  [LONG, '253 characters'],
];

const BAD_NAMES: readonly [name: string, reason: string][] = [
  ['A', 'upper case'],
  ['a_b', 'underscore'],
  ['-a', 'dash first'],
  ['a-', 'dash last'],
  ['a..b', 'an empty part'],
  ['.a', 'dot first'],
  ['a b', 'white space'],
  ['ä', 'not ASCII'],
  [`${LONG}a`, '254 characters'],
];

const goodNames: readonly Check[] = GOOD_NAMES.map(([name, reason]) => ({
  name: `a good name: ${reason}`,
  reason: 'hooks may use every name that the server takes',
  steps: [
    { send: 'POST {core}/configmaps', body: configMap(name), code: 201, want: { metadata: { name } } },
    { send: 'POST {things}', body: thing(name), code: 201, want: { metadata: { name } } },
  ],
}));

const badNames: readonly Check[] = BAD_NAMES.map(([name, reason]) => ({
  name: `a bad name: ${reason}`,
  reason: 'a child with such a name is a clear error, not a surprise in the cluster',
  steps: [
    {
      send: 'POST {core}/configmaps',
      body: configMap(name),
      code: 422,
      reason: 'Invalid',
      message: containing(`ConfigMap "${name}" is invalid: metadata.name: Invalid value: "${name}"`),
      want: { details: { name, kind: 'ConfigMap', causes: [{ reason: 'FieldValueInvalid', field: 'metadata.name' }] } },
    },
    {
      send: 'POST {things}',
      body: thing(name),
      code: 422,
      reason: 'Invalid',
      message: containing(`Thing.{group} "${name}" is invalid: metadata.name: Invalid value: "${name}"`),
    },
  ],
}));

const RFC1123 =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

const texts: readonly Check[] = [
  {
    name: 'the whole text of a bad name',
    reason: 'users see it word for word',
    steps: [
      {
        send: 'POST {core}/configmaps',
        body: configMap('A'),
        code: 422,
        message: `ConfigMap "A" is invalid: metadata.name: Invalid value: "A": ${RFC1123}`,
      },
      {
        send: 'POST {core}/configmaps',
        body: configMap(`${LONG}a`),
        code: 422,
        message: containing('metadata.name: Invalid value', 'must be no more than 253 characters'),
      },
    ],
  },
  {
    name: 'other kinds, other rules',
    reason: 'services and namespaces are DNS labels',
    steps: [
      {
        send: 'POST /api/v1/namespaces',
        body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a.b' } },
        code: 422,
        reason: 'Invalid',
        message: 'Namespace "a.b" is invalid: metadata.name: Invalid value: "a.b": must not contain dots',
      },
    ],
  },
];

const generated: readonly Check[] = [
  {
    name: 'generateName: the prefix and five characters',
    reason: 'the name is in the answer, and nowhere else',
    steps: [
      {
        send: 'POST {core}/configmaps',
        body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'web-' } },
        code: 201,
        want: { metadata: { name: matching(/^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/), generateName: 'web-' } },
        save: { name: 'metadata.name' },
      },
      { send: 'GET {core}/configmaps/{name}', code: 200 },
    ],
  },
  {
    name: 'generateName of a custom resource',
    reason: 'the same rule',
    steps: [
      {
        send: 'POST {things}',
        body: { apiVersion: '{group}/v1', kind: 'Thing', metadata: { generateName: 'web-' } },
        code: 201,
        want: { metadata: { name: matching(/^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/) } },
      },
    ],
  },
  {
    name: 'a name beats generateName',
    reason: 'both may be sent',
    steps: [
      {
        send: 'POST {core}/configmaps',
        body: configMap('a', {}, { generateName: 'web-' }),
        code: 201,
        want: { metadata: { name: 'a', generateName: 'web-' } },
      },
    ],
  },
  {
    name: 'a long generateName is cut',
    reason: 'the five characters must fit',
    steps: [
      {
        send: 'POST {core}/configmaps',
        body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'a'.repeat(80) } },
        code: 201,
        want: { metadata: { name: matching(/^a{58}[bcdfghjklmnpqrstvwxz2456789]{5}$/) } },
      },
    ],
  },
  {
    name: 'a generateName that can not become a name',
    reason: 'the prefix is checked too',
    steps: [
      {
        send: 'POST {core}/configmaps',
        body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'Web-' } },
        code: 422,
        reason: 'Invalid',
        message: containing('metadata.generateName: Invalid value: "Web-"'),
      },
    ],
  },
];

export const names: Topic = { name: 'names', checks: [...goodNames, ...badNames, ...texts, ...generated] };
