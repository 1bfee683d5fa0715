import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JsonObject, jsonEqual, parseJson, stringifyJson } from '../kit/json.ts';
import { formatPath } from '../kit/path.ts';
import { applyMergePatch } from '../merge/index.ts';
import type { KubeObject } from '../model/object.ts';
import type { FieldChange } from '../model/plan.ts';
import { deepFreeze, randomObject, withSeeds } from '../testing/random-json.ts';
import { diffObjects } from './index.ts';

const object = (extra: JsonObject, metadata: JsonObject = {}): KubeObject =>
  deepFreeze({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'a', namespace: 'n', ...metadata },
    ...extra,
  }) as KubeObject;
const lines = (changes: readonly FieldChange[]): string[] =>
  changes.map(({ path, op, before, after }) => {
    const show = (value: unknown): string => (value === undefined ? '' : stringifyJson(value as JsonObject));
    return `${op} ${formatPath(path)} ${show(before)} → ${show(after)}`;
  });

interface Case {
  readonly name: string;
  readonly reason: string;
  readonly before: KubeObject | undefined;
  readonly after: KubeObject | undefined;
  readonly want: readonly string[];
}
const CASES: readonly Case[] = [
  {
    name: 'scalars, sorted',
    reason: 'the order of keys in the input does not show',
    before: object({ spec: { b: 1, a: 'x', same: true } }),
    after: object({ spec: { same: true, a: 'y', b: 2 } }),
    want: ['change spec.a "x" → "y"', 'change spec.b 1 → 2'],
  },
  {
    name: 'subtrees',
    reason: 'one change at the topmost place',
    before: object({ spec: { gone: { a: 1, b: 2 } } }),
    after: object({ spec: { selector: { track: 'stable' } } }),
    want: ['remove spec.gone {"a":1,"b":2} → ', 'add spec.selector  → {"track":"stable"}'],
  },
  {
    name: 'keyed list',
    reason: 'items are compared by their key, those of before first',
    before: object({ spec: { containers: [{ name: 'web', image: '1' }, { name: 'old' }] } }),
    after: object({ spec: { containers: [{ name: 'web', image: '2' }, { name: 'new' }] } }),
    want: [
      'change spec.containers[name=web].image "1" → "2"',
      'remove spec.containers[name=old] {"name":"old"} → ',
      'add spec.containers[name=new]  → {"name":"new"}',
    ],
  },
  {
    name: 'conditions',
    reason: 'named by their type',
    before: object({ status: { conditions: [{ type: 'Ready', status: 'False' }] } }),
    after: object({ status: { conditions: [{ type: 'Ready', status: 'True' }] } }),
    want: ['change status.conditions[type=Ready].status "False" → "True"'],
  },
  {
    name: 'reordered list',
    reason: 'order can matter and no item would show it',
    before: object({ l: [{ name: 'a' }, { name: 'b' }] }),
    after: object({ l: [{ name: 'b' }, { name: 'a' }] }),
    want: ['change l [{"name":"a"},{"name":"b"}] → [{"name":"b"},{"name":"a"}]'],
  },
  {
    name: 'scalar list',
    reason: 'as a whole',
    before: object({ l: ['a', 'b'] }),
    after: object({ l: ['a', 'c'] }),
    want: ['change l ["a","b"] → ["a","c"]'],
  },
  {
    name: 'long list of objects without a key',
    reason: 'by index',
    before: object({ l: [{ x: 'y'.repeat(130), z: 1 }, { q: 1 }] }),
    after: object({ l: [{ x: 'y'.repeat(130), z: 2 }] }),
    want: ['change l[0].z 1 → 2', 'remove l[1] {"q":1} → '],
  },
  {
    name: 'noise',
    reason: 'server fields and last-applied records are not changes',
    before: object({}, { resourceVersion: '1', generation: 1, managedFields: [], uid: 'a' }),
    after: object(
      {},
      {
        resourceVersion: '2',
        creationTimestamp: 'now',
        annotations: {
          'metacontroller.k8s.io/last-applied-configuration': '{}',
          'kubectl.kubernetes.io/last-applied-configuration': '{}',
        },
      },
    ),
    want: [],
  },
  {
    name: 'annotations beside noise',
    reason: 'only the record is left out',
    before: object({}),
    after: object({}, { annotations: { 'metacontroller.k8s.io/last-applied-configuration': '{}', a: '1' } }),
    want: ['add metadata.annotations  → {"a":"1"}'],
  },
  {
    name: 'created',
    reason: 'all but the identity, which the change names already',
    before: undefined,
    after: object({ spec: { a: 1 } }, { labels: { l: '1' } }),
    want: ['add metadata.labels  → {"l":"1"}', 'add spec  → {"a":1}'],
  },
  {
    name: 'deleted',
    reason: 'the mirror of created',
    before: object({ spec: { a: 1 } }),
    after: undefined,
    want: ['remove spec {"a":1} → '],
  },
  {
    name: 'types',
    reason: '"1" is not 1, null is not absent, 1n is 1',
    before: object({ a: '1', b: null, c: 1n, d: [], e: 9007199254740993n }),
    after: object({ a: 1, c: 1, d: {}, e: 9007199254740995n }),
    want: ['change a "1" → 1', 'remove b null → ', 'change d [] → {}', 'change e 9007199254740993 → 9007199254740995'],
  },
  {
    name: '__proto__',
    reason: 'a key like another',
    before: object({ a: parseJson('{"__proto__":{"x":1}}') }),
    after: object({ a: parseJson('{"constructor":1}') }),
    want: ['remove a.__proto__ {"x":1} → ', 'add a.constructor  → 1'],
  },
];
for (const { name, reason, before, after, want } of CASES) {
  test(`diff: ${name}`, () => assert.deepEqual(lines(diffObjects(before, after)), want, reason));
}

test('diff: empty exactly when the objects are equal', () => {
  withSeeds(50_000, 3000, (random) => {
    const before = object({ spec: randomObject(random, { depth: 3, nulls: true }) });
    const patched =
      random() < 0.5 ? applyMergePatch(before, { spec: randomObject(random, { depth: 2, nulls: true }) }) : before;
    const after = deepFreeze(patched) as KubeObject;
    assert.equal(diffObjects(before, after).length === 0, jsonEqual(before, after));
  });
});
