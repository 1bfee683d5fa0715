// Which changes of the caches are writes that a controller would make, and whose.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../model/object.ts';
import type { CacheChange } from '../ports/cache.ts';
import { WIDGETS, widget } from '../testing/objects.ts';
import { child, childChange, OTHER, WIDGET_CONTROLLER, WIDGET_DECORATOR } from '../testing/shadow-world.ts';
import { seenWrites } from './seen-writes.ts';

const FINALIZER = 'metacontroller.io/compositecontroller-widgets';
const one = child('a', { text: '1' });
const two = child('a', { text: '2' }, { version: '8' });
const orphan = child('a', { text: '1' }, { metadata: { ownerReferences: [] } });
const going = child('a', { text: '1' }, { version: '8', metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } });
const withStatus = { ...one, status: { phase: 'x' } } as KubeObject;
const parentChange = (before: KubeObject | undefined, after: KubeObject | undefined): CacheChange => ({
  type: WIDGETS,
  before,
  after,
});
const labelled = widget(
  {},
  {
    labels: { a: 'b' },
    managedFields: [{ manager: 'other', fieldsV1: { 'f:metadata': { 'f:labels': { 'f:a': {} } } } }],
  },
);

const CASES: readonly [reason: string, change: CacheChange, writes: string][] = [
  ['a child comes', childChange(undefined, one), 'create object a by other'],
  ['a child changes', childChange(one, two), 'update object a by other'],
  [
    'by somebody else',
    childChange(one, child('a', { text: '2' }, { manager: 'kubectl' })),
    'update object a by nobody',
  ],
  ['its status is its own affair', childChange(one, withStatus), ''],
  ['it is to go, and takes its time', childChange(one, going), 'delete object a by nobody'],
  ['and is gone then, which is no write', childChange(going, undefined), ''],
  ['it is gone at once', childChange(one, undefined), 'delete object a by nobody'],
  ['it is adopted', childChange(orphan, one), 'update object a by nobody'],
  ['it is released', childChange(one, orphan), 'update object a by nobody'],
  ['an orphan is nobody\u2019s child', childChange(undefined, orphan), ''],
  ['a parent comes: its user\u2019s doing', parentChange(undefined, widget()), ''],
  ['its spec changes: its user\u2019s doing', parentChange(widget(), widget({ x: 1 })), ''],
  [
    'our finalizer comes',
    parentChange(widget(), widget({}, { finalizers: [FINALIZER] })),
    'update object w by somebody',
  ],
  ['a status', parentChange(widget(), widget({}, {}, { seen: 1 })), 'update status w by nobody'],
  ['labels of a composite\u2019s parent', parentChange(widget(), labelled), ''],
];
for (const [reason, change, writes] of CASES)
  test(reason, () => {
    const seen = seenWrites(change, WIDGET_CONTROLLER, OTHER);
    const told = seen.map(
      ({ verb, part, object, attributed, manager = attributed ? 'somebody' : 'nobody' }) =>
        `${verb} ${part} ${object.name} by ${manager}`,
    );
    assert.equal(told.join(', '), writes);
  });

test('labels of a decorated object are its decorator\u2019s; children without its annotation are not', () => {
  const [seen] = seenWrites(parentChange(widget(), labelled), WIDGET_DECORATOR, OTHER);
  assert.deepEqual([seen?.verb, seen?.manager], ['update', 'other']);
  assert.deepEqual(seenWrites(childChange(undefined, one), WIDGET_DECORATOR, OTHER), []);
});
