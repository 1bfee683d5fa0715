import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import { isPrinted } from './printed.ts';

const RBAC = 'rbac.authorization.k8s.io/v1';

const CASES: readonly {
  readonly name: string;
  readonly written: JsonObject;
  readonly observed: JsonObject;
  readonly of?: string;
  readonly same: boolean;
}[] = [
  { name: 'an empty list, printed as null', written: { rules: [] }, observed: { rules: null }, same: true },
  { name: 'deeper down', written: { a: { b: [], c: 1 } }, observed: { a: { b: null, c: 1 } }, same: true },
  { name: 'a list that is not empty', written: { rules: [1] }, observed: { rules: null }, same: false },
  { name: 'an empty map is a value', written: { a: {} }, observed: { a: null }, same: false },
  { name: 'an empty list is not printed as nothing', written: { rules: [] }, observed: {}, same: false },
  { name: 'null is not printed as an empty list', written: { rules: null }, observed: { rules: [] }, same: false },
  { name: 'another field differs', written: { rules: [], a: 1 }, observed: { rules: null, a: 2 }, same: false },
  {
    name: 'custom resources are stored as written',
    of: 'example.com/v1',
    written: { rules: [] },
    observed: { rules: null },
    same: false,
  },
];

for (const { name, written, observed, of: apiVersion = RBAC, same } of CASES)
  test(name, () => {
    const object = (fields: JsonObject): KubeObject => ({ apiVersion, kind: 'ClusterRole', metadata: {}, ...fields });
    assert.equal(isPrinted(object(written), object(observed)), same);
  });
