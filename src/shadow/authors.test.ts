// Whose field it is, by managedFields in the forms in which servers write them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Path } from '../kit/path.ts';
import type { KubeObject, ManagedFieldsEntry } from '../model/object.ts';
import { configMap } from '../testing/objects.ts';
import { authorAmong, isApplied } from './authors.ts';

const entry = (manager: string, operation: 'Apply' | 'Update', fieldsV1: object): ManagedFieldsEntry =>
  ({ manager, operation, fieldsV1 }) as unknown as ManagedFieldsEntry;

const object: KubeObject = configMap(
  'a',
  {},
  {
    managedFields: [
      entry('kubectl', 'Update', { 'f:spec': { 'f:replicas': {} } }),
      entry('other', 'Update', {
        'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} }, 'f:finalizers': { '.': {}, 'v:"x"': {} } },
        'f:spec': { 'f:ports': { 'k:{"containerPort":80,"protocol":"TCP"}': { '.': {}, 'f:name': {} } } },
        'f:status': {},
      }),
      entry('applier', 'Apply', { 'f:data': { 'f:text': {} } }),
    ],
  },
);

const CASES: readonly [reason: string, path: Path, author: string | undefined][] = [
  ['a field', ['metadata', 'labels', 'app'], 'other'],
  ['a field of somebody who is not watched', ['spec', 'replicas'], undefined],
  ['the map around it', ['metadata', 'labels'], 'other'],
  ['a label of nobody', ['metadata', 'labels', 'more'], undefined],
  ['a list as a whole', ['metadata', 'finalizers'], 'other'],
  ['an item by one of its keys', ['spec', 'ports', { key: 'containerPort', value: 80 }, 'name'], 'other'],
  ['another item', ['spec', 'ports', { key: 'containerPort', value: 81 }, 'name'], undefined],
  ['below what is had as a whole', ['status', 'conditions', 0, 'type'], 'other'],
  ['what was applied', ['data', 'text'], 'applier'],
];
for (const [reason, path, author] of CASES)
  test(reason, () => assert.equal(authorAmong(object, [path], ['other', 'applier']), author));

test('only what an Apply has was applied', () => {
  assert.equal(isApplied(object, ['data', 'text'], ['applier']), true);
  assert.equal(isApplied(object, ['data', 'text'], ['other']), false);
  assert.equal(isApplied(object, ['metadata', 'labels', 'app'], ['other']), false);
});

test('an object without managedFields is nobody’s', () =>
  assert.equal(authorAmong(configMap('a'), [['data']], ['other']), undefined));
