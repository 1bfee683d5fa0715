// JSON Schema of the plan. The closed lists come from the model's vocabulary, so the two can't part; docs/formats/plan.v1.json
// is this, written out (a test compares them). Unknown properties are allowed: a later minor version may add some.

import type { JsonObject } from '../../kit/json.ts';
import { DIAGNOSTIC_CODES } from '../../model/diagnostic.ts';
import { ACTIONS, FIDELITIES, REASONS, RESULTS, WAVES } from '../../model/vocabulary.ts';

export const PLAN_FORMAT = 'metactl/plan';
export const PLAN_FORMAT_VERSION = '1.0';
export const PLAN_SCHEMA_ID = 'https://metactl.dev/schemas/plan.v1.json';

const text: JsonObject = { type: 'string' };
const count: JsonObject = { type: 'integer', minimum: 0 };
const anything: JsonObject = {};
const oneOf = (words: readonly string[]): JsonObject => ({ enum: words });
const listOf = (items: JsonObject): JsonObject => ({ type: 'array', items });
const use = (name: string): JsonObject => ({ $ref: `#/$defs/${name}` });

/** An object; a property whose name ends in "?" may be absent. */
function shape(properties: Readonly<Record<string, JsonObject>>, description?: string): JsonObject {
  const names = Object.keys(properties);
  const required = names.filter((name) => !name.endsWith('?'));
  return {
    type: 'object',
    ...(description === undefined ? {} : { description }),
    required,
    properties: Object.fromEntries(names.map((name) => [name.replace(/\?$/, ''), properties[name]])),
  };
}

const kindOf = (kind: string, properties: Readonly<Record<string, JsonObject>> = {}): JsonObject =>
  shape({ kind: { const: kind }, ...properties });

const SUMMARY = shape(
  { ...Object.fromEntries(ACTIONS.map((action) => [action, count])), unchanged: count },
  'How many changes of each action there are, and how many objects already are as wanted.',
);

const REF = shape({ apiVersion: text, kind: text, 'namespace?': text, name: text, 'uid?': text });

const RESOURCE_TYPE = shape({
  group: text,
  version: text,
  kind: text,
  resource: text,
  namespaced: { type: 'boolean' },
});

const PATH: Readonly<Record<string, JsonObject>> = {
  path: { type: 'string', description: 'For people: spec.containers[name=web].image' },
  pathElements: listOf({
    anyOf: [text, count, shape({ key: text, value: { type: ['string', 'number', 'boolean'] } })],
    description: 'A key of a map, an index, or the key and value that name an item of a list.',
  }),
};

const FIELD = shape({ ...PATH, op: oneOf(['add', 'change', 'remove']), 'before?': anything, 'after?': anything });

const KUBE_OBJECT = shape(
  { apiVersion: text, kind: text, metadata: { type: 'object' } },
  'Without metadata.managedFields. Secret values are masked: equal numbers, equal values.',
);

const GUARD: JsonObject = {
  description: 'What must hold when the write is sent, else it is not.',
  anyOf: [
    kindOf('uid', { uid: text }),
    kindOf('resourceVersion', { resourceVersion: text }),
    kindOf('live', { ref: use('ref'), uid: text, type: use('resourceType') }),
    kindOf('result-of', { change: text }),
  ],
};

const INTENT: JsonObject = {
  description: 'What the change means to do, apart from the object it was computed on.',
  anyOf: [
    kindOf('create', { object: use('object') }),
    kindOf('merge', { desired: use('object'), annotation: text }),
    kindOf('apply', { desired: use('object'), 'exact?': { const: true } }),
    kindOf('migrate', {
      fieldManager: text,
      from: listOf(text),
      annotations: listOf(text),
      fields: { type: 'object' },
    }),
    kindOf('delete'),
    kindOf('adopt', { owner: { type: 'object' } }),
    kindOf('release', { ownerUid: text }),
    kindOf('status', { status: anything }),
    kindOf('decorate', {
      labels: { type: 'object' },
      annotations: { type: 'object' },
      'status?': anything,
      'finalizer?': text,
    }),
    kindOf('finalizer-add', { finalizer: text }),
    kindOf('finalizer-remove', { finalizer: text }),
  ],
};

const CHANGE = shape({
  id: { type: 'string', description: 'The same change of the same state has the same id in every run.' },
  action: oneOf(ACTIONS),
  reasons: listOf(oneOf(REASONS)),
  object: use('ref'),
  type: use('resourceType'),
  'subresource?': oneOf(['status']),
  actor: oneOf(['metactl', 'garbage-collector', 'workload-controller']),
  'controller?': text,
  'hookCall?': text,
  step: { type: 'integer', minimum: 1 },
  wave: oneOf(WAVES),
  'verb?': { ...oneOf(['create', 'update', 'delete']), description: 'Absent: nothing is sent.' },
  fieldManager: text,
  force: { type: 'boolean' },
  'propagation?': oneOf(['Background', 'Foreground', 'Orphan']),
  guards: listOf(GUARD),
  dependsOn: listOf(text),
  destructive: oneOf(['no', 'replaces', 'deletes']),
  fidelity: shape({ level: oneOf(FIDELITIES), 'why?': text }, 'How sure the prediction is.'),
  'note?': text,
  fields: listOf(FIELD),
  'before?': use('object'),
  'after?': use('object'),
  afterUnknown: { ...listOf(shape(PATH)), description: 'Places in after that are known only when it is applied.' },
  'intent?': INTENT,
});

const SOURCE = shape({ file: text, line: count, column: count, 'endColumn?': count, 'lineText?': text });

const DIAGNOSTIC = shape({
  severity: oneOf(['error', 'warning']),
  code: oneOf(DIAGNOSTIC_CODES),
  summary: text,
  'detail?': text,
  'hint?': text,
  'subject?': use('ref'),
  'path?': text,
  'source?': SOURCE,
});

const PARENT = shape({
  controller: text,
  parent: use('ref'),
  result: shape({
    kind: oneOf(RESULTS),
    waitingOn: listOf(shape({ ref: use('ref'), reason: text })),
    'resyncAfterSeconds?': { type: 'number' },
  }),
  hookCalls: listOf(shape({ id: text, hookName: text, hookKind: text, children: count })),
  observed: { ...count, description: 'Children that exist before the plan.' },
  unchanged: { ...count, description: 'Children that already are as wanted.' },
  steps: listOf(
    shape({
      number: { type: 'integer', minimum: 1 },
      waves: listOf(shape({ name: oneOf(WAVES), changes: listOf(use('change')) })),
    }),
  ),
  diagnostics: listOf(use('diagnostic')),
});

/** JSON Schema 2020-12 of what planToJson returns. */
export function planSchema(): JsonObject {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: PLAN_SCHEMA_ID,
    title: 'metactl plan, format version 1',
    ...shape({
      format: { const: PLAN_FORMAT },
      formatVersion: { type: 'string', pattern: '^1\\.\\d+$' },
      '$schema?': text,
      target: shape({ kind: oneOf(['cluster', 'sandbox']), 'name?': text, 'serverVersion?': text }),
      definitions: listOf(shape({ id: text, digest: text, 'file?': text })),
      summary: SUMMARY,
      inputs: shape({ unchanged: count, changes: listOf(use('change')) }),
      parents: listOf(PARENT),
      diagnostics: listOf(use('diagnostic')),
    }),
    $defs: {
      ref: REF,
      resourceType: RESOURCE_TYPE,
      object: KUBE_OBJECT,
      change: CHANGE,
      diagnostic: DIAGNOSTIC,
    },
  };
}
