import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonValue } from '../../kit/json.ts';
import type { KubeObject, ObjectMeta } from '../../model/object.ts';
import { CONFIG_MAPS, configMap, NAMESPACES, ownedMetadata, widget } from '../../testing/objects.ts';
import { inputSelectorOf, inputsOf, selectsAsInput } from './inputs.ts';

const parentWith = (selector: JsonValue | undefined, metadata: ObjectMeta = {}): KubeObject => ({
  ...widget({}, metadata),
  spec: selector === undefined ? {} : { selector },
});
const map = (name: string, metadata: ObjectMeta = {}) => configMap(name, {}, metadata);
const OTHER_OWNER = { ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'x', uid: 'x', controller: true }] };

const OBJECTS = [
  map('c'),
  map('a', { labels: { app: 'other' } }),
  map('far', { namespace: 'elsewhere' }),
  map('mine', ownedMetadata('mine')),
  map('theirs', OTHER_OWNER),
];
const CLUSTER = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n', labels: { app: 'w' } } };

const TABLE: readonly (readonly [why: string, parent: KubeObject, want: string[]])[] = [
  ['no selector: all of the namespace, and what is in none', parentWith(undefined), ['a', 'c', 'theirs', 'n']],
  ['an empty one', parentWith({}), ['a', 'c', 'theirs', 'n']],
  ['null', parentWith(null), ['a', 'c', 'theirs', 'n']],
  ['labels', parentWith({ matchLabels: { app: 'w' } }), ['c', 'theirs', 'n']],
  ['expressions', parentWith({ matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['w'] }] }), ['a']],
  [
    'a cluster-scoped parent: all namespaces',
    { ...parentWith({}), metadata: { name: 'w', uid: 'w' } },
    ['a', 'c', 'mine', 'theirs', 'far', 'n'],
  ],
  ['no spec at all', { ...widget(), spec: undefined } as unknown as KubeObject, ['a', 'c', 'theirs', 'n']],
];
for (const [why, parent, want] of TABLE)
  test(`inputs: ${why}; never what the parent owns`, () => {
    const selector = inputSelectorOf('MapController/m', parent);
    assert.ok(!('code' in selector));
    const groups = [
      { type: CONFIG_MAPS, objects: OBJECTS },
      { type: NAMESPACES, objects: [CLUSTER] },
    ];
    const found = inputsOf(groups, parent, selector).flatMap(({ objects }) => objects);
    assert.deepEqual(
      found.map(({ metadata }) => metadata.name),
      want,
    );
    for (const object of [...OBJECTS, CLUSTER])
      assert.equal(selectsAsInput(parent, object), want.includes(object.metadata.name ?? ''), object.metadata.name);
  });

const BAD: readonly (readonly [JsonValue, RegExp])[] = [
  ['app=w', /spec\.selector is not an object/],
  [{ matchLabels: { a: 1 } }, /matchLabels\.a is not a string/],
  [{ matchExpressions: [{ key: 'a', operator: 'Is' }] }, /matchExpressions\[0\] has operator "Is"/],
];
for (const [selector, want] of BAD)
  test(`a selector that is none: ${JSON.stringify(selector)}`, () => {
    const found = inputSelectorOf('MapController/m', parentWith(selector));
    assert.ok('code' in found);
    assert.equal(found.code, 'parent-selector-invalid');
    assert.match(found.summary, want);
    assert.equal(selectsAsInput(parentWith(selector), map('c')), false);
  });
