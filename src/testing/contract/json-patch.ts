// JSON patch (RFC 6902) on stored objects, as the server understands it. Each row is one patch of the same object.

import type { JsonValue } from '../../kit/json.ts';
import { absent, any, type Check, type Expected, type Topic } from './check.ts';
import { configMap, thing } from './objects.ts';

const SPEC = { text: 'x', list: [1, 2, 3], map: { a: 1, b: { c: 2 } }, 'a/b': 1, 'm~n': 2 };

const stored = {
  send: 'POST {things}',
  body: thing('a', SPEC),
  code: 201,
  save: { uid: 'metadata.uid', rv: 'metadata.resourceVersion' },
};

const JSON_PATCH: readonly [name: string, reason: string, patch: JsonValue, want: Expected][] = [
  ['add', 'a new key', [{ op: 'add', path: '/spec/more', value: 1 }], { spec: { ...SPEC, more: 1 } }],
  ['add over what is there', 'add replaces', [{ op: 'add', path: '/spec/text', value: 'y' }], { spec: { text: 'y' } }],
  [
    'add into a list',
    'shifts the rest',
    [{ op: 'add', path: '/spec/list/1', value: 9 }],
    { spec: { list: [1, 9, 2, 3] } },
  ],
  [
    'add at the end of a list',
    '"-" is the place behind the last',
    [{ op: 'add', path: '/spec/list/-', value: 4 }],
    { spec: { list: [1, 2, 3, 4] } },
  ],
  [
    'add at the length of a list',
    'the same place by number',
    [{ op: 'add', path: '/spec/list/3', value: 4 }],
    { spec: { list: [1, 2, 3, 4] } },
  ],
  ['add null', 'a null is a value here', [{ op: 'add', path: '/spec/text', value: null }], { spec: { text: null } }],
  [
    'test of null',
    'what is not there tests as null',
    [{ op: 'test', path: '/spec/none', value: null }],
    { spec: SPEC },
  ],
  [
    'add from the end of a list',
    'negative places count from the end',
    [{ op: 'add', path: '/spec/list/-1', value: 9 }],
    { spec: { list: [1, 2, 3, 9] } },
  ],
  ['replace', 'the plain case', [{ op: 'replace', path: '/spec/text', value: { a: 1 } }], { spec: { text: { a: 1 } } }],
  [
    'replace in a list',
    'by number',
    [{ op: 'replace', path: '/spec/list/0', value: 9 }],
    { spec: { list: [9, 2, 3] } },
  ],
  [
    'replace of what is not there',
    'the server adds it, whatever RFC 6902 says',
    [{ op: 'replace', path: '/spec/none', value: 1 }],
    { spec: { ...SPEC, none: 1 } },
  ],
  ['remove', 'the plain case', [{ op: 'remove', path: '/spec/text' }], { spec: { text: absent } }],
  ['remove from a list', 'closes the gap', [{ op: 'remove', path: '/spec/list/1' }], { spec: { list: [1, 3] } }],
  [
    'move',
    'removes and adds',
    [{ op: 'move', from: '/spec/map/a', path: '/spec/moved' }],
    { spec: { moved: 1, map: { a: absent } } },
  ],
  [
    'move inside a list',
    'removes first, then adds',
    [{ op: 'move', from: '/spec/list/0', path: '/spec/list/2' }],
    { spec: { list: [2, 3, 1] } },
  ],
  [
    'copy',
    'the original stays',
    [{ op: 'copy', from: '/spec/map', path: '/spec/copied' }],
    { spec: { copied: { a: 1, b: { c: 2 } }, map: { a: 1 } } },
  ],
  [
    'test that holds',
    'the operations behind it happen',
    [
      { op: 'test', path: '/spec/map/b', value: { c: 2 } },
      { op: 'remove', path: '/spec/text' },
    ],
    { spec: { text: absent } },
  ],
  [
    '~1 and ~0',
    'keys with a slash or a tilde',
    [
      { op: 'replace', path: '/spec/a~1b', value: 9 },
      { op: 'replace', path: '/spec/m~0n', value: 9 },
    ],
    { spec: { 'a/b': 9, 'm~n': 9 } },
  ],
  ['none', 'an empty list of operations', [], { spec: SPEC, metadata: { resourceVersion: '{rv}' } }],
  [
    'several, in order',
    'each sees the result of the one before',
    [
      { op: 'add', path: '/spec/new', value: {} },
      { op: 'add', path: '/spec/new/k', value: 'v' },
    ],
    { spec: { new: { k: 'v' } } },
  ],
];

const jsonRows: readonly Check[] = JSON_PATCH.map(([name, reason, body, want]) => ({
  name,
  reason,
  steps: [
    stored,
    { send: 'PATCH {things}/a', as: 'json', body, code: 200, want },
    { send: 'GET {things}/a', code: 200, want },
  ],
}));

const FAILS: readonly [name: string, reason: string, patch: JsonValue][] = [
  [
    'test that does not hold',
    'guards',
    [
      { op: 'test', path: '/spec/text', value: 'y' },
      { op: 'remove', path: '/spec/list' },
    ],
  ],
  ['test of what is not there', 'guards', [{ op: 'test', path: '/spec/none', value: 1 }]],
  ['remove of what is not there', 'unlike in a merge patch', [{ op: 'remove', path: '/spec/none' }]],
  ['add below what is not there', 'parents are not made', [{ op: 'add', path: '/spec/none/deep', value: 1 }]],
  ['add far behind the end of a list', 'no holes', [{ op: 'add', path: '/spec/list/9', value: 1 }]],
  ['move of what is not there', 'nothing to move', [{ op: 'move', from: '/spec/none', path: '/spec/x' }]],
  ['an operation nobody knows', 'typos', [{ op: 'paint', path: '/spec/text' }]],
];

const failRows: readonly Check[] = FAILS.map(([name, reason, body]) => ({
  name: `fails: ${name}`,
  reason,
  steps: [
    stored,
    {
      send: 'PATCH {things}/a',
      as: 'json',
      body,
      code: 422,
      reason: 'Invalid',
      message: 'the server rejected our request due to an error in our request',
    },
    { send: 'GET {things}/a', code: 200, want: { spec: SPEC, metadata: { resourceVersion: '{rv}' } } },
  ],
}));

const jsonSpecial: readonly Check[] = [
  {
    name: 'that is not a list',
    reason: 'an object is no JSON patch',
    steps: [
      stored,
      { send: 'PATCH {things}/a', as: 'json', body: { op: 'remove' }, code: 400, reason: 'BadRequest' },
      { send: 'PATCH {things}/a', as: 'json', body: '[', code: 400, reason: 'BadRequest' },
    ],
  },
  {
    name: 'test of the resourceVersion',
    reason: 'the way to guard a JSON patch',
    steps: [
      stored,
      {
        send: 'PATCH {things}/a',
        as: 'json',
        body: [
          { op: 'test', path: '/metadata/resourceVersion', value: '{rv}' },
          { op: 'replace', path: '/spec/text', value: 'y' },
        ],
        code: 200,
        want: { spec: { text: 'y' }, metadata: { uid: any } },
      },
      {
        send: 'PATCH {things}/a',
        as: 'json',
        body: [
          { op: 'test', path: '/metadata/resourceVersion', value: '{rv}' },
          { op: 'replace', path: '/spec/text', value: 'z' },
        ],
        code: 422,
      },
    ],
  },
  {
    name: 'on a ConfigMap',
    reason: 'built-ins take them too',
    steps: [
      { send: 'POST {core}/configmaps', body: configMap('a', { k: '1' }), code: 201 },
      {
        send: 'PATCH {core}/configmaps/a',
        as: 'json',
        body: [{ op: 'replace', path: '/data/k', value: '2' }],
        code: 200,
        want: { data: { k: '2' } },
      },
      {
        send: 'PATCH {core}/configmaps/a',
        as: 'json',
        body: [{ op: 'remove', path: '/data' }],
        code: 200,
        want: { data: absent },
      },
    ],
  },
];

export const jsonPatch: Topic = { name: 'JSON patch', checks: [...jsonRows, ...failRows, ...jsonSpecial] };
