import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../kit/json.ts';
import { UNKNOWN } from '../kit/unknown.ts';
import type { KubeObject } from '../model/object.ts';
import { storedForm } from './stored-form.ts';

const object = (kind: string, fields: JsonObject): KubeObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name: 'a' },
  ...fields,
});

const cases: readonly [string, KubeObject, KubeObject][] = [
  [
    'stringData wins over data',
    object('Secret', { data: { a: 'eA==', b: 'eQ==' }, stringData: { a: 'ä' } }),
    object('Secret', { data: { a: 'w6Q=', b: 'eQ==' } }),
  ],
  [
    'what is not known yet stays so',
    object('Secret', { stringData: { a: UNKNOWN } }),
    object('Secret', { data: { a: UNKNOWN } }),
  ],
  [
    'other kinds may have a field of that name',
    object('Other', { stringData: { a: 'x' } }),
    object('Other', { stringData: { a: 'x' } }),
  ],
  [
    'what the server will refuse is left to it',
    object('Secret', { stringData: { a: 1 } }),
    object('Secret', { stringData: { a: 1 } }),
  ],
];

for (const [name, given, want] of cases) test(name, () => assert.deepEqual(storedForm(given), want));
