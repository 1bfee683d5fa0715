// What the API server does around the library: entries, their cap, what came before the first apply, kubectl's migration.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isJsonObject, type JsonObject, type JsonValue } from '../../kit/json.ts';
import { deducedKind } from '../../schema/index.ts';
import { type ApplyAnswer, applyPatch } from './apply-patch.ts';
import type { Endpoint } from './endpoint.ts';
import { parentEntries, scaleEntries } from './scale-entries.ts';
import { trackUpdate } from './track-update.ts';

const endpoint: Endpoint = {
  apiVersion: 'v1',
  kind: 'Thing',
  at: (value, apiVersion) => (apiVersion === 'v1' ? { ...deducedKind, apiVersion, value } : undefined),
  empty: { apiVersion: 'v1', kind: 'Thing' },
};

const time = (second: number): string => `2026-01-01T00:00:${String(second).padStart(2, '0')}Z`;
const thing = (data: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name: 'a', ...metadata },
  data,
});

interface Entry extends JsonObject {
  readonly manager: string;
  readonly operation: string;
  readonly time?: string;
  readonly fieldsV1: JsonObject;
}

const entries = (object: JsonObject): readonly Entry[] =>
  isJsonObject(object['metadata']) ? ((object['metadata']['managedFields'] ?? []) as readonly Entry[]) : [];
const owners = (object: JsonObject): JsonValue =>
  entries(object).map(({ manager, operation }) => `${manager} ${operation}`);

const update = (live: JsonObject | undefined, object: JsonObject, manager: string, second = 0): JsonObject =>
  trackUpdate({ live, object, manager, time: time(second) }, endpoint);

const apply = (live: JsonObject | undefined, config: JsonObject, manager: string, force = false): ApplyAnswer =>
  applyPatch({ live, config, manager, force, time: time(59) }, endpoint);

function applied(answer: ApplyAnswer): JsonObject {
  assert.ok(answer.kind === 'applied', JSON.stringify(answer));
  return answer.object;
}

test('the eleventh updater: the two oldest become ancient-changes', () => {
  let object = update(undefined, thing({ k0: '0' }), 'm0', 0);
  for (let n = 1; n <= 10; n += 1) {
    const { data } = object;
    object = update(object, { ...object, data: { ...(data as JsonObject), [`k${n}`]: String(n) } }, `m${n}`, n);
  }
  const [first, ...others] = entries(object);
  assert.equal(first?.manager, 'ancient-changes');
  assert.deepEqual(first?.fieldsV1, { 'f:data': { '.': {}, 'f:k0': {}, 'f:k1': {} } });
  assert.equal(first?.time, time(1));
  assert.deepEqual(
    others.map(({ manager }) => manager),
    [2, 3, 4, 5, 6, 7, 8, 9, 10].map((n) => `m${n}`),
  );
});

test('a write that changes nothing leaves the times as they are', () => {
  const object = update(undefined, thing({ a: '1' }), 'm', 1);
  assert.deepEqual(entries(update(object, object, 'm', 2)), entries(object));
});

test('an object that nobody tracked: updates go untracked, the first apply books what is there to somebody', () => {
  const live = thing({ a: '1' }, { uid: 'u' });
  assert.deepEqual(owners(update(live, thing({ a: '2' }, { uid: 'u' }), 'm')), []);
  const after = applied(apply(live, thing({ b: '1' }), 'me'));
  assert.deepEqual(owners(after), ['me Apply', 'before-first-apply Update']);
  assert.equal(apply(live, thing({ a: '2' }), 'me').kind, 'conflicts');
});

for (const [given, forgets] of [
  [[], true],
  [[{}], true],
  [undefined, false],
  [[{ manager: 'x' }], false],
] as const)
  test(`managedFields ${JSON.stringify(given)} in an update ${forgets ? 'forgets' : 'keeps'} the owners`, () => {
    const live = update(undefined, thing({ a: '1' }), 'm');
    const changed = thing({ a: '1' }, given === undefined ? {} : { managedFields: given });
    assert.equal(entries(update(live, changed, 'm')).length, forgets ? 0 : 1);
  });

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

function clientSide(data: JsonObject, lastData: JsonObject): JsonObject {
  const annotations = { [LAST_APPLIED]: JSON.stringify(thing(lastData)) };
  return update(undefined, thing(data, { annotations }), 'kubectl-client-side-apply');
}

test('kubectl takes over what it applied from its own side, and the annotation goes along', () => {
  const after = applied(apply(clientSide({ a: '1' }, { a: '1' }), thing({ a: '2' }), 'kubectl'));
  assert.deepEqual(after['data'], { a: '2' });
  const { annotations } = after['metadata'] as JsonObject;
  assert.deepEqual(JSON.parse(String((annotations as JsonObject)[LAST_APPLIED])), thing({ a: '2' }));
});

test('not what somebody changed since, and nobody else takes it over', () => {
  assert.equal(apply(clientSide({ a: 'other' }, { a: '1' }), thing({ a: '2' }), 'kubectl').kind, 'conflicts');
  assert.equal(apply(clientSide({ a: '1' }, { a: '1' }), thing({ a: '2' }), 'me').kind, 'conflicts');
});

test('conflicts: told by manager, with the field', () => {
  const answer = apply(update(undefined, thing({ a: '1' }), 'm'), thing({ a: '2' }), 'me');
  assert.ok(answer.kind === 'conflicts');
  const { message, causes } = answer;
  assert.deepEqual(
    { message, causes },
    {
      message: 'Apply failed with 1 conflict: conflict with "m" using v1: .data.a',
      causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "m" using v1', field: '.data.a' }],
    },
  );
});

const refused: readonly [JsonObject, string][] = [
  [{ apiVersion: 'v2', kind: 'Thing' }, 'invalid object type: /v2, Kind=Thing'],
  [thing({}, { managedFields: [] }), 'metadata.managedFields must be nil'],
];
for (const [config, message] of refused)
  test(`refused: ${message}`, () =>
    assert.deepEqual(apply(undefined, config, 'me'), { kind: 'refused', code: 400, message }));

test('a write to the scale takes the replicas from their owner', () => {
  const paths = new Map([['v1', ['f:spec', 'f:replicas']]]);
  const owned = { 'f:spec': { 'f:replicas': {}, 'f:x': {} } };
  const parent = [{ manager: 'm', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: owned }];
  const shown = scaleEntries(parent, paths);
  assert.deepEqual(
    shown?.map(({ apiVersion, fieldsV1 }) => [apiVersion, fieldsV1]),
    [['autoscaling/v1', { 'f:spec': { 'f:replicas': {} } }]],
  );
  const scale = [
    { ...shown?.[0], manager: 'scaler', operation: 'Update', subresource: 'scale' },
  ] as readonly JsonObject[];
  const after = parentEntries({ parent, scale, paths, apiVersion: 'v1' });
  assert.deepEqual(
    after?.map(({ manager, fieldsV1 }) => [manager, fieldsV1]),
    [
      ['m', { 'f:spec': { 'f:x': {} } }],
      ['scaler', { 'f:spec': { 'f:replicas': {} } }],
    ],
  );
});
