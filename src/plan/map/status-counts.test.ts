import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonValue } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import { CONFIG_MAPS, PODS } from '../../testing/objects.ts';
import { camelCase, statusCounts } from './status-counts.ts';

const object = (conditions?: JsonValue): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p' },
  ...(conditions === undefined ? {} : { status: { conditions } }),
});
const countsOf = (...all: (JsonValue | undefined)[]) =>
  statusCounts([], [{ type: PODS, objects: all.map(object) }])['outputs'];

const TABLE: readonly (readonly [why: string, conditions: (JsonValue | undefined)[], want: object])[] = [
  ['nothing is there', [], { total: 0 }],
  ['no status, no conditions', [undefined, []], { total: 2 }],
  [
    'True counts, everything else does not',
    [
      [{ type: 'Ready', status: 'True' }],
      [{ type: 'Ready', status: 'False' }],
      [{ type: 'Ready', status: 'Unknown' }],
      [{ type: 'Ready' }],
    ],
    { ready: 1, total: 4 },
  ],
  ['none True is told too', [[{ type: 'Ready', status: 'False' }]], { ready: 0, total: 1 }],
  [
    'a condition that stands twice counts once',
    [[...'ab'].map(() => ({ type: 'Ready', status: 'True' }))],
    { ready: 1, total: 1 },
  ],
  ['a type may be called total: the total stays', [[{ type: 'Total', status: 'True' }], []], { total: 2 }],
  ['not a list, not an object, no type', ['x', ['y', { status: 'True' }, { type: 3 }, { type: '' }]], { total: 2 }],
  ['a type with a name that objects have', [[{ type: '__proto__', status: 'True' }]], { proto: 1, total: 1 }],
];
for (const [why, conditions, want] of TABLE)
  test(`counts: ${why}`, () => assert.deepEqual(countsOf(...conditions), { pods: want }));

test('resources are named by their plural, and by their group where that is not enough', () => {
  const other = { ...CONFIG_MAPS, group: 'example.com' };
  assert.deepEqual(
    statusCounts(
      [
        { type: CONFIG_MAPS, objects: [object()] },
        { type: PODS, objects: [] },
      ],
      [
        { type: CONFIG_MAPS, objects: [] },
        { type: other, objects: [object()] },
      ],
    ),
    {
      inputs: { configmaps: { total: 1 }, pods: { total: 0 } },
      outputs: { configmaps: { total: 0 }, 'configmaps.example.com': { total: 1 } },
    },
  );
});

const NAMES: readonly (readonly [string, string])[] = [
  ['Ready', 'ready'],
  ['ContainersReady', 'containersReady'],
  ['DNSReady', 'dnsReady'],
  ['OK', 'ok'],
  ['ready', 'ready'],
  ['example.com/Is-Up', 'exampleComIsUp'],
  ['ready_to_use', 'readyToUse'],
  ['--', ''],
];
for (const [type, want] of NAMES) test(`${type} in camel case`, () => assert.equal(camelCase(type), want));
