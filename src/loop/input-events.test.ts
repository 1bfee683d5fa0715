// Which parents of a map controller an event of an input concerns.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject, ObjectMeta } from '../model/object.ts';
import type { Controller } from '../reconcile/index.ts';
import { FakeCache } from '../testing/fake-cache.ts';
import { nothingRelated } from '../testing/fake-related.ts';
import { inputPod, mapController } from '../testing/map-world.ts';
import { CONFIG_MAPS, configMap, NAMESPACES, PODS, WIDGETS, widget } from '../testing/objects.ts';
import { Parents } from './parents.ts';

const definition = mapController();
const controller: Controller = {
  definition,
  parentRule: definition.parent,
  parentType: WIDGETS,
  parentScope: { type: WIDGETS },
  childTypes: [CONFIG_MAPS],
  childScopes: [{ type: CONFIG_MAPS }],
  inputs: [PODS, CONFIG_MAPS, NAMESPACES].map((type) => ({ type, scope: { type } })),
};

const all = { ...widget({}, { name: 'all', uid: 'all' }), spec: {} };
const red = { ...widget({}, { name: 'red', uid: 'red' }), spec: { selector: { matchLabels: { colour: 'red' } } } };
const far = { ...widget({}, { name: 'far', uid: 'far', namespace: 'elsewhere' }), spec: {} };
const owned = (uid: string): ObjectMeta => ({
  ownerReferences: [{ apiVersion: 'example.com/v1', kind: 'Widget', name: uid, uid, controller: true }],
});
const RED = { labels: { colour: 'red' } };
const space: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } };

const TABLE: readonly (readonly [
  why: string,
  type: typeof PODS,
  before: KubeObject | undefined,
  after: KubeObject | undefined,
  want: string,
])[] = [
  ['comes', PODS, undefined, inputPod('a'), 'all'],
  ['comes, and a selector matches it', PODS, undefined, inputPod('a', RED), 'all red'],
  ['comes into a selector', PODS, inputPod('a'), inputPod('a', RED), 'all red'],
  ['falls out of a selector', PODS, inputPod('a', RED), inputPod('a'), 'all red'],
  ['goes', PODS, inputPod('a', RED), undefined, 'all red'],
  ['in another namespace', PODS, undefined, inputPod('a', { namespace: 'elsewhere' }), 'far'],
  ['of no namespace', NAMESPACES, undefined, space, 'all far'],
  [
    'owned by a parent: its own output, and an input of the others',
    CONFIG_MAPS,
    undefined,
    configMap('o', {}, { ...RED, ...owned('red') }),
    'red all',
  ],
];
for (const [why, type, before, after, want] of TABLE)
  test(`an input ${why}`, () => {
    const cache = new FakeCache([all, red, far]);
    const parents = new Parents({ cache, related: nothingRelated }, () => true);
    parents.add(controller);
    const names = parents.concernedBy({ type, before, after }).map((key) => key.split('/').at(-1));
    assert.deepEqual(names.sort(), want.split(' ').sort());
  });
