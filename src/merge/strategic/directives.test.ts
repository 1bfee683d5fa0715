// What a patch may say beside values, and patches that are none.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../kit/json.ts';
import { allSchemas } from '../../sandbox/kube-data/index.ts';
import { applyStrategicPatch } from './apply-patch.ts';
import { StrategicPatchError } from './errors.ts';
import { PatchType } from './patch-type.ts';

const POD = PatchType.of('io.k8s.api.core.v1.PodSpec', allSchemas());
const META = PatchType.of('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta', allSchemas());
const DEPLOYMENT = PatchType.of('io.k8s.api.apps.v1.DeploymentSpec', allSchemas());

const [a, b, c] = ['a', 'b', 'c'].map((name) => ({ name, image: `${name}:1` }));

const APPLIED: readonly (readonly [why: string, PatchType, object: object, patch: object, result: object])[] = [
  [
    'items are merged by name, new ones stand first as the patch has them',
    POD,
    { containers: [a, b] },
    { containers: [{ name: 'b', image: 'b:2' }, c] },
    { containers: [a, { name: 'b', image: 'b:2' }, c] },
  ],
  [
    'an item goes by $patch: delete',
    POD,
    { containers: [a, b] },
    { containers: [{ name: 'a', $patch: 'delete' }] },
    { containers: [b] },
  ],
  [
    'a list is replaced by an item with $patch: replace',
    POD,
    { containers: [a, b] },
    { containers: [c, { $patch: 'replace' }] },
    { containers: [c] },
  ],
  [
    'a map is replaced by $patch: replace, and stays empty after $patch: delete',
    POD,
    { nodeSelector: { x: '1' }, securityContext: { runAsUser: 1 } },
    { nodeSelector: { y: '2', $patch: 'replace' }, securityContext: { $patch: 'delete', runAsUser: 2 } },
    { nodeSelector: { y: '2' }, securityContext: {} },
  ],
  [
    'the whole object is replaced by $patch: replace',
    META,
    { name: 'x', labels: { a: '1' } },
    { $patch: 'replace', name: 'y' },
    { name: 'y' },
  ],
  [
    'an order is kept, what only the server has stays where it stood',
    POD,
    { containers: [a, b, c] },
    { '$setElementOrder/containers': [{ name: 'c' }, { name: 'a' }] },
    { containers: [b, c, a] },
  ],
  [
    'other sources of a volume go, by $retainKeys',
    POD,
    { volumes: [{ name: 'v', emptyDir: {} }] },
    { volumes: [{ name: 'v', $retainKeys: ['name', 'secret'], secret: { secretName: 's' } }] },
    { volumes: [{ name: 'v', secret: { secretName: 's' } }] },
  ],
  [
    'plain values are a set; some are deleted, the rest is ordered',
    META,
    { finalizers: ['x', 'y', 'z'] },
    { '$deleteFromPrimitiveList/finalizers': ['y'], '$setElementOrder/finalizers': ['w', 'x'], finalizers: ['w'] },
    { finalizers: ['w', 'x', 'z'] },
  ],
  [
    'null takes a field away, and is nothing where there is none',
    META,
    { labels: { a: '1' } },
    { labels: { a: null, b: null } },
    { labels: {} },
  ],
  ['nulls of a new map are not kept', META, {}, { labels: { a: null, b: '1' } }, { labels: { b: '1' } }],
  [
    'lists without a strategy are replaced',
    POD,
    { hostAliases: [], readinessGates: [{ conditionType: 'a' }] },
    { readinessGates: [] },
    { hostAliases: [], readinessGates: [] },
  ],
  [
    'directives in a new map are carried out',
    POD,
    {},
    { containers: [{ name: 'a', $patch: 'delete' }, b] },
    { containers: [b] },
  ],
];

for (const [why, type, object, patch, result] of APPLIED) {
  test(why, () => assert.deepEqual(applyStrategicPatch(object as JsonObject, patch as JsonObject, type), result));
}

const REFUSED: readonly (readonly [
  why: string,
  PatchType,
  object: object,
  patch: object,
  problem: string,
  message: RegExp,
])[] = [
  [
    'an unknown directive',
    META,
    { labels: {} },
    { labels: { $patch: 'x' } },
    'other',
    /^unknown patch type: x in map: map\[\$patch:x\]$/,
  ],
  [
    'a deletion without the key',
    POD,
    { containers: [a] },
    { containers: [{ $patch: 'delete' }] },
    'other',
    /does not contain declared merge key: name$/,
  ],
  [
    'an item without the key',
    POD,
    { containers: [a] },
    { containers: [{ image: 'x' }] },
    'other',
    /^map: map\[image:x\] does not/,
  ],
  [
    '$retainKeys that is no list',
    DEPLOYMENT,
    { strategy: {} },
    { strategy: { $retainKeys: 'x' } },
    'format',
    /retainKeys$/,
  ],
  [
    'a key that is not retained',
    DEPLOYMENT,
    { strategy: {} },
    { strategy: { $retainKeys: ['a'], type: 'x' } },
    'format',
    /retainKeys$/,
  ],
  ['an order for nothing', META, {}, { $setElementOrder: ['x'] }, 'format', /setElementOrder list$/],
  ['a deletion for nothing', META, {}, { $deleteFromPrimitiveList: ['x'] }, 'format', /primitive list$/],
  [
    'items out of order',
    META,
    { finalizers: ['a'] },
    { finalizers: ['x', 'y'], '$setElementOrder/finalizers': ['y', 'x'] },
    'other',
    /^The order in patch list:\n\[x y\]\n doesn't match/,
  ],
  [
    'an order that is no list',
    META,
    {},
    { '$setElementOrder/finalizers': 'x' },
    'other',
    /^expected a \[\]interface \{\}, but received a string$/,
  ],
  ['mixed items', META, { finalizers: ['a'] }, { finalizers: [1] }, 'other', /^list element types are not identical/],
  ['lists of lists', META, { finalizers: ['a'] }, { finalizers: [[]] }, 'unprocessable', /^lists of lists/],
  [
    'a map where the type has no such field',
    POD,
    { nope: { a: 1 } },
    { nope: { b: 1 } },
    'other',
    /^unable to find api field in struct PodSpec for the json field "nope"$/,
  ],
];

for (const [why, type, object, patch, problem, message] of REFUSED) {
  test(`refused: ${why}`, () => {
    assert.throws(
      () => applyStrategicPatch(object as JsonObject, patch as JsonObject, type),
      (error) => error instanceof StrategicPatchError && error.problem === problem && message.test(error.message),
    );
  });
}

test('a __proto__ key is data, and inputs stay as they were', () => {
  const object = Object.freeze(JSON.parse('{"labels":{"__proto__":"1","a":"1"}}') as JsonObject);
  const result = applyStrategicPatch(object, JSON.parse('{"labels":{"__proto__":"2"}}') as JsonObject, META);
  assert.equal(JSON.stringify(result), '{"labels":{"__proto__":"2","a":"1"}}');
  assert.equal(JSON.stringify(object), '{"labels":{"__proto__":"1","a":"1"}}');
});
