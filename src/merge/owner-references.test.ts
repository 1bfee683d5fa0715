import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, JsonValue } from '../kit/json.ts';
import type { KubeObject } from '../model/object.ts';
import { applyDynamic, LAST_APPLIED_ANNOTATION, withLastApplied } from './index.ts';

const KEY = LAST_APPLIED_ANNOTATION;
const owner = (uid: string, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Owner',
  name: uid,
  uid,
  ...more,
});
const PARENT = owner('parent', { controller: true, blockOwnerDeletion: true });
const OTHER = owner('other');
const FOREIGN = owner('foreign');
const NAMESAKE = owner('namesake', { name: 'parent' });
const SUCCESSOR = owner('successor', { controller: true });

interface Row {
  readonly why: string;
  readonly observed: readonly JsonObject[];
  /** ownerReferences of what was applied before; absent: none were applied. */
  readonly applied?: JsonValue;
  readonly desired?: JsonValue;
  readonly want: readonly JsonObject[];
}

const TABLE: readonly Row[] = [
  { why: 'nothing said: all stay', observed: [PARENT, FOREIGN], want: [PARENT, FOREIGN] },
  { why: 'null drops no controller', observed: [PARENT, FOREIGN], desired: null, want: [PARENT, FOREIGN] },
  {
    why: 'an owner that was applied goes, the controller stays',
    observed: [OTHER, PARENT],
    applied: [OTHER],
    want: [PARENT],
  },
  {
    why: 'the controller stays although a record of Metacontroller holds it',
    observed: [PARENT],
    applied: [PARENT],
    want: [PARENT],
  },
  {
    why: 'two owners of one name are two owners',
    observed: [PARENT],
    desired: [NAMESAKE],
    want: [PARENT, NAMESAKE],
  },
  { why: 'an owner is added', observed: [PARENT], applied: [], desired: [OTHER], want: [PARENT, OTHER] },
  {
    why: 'another controller takes the place of the one that was applied',
    observed: [PARENT],
    applied: [PARENT],
    desired: [SUCCESSOR],
    want: [SUCCESSOR],
  },
  { why: 'the last applied one goes: no empty list is left', observed: [OTHER], applied: [OTHER], want: [] },
];

const objectWith = (owners: JsonValue | undefined, more: JsonObject = {}): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', ...(owners === undefined ? {} : { ownerReferences: owners }), ...more },
  }) as KubeObject;

for (const { why, observed, applied, desired, want } of TABLE)
  test(`owner references: ${why}`, () => {
    const record = withLastApplied(objectWith(applied), KEY).metadata.annotations?.[KEY] ?? '';
    const live = objectWith(observed, { annotations: { [KEY]: record } });
    const result = applyDynamic(live, objectWith(desired), KEY);
    assert.deepEqual(result.metadata.ownerReferences ?? [], want);
    assert.equal(applyDynamic(result, objectWith(desired), KEY), result, 'a second time there is nothing to do');
  });
