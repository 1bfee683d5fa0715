import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonValue } from '../kit/json.ts';
import { applyDefaults } from './defaults.ts';

const schema = {
  properties: {
    spec: {
      properties: {
        replicas: { default: 1 },
        strategy: { default: {}, properties: { type: { default: 'Rolling' } } },
        note: { default: 'x', nullable: true },
        ports: { items: { properties: { protocol: { default: 'TCP' } } } },
        labels: { additionalProperties: { properties: { on: { default: true } } } },
      },
    },
  },
};

const cases: readonly [string, JsonValue, JsonValue][] = [
  [
    'an absent property gets its default, and defaults inside it',
    { spec: {} },
    { spec: { replicas: 1, strategy: { type: 'Rolling' }, note: 'x' } },
  ],
  ['an absent parent of a default stays absent', {}, {}],
  [
    'null is replaced where the schema is not nullable',
    { spec: { replicas: null, note: null } },
    { spec: { replicas: 1, strategy: { type: 'Rolling' }, note: null } },
  ],
  [
    'list items and map values are filled in',
    { spec: { replicas: 2, strategy: { type: 'None' }, note: 'y', ports: [{}], labels: { a: {} } } },
    {
      spec: {
        replicas: 2,
        strategy: { type: 'None' },
        note: 'y',
        ports: [{ protocol: 'TCP' }],
        labels: { a: { on: true } },
      },
    },
  ],
];

for (const [name, value, want] of cases) test(name, () => assert.deepEqual(applyDefaults(schema, value), want));

test('nothing missing: the same value comes back', () => {
  const full = { spec: { replicas: 2, strategy: { type: 'None' }, note: 'y' } };
  assert.equal(applyDefaults(schema, full), full);
});
