// MapController: its defaults, and what users are told of the mistakes that only this kind knows.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../kit/json.ts';
import type { MapDefinition } from '../model/definition.ts';
import { definitionFromObject } from './index.ts';

const hook = { webhook: { url: 'http://hook.ns/map' } };
const maps = { apiVersion: 'v1', resource: 'configmaps' };
const controller = (spec: JsonObject): JsonObject => ({
  apiVersion: 'metacontroller.k8s.io/v1alpha1',
  kind: 'MapController',
  metadata: { name: 'copier' },
  spec: {
    parentResource: { apiVersion: 'a.b/v1', resource: 'copies' },
    inputResources: [maps],
    outputResources: [maps],
    hooks: { map: hook },
    ...spec,
  },
});
const read = (spec: JsonObject) => definitionFromObject(controller(spec), { directory: '/d' });

test('defaults', () => {
  const { definition, diagnostics } = read({ hooks: { map: hook, tombstone: { module: { path: './h.ts' } } } });
  assert.deepEqual(diagnostics, []);
  const { kind, parent, inputs, children, hooks, resyncPeriodSeconds, apply } = definition as MapDefinition;
  assert.equal(kind, 'MapController');
  assert.deepEqual(parent, {
    apiVersion: 'a.b/v1',
    resource: 'copies',
    labelSelector: { matchLabels: {}, matchExpressions: [] },
    ignoreStatusChanges: false,
  });
  assert.deepEqual(inputs, [maps]);
  assert.deepEqual(children, [{ ...maps, updateMethod: 'OnDelete', statusChecks: [] }]);
  assert.deepEqual([resyncPeriodSeconds, apply.mode], [0, 'dynamic']);
  assert.deepEqual(Object.keys(hooks), ['map', 'tombstone']);
  assert.ok(hooks.tombstone?.kind === 'module' && hooks.tombstone.export === 'tombstone');
});

const CASES: readonly (readonly [why: string, spec: JsonObject, problem: string, text: RegExp])[] = [
  ['no inputs', { inputResources: [] }, 'error invalid-value spec.inputResources', /inputResources/],
  ['inputs left out', { inputResources: undefined }, 'error missing-field spec', /has no inputResources/],
  ['no map hook', { hooks: { tombstone: hook } }, 'error missing-field spec.hooks', /has no map/],
  [
    'a sync hook',
    { hooks: { map: hook, sync: hook } },
    'error unknown-field spec.hooks.sync',
    /Known here: map, tombstone/,
  ],
  ['children', { childResources: [maps] }, 'error unknown-field spec.childResources', /Known here: .*outputResources/],
  [
    'a rolling update',
    { outputResources: [{ ...maps, updateStrategy: { method: 'RollingInPlace' } }] },
    'error invalid-value spec.outputResources[0].updateStrategy.method',
    /OnDelete, Recreate/,
  ],
  [
    'an update strategy of inputs',
    { inputResources: [{ ...maps, updateStrategy: {} }] },
    'error unknown-field spec.inputResources[0].updateStrategy',
    /Known here/,
  ],
  [
    'one input twice',
    { inputResources: [maps, maps] },
    'error conflicting-fields spec.inputResources[1].resource',
    /input resource "configmaps" is declared twice/,
  ],
  [
    'one output twice',
    { outputResources: [maps, maps] },
    'error conflicting-fields spec.outputResources[1].resource',
    /output resource "configmaps" is declared twice/,
  ],
  [
    'a kind for a resource',
    { inputResources: [{ apiVersion: 'v1', resource: 'ConfigMap' }] },
    'error invalid-value spec.inputResources[0].resource',
    /configmaps/,
  ],
  [
    'parents among the outputs',
    { outputResources: [{ apiVersion: 'a.b/v1', resource: 'copies' }] },
    'warning conflicting-fields spec.outputResources[0].resource',
    /also an output resource/,
  ],
];
for (const [why, spec, problem, text] of CASES)
  test(`a bad map definition: ${why}`, () => {
    const { diagnostics } = read(spec);
    const [first, ...others] = diagnostics;
    assert.deepEqual(others, []);
    assert.equal(`${first?.severity} ${first?.code} ${first?.path}`, problem);
    assert.match(`${first?.summary} ${first?.hint}`, text);
  });
