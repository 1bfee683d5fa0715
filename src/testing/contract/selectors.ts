// Label and field selectors, on lists. Each row is one check.

import { type Check, containing, type Topic } from './check.ts';
import { configMap, pod, secret, thing } from './objects.ts';

/** The objects that the label selectors choose from. */
const LABELS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  a: { app: 'web', tier: 'front', 'example.com/size': '10' },
  b: { app: 'web', tier: 'back' },
  c: { app: 'db', empty: '' },
  d: {},
};

const MATCHING: readonly [selector: string, names: string, reason: string][] = [
  ['app=web', 'a b', 'equality'],
  ['app==web', 'a b', 'equality, the other spelling'],
  ['app!=web', 'c d', 'inequality also chooses what has no such label'],
  ['app in (web,db)', 'a b c', 'a set'],
  ['app in (web)', 'a b', 'a set of one'],
  ['app notin (web)', 'c d', 'not in a set also chooses what has no such label'],
  ['app', 'a b c', 'existence'],
  ['!app', 'd', 'absence'],
  ['app=web,tier=front', 'a', 'all must hold'],
  ['app=web,tier!=front', 'b', 'equality and inequality'],
  ['app in (web),tier notin (front)', 'b', 'commas inside and outside the sets'],
  ['app=web,!tier', '', 'contradicted by the data'],
  ['example.com/size=10', 'a', 'a key with a prefix'],
  ['example.com/size>9', 'a', 'greater than, as numbers'],
  ['example.com/size<11', 'a', 'less than, as numbers'],
  ['example.com/size>10', '', 'greater is not equal'],
  ['app>1', '', 'values that are not numbers never compare'],
  ['empty=', 'c', 'an empty value'],
  ['empty', 'c', 'existence with an empty value'],
  ['empty in (,x)', 'c', 'an empty value in a set'],
  [' app = web , tier = back ', 'b', 'white space'],
  ['app=web,app=db', '', 'one label can not have two values'],
  ['', 'a b c d', 'the empty selector chooses everything'],
  ['nothing=here', '', 'a label nobody has'],
];

const REFUSED: readonly [selector: string, reason: string][] = [
  ['app=web=db', 'two operators'],
  ['app in web', 'a set without parentheses'],
  ['app in (web', 'a set that does not end'],
  ['=web', 'no key'],
  ['app=,,', 'nothing between the commas'],
  ['-app=web', 'a key that no label can have'],
  ['app=not valid', 'two words'],
  ['app=-x', 'a value that no label can have'],
  ['app>x', 'greater than what is not a number'],
  ['a/b/c', 'two prefixes'],
];

const FIELDS: readonly [selector: string, names: string, reason: string][] = [
  ['metadata.name=a', 'a', 'the name, as kubectl wait uses it'],
  ['metadata.name!=a', 'b', 'all but one'],
  ['metadata.namespace={ns}', 'a b', 'the namespace'],
  ['metadata.namespace=elsewhere', '', 'another namespace'],
  ['metadata.name=a,metadata.namespace={ns}', 'a', 'both'],
  ['metadata.name=a,metadata.name=b', '', 'a contradiction'],
  ['metadata.name==b', 'b', 'the other spelling'],
];

const wanted = (names: string) => ({
  items: names === '' ? [] : names.split(' ').map((name) => ({ metadata: { name } })),
});

/** Placeholders stay as they are. */
const query = (selector: string): string => encodeURIComponent(selector).replaceAll('%7B', '{').replaceAll('%7D', '}');

const labelled = Object.entries(LABELS).map(([name, labels]) => ({
  send: 'POST {things}',
  body: thing(name, {}, { labels }),
  code: 201,
}));

const labelChecks: readonly Check[] = MATCHING.map(([selector, names, reason]) => ({
  name: `labels "${selector}" choose ${names || 'nothing'}`,
  reason,
  steps: [...labelled, { send: `GET {things}?labelSelector=${query(selector)}`, code: 200, want: wanted(names) }],
}));

const refusedChecks: readonly Check[] = REFUSED.map(([selector, reason]) => ({
  name: `labels "${selector}" are refused`,
  reason,
  steps: [
    { send: `GET {core}/configmaps?labelSelector=${query(selector)}`, code: 400, reason: 'BadRequest' },
    { send: `GET {things}?labelSelector=${query(selector)}`, code: 400, reason: 'BadRequest' },
  ],
}));

const fieldChecks: readonly Check[] = FIELDS.map(([selector, names, reason]) => ({
  name: `fields "${selector}" choose ${names || 'nothing'}`,
  reason,
  steps: [
    ...['a', 'b'].flatMap((name) => [
      { send: 'POST {things}', body: thing(name), code: 201 },
      { send: 'POST {core}/secrets', body: secret(name, {}), code: 201 },
    ]),
    { send: `GET {things}?fieldSelector=${query(selector)}`, code: 200, want: wanted(names) },
    { send: `GET {core}/secrets?fieldSelector=${query(selector)}`, code: 200, want: wanted(names) },
  ],
}));

const ofOneKind: readonly Check[] = [
  {
    name: 'fields nobody can select by',
    reason: 'an unknown field must not choose everything',
    steps: [
      {
        send: `GET {core}/configmaps?fieldSelector=${query('data.k=v')}`,
        code: 400,
        reason: 'BadRequest',
        message: '"data.k" is not a known field selector: only "metadata.name", "metadata.namespace"',
      },
      {
        send: `GET {things}?fieldSelector=${query('spec.n=1')}`,
        code: 400,
        reason: 'BadRequest',
        message: containing('spec.n', 'field label not supported'),
      },
    ],
  },
  {
    name: 'a field selector that is none',
    reason: 'a typo must not choose everything',
    steps: [{ send: 'GET {core}/configmaps?fieldSelector=metadata.name', code: 400, reason: 'BadRequest' }],
  },
  {
    name: 'secrets by type',
    reason: 'the service account controller does',
    steps: [
      { send: 'POST {core}/secrets', body: secret('a', {}), code: 201, want: { type: 'Opaque' } },
      { send: 'POST {core}/secrets', body: secret('b', { type: 'example.com/b' }), code: 201 },
      { send: `GET {core}/secrets?fieldSelector=${query('type=example.com/b')}`, code: 200, want: wanted('b') },
      { send: `GET {core}/secrets?fieldSelector=${query('type!=example.com/b')}`, code: 200, want: wanted('a') },
    ],
  },
  {
    name: 'pods by phase and node',
    reason: 'the kubelet and the scheduler do',
    steps: [
      { send: 'POST {core}/pods', body: pod('a'), code: 201 },
      { send: `GET {core}/pods?fieldSelector=${query('status.phase=Pending')}`, code: 200, want: wanted('a') },
      { send: `GET {core}/pods?fieldSelector=${query('status.phase!=Pending')}`, code: 200, want: wanted('') },
      { send: `GET {core}/pods?fieldSelector=${query('spec.nodeName=')}`, code: 200, want: wanted('a') },
      { send: `GET {core}/pods?fieldSelector=${query('spec.nodeName=x')}`, code: 200, want: wanted('') },
      {
        send: `GET {core}/pods?fieldSelector=${query('spec.priority=1')}`,
        code: 400,
        message: containing('spec.priority', 'field label not supported'),
      },
    ],
  },
  {
    name: 'labels and fields together',
    reason: 'both must hold',
    steps: [
      { send: 'POST {core}/configmaps', body: configMap('a', {}, { labels: { l: 'x' } }), code: 201 },
      { send: 'POST {core}/configmaps', body: configMap('b', {}, { labels: { l: 'x' } }), code: 201 },
      {
        send: `GET {core}/configmaps?labelSelector=l%3Dx&fieldSelector=${query('metadata.name=b')}`,
        code: 200,
        want: wanted('b'),
      },
    ],
  },
];

export const selectors: Topic = {
  name: 'selectors',
  checks: [...labelChecks, ...refusedChecks, ...fieldChecks, ...ofOneKind],
};
