// CustomResourceDefinitions that are created: names, versions, schemas that are broken or not structural.

import type { JsonObject } from '../../../kit/json.ts';
import { applyMergePatch } from '../../../merge/index.ts';
import type { RecordedCase, RecordedGroup } from '../case.ts';
import { CRDS_PATH, type DefinitionOptions, definition, specSchema } from './definition-objects.ts';

const OBJECT = { type: 'object' };
const STRING = { type: 'string' };
const tried = (name: string, body: JsonObject, query = ''): RecordedCase => ({
  name,
  send: `POST ${CRDS_PATH}?dryRun=All${query}`,
  body,
});

const plain = definition('things', OBJECT);
const changed = (change: JsonObject): JsonObject => applyMergePatch(plain, change) as JsonObject;
const SHAPES: Readonly<Record<string, JsonObject>> = {
  valid: {},
  'no metadata.name': { metadata: { name: null } },
  'a name that is not plural.group': { metadata: { name: 'x' } },
  'a name of capitals': { metadata: { name: 'Things.{group}' }, spec: { names: { plural: 'Things' } } },
  'no spec': { spec: null },
  'no group': { spec: { group: null } },
  'a group without a dot': { metadata: { name: 'things.nodots' }, spec: { group: 'nodots' } },
  'a group of capitals': { spec: { group: 'A.b' } },
  'a protected group': { metadata: { name: 'things.x.k8s.io' }, spec: { group: 'x.k8s.io' } },
  'a protected group, approved': {
    metadata: { name: 'things.x.k8s.io', annotations: { 'api-approved.kubernetes.io': 'unapproved, test' } },
    spec: { group: 'x.k8s.io' },
  },
  'a protected group, approved by nonsense': {
    metadata: { name: 'things.x.k8s.io', annotations: { 'api-approved.kubernetes.io': 'bogus' } },
    spec: { group: 'x.k8s.io' },
  },
  'no scope': { spec: { scope: null } },
  'a scope that is none': { spec: { scope: 'Global' } },
  'no names': { spec: { names: null } },
  'no kind': { spec: { names: { kind: null } } },
  'no plural': { spec: { names: { plural: null } } },
  'bad names': {
    spec: { names: { kind: 'a_b', listKind: '1List', singular: 'X', shortNames: ['OK', 'b'], categories: ['A.b'] } },
  },
  'kind and listKind the same': { spec: { names: { listKind: 'Thing' } } },
  'no versions': { spec: { versions: null } },
  'an empty list of versions': { spec: { versions: [] } },
  preserveUnknownFields: { spec: { preserveUnknownFields: true } },
  'a conversion that is none': { spec: { conversion: { strategy: 'Magic' } } },
  'a webhook without a client': { spec: { conversion: { strategy: 'Webhook' } } },
  'a webhook': {
    spec: {
      conversion: {
        strategy: 'Webhook',
        webhook: { clientConfig: { url: 'https://a.example/b' }, conversionReviewVersions: ['v1'] },
      },
    },
  },
  'a webhook of nonsense': {
    spec: {
      conversion: {
        strategy: 'Webhook',
        webhook: { clientConfig: { url: 'http://a' }, conversionReviewVersions: ['v9', 'v9'] },
      },
    },
  },
  'a webhook without need': {
    spec: { conversion: { strategy: 'None', webhook: { conversionReviewVersions: ['v1'] } } },
  },
  'an unknown field': { spec: { bogus: 1 } },
};

const V = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: { openAPIV3Schema: OBJECT },
  ...more,
});
const VERSIONS: Readonly<Record<string, readonly JsonObject[]>> = {
  'no storage version': [V('v1', { storage: false })],
  'two storage versions': [
    V('v1'),
    V('v2', { storage: true, schema: { openAPIV3Schema: { ...OBJECT, description: 'x' } } }),
  ],
  'one name twice': [V('v1'), V('v1', { storage: false })],
  'a bad name': [V('v1'), V('V2'), V('2.0')],
  'no schema': [V('v1', { schema: null })],
  'an empty schema': [V('v1', { schema: {} })],
  'no schema in one of two': [V('v1'), V('v2', { schema: null })],
  'nothing served': [V('v1', { served: false })],
  'no name': [{ served: true, storage: true, schema: { openAPIV3Schema: OBJECT } }],
  'a deprecation without need': [V('v1', { deprecationWarning: 'x' })],
  'a deprecation': [V('v1', { deprecated: true, deprecationWarning: 'x' })],
  'an empty deprecation': [V('v1', { deprecated: true, deprecationWarning: '' })],
  'a long deprecation': [V('v1', { deprecated: true, deprecationWarning: 'ab'.repeat(129) })],
  columns: [
    V('v1', {
      additionalPrinterColumns: [
        { name: 'A', type: 'text', jsonPath: '.spec.a' },
        { name: '', type: '', jsonPath: '' },
        { name: 'B', type: 'string', format: 'bogus', jsonPath: 'spec' },
      ],
    }),
  ],
  scale: [
    V('v1', {
      subresources: {
        scale: { specReplicasPath: '.status.x', statusReplicasPath: 'status.y', labelSelectorPath: '.x' },
      },
    }),
  ],
  'scale of nothing': [V('v1', { subresources: { scale: {} } })],
};

const SCHEMAS: Readonly<Record<string, JsonObject>> = {
  'no type': {},
  'a root that is no object': STRING,
  'a type that is none': { type: 'thing' },
  'a nullable root': { ...OBJECT, nullable: true },
  'a map at the root': { ...OBJECT, additionalProperties: STRING },
  'properties without type': specSchema({ a: {}, b: { properties: { c: STRING } } }),
  'items without type': specSchema({ a: { type: 'array', items: {} } }),
  'an array without items': specSchema({ a: { type: 'array' } }),
  'items that are a list': specSchema({ a: { type: 'array', items: [STRING, STRING] } }),
  'a type of null': specSchema({ a: { type: 'null' } }),
  'a type that is a number': specSchema({ a: { type: 'float' } }),
  'unique items': specSchema({ a: { type: 'array', items: STRING, uniqueItems: true } }),
  'properties and additionalProperties': specSchema({ a: STRING }, { additionalProperties: STRING }),
  'properties and additionalProperties false': specSchema({ a: STRING }, { additionalProperties: false }),
  'additionalProperties false': specSchema({ a: { type: 'object', additionalProperties: false } }),
  'a reference': specSchema({ a: { $ref: '#/definitions/x' } }),
  'an id': specSchema({ a: { type: 'string', id: 'x' } }),
  'a $schema': specSchema({ a: { type: 'string', $schema: 'x' } }),
  definitions: { ...OBJECT, definitions: { a: STRING } },
  patternProperties: specSchema({ a: { type: 'object', patternProperties: { '^a': STRING } } }),
  dependencies: specSchema({ a: { type: 'object', dependencies: { a: ['b'] } } }),
  additionalItems: specSchema({ a: { type: 'array', items: STRING, additionalItems: false } }),
  'a broken pattern': specSchema({ a: { type: 'string', pattern: 'a(b' } }),
  'a pattern of Perl': specSchema({ a: { type: 'string', pattern: '^(?!a).*$' } }),
  'a broken class': specSchema({ a: { type: 'string', pattern: '[a-' } }),
  'a lone star': specSchema({ a: { type: 'string', pattern: '*a' } }),
  'a bad escape': specSchema({ a: { type: 'string', pattern: '(a)\\1' } }),
  'a closed group': specSchema({ a: { type: 'string', pattern: 'a)' } }),
  'a big repeat': specSchema({ a: { type: 'string', pattern: 'a{1001}' } }),
  'metadata with a label': { ...OBJECT, properties: { metadata: { type: 'object', properties: { labels: OBJECT } } } },
  'metadata with a name': {
    ...OBJECT,
    properties: { metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 5 } } } },
  },
  'metadata of another type': {
    ...OBJECT,
    properties: { metadata: STRING, kind: OBJECT, apiVersion: { type: 'integer' } },
  },
  'type in anyOf': specSchema({
    a: { type: 'string', anyOf: [{ type: 'string' }, { type: 'integer', description: 'x' }] },
  }),
  'properties in allOf only': specSchema({ a: STRING }, { allOf: [{ properties: { b: { minLength: 1 } } }] }),
  'defaults in oneOf': specSchema({ a: { type: 'string', oneOf: [{ default: 'x', nullable: true }, { title: 'x' }] } }),
  'metadata in not': { ...OBJECT, not: { properties: { metadata: {} } } },
  'additionalProperties in anyOf': specSchema({
    a: { type: 'object', anyOf: [{ additionalProperties: { minLength: 1 } }] },
  }),
  'items in anyOf only': specSchema({ a: { type: 'object', anyOf: [{ items: { minLength: 1 } }] } }),
  'int-or-string': specSchema({
    a: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
  }),
  'int-or-string under allOf': specSchema({
    a: {
      'x-kubernetes-int-or-string': true,
      allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, { maxLength: 3 }],
    },
  }),
  'int-or-string with a type': specSchema({ a: { type: 'string', 'x-kubernetes-int-or-string': true } }),
  'int-or-string the wrong way round': specSchema({
    a: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'string' }, { type: 'integer' }] },
  }),
  'int-or-string that preserves': specSchema({
    a: { 'x-kubernetes-int-or-string': true, 'x-kubernetes-preserve-unknown-fields': true },
  }),
  'preserve: false': specSchema({ a: { type: 'object', 'x-kubernetes-preserve-unknown-fields': false } }),
  'an embedded string': specSchema({ a: { type: 'string', 'x-kubernetes-embedded-resource': true } }),
  'embedded without properties': specSchema({ a: { type: 'object', 'x-kubernetes-embedded-resource': true } }),
  'embedded with additionalProperties': specSchema({
    a: {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
      additionalProperties: STRING,
    },
  }),
  'a list type on an object': specSchema({ a: { type: 'object', 'x-kubernetes-list-type': 'set' } }),
  'a list type that is none': specSchema({ a: { type: 'array', items: STRING, 'x-kubernetes-list-type': 'bag' } }),
  'a map type that is none': specSchema({ a: { type: 'object', 'x-kubernetes-map-type': 'bag' } }),
  'a map type on a list': specSchema({ a: { type: 'array', items: STRING, 'x-kubernetes-map-type': 'atomic' } }),
  'a set of objects': specSchema({ a: { type: 'array', items: OBJECT, 'x-kubernetes-list-type': 'set' } }),
  'a set of lists': specSchema({
    a: {
      type: 'array',
      items: { type: 'array', items: STRING, 'x-kubernetes-list-type': 'set' },
      'x-kubernetes-list-type': 'set',
    },
  }),
  'a set of nullables': specSchema({
    a: { type: 'array', items: { type: 'string', nullable: true }, 'x-kubernetes-list-type': 'set' },
  }),
  'map keys without a list type': specSchema({
    a: { type: 'array', items: OBJECT, 'x-kubernetes-list-map-keys': ['x'] },
  }),
  'a map list without keys': specSchema({ a: { type: 'array', items: OBJECT, 'x-kubernetes-list-type': 'map' } }),
  'a map list of strings': specSchema({
    a: { type: 'array', items: STRING, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['x'] },
  }),
  'a map list with odd keys': specSchema({
    a: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['x', 'x', 'o', 'n'],
      items: { type: 'object', required: ['o'], properties: { o: OBJECT, n: { type: 'string', nullable: true } } },
    },
  }),
  'a default of the wrong type': specSchema({ a: { type: 'integer', default: 'x' } }),
  'a default that is too long': specSchema({ a: { type: 'string', maxLength: 1, default: 'xx' } }),
  'a default with unknown fields': specSchema({
    a: { type: 'object', properties: { b: STRING }, default: { b: 'x', c: 1 } },
  }),
  'a default in metadata': {
    ...OBJECT,
    properties: { metadata: { type: 'object', properties: { name: { type: 'string', default: 'x' } } } },
  },
  'a default in a map': specSchema({ a: { type: 'object', additionalProperties: { type: 'string', default: 'x' } } }),
  'a default that is null': specSchema({ a: { type: 'string', nullable: true, default: null } }),
  'a default of an embedded object': specSchema({
    a: {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
      default: { kind: 'Pod', metadata: { labels: { 'a b': 'c' } } },
    },
  }),
  'several problems': specSchema({ b: {}, a: { type: 'array' }, c: { type: 'string', pattern: '(' } }),
  'unknown formats': specSchema({ a: { type: 'string', format: 'bogus' }, b: { type: 'integer', format: 'int8' } }),
};

const STATUS: Readonly<Record<string, JsonObject>> = {
  'required at the root': { ...OBJECT, required: ['spec'], properties: { spec: OBJECT } },
  'oneOf at the root': { ...OBJECT, oneOf: [{ required: ['spec'] }], properties: { spec: OBJECT } },
  'maxProperties at the root': { ...OBJECT, maxProperties: 5 },
  'a root that is no object': { type: 'string' },
};

const rules = (...list: JsonObject[]): JsonObject =>
  specSchema({ a: STRING, n: { type: 'integer' } }, { 'x-kubernetes-validations': list });
const RULES: Readonly<Record<string, JsonObject>> = {
  'no rule': rules({ rule: ' ' }),
  'a blank message': rules({ rule: 'true', message: ' ' }),
  'a message with line breaks': rules({ rule: 'true', message: 'a\nb' }),
  'a rule with line breaks': rules({ rule: 'true\n&& true' }),
  'a blank messageExpression': rules({ rule: 'true', messageExpression: ' ' }),
  'a reason that is none': rules({ rule: 'true', reason: 'Bogus' }),
  'a blank fieldPath': rules({ rule: 'true', fieldPath: ' ' }),
  'a fieldPath to nothing': rules({ rule: 'true', fieldPath: '.x' }),
  'a fieldPath': rules({ rule: 'true', fieldPath: '.a' }),
  'a fieldPath that is none': rules({ rule: 'true', fieldPath: 'a' }),
  'a rule of another type': rules({ rule: 'self.n' }),
  'optionalOldSelf without oldSelf': rules({ rule: 'self.n > 0', optionalOldSelf: true }),
  'oldSelf in an atomic list': specSchema({
    a: {
      type: 'array',
      maxItems: 5,
      items: { type: 'object', 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] },
    },
  }),
  'rules inside anyOf': specSchema({
    a: { type: 'string', anyOf: [{ 'x-kubernetes-validations': [{ rule: 'true' }] }] },
  }),
};

const SELECTABLE: Readonly<Record<string, JsonObject>> = {
  valid: { selectableFields: [{ jsonPath: '.spec.a' }, { jsonPath: '.spec.n' }] },
  'an empty path': { selectableFields: [{ jsonPath: '' }] },
  'a path to nothing': { selectableFields: [{ jsonPath: '.spec.x' }] },
  'a path without a dot': { selectableFields: [{ jsonPath: 'spec.a' }] },
  'a path to an object': { selectableFields: [{ jsonPath: '.spec' }] },
  'a path with an index': { selectableFields: [{ jsonPath: ".spec['a']" }] },
  'a path twice': { selectableFields: [{ jsonPath: '.spec.a' }, { jsonPath: '.spec.a' }] },
};

const schemas = (
  what: string,
  table: Readonly<Record<string, JsonObject>>,
  options?: DefinitionOptions,
): RecordedCase[] =>
  Object.entries(table).map(([name, schema]) => tried(`${what}: ${name}`, definition('things', schema, options)));

export const CRDS: RecordedGroup = {
  name: 'crds',
  unordered: true,
  cases: [
    ...Object.entries(SHAPES).map(([name, change]) => tried(name, changed(change))),
    tried('an unknown field, strict', changed({ spec: { bogus: 1 } }), '&fieldValidation=Strict'),
    tried(
      'an unknown field of a schema, strict',
      definition('things', { ...OBJECT, bogus: 1 }),
      '&fieldValidation=Strict',
    ),
    ...Object.entries(VERSIONS).map(([name, versions]) =>
      tried(`versions: ${name}`, definition('things', undefined, { spec: { versions } })),
    ),
    ...schemas('schema', SCHEMAS),
    ...schemas('status subresource', STATUS, { version: { subresources: { status: {} } } }),
    ...schemas('rules', RULES),
    ...Object.entries(SELECTABLE).map(([name, version]) =>
      tried(
        `selectable: ${name}`,
        definition('things', specSchema({ a: STRING, n: { type: 'integer' } }), { version }),
      ),
    ),
  ],
};
