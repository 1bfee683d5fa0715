// x-kubernetes-validations: rules of every shape, evaluated on creates and updates.

import type { JsonObject } from '../../../kit/json.ts';
import type { RecordedCase, RecordedGroup } from '../case.ts';
import { CRDS_PATH, custom, definition, forget, served, specSchema, tries } from './definition-objects.ts';

const STRING = { type: 'string', maxLength: 64 };
const INTEGER = { type: 'integer' };
const rule = (text: string, more: JsonObject = {}): JsonObject => ({ rule: text, ...more });
const ruled = (schema: JsonObject, ...rules: JsonObject[]): JsonObject => ({
  ...schema,
  'x-kubernetes-validations': rules,
});

const LIST = { type: 'array', maxItems: 8, items: STRING };
const PROPERTIES: JsonObject = {
  min: INTEGER,
  max: INTEGER,
  ratio: { type: 'number' },
  name: ruled(STRING, rule("self.startsWith('a')", { message: ' must begin with a ' }), rule('self.size() < 10')),
  messaged: ruled(STRING, rule("self == 'x'", { messageExpression: "'wanted x, not ' + self", message: 'fallback' })),
  broken: ruled(STRING, rule("self == 'x'", { messageExpression: "[''][5]", message: 'fallback' })),
  reasons: {
    type: 'object',
    properties: { forbidden: STRING, required: STRING, duplicate: STRING, invalid: STRING },
    'x-kubernetes-validations': [
      rule('!has(self.forbidden)', { reason: 'FieldValueForbidden', fieldPath: '.forbidden', message: 'no' }),
      rule("self.?required.orValue('x') != ''", { reason: 'FieldValueRequired', fieldPath: '.required' }),
      rule("!has(self.duplicate) || self.duplicate != 'd'", { reason: 'FieldValueDuplicate' }),
      rule("!has(self.invalid) || self.invalid != 'i'", { reason: 'FieldValueInvalid', fieldPath: '.invalid' }),
    ],
  },
  items: ruled(LIST, rule("self.all(x, x != 'bad')"), rule("self.exists_one(x, x == 'one') || size(self) == 0")),
  each: { type: 'array', maxItems: 8, items: ruled(STRING, rule("self != 'bad'")) },
  map: ruled({ type: 'object', maxProperties: 8, additionalProperties: INTEGER }, rule('self.all(k, self[k] > 0)')),
  mapped: { type: 'object', maxProperties: 8, additionalProperties: ruled(INTEGER, rule('self > 0')) },
  fixed: ruled(STRING, rule('self == oldSelf', { message: 'is immutable' })),
  grows: ruled(INTEGER, rule('self >= oldSelf', { messageExpression: "'it shrank'" })),
  optional: ruled(STRING, rule("oldSelf.hasValue() || self == 'first'", { optionalOldSelf: true })),
  keyed: {
    type: 'array',
    maxItems: 8,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
    items: ruled(
      { type: 'object', required: ['name'], properties: { name: STRING, n: INTEGER } },
      rule('!has(oldSelf.n) || self.n >= oldSelf.n'),
    ),
  },
  port: ruled({ 'x-kubernetes-int-or-string': true }, rule("type(self) == int ? self > 0 : self != ''")),
  quantity: ruled(STRING, rule("quantity(self).isLessThan(quantity('1Gi'))"), rule('isQuantity(self)')),
  address: ruled(STRING, rule('isIP(self) && ip(self).family() == 4')),
  network: ruled(STRING, rule("cidr('10.0.0.0/8').containsIP(self)")),
  link: ruled(
    STRING,
    rule("isURL(self) && url(self).getScheme() == 'https' && url(self).getHost() == 'a.example:8080'"),
  ),
  words: ruled(STRING, rule("self.find('[0-9]+') == '42'"), rule("self.matches('^a')")),
  sorted: ruled(LIST, rule('self.isSorted()'), rule("self.indexOf('c') >= 0")),
  sums: ruled(
    { type: 'array', maxItems: 8, items: INTEGER },
    rule('self.sum() == 10 && self.max() < 8 && self.min() > 0'),
  ),
  text: ruled(
    STRING,
    rule("self.lowerAscii().replace('a', 'b').split('-').size() == 2"),
    rule("self.charAt(0) == 'A'"),
  ),
  time: ruled({ type: 'string', format: 'date-time' }, rule("self > timestamp('2024-01-01T00:00:00Z')")),
  span: ruled({ type: 'string', format: 'duration' }, rule("self < duration('1h')")),
  semver: ruled(STRING, rule("isSemver(self) && semver(self).isGreaterThan(semver('1.0.0'))")),
  format: ruled(STRING, rule('!format.dns1123Label().validate(self).hasValue()', { message: 'not a label' })),
  sets: ruled(LIST, rule("sets.contains(['a', 'b'], self)")),
  'odd-name': ruled(STRING, rule("self != 'bad'")),
  escaped: ruled(
    { type: 'object', properties: { 'a-b': STRING, 'c.d': STRING, namespace: STRING } },
    rule("!has(self.a__dash__b) || self.a__dash__b != 'bad'"),
    rule("!has(self.c__dot__d) || self.c__dot__d != 'bad'"),
    rule("!has(self.__namespace__) || self.__namespace__ != 'bad'"),
  ),
  free: ruled(
    { type: 'object', properties: { n: INTEGER }, 'x-kubernetes-preserve-unknown-fields': true },
    rule('has(self.n)'),
  ),
  index: ruled(LIST, rule("self[3] != 'x'")),
  divide: ruled(INTEGER, rule('10 / self > 1')),
  bytes: ruled({ type: 'string', format: 'byte', maxLength: 64 }, rule("self == b'abc'")),
  nullable: ruled(
    { type: 'object', properties: { v: { type: 'string', nullable: true, maxLength: 5 } } },
    rule('!has(self.v) || self.v.size() < 3'),
  ),
};

const SCHEMA: JsonObject = {
  ...specSchema(PROPERTIES, {
    'x-kubernetes-validations': [
      rule('!has(self.min) || !has(self.max) || self.min <= self.max', {
        message: 'min is above max',
        fieldPath: '.min',
      }),
      rule('!has(self.ratio) || self.ratio < 2'),
    ],
  }),
  'x-kubernetes-validations': [rule("self.metadata.name.startsWith('o')"), rule("self.kind == 'Ruled'")],
};

const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  name: ['ab', 'b', `b${'x'.repeat(20)}`],
  messaged: ['x', 'y'],
  broken: ['y'],
  reasons: [{}, { forbidden: 'x' }, { required: '' }, { duplicate: 'd' }, { invalid: 'i' }],
  items: [[], ['one'], ['bad', 'one'], ['one', 'one']],
  each: [['ok', 'bad']],
  map: [{ a: 1 }, { a: 0 }],
  mapped: [{ a: 1, b: -1 }],
  fixed: ['new'],
  grows: [1],
  optional: ['first', 'second'],
  port: [80, 0, 'http', ''],
  quantity: ['500Mi', '2Gi', 'x'],
  address: ['10.0.0.1', '::1', 'x'],
  network: ['10.1.2.3', '11.0.0.1', 'x'],
  link: ['https://a.example:8080/x', 'http://a.example/', 'x'],
  words: ['a42', 'b42', 'a7'],
  sorted: [['a', 'c'], ['c', 'a'], ['a']],
  sums: [[3, 7], [2, 8], [1]],
  text: ['A-x', 'a-x', 'A'],
  time: ['2025-01-01T00:00:00Z', '2023-01-01T00:00:00Z'],
  span: ['10m', '2h'],
  semver: ['1.2.3', '0.1.0', 'x'],
  format: ['a-b', 'A_b'],
  sets: [['a'], ['c']],
  'odd-name': ['bad'],
  escaped: [{ 'a-b': 'bad' }, { 'c.d': 'bad' }, { namespace: 'bad' }],
  free: [{ n: 1, x: 2 }, { x: 2 }],
  index: [['a']],
  divide: [1, 0, 9],
  bytes: ['YWJj', 'YWJk'],
  nullable: [{ v: null }, { v: 'x' }, { v: 'xxx' }],
};

const specs = Object.fromEntries(
  Object.entries(VALUES).flatMap(([name, list]) =>
    list.map((value) => [`${name} ${JSON.stringify(value)}`, { spec: { [name]: value } } as JsonObject]),
  ),
);

const PATH = '/apis/{group}/v1/namespaces/{ns}/ruleds';
const merge = (name: string, spec: JsonObject): RecordedCase => ({
  name: `update: ${name}`,
  send: `PATCH ${PATH}/old?dryRun=All`,
  as: 'merge',
  body: { spec },
});

const COMPILE: Readonly<Record<string, string>> = {
  'an unknown field': 'self.bogus > 0',
  'an unknown variable': 'bogus > 0',
  'an unknown function': 'self.n.bogus()',
  'a rule that is no bool': 'self.n',
  'types that do not fit': "self.n > 'x'",
  'has of a variable': 'has(self)',
};

export const RULES: RecordedGroup = {
  name: 'rules',
  unordered: true,
  cases: [
    ...served('ruleds', definition('ruleds', SCHEMA)),
    ...tries('ruleds', 'Ruled', {
      ...specs,
      'nothing given': { spec: {} },
      'a rule of the root': { metadata: { name: 'two' }, spec: {} },
      'min above max': { spec: { min: 3, max: 2 } },
      'a ratio': { spec: { ratio: 2.5 } },
      'a ratio that is whole': { spec: { ratio: 1 } },
      'not evaluated beside a wrong type': { spec: { min: 'x', name: 'b' } },
      'evaluated beside a value that is too big': { spec: { time: 'x', name: 'b' } },
    }),
    {
      name: 'an object to update',
      send: `POST ${PATH}`,
      body: custom('Ruled', {
        metadata: { name: 'old' },
        spec: {
          fixed: 'a',
          grows: 5,
          optional: 'first',
          keyed: [
            { name: 'x', n: 5 },
            { name: 'y', n: 5 },
          ],
        },
      }),
    },
    merge('fixed', { fixed: 'b' }),
    merge('fixed taken away', { fixed: null }),
    merge('grows', { grows: 6 }),
    merge('shrinks', { grows: 4 }),
    merge('optional', { optional: 'second' }),
    merge('keyed', {
      keyed: [
        { name: 'y', n: 4 },
        { name: 'x', n: 6 },
        { name: 'z', n: 1 },
      ],
    }),
    merge('nothing', {}),
    ...Object.entries(COMPILE).map(([name, text]) => ({
      name: `compile: ${name}`,
      send: `POST ${CRDS_PATH}?dryRun=All`,
      body: definition(
        'compileds',
        specSchema({ n: INTEGER, s: STRING }, { 'x-kubernetes-validations': [rule(text)] }),
      ),
    })),
    forget('ruleds'),
  ],
};
