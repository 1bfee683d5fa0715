// What clients get wrong: applies, owners of fields, names, labels, scopes, bodies that are too large, too deep or no
// documents, numbers that do not fit.

import type { JsonObject, JsonValue } from '../../../kit/json.ts';
import type { RecordedCase, RecordedGroup } from '../case.ts';
import { definition, forget, nested, served } from './definition-objects.ts';
import { workload } from './objects.ts';

const MAPS = '{core}/configmaps';
const BEASTS = '/apis/{group}/v1/namespaces/{ns}/beasts';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/{ns}/deployments';
const MIB = 2 ** 20;

const map = (metadata: JsonObject = {}, more: JsonObject = { data: { a: '1' } }): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'there', ...metadata },
  ...more,
});
const beast = (fields: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: '{group}/v1',
  kind: 'Beast',
  metadata: { name: 'one', ...metadata },
  ...fields,
});

const text = { type: 'string' };
const BEAST = definition('beasts', {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        count: { type: 'integer' },
        long: { type: 'integer', format: 'int64' },
        short: { type: 'integer', format: 'int32' },
        ratio: { type: 'number' },
        name: text,
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        tags: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
        parts: {
          type: 'array',
          items: { type: 'object', properties: { name: text, size: { type: 'integer' } }, required: ['name'] },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
        },
      },
    },
  },
});

type Body = JsonObject | string;

function applies(url: string, bodies: Readonly<Record<string, Body>>, query = 'fieldManager=m'): RecordedCase[] {
  return Object.entries(bodies).map(([what, body]) => ({
    name: `apply ${url.split('/').at(-2)}${query === 'fieldManager=m' ? '' : ` ?${query.slice(0, 60)}`}: ${what}`,
    send: `PATCH ${url}?dryRun=All${query === '' ? '' : `&${query}`}`,
    as: 'apply',
    body,
  }));
}

function sent(line: string, bodies: Readonly<Record<string, Body>>, as?: string): RecordedCase[] {
  return Object.entries(bodies).map(([what, body]) => ({
    name: `${line.replace(/\?.*/, '')}${as === undefined ? '' : ` as ${as}`}: ${what}`,
    send: line,
    body,
    ...(as === undefined ? {} : { as }),
  }));
}

const entry = (change: JsonObject): JsonObject => ({
  manager: 'x',
  operation: 'Update',
  apiVersion: 'v1',
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:data': { 'f:a': {} } },
  ...change,
});

const OWNERS: Readonly<Record<string, JsonValue>> = {
  'FieldsV1 without a colon': entry({ fieldsV1: { bad: {} } }),
  'FieldsV1 with a broken key': entry({ fieldsV1: { 'k:{': {} } }),
  'FieldsV1 with a broken value': entry({ fieldsV1: { 'v:x': {} } }),
  'FieldsV1 with a broken index': entry({ fieldsV1: { 'i:x': {} } }),
  'FieldsV1 of an unknown kind of step': entry({ fieldsV1: { 'z:x': {} } }),
  'FieldsV1 that is text': entry({ fieldsV1: 'text' }),
  'FieldsV1 with a number inside': entry({ fieldsV1: { 'f:data': 1 } }),
  'another fieldsType': entry({ fieldsType: 'FieldsV2' }),
  'no fieldsType': entry({ fieldsType: null }),
  'another operation': entry({ operation: 'Merge' }),
  'no operation': entry({ operation: null }),
  'no apiVersion': entry({ apiVersion: null }),
  'an unknown version': entry({ apiVersion: 'v9' }),
  'a manager name of 129 letters': entry({ manager: 'm'.repeat(129) }),
  'a manager name with a line break': entry({ manager: 'a\nb' }),
  'a time that is none': entry({ time: 'yesterday' }),
  'a subresource': entry({ subresource: 'bogus' }),
};

const withOwners = (kind: (metadata: JsonObject) => JsonObject): Readonly<Record<string, Body>> =>
  Object.fromEntries(Object.entries(OWNERS).map(([what, owner]) => [what, kind({ managedFields: [owner] })]));

const APPLIED_MAPS: Readonly<Record<string, Body>> = {
  'a resourceVersion that is old': map({ resourceVersion: '1' }),
  'a resourceVersion that is none': map({ resourceVersion: 'x' }),
  managedFields: map({ managedFields: [entry({})] }),
  'empty managedFields': map({ managedFields: [] }),
  'null as managedFields': map({ managedFields: null }),
  'a finalizer twice': map({ finalizers: ['a.io/x', 'a.io/x'] }),
  'an owner twice': map({
    ownerReferences: [1, 2].map(() => ({ apiVersion: 'v1', kind: 'A', name: 'a', uid: 'u' })),
  }),
  'an unknown field': map({}, { bogus: 1 }),
  'an unknown field of metadata': map({ bogus: 1 }),
  'a number in data': map({}, { data: { a: 1 } }),
  'no kind': { apiVersion: 'v1', metadata: { name: 'there' } },
  'no apiVersion': { kind: 'ConfigMap', metadata: { name: 'there' } },
  'no metadata': { apiVersion: 'v1', kind: 'ConfigMap' },
  'another name': map({ name: 'other' }),
  'another namespace': map({ namespace: 'default' }),
  'a generateName': map({ generateName: 'x-' }),
  'a bad label': map({ labels: { a: 'not valid!' } }),
  'YAML that is broken': 'a: [',
  'YAML with a tab': 'a:\n\tb: 1',
  'a list': '[]',
  'a scalar': '5',
  nothing: '',
  'two documents': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: there}\n---\na: 1\n',
  'a key twice': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: there}\ndata: {a: "1", a: "2"}\n',
};

const APPLIED_BEASTS: Readonly<Record<string, Body>> = {
  'an item of a set twice': beast({ spec: { tags: ['a', 'a'] } }),
  'an item of a map list twice': beast({ spec: { parts: [{ name: 'a' }, { name: 'a', size: 1 }] } }),
  'an item without its key': beast({ spec: { parts: [{ size: 1 }] } }),
  'an unknown field': beast({ spec: { bogus: 1 } }),
  'a wrong type': beast({ spec: { name: 5 } }),
  'a resourceVersion, and nothing there': beast({ spec: {} }, { resourceVersion: '7' }),
  'a uid, and nothing there': beast({ spec: {} }, { uid: '00000000-0000-4000-8000-000000000000' }),
  managedFields: beast({ spec: {} }, { managedFields: [] }),
};

const STRICT: Readonly<Record<string, Body>> = {
  'an unknown field': map({}, { bogus: 1 }),
  'a key twice': '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"there"},"data":{"a":"1","a":"2"}}',
  both: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"there"},"data":{"a":"1","a":"2"},"bogus":1}',
};

const NAMED: Readonly<Record<string, JsonObject>> = {
  'a name of 254 letters': { name: 'n'.repeat(254) },
  'a name of 253 letters': { name: 'n'.repeat(253) },
  'a name of capitals': { name: 'Name' },
  'a name with a slash': { name: 'a/b' },
  'a name that is a dot': { name: '.' },
  'a name with a percent': { name: 'a%b' },
  'no name': { name: null },
  'an empty name': { name: '' },
  'a generateName of 300 letters': { name: null, generateName: `${'g'.repeat(54)}gen-${'g'.repeat(242)}` },
  'a bad generateName': { name: null, generateName: 'Gen_' },
  'a label key with two slashes': { labels: { 'a/b/c': '' } },
  'a label key of 64 letters': { labels: { ['k'.repeat(64)]: '' } },
  'a label prefix of capitals': { labels: { 'A.io/k': '' } },
  'a label of 64 letters': { labels: { k: 'v'.repeat(64) } },
  'a label with a space': { labels: { k: 'a b' } },
  'a label that is a number': { labels: { k: 5 } },
  'a bad annotation key': { annotations: { 'a b': '' } },
  'annotations of 257 KiB': { annotations: { k: 'v'.repeat(257 * 1024) } },
  'a bad finalizer': { finalizers: ['nodomain', 'a b'] },
  'an owner of another kind of uid': { ownerReferences: [{ apiVersion: 'v1', kind: 'A', name: 'a', uid: '' }] },
  'two controllers': {
    ownerReferences: ['a', 'b'].map((name) => ({ apiVersion: 'v1', kind: 'A', name, uid: name, controller: true })),
  },
  'another namespace': { namespace: 'default' },
  'a creationTimestamp that is none': { creationTimestamp: 'yesterday' },
};

const named = (make: (metadata: JsonObject) => JsonObject): Readonly<Record<string, Body>> =>
  Object.fromEntries(Object.entries(NAMED).map(([what, metadata]) => [what, make({ name: 'new', ...metadata })]));

const NAMESPACED_ROLE = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: '{ns}', namespace: '{ns}' },
};

const DEPLOYMENT = workload('apps/v1', 'Deployment') as JsonObject;
const replicas = (count: string): string =>
  JSON.stringify({ ...DEPLOYMENT, spec: { ...(DEPLOYMENT['spec'] as object), replicas: '%' } }).replace('"%"', count);
const number = (field: string, value: string): string =>
  JSON.stringify(beast({ spec: { [field]: '%' } })).replace('"%"', value);

const INTEGERS = [
  '2147483648',
  '9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '-9223372036854775809',
];
const NUMBERS = [...INTEGERS, '1e3', '1.0', '1e400', '1.5', '-0', '01', '0x10', 'NaN'];

const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const deepList = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const free = (value: string): string => JSON.stringify(beast({ spec: { free: { x: '%' } } })).replace('"%"', value);

export const BAD_INPUT: RecordedGroup = {
  name: 'bad-input',
  cases: [
    ...served('beasts', BEAST),
    { name: 'there', send: `POST ${MAPS}?fieldManager=first`, body: map() },
    ...applies(`${MAPS}/there`, APPLIED_MAPS),
    ...applies(`${MAPS}/there`, { 'no manager': map() }, ''),
    ...applies(`${MAPS}/there`, { 'an empty manager': map() }, 'fieldManager='),
    ...applies(`${MAPS}/there`, { 'a manager of 128': map() }, `fieldManager=${'m'.repeat(128)}`),
    ...applies(`${MAPS}/there`, { 'a manager of 129': map() }, `fieldManager=${'n'.repeat(129)}`),
    ...applies(`${MAPS}/there`, { 'a manager with a line break': map() }, 'fieldManager=a%0Ab'),
    ...applies(`${MAPS}/there`, { 'force that is none': map() }, 'fieldManager=m&force=perhaps'),
    ...applies(`${MAPS}/there`, { 'fieldValidation that is none': map() }, 'fieldManager=m&fieldValidation=Loud'),
    ...applies(`${MAPS}/there`, STRICT, 'fieldManager=m&fieldValidation=Strict'),
    ...applies(`${BEASTS}/one`, APPLIED_BEASTS),
    ...applies(
      `${BEASTS}/one`,
      { 'an unknown field': beast({ spec: { bogus: 1 } }) },
      'fieldManager=m&fieldValidation=Strict',
    ),
    ...sent(`POST ${MAPS}?dryRun=All&fieldManager=${'m'.repeat(129)}`, {
      'a manager name too long': map({ name: 'new' }),
    }),
    ...sent(`POST ${MAPS}?dryRun=All&force=true`, { 'force where nothing is applied': map({ name: 'new' }) }),
    ...sent(`PATCH ${MAPS}/there?dryRun=All&force=true`, { 'force where nothing is applied': {} }, 'merge'),
    ...sent(`PUT ${MAPS}/there?dryRun=All`, withOwners(map)),
    ...sent(
      `POST ${BEASTS}?dryRun=All`,
      withOwners((metadata) => beast({ spec: {} }, metadata)),
    ),
    ...sent(
      `PATCH ${MAPS}/there?dryRun=All`,
      withOwners((metadata) => ({ metadata })),
      'merge',
    ),
    ...sent(`POST ${MAPS}?dryRun=All&fieldValidation=Strict`, {
      'an unknown field, strictly': map({ name: 'new' }, { bogus: 1, metadata2: {} }),
      'a key twice, strictly':
        '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"new"},"data":{"a":"1","a":"2"}}',
    }),
    ...sent(`POST ${BEASTS}?dryRun=All&fieldValidation=Strict`, {
      'an unknown field, strictly': beast({ spec: { bogus: 1, free: { bogus: 1 } } }),
      'a key twice, strictly':
        '{"apiVersion":"{group}/v1","kind":"Beast","metadata":{"name":"one"},"spec":{"name":"a","name":"b"}}',
    }),
    ...sent(
      `POST ${MAPS}?dryRun=All`,
      named((metadata) => map(metadata)),
    ),
    ...sent(
      `POST ${BEASTS}?dryRun=All`,
      named((metadata) => beast({ spec: {} }, metadata)),
    ),
    ...sent('POST /apis/rbac.authorization.k8s.io/v1/clusterroles?dryRun=All', {
      'a namespace where there is none': NAMESPACED_ROLE,
    }),
    ...sent('POST /api/v1/namespaces?dryRun=All', {
      'a name of 64 letters': { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n'.repeat(64) } },
      'a namespace in a namespace': {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: '{ns}-2', namespace: '{ns}' },
      },
    }),
    ...sent('POST /apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/clusterroles', {
      'a path that is none': NAMESPACED_ROLE,
    }),
    ...sent('POST /api/v1/configmaps?dryRun=All', { 'a namespaced kind without one': map({ name: 'new' }) }),
    ...sent('POST /api/v1/namespaces/nobody-has-this/configmaps', {
      'a namespace that is not there': map({ name: 'new' }),
    }),
    ...sent(`POST ${MAPS}?dryRun=All`, {
      'a body over 3 MiB': map({ name: 'new' }, { data: { a: 'x'.repeat(3.2 * MIB) } }),
      'data of 1 MiB and one': map({ name: 'new' }, { data: { a: 'x'.repeat(MIB + 1) } }),
      'a body that ends too early': '{"apiVersion":"v1","kind":"ConfigMap"',
      'no body': '',
      'a list': '[]',
      text: '"text"',
      null: 'null',
      'two documents': '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"new"}}{}',
      'a byte order mark': `\uFEFF{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"new"}}`,
      'levels: 20,000': `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"new"},"data":${deep(20_000)}}`,
    }),
    ...sent(
      `PATCH ${MAPS}/there?dryRun=All`,
      { 'a body over 3 MiB': map({}, { data: { a: 'x'.repeat(3.2 * MIB) } }) },
      'apply',
    ),
    ...sent(`PATCH ${MAPS}/there?dryRun=All`, { 'a body over 3 MiB': { data: { a: 'x'.repeat(3.2 * MIB) } } }, 'merge'),
    ...sent(
      `PATCH ${MAPS}/there?dryRun=All`,
      { 'levels: 20,000': deep(20_000), 'a list': '[]', text: '"x"', broken: '{' },
      'merge',
    ),
    ...sent(
      `PATCH ${MAPS}/there?dryRun=All`,
      { 'levels: 20,000': deep(20_000), 'a list': '[]', broken: '{' },
      'strategic',
    ),
    ...sent(
      `PATCH ${MAPS}/there?dryRun=All`,
      { 'an object': '{}', broken: '[', 'an unknown op': '[{"op":"x","path":"/a"}]' },
      'json',
    ),
    ...sent(
      `POST ${DEPLOYMENTS}?dryRun=All`,
      Object.fromEntries(NUMBERS.map((count) => [`replicas ${count}`, replicas(count)])),
    ),
    ...['count', 'long', 'short', 'ratio'].flatMap((field) =>
      sent(
        `POST ${BEASTS}?dryRun=All`,
        Object.fromEntries(NUMBERS.map((value) => [`${field} ${value}`, number(field, value)])),
      ),
    ),
    ...sent(`POST ${BEASTS}?dryRun=All`, {
      'free: 100 levels': beast({ spec: { free: nested(100, 1) as JsonObject } }),
      'free: 20,000 levels': free(deep(20_000)),
      'free: 20,000 lists': free(deepList(20_000)),
      'free: a number beyond 2^63': free('9223372036854775808'),
      'a body over 3 MiB': beast({ spec: { name: 'x'.repeat(3.2 * MIB) } }),
    }),
    ...applies(`${BEASTS}/one`, {
      'a number beyond 2^53': number('long', '9007199254740993'),
      'a number beyond 2^63': number('long', '9223372036854775808'),
      'free: 20,000 levels': free(deep(20_000)),
    }),
    forget('beasts'),
  ],
};
