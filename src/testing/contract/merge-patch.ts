// Merge patch (RFC 7386) on stored objects. Each row is one patch of the same object.

import type { JsonValue } from '../../kit/json.ts';
import { absent, type Check, changed, containing, type Expected, type Topic } from './check.ts';
import { configMap, thing } from './objects.ts';

const SPEC = { text: 'x', list: [1, 2, 3], map: { a: 1, b: { c: 2 } }, 'a/b': 1, 'm~n': 2 };

const stored = {
  send: 'POST {things}',
  body: thing('a', SPEC),
  code: 201,
  save: { uid: 'metadata.uid', rv: 'metadata.resourceVersion' },
};

const MERGE: readonly [name: string, reason: string, patch: JsonValue, want: Expected][] = [
  ['sets', 'the plain case', { spec: { text: 'y' } }, { spec: { ...SPEC, text: 'y' } }],
  ['adds', 'new keys appear', { spec: { more: 1 } }, { spec: { ...SPEC, more: 1 } }],
  ['null removes', 'the only way to remove', { spec: { text: null } }, { spec: { text: absent, list: [1, 2, 3] } }],
  ['null of what is not there', 'removing nothing is fine', { spec: { none: null } }, { spec: SPEC }],
  [
    'maps are merged deeply',
    'only the leaf changes',
    { spec: { map: { b: { c: 3 } } } },
    { spec: { map: { a: 1, b: { c: 3 } } } },
  ],
  ['lists are replaced', 'a list is one value', { spec: { list: [9] } }, { spec: { list: [9] } }],
  ['an empty map changes nothing', 'it has no keys to merge', { spec: { map: {} } }, { spec: SPEC }],
  ['a map over a scalar', 'the kind of value may change', { spec: { text: { a: 1 } } }, { spec: { text: { a: 1 } } }],
  ['a scalar over a map', 'the whole map goes', { spec: { map: 1 } }, { spec: { map: 1 } }],
  [
    'nulls inside a new map',
    'they are instructions, never values',
    { spec: { new: { a: null, b: 1 } } },
    { spec: { new: { a: absent, b: 1 } } },
  ],
  ['an empty patch', 'nothing to do', {}, { spec: SPEC, metadata: { resourceVersion: '{rv}' } }],
  [
    'labels',
    'metadata is patched in the same way',
    { metadata: { labels: { l: 'x' } } },
    { metadata: { labels: { l: 'x' } }, spec: SPEC },
  ],
  [
    'uid stays',
    'a patch without it keeps it',
    { spec: { text: 'y' } },
    { metadata: { uid: '{uid}', resourceVersion: changed('rv') } },
  ],
];

const mergeRows: readonly Check[] = MERGE.map(([name, reason, body, want]) => ({
  name,
  reason,
  steps: [
    stored,
    { send: 'PATCH {things}/a', as: 'merge', body, code: 200, want },
    { send: 'GET {things}/a', code: 200, want },
  ],
}));

const mergeSpecial: readonly Check[] = [
  {
    name: 'with a resourceVersion: a precondition',
    reason: 'a patch can be guarded like an update',
    steps: [
      stored,
      {
        send: 'PATCH {things}/a',
        as: 'merge',
        body: { metadata: { resourceVersion: '{rv}' }, spec: { text: 'y' } },
        code: 200,
      },
      {
        send: 'PATCH {things}/a',
        as: 'merge',
        body: { metadata: { resourceVersion: '{rv}' }, spec: { text: 'z' } },
        code: 409,
        reason: 'Conflict',
        message:
          'Operation cannot be fulfilled on things.{group} "a": the object has been modified; please apply your changes to the latest version and try again',
      },
    ],
  },
  {
    name: 'with a uid: a precondition',
    reason: 'a patch must not hit a namesake',
    steps: [
      stored,
      { send: 'PATCH {things}/a', as: 'merge', body: { metadata: { uid: '{uid}' }, spec: { text: 'y' } }, code: 200 },
      {
        send: 'PATCH {things}/a',
        as: 'merge',
        body: { metadata: { uid: '00000000-0000-0000-0000-000000000000' }, spec: { text: 'y' } },
        code: 422,
        reason: 'Invalid',
        message: containing('metadata.uid: Invalid value: "00000000-0000-0000-0000-000000000000": field is immutable'),
      },
    ],
  },
  {
    name: 'of an object that is not there',
    reason: 'only server-side apply creates',
    steps: [
      {
        send: 'PATCH {things}/a',
        as: 'merge',
        body: { spec: {} },
        code: 404,
        reason: 'NotFound',
        message: 'things.{group} "a" not found',
      },
    ],
  },
  {
    name: 'that is not an object',
    reason: 'a list or a string would replace everything',
    steps: [
      stored,
      { send: 'PATCH {things}/a', as: 'merge', body: '[]', code: 400, reason: 'BadRequest' },
      { send: 'PATCH {things}/a', as: 'merge', body: '"x"', code: 400, reason: 'BadRequest' },
      { send: 'PATCH {things}/a', as: 'merge', body: '{', code: 400, reason: 'BadRequest' },
      { send: 'GET {things}/a', code: 200, want: { metadata: { resourceVersion: '{rv}' } } },
    ],
  },
  {
    name: 'a rename',
    reason: 'names are for life',
    steps: [
      stored,
      {
        send: 'PATCH {things}/a',
        as: 'merge',
        body: { metadata: { name: 'b' } },
        code: 400,
        reason: 'BadRequest',
        message: 'the name of the object (b) does not match the name on the URL (a)',
      },
      { send: 'POST {core}/configmaps', body: configMap('a'), code: 201 },
      {
        send: 'PATCH {core}/configmaps/a',
        as: 'merge',
        body: { metadata: { name: 'b' } },
        code: 400,
        reason: 'BadRequest',
        message: 'the name of the object (b) does not match the name on the URL (a)',
      },
    ],
  },
  {
    name: 'another kind',
    reason: 'kinds are for life',
    steps: [
      stored,
      {
        send: 'PATCH {things}/a',
        as: 'merge',
        body: { kind: 'Other' },
        code: 422,
        reason: 'Invalid',
        message: 'Other.{group} "a" is invalid: kind: Invalid value: "Other": must be Thing',
      },
    ],
  },
  {
    name: 'a content type that is no patch',
    reason: 'the answer lists the patches that are understood',
    steps: [
      stored,
      {
        send: 'PATCH {things}/a',
        as: 'application/json',
        body: {},
        code: 415,
        reason: 'UnsupportedMediaType',
        message: containing('application/merge-patch+json', 'application/json-patch+json'),
      },
      {
        send: 'PATCH {things}/a',
        as: 'application/strategic-merge-patch+json',
        body: {},
        code: 415,
        reason: 'UnsupportedMediaType',
        message: containing('application/merge-patch+json'),
      },
    ],
  },
];

export const mergePatch: Topic = { name: 'merge patch', checks: [...mergeRows, ...mergeSpecial] };
