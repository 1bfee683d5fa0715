// What counts as the same write, with the reason of each.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatPath } from '../kit/path.ts';
import { UNKNOWN } from '../kit/unknown.ts';
import type { KubeObject } from '../model/object.ts';
import type { Change } from '../model/plan.ts';
import { WIDGETS, widget } from '../testing/objects.ts';
import { buildChange } from '../testing/plan-builder.ts';
import { child, foretold, OTHER, seenChild, seenOf, WIDGET_DECORATOR } from '../testing/shadow-world.ts';
import { misfitsOf } from './misfits.ts';
import type { SeenWrite } from './seen-writes.ts';

const FINALIZER = 'metacontroller.io/compositecontroller-widgets';
const one = child('a', { text: '1' });
const two = child('a', { text: '2' }, { version: '8' });
const with_ = (object: KubeObject, more: object): KubeObject => ({ ...object, ...more }) as KubeObject;
const withLabels = (object: KubeObject, labels: Record<string, string>): KubeObject =>
  with_(object, { metadata: { ...object.metadata, labels } });

const status = (before: object, after: object, version: string): SeenWrite => {
  const managedFields = [{ manager: 'other', operation: 'Update', fieldsV1: { 'f:status': {} } }] as const;
  const now = widget({}, { resourceVersion: version, managedFields }, after as never);
  return seenOf({ type: WIDGETS, before: widget({}, {}, before as never), after: now });
};
const statusChange = (after: object): Change =>
  buildChange({
    action: 'status',
    subresource: 'status',
    before: widget({}, {}, {}),
    after: widget({}, {}, after as never),
  });
const finalized = widget({}, { finalizers: [FINALIZER], deletionTimestamp: '2026-01-01T00:00:00Z' });
const decorated = (labels: Record<string, string>, version: string): KubeObject =>
  widget(
    {},
    {
      labels,
      resourceVersion: version,
      managedFields: [{ manager: 'other', fieldsV1: { 'f:metadata': { 'f:labels': {} } } }],
    },
  );

const CASES: readonly [reason: string, change: Change, seen: SeenWrite, paths: string | undefined][] = [
  ['a create as foretold', foretold(undefined, one), seenChild(undefined, one), ''],
  [
    'what only the server knows',
    foretold(undefined, with_(one, { metadata: { ...one.metadata, uid: UNKNOWN } })),
    seenChild(undefined, one),
    '',
  ],
  ['another value', foretold(undefined, two), seenChild(undefined, one), 'data.text data.text'],
  [
    'defaults that the server adds',
    foretold(undefined, one),
    seenChild(undefined, with_(one, { immutable: false })),
    '',
  ],
  [
    'a label that admission adds',
    foretold(undefined, one),
    seenChild(undefined, withLabels(one, { app: 'w', more: 'x' })),
    '',
  ],
  [
    'a label that the writer leaves out',
    foretold(undefined, withLabels(one, { app: 'w', more: 'x' })),
    seenChild(undefined, one),
    'metadata.labels.more',
  ],
  [
    'what the server makes of a value',
    foretold(undefined, with_(one, { data: { text: '01' } })),
    seenChild(undefined, one),
    '',
  ],
  ['another verb', foretold(one, two), seenChild(undefined, two), undefined],
  ['a delete', foretold(one, undefined), seenChild(one, undefined), ''],
  ['an update as foretold', foretold(one, two), seenChild(one, two), ''],
  [
    'what somebody else changed in between',
    foretold(one, two),
    seenChild(with_(one, { immutable: true }), with_(two, { immutable: true })),
    '',
  ],
  ['a status as foretold', statusChange({ seen: 1 }), status({}, { seen: 1 }, '11'), ''],
  ['another status', statusChange({ seen: 1 }), status({}, { seen: 2, more: 1 }, '11'), 'status.more status.seen'],
  [
    'another moment',
    statusChange({ at: '2026-01-01T00:00:00Z' }),
    status({}, { at: '2026-01-01T00:00:07Z' }, '11'),
    '',
  ],
  [
    'the last finalizer goes, and the object with it',
    buildChange({
      action: 'update',
      before: finalized,
      after: widget({}, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    }),
    seenOf({ type: WIDGETS, before: finalized, after: undefined }),
    '',
  ],
  [
    'a label of the decorated object',
    buildChange({ action: 'update', before: decorated({}, '1'), after: decorated({ tier: 'a' }, '1') }),
    seenOf({ type: WIDGETS, before: decorated({}, '1'), after: decorated({ tier: 'b' }, '2') }, WIDGET_DECORATOR),
    'metadata.labels.tier',
  ],
];
for (const [reason, change, seen, paths] of CASES)
  test(reason, () => {
    const misfits = misfitsOf(change, seen, OTHER);
    assert.equal(misfits?.map(({ path }) => formatPath(path)).join(' '), paths);
  });

test('a revision: names in any order, and without the note of its paths', () => {
  const revision = (names: readonly string[], annotations?: Record<string, string>): KubeObject =>
    ({
      apiVersion: 'metacontroller.k8s.io/v1alpha1',
      kind: 'ControllerRevision',
      metadata: { ...one.metadata, name: 'r', annotations },
      children: [{ apiGroup: '', kind: 'ConfigMap', names }],
    }) as unknown as KubeObject;
  const seen = seenChild(undefined, revision(['b', 'a']));
  const predicted = foretold(undefined, revision(['a', 'b'], { 'metactl.dev/field-paths': 'spec' }));
  assert.deepEqual(misfitsOf(predicted, seen, OTHER), []);
});
