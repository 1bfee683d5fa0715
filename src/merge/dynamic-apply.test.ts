import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalJson, type JsonObject, jsonEqual } from '../kit/json.ts';
import type { KubeObject } from '../model/object.ts';
import { deepFreeze, randomObject, withSeeds } from '../testing/random-json.ts';
import { applyDynamic, LAST_APPLIED_ANNOTATION, lastAppliedOf, withLastApplied } from './index.ts';

const KEY = LAST_APPLIED_ANNOTATION;
const object = (extra: JsonObject, metadata: JsonObject = {}): KubeObject =>
  deepFreeze({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', ...metadata }, ...extra }) as KubeObject;
const recording = (desired: KubeObject, extra: JsonObject, metadata: JsonObject = {}): KubeObject =>
  object(extra, { annotations: { [KEY]: canonicalJson(desired) }, ...metadata });

test('dynamic apply: equal to observed when nothing is to be done', () => {
  const desired = object({ data: { a: '1' } });
  const observed = recording(desired, { data: { a: '1', foreign: '2' } }, { uid: 'u', resourceVersion: '7' });
  assert.equal(applyDynamic(observed, desired, KEY), observed);
});

test('dynamic apply: a record with other key order or white space is not a reason to write', () => {
  const desired = object({ data: { a: '1', b: '2' } });
  const text = '{ "metadata":{"name":"a"}, "kind":"ConfigMap","data":{"b":"2","a":"1"},"apiVersion":"v1" }';
  const observed = object({ data: { a: '1', b: '2' } }, { annotations: { [KEY]: text } });
  assert.equal(applyDynamic(observed, desired, KEY), observed);
});

test('dynamic apply: drops what the hook no longer returns and records the new desired', () => {
  const before = object({ data: { a: '1', gone: 'x' } });
  const observed = recording(before, { data: { a: '1', gone: 'x', foreign: '2' } });
  const desired = object({ data: { a: '1' } });
  const result = applyDynamic(observed, desired, KEY);
  assert.deepEqual(result['data'], { a: '1', foreign: '2' });
  assert.ok(jsonEqual(lastAppliedOf(result, KEY), desired));
});

test('dynamic apply: system metadata and status stay as observed, whatever the hook returned', () => {
  const observed = object({ status: { ready: 1 } }, { uid: 'u', resourceVersion: '7', generation: 3 });
  const desired = object(
    { status: { ready: 9 }, data: { a: '1' } },
    { uid: 'other', resourceVersion: '1', creationTimestamp: null, managedFields: [], labels: { l: '1' } },
  );
  const result = applyDynamic(observed, desired, KEY);
  const { annotations, ...metadata } = result.metadata;
  assert.deepEqual(metadata, { name: 'a', labels: { l: '1' }, uid: 'u', resourceVersion: '7', generation: 3 });
  assert.deepEqual(result['status'], { ready: 1 });
  assert.ok(annotations?.[KEY]);
  const bare = applyDynamic(object({}), desired, KEY);
  assert.ok(!('status' in bare) && !('uid' in bare.metadata), 'absent on observed: absent in the result');
});

test('dynamic apply: a hook that hands back what it observed does not cause a write in every round', () => {
  const observed = object({ data: { a: '1' }, status: { n: 1 } }, { resourceVersion: '7', uid: 'u' });
  const written = applyDynamic(observed, observed, KEY);
  const next = { ...written, status: { n: 2 }, metadata: { ...written.metadata, resourceVersion: '8' } };
  assert.equal(applyDynamic(deepFreeze(next), next, KEY), next);
});

test('dynamic apply: the annotation in what the hook returned is not taken over', () => {
  const desired = object({}, { annotations: { [KEY]: '{"forged":true}', mine: '1' } });
  const result = applyDynamic(object({}), desired, KEY);
  assert.ok(jsonEqual(lastAppliedOf(result, KEY), object({}, { annotations: { mine: '1' } })));
});

for (const text of ['{broken', '[]', 'null', '']) {
  test(`dynamic apply: the annotation ${JSON.stringify(text)} counts as nothing applied and is repaired`, () => {
    const observed = object({ data: { a: '1', b: '2' } }, { annotations: { [KEY]: text } });
    const desired = object({ data: { a: '1' } });
    const result = applyDynamic(observed, desired, KEY);
    assert.deepEqual(result['data'], { a: '1', b: '2' });
    assert.ok(jsonEqual(lastAppliedOf(result, KEY), desired));
  });
}

test('dynamic apply: empty maps and lists that the server does not keep are not written again', () => {
  const desired = object({ spec: { env: [], a: 1 } }, { labels: {} });
  const observed = recording(desired, { spec: { a: 1 } });
  assert.equal(applyDynamic(observed, desired, KEY), observed);
  const other = recording(object({ spec: { a: 1 } }), { spec: { a: 1 } });
  assert.notEqual(applyDynamic(other, desired, KEY), other, 'the first time they are written');
});

test('dynamic apply: the record is written as Go writes JSON', () => {
  const created = withLastApplied(object({ data: { b: '<&>', a: '1' } }), KEY);
  assert.equal(
    created.metadata.annotations?.[KEY],
    '{"apiVersion":"v1","data":{"a":"1","b":"\\u003c\\u0026\\u003e"},"kind":"ConfigMap","metadata":{"name":"a"}}',
  );
});

test('create: nulls and system metadata are left out, the record keeps the hook’s words', () => {
  const desired = object({ data: { a: null, b: '1' } }, { resourceVersion: '3', creationTimestamp: null });
  const created = withLastApplied(desired, KEY);
  assert.deepEqual(created['data'], { b: '1' });
  assert.deepEqual(Object.keys(created.metadata), ['name', 'annotations']);
  assert.ok(jsonEqual(lastAppliedOf(created, KEY), desired));
});

test('dynamic apply: created or updated, the next round has nothing to do', () => {
  withSeeds(30_000, 1500, (random) => {
    const [one, two, live] = [0, 1, 2].map(() => object({ spec: randomObject(random, { depth: 4, nulls: true }) }));
    if (!one || !two || !live) return;
    const created = deepFreeze(withLastApplied(one, KEY));
    assert.equal(applyDynamic(created, one, KEY), created, 'after the create');
    const updated = deepFreeze(applyDynamic(created, two, KEY));
    assert.equal(applyDynamic(updated, two, KEY), updated, 'after the update');
    const adopted = deepFreeze(applyDynamic(live, two, KEY));
    assert.equal(applyDynamic(adopted, two, KEY), adopted, 'after the adoption');
  });
});
