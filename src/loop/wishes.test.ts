import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject, ObjectMeta } from '../model/object.ts';
import type { CacheChange } from '../ports/cache.ts';
import { CONFIG_MAPS, configMap, WIDGETS, widget } from '../testing/objects.ts';
import { Wishes } from './wishes.ts';

const KEY = 'CompositeController/widgets widgets.example.com default/w';
const meta: ObjectMeta = { name: 'w', uid: 'w' };
const parent = (more: object = {}): KubeObject => ({ ...widget({}, meta), ...more });
const owner = { apiVersion: 'example.com/v1', kind: 'Widget', name: 'w', uid: 'w', controller: true };
const child = (k: string): KubeObject => configMap('c', { k }, { ownerReferences: [owner] });
const other = (k: string): KubeObject => configMap('o', { k });

const TABLE: readonly (readonly [what: string, moved: readonly Omit<CacheChange, 'type'>[], isWish: boolean])[] = [
  ['nothing', [], false],
  ['the parent’s spec', [{ before: parent({ spec: { a: 1 } }), after: parent({ spec: { a: 2 } }) }], true],
  [
    'the data of a parent without a spec',
    [{ before: parent({ data: {} }), after: parent({ data: { k: 'v' } }) }],
    true,
  ],
  ['the parent’s status', [{ before: parent(), after: parent({ status: { n: 1 } }) }], false],
  ['its labels', [{ before: parent(), after: widget({}, { ...meta, labels: { by: 'whom' } }) }], false],
  ['the parent comes', [{ before: undefined, after: parent() }], true],
  ['what it looks at', [{ before: other('a'), after: other('b') }], true],
  ['what it looks at goes', [{ before: other('a'), after: undefined }], true],
  ['a child', [{ before: child('a'), after: child('b') }], false],
  ['a child goes', [{ before: child('a'), after: undefined }], false],
  ['a child that is let go', [{ before: child('a'), after: other('a') }], false],
  [
    'a child and the spec',
    [
      { before: child('a'), after: undefined },
      { before: parent(), after: parent({ spec: {} }) },
    ],
    true,
  ],
];

const changesOf = (moved: readonly Omit<CacheChange, 'type'>[]): CacheChange[] =>
  moved.map((change) => ({
    type: (change.after ?? change.before)?.kind === 'Widget' ? WIDGETS : CONFIG_MAPS,
    ...change,
  }));

for (const [what, moved, isWish] of TABLE)
  test(`${what}: ${isWish ? 'a wish' : 'no wish'}`, () => {
    const wishes = new Wishes();
    wishes.see(KEY, { moved: [], parent: parent(), now: 0 });
    const at = wishes.see(KEY, { moved: changesOf(moved), parent: parent(), now: 5_000 });
    assert.equal(at, isWish ? 5_000 : 0);
  });

test('a wish is remembered; when they go on to come faster than a user’s, only so many count', () => {
  const wishes = new Wishes();
  const moved = changesOf([{ before: parent({ spec: { a: 1 } }), after: parent({ spec: { a: 2 } }) }]);
  const see = (now: number): number => wishes.see(KEY, { moved, parent: parent(), now });
  const burst = Array.from({ length: 15 }, (_, index) => see(index * 100));
  assert.deepEqual(
    [...new Set(burst)],
    [0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1_000],
    'ten beyond the first',
  );
  const inAMinute = new Set(Array.from({ length: 600 }, (_, index) => see(2_000 + index * 100)));
  assert.ok(inAMinute.size > 25 && inAMinute.size < 35, `${inAMinute.size}: one every two seconds`);
  assert.equal(wishes.see(KEY, { moved: [], parent: parent(), now: 90_000 }), Math.max(...inAMinute));
  wishes.drop(KEY);
  assert.equal(wishes.see(KEY, { moved: [], parent: parent(), now: 90_000 }), 90_000, 'a new one');
});
