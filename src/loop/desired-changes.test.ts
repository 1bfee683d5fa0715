import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject, ObjectMeta } from '../model/object.ts';
import type { CacheChange } from '../ports/cache.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { CONFIG_MAPS, configMap, WIDGETS, widget } from '../testing/objects.ts';
import { DesiredChanges } from './desired-changes.ts';

const meta: ObjectMeta = { name: 'w', uid: 'w' };
const parent = (more: object = {}): KubeObject => ({ ...widget({}, meta), ...more });
const owner = { apiVersion: 'example.com/v1', kind: 'Widget', name: 'w', uid: 'w', controller: true };
const child = (k: string): KubeObject => configMap('c', { k }, { ownerReferences: [owner] });
const other = (k: string): KubeObject => configMap('o', { k });

const TABLE: readonly (readonly [what: string, moved: readonly Omit<CacheChange, 'type'>[], changes: boolean])[] = [
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

for (const [what, moved, changes] of TABLE)
  test(`${what}: ${changes ? 'a change' : 'no change'} of what is desired`, () => {
    const clock = new FakeClock();
    const desired = new DesiredChanges(clock);
    const first = desired.at;
    clock.advance(5_000);
    desired.see(changesOf(moved), parent());
    assert.equal(desired.at - first, changes ? 5_000 : 0);
  });

test('when they go on to come faster than a user’s, only so many count', () => {
  const clock = new FakeClock();
  const desired = new DesiredChanges(clock);
  const moved = changesOf([{ before: parent({ spec: { a: 1 } }), after: parent({ spec: { a: 2 } }) }]);
  const counted = (times: number): number => {
    const at = new Set<number>();
    for (let index = 0; index < times; index++) {
      clock.advance(100);
      desired.see(moved, parent());
      at.add(desired.at);
    }
    return at.size;
  };
  assert.equal(counted(10), 10);
  const inAMinute = counted(600);
  assert.ok(inAMinute >= 6 && inAMinute <= 7, `${inAMinute}: one every ten seconds`);
  clock.advance(100_000);
  assert.equal(counted(10), 10, 'after a rest');
});
