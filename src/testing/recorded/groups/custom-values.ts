// Values of custom resources against their schema: one defect a request.

import type { JsonObject } from '../../../kit/json.ts';
import type { RecordedGroup } from '../case.ts';
import { definition, forget, nested, served, specSchema, tries } from './definition-objects.ts';

const STRING = { type: 'string' };
const INTEGER = { type: 'integer' };
const FORMATS = [
  'byte',
  'uri',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'cidr',
  'mac',
  'uuid',
  'uuid3',
  'uuid4',
  'uuid5',
  'isbn',
  'isbn10',
  'isbn13',
  'creditcard',
  'ssn',
  'hexcolor',
  'rgbcolor',
  'password',
  'date',
  'duration',
  'date-time',
  'bsonobjectid',
  'k8s-short-name',
  'k8s-long-name',
  'unknown-format',
];

const PROPERTIES: JsonObject = {
  text: STRING,
  number: { type: 'number' },
  integer: INTEGER,
  flag: { type: 'boolean' },
  object: { type: 'object', properties: { a: STRING } },
  list: { type: 'array', items: INTEGER },
  short: { type: 'string', maxLength: 3 },
  single: { type: 'string', maxLength: 1 },
  long: { type: 'string', minLength: 3 },
  pattern: { type: 'string', pattern: '^[a-z]+(-[a-z]+)*$' },
  folded: { type: 'string', pattern: '(?i)^abc\\z' },
  space: { type: 'string', pattern: '^[[:alpha:]_\\-]+\\s\\pL$' },
  choice: { type: 'string', enum: ['a', 'b'] },
  numbers: { type: 'integer', enum: [1, 2] },
  objects: { type: 'object', enum: [{ a: 1 }], 'x-kubernetes-preserve-unknown-fields': true },
  atMost: { type: 'integer', maximum: 10 },
  below: { type: 'integer', maximum: 10, exclusiveMaximum: true },
  atLeast: { type: 'integer', minimum: 2 },
  above: { type: 'integer', minimum: 2, exclusiveMinimum: true },
  ratio: { type: 'number', minimum: 0.5, maximum: 1.5 },
  fives: { type: 'integer', multipleOf: 5 },
  tenths: { type: 'number', multipleOf: 0.1 },
  halves: { type: 'integer', multipleOf: 0.5 },
  small: { type: 'integer', format: 'int32' },
  big: { type: 'integer', format: 'int64' },
  single32: { type: 'number', format: 'float' },
  port: { 'x-kubernetes-int-or-string': true },
  portAny: { 'x-kubernetes-int-or-string': true, anyOf: [INTEGER, STRING], maxLength: 3 },
  few: { type: 'array', items: STRING, maxItems: 2 },
  one: { type: 'array', items: STRING, maxItems: 1 },
  some: { type: 'array', items: STRING, minItems: 2 },
  fewKeys: { type: 'object', maxProperties: 1, additionalProperties: STRING },
  someKeys: { type: 'object', minProperties: 1, additionalProperties: STRING },
  map: { type: 'object', additionalProperties: INTEGER },
  anything: { type: 'object', additionalProperties: true },
  nothing: { type: 'object', additionalProperties: false },
  required: { type: 'object', required: ['a', 'b'], properties: { a: STRING, b: STRING } },
  nullable: { type: 'string', nullable: true },
  nullableList: { type: 'array', nullable: true, items: { type: 'string', nullable: true } },
  deep: { type: 'array', items: { type: 'object', required: ['x'], properties: { x: INTEGER } } },
  set: { type: 'array', items: STRING, 'x-kubernetes-list-type': 'set' },
  objectSet: {
    type: 'array',
    items: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { a: INTEGER, b: INTEGER } },
    'x-kubernetes-list-type': 'set',
  },
  byName: {
    type: 'array',
    items: { type: 'object', required: ['name'], properties: { name: STRING, value: INTEGER } },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
  },
  byTwo: {
    type: 'array',
    items: {
      type: 'object',
      required: ['port'],
      properties: { port: INTEGER, protocol: { type: 'string', default: 'TCP' } },
    },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['port', 'protocol'],
  },
  free: {
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
    properties: { known: { type: 'object' }, n: INTEGER },
  },
  any: { 'x-kubernetes-preserve-unknown-fields': true },
  pod: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
  closed: {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    properties: {
      apiVersion: STRING,
      kind: STRING,
      metadata: { type: 'object' },
      spec: { type: 'object', properties: { a: STRING } },
    },
  },
  oneOf: {
    type: 'object',
    properties: { a: STRING, b: STRING, c: INTEGER },
    oneOf: [{ required: ['a'] }, { required: ['b'] }],
  },
  anyOf: {
    type: 'object',
    properties: { a: STRING, n: INTEGER },
    anyOf: [{ required: ['a'] }, { properties: { n: { minimum: 5 } }, required: ['n'] }],
  },
  allOf: { type: 'integer', allOf: [{ minimum: 2 }, { maximum: 4 }, { multipleOf: 2 }] },
  not: { type: 'string', not: { enum: ['bad'] } },
  defaulted: { type: 'object', default: { a: 'x' }, properties: { a: STRING, b: { type: 'integer', default: 7 } } },
  inside: { type: 'object', properties: { c: { type: 'string', default: 'c' } } },
  ...Object.fromEntries(FORMATS.map((format) => [`f-${format}`, { type: 'string', format }])),
  untypedFormat: { 'x-kubernetes-preserve-unknown-fields': true, format: 'date' },
};

const spec = (name: string, value: unknown): JsonObject => ({ spec: { [name]: value } }) as JsonObject;

/** "name: value" to a request each. */
const values = (table: Readonly<Record<string, readonly unknown[]>>): Readonly<Record<string, JsonObject>> =>
  Object.fromEntries(
    Object.entries(table).flatMap(([name, list]) =>
      list.map((value) => {
        const text = JSON.stringify(value) ?? '';
        return [`${name} ${text.length > 40 ? `${text.slice(0, 40)}… (${text.length})` : text}`, spec(name, value)];
      }),
    ),
  );

const TYPES = values({
  text: ['a', 1, 1.5, true, null, {}, []],
  number: [1, 1.5, '1', true, [1]],
  integer: [1, 1.5, '1', null],
  flag: [false, 'true', 0],
  object: [{}, 'x', [], 3, { a: 5 }, { b: 1 }],
  list: [[], [1, 'a', null], {}, 'x', [1.5]],
  port: [80, 'http', 1.5, true, {}, null],
  portAny: [80, 'http', 'htt', 1.5],
  nullable: [null, 1],
  nullableList: [null, [null, 'a'], [1]],
  any: [1, 'a', [{ x: null }], { a: { b: null } }, null],
});

const LIMITS = values({
  short: ['abc', 'abcd', 'äöü', '😀😀😀', '😀😀😀😀'],
  single: ['ab'],
  long: ['ab', '', '😀😀'],
  pattern: ['ab-c', 'Ab', ''],
  folded: ['ABC', 'abcd'],
  space: ['a_-b é', 'a1 b'],
  choice: ['a', 'c', '', 1],
  numbers: [1, 3, '1'],
  objects: [{ a: 1 }, { a: 2 }],
  atMost: [10, 11],
  below: [9, 10],
  atLeast: [2, 1, -5],
  above: [3, 2],
  ratio: [0.5, 0.4, 1.6, 100, 1e21, 1.5e-7],
  fives: [10, 12, 0],
  tenths: [0.3, 0.35, 1e300],
  halves: [1],
  small: [2147483647, 2147483648, -2147483649],
  big: [9007199254740991],
  single32: [1.5, 1e39],
  few: [['a', 'b', 'c']],
  one: [['a', 'b']],
  some: [['a'], []],
  fewKeys: [{ a: 'x', b: 'y' }],
  someKeys: [{}],
  map: [{ a: 1 }, { a: 'x' }, { a: null }, { 'a.b/c': 'x' }],
  nothing: [{}, { a: 1 }],
  anything: [{ a: 1, b: { c: 1 }, d: [{ e: 1 }] }],
  required: [{}, { a: 'x' }, { a: null, b: 'x' }],
  deep: [[{ x: 1 }, {}, { x: 'a' }, null]],
  oneOf: [{ a: 'x' }, {}, { a: 'x', b: 'y' }, { c: 'z' }],
  anyOf: [{ a: 'x' }, {}, { n: 1 }, { n: 6 }, { a: 1 }],
  allOf: [4, 1, 3, 9, 'x'],
  not: ['good', 'bad', 7],
});

const LISTS = values({
  set: [
    ['a', 'b'],
    ['a', 'b', 'a', 'a', 'b'],
  ],
  objectSet: [
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    [{ a: 1 }, { a: 2 }],
  ],
  byName: [[{ name: 'a' }, { name: 'b' }, { name: 'a' }], [{ value: 1 }, { value: 2 }], ['x'], [null, null]],
  byTwo: [
    [{ port: 1 }, { port: 1, protocol: 'TCP' }],
    [{ port: 1, protocol: 'UDP' }, { port: 1 }],
  ],
});

const POD = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } };
const EMBEDDED = values({
  pod: [
    { ...POD, spec: { any: { thing: 1 } } },
    {},
    { kind: 'Pod' },
    { ...POD, apiVersion: 'a/b/c' },
    { ...POD, apiVersion: '', kind: '' },
    { ...POD, kind: 'not_ok' },
    { ...POD, apiVersion: 1 },
    { ...POD, metadata: { name: 'a/b', labels: { 'bad key': 'x' } } },
    { ...POD, metadata: { name: '..' } },
    { ...POD, metadata: { labels: { a: 1 } } },
    { ...POD, metadata: { bogus: 1, name: 'x', creationTimestamp: null } },
    { ...POD, metadata: null },
    { ...POD, metadata: 'x' },
  ],
  closed: [{ ...POD, spec: { a: 'x', b: 'y' }, other: 1 }],
});

const FORMAT_VALUES = values({
  'f-byte': ['YWJj', 'YWJ', 'not base64!', ''],
  'f-uri': ['https://a.example/b?c#d', 'a', '/path', 'mailto:a@b.example', 'http://a b', 'http://[::1]:80/', ''],
  'f-email': ['a@b.example', 'Al <a@b.example>', 'a@', 'a', 'a b@c'],
  'f-hostname': ['a.example.com', '-a', 'a_b', `${'a'.repeat(64)}.example`],
  'f-ipv4': ['10.0.0.1', '010.0.0.1', '10.0.0.256', '::1', '::ffff:1.2.3.4'],
  'f-ipv6': ['::1', '1::2::3', 'fe80::1%eth0', '1:2:3:4:5:6:7:8', '10.0.0.1', '::ffff:1.2.3.4'],
  'f-cidr': ['10.0.0.0/8', '10.0.0.0/33', 'fe80::/10', '10.0.0.0'],
  'f-mac': ['00:00:5e:00:53:01', '00-00-5e-00-53-01', '0000.5e00.5301', '00:00:5e:00:53'],
  'f-uuid': ['123e4567-e89b-12d3-a456-426614174000', '123E4567e89b12d3a456426614174000', 'x'],
  'f-uuid3': ['6fa459ea-ee8a-3ca4-894e-db77e160355e', '6fa459ea-ee8a-4ca4-894e-db77e160355e'],
  'f-uuid4': ['16fd2706-8baf-433b-82eb-8c7fada847da', '16fd2706-8baf-433b-02eb-8c7fada847da'],
  'f-uuid5': ['886313e1-3b8a-5372-9b90-0c9aee199e5d', '886313e1-3b8a-1372-9b90-0c9aee199e5d'],
  'f-isbn': ['0321751043', '978-0321751041', '0321751044'],
  'f-isbn10': ['3 401 01319 X', '978-0321751041'],
  'f-isbn13': ['978-0321751041', '0321751043'],
  'f-creditcard': ['4220855426222389', '4220855426213389'],
  'f-ssn': ['111-22-3333', '111223333'],
  'f-hexcolor': ['#f00', 'ff', 'FFAA00'],
  'f-rgbcolor': ['rgb(0, 31,255)', 'rgb(0,31,256)'],
  'f-password': ['x', ''],
  'f-date': ['2024-02-29', '2023-02-29', '2024-1-1', 5],
  'f-duration': ['1h30m', '22 ns', '5 days', 'x', '1', '0', '3 fortnights', '-1.5h'],
  'f-date-time': [
    '2024-02-29T10:00:00Z',
    '2024-02-29T10:00:00.5+02:00',
    '2024-02-29',
    '2024-02-29T25:00:00Z',
    '2024-02-29t10:00:00z',
  ],
  'f-bsonobjectid': ['507f1f77bcf86cd799439011', 'x'],
  'f-k8s-short-name': ['a-b', 'A', 'a.b', 'a'.repeat(64)],
  'f-k8s-long-name': ['a.b', 'a..b'],
  'f-unknown-format': ['x', 1, []],
  untypedFormat: ['2024-01-01', 'x', 1, true, [], {}],
});

const WHOLE: Readonly<Record<string, JsonObject>> = {
  'no spec': {},
  'spec null': { spec: null },
  'spec of another type': { spec: 'x' },
  defaults: { spec: {} },
  'defaults: null': { spec: { defaulted: null, inside: {} } },
  'defaults: partly given': { spec: { defaulted: { b: 3 } } },
  'unknown fields': { spec: { bogus: 1, object: { b: 2 }, deep: [{ x: 1, y: 2 }] }, top: true, status: { a: 1 } },
  'unknown fields that are kept': { spec: { free: { x: { y: 1 }, known: { z: 1 }, n: 4 } } },
  'unknown fields of metadata': { metadata: { name: 'one', bogus: 1, ownerReferences: [] } },
  'several problems': { spec: { short: 'abcd', atMost: 11, choice: 'c', required: {} } },
  'a wrong type and a set': { spec: { set: ['a', 'a'], flag: 'x' } },
  'deep nesting': { spec: { free: nested(200, 'x') } },
  'a key called __proto__': {
    spec: { free: JSON.parse('{"__proto__":{"a":1}}'), map: JSON.parse('{"__proto__":"x"}') },
  },
  'an unknown key called __proto__': { spec: JSON.parse('{"__proto__":{"a":1}}') },
  'keys of Object': { spec: { map: { constructor: 'x', toString: 1 } } },
  'labels of wrong type': { metadata: { name: 'one', labels: { a: 1 } } },
  'a name that is too long': { metadata: { name: 'x'.repeat(254) } },
  'a finalizer without a domain': { metadata: { name: 'one', finalizers: ['a', 'b.example.com', 'c.example.com/d'] } },
};

const RAW = (body: string): string =>
  `{"apiVersion":"{group}/v1","kind":"Sample","metadata":{"name":"one"},"spec":${body}}`;
const SAMPLES = 'POST /apis/{group}/v1/namespaces/{ns}/samples?dryRun=All';

export const CUSTOM_VALUES: RecordedGroup = {
  name: 'custom-values',
  unordered: true,
  cases: [
    ...served('samples', definition('samples', specSchema(PROPERTIES))),
    ...tries('samples', 'Sample', { ...WHOLE, ...TYPES, ...LIMITS, ...LISTS, ...EMBEDDED, ...FORMAT_VALUES }),
    ...tries('samples', 'Sample', WHOLE, '&fieldValidation=Strict'),
    ...tries('samples', 'Sample', WHOLE, '&fieldValidation=Ignore'),
    ...tries('samples', 'Sample', EMBEDDED, '&fieldValidation=Strict'),
    {
      name: 'integers beyond 2^53',
      send: SAMPLES,
      body: RAW('{"big":9007199254740993,"integer":-9223372036854775808}'),
    },
    { name: 'integers beyond int64', send: SAMPLES, body: RAW('{"any":9223372036854775808}') },
    { name: 'integer fields beyond int64', send: SAMPLES, body: RAW('{"integer":9223372036854775808}') },
    { name: 'floats that are whole', send: SAMPLES, body: RAW('{"integer":1.0,"number":2.0}') },
    { name: 'a field twice', send: `${SAMPLES}&fieldValidation=Strict`, body: RAW('{"text":"a","text":"b"}') },
    { name: 'a field twice, told', send: SAMPLES, body: RAW('{"text":"a","text":"b"}') },
    { name: 'a body over 3 MiB', send: SAMPLES, body: RAW(`{"text":"${'x'.repeat(3 * 1024 * 1024)}"}`) },
    { name: 'a body that is no object', send: SAMPLES, body: '[]' },
    { name: 'a body that is no JSON', send: SAMPLES, body: '{"a":' },
    forget('samples'),
  ],
};
