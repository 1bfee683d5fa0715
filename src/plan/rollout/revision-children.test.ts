import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../model/object.ts';
import { childKey, childrenField, listedChildren, mergedOrder, sameChildren } from './revision-children.ts';

const object = (apiVersion: string, kind: string, name: string, namespace?: string): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
});
const PARENT = object('example.com/v1', 'Widget', 'w', 'default');
const CLUSTER_PARENT = object('example.com/v1', 'Widget', 'w');

test('a child goes by its name, below a cluster-scoped parent by namespace and name', () => {
  assert.equal(childKey(object('v1', 'Pod', 'a', 'default'), PARENT), 'Pod./a');
  assert.equal(childKey(object('apps/v1', 'Deployment', 'a', 'default'), PARENT), 'Deployment.apps/a');
  assert.equal(childKey(object('v1', 'Pod', 'a', 'x'), CLUSTER_PARENT), 'Pod./x/a');
  assert.equal(childKey(object('v1', 'Namespace', 'a'), CLUSTER_PARENT), 'Namespace./a');
});

test('the field and back: one entry for each kind, names in their order', () => {
  const children = [
    { apiGroup: '', kind: 'Pod', names: ['b', 'a'] },
    { apiGroup: 'apps.example.com', kind: 'Deployment', names: ['x/a'] },
  ];
  const keys = listedChildren({ ...PARENT, children });
  assert.deepEqual(keys, ['Pod./b', 'Pod./a', 'Deployment.apps.example.com/x/a']);
  assert.deepEqual(childrenField(keys), children);
});

test('what is not of the shape is passed over', () => {
  const children = [null, 'a', { names: ['a'] }, { kind: 'Pod', names: ['a', 1, null] }, { kind: 'Pod', names: 'a' }];
  assert.deepEqual(listedChildren({ ...PARENT, children }), ['Pod./a']);
  assert.deepEqual(listedChildren({ ...PARENT, children: {} }), []);
  assert.deepEqual(listedChildren(PARENT), []);
});

test('another order is no change; what stays keeps its place', () => {
  assert.equal(sameChildren(['Pod./a', 'Pod./b'], ['Pod./b', 'Pod./a']), true);
  assert.equal(sameChildren(['Pod./a', 'Pod./a'], ['Pod./a']), true);
  assert.equal(sameChildren(['Pod./a'], ['Pod./a', 'Pod./b']), false);
  assert.equal(sameChildren(['Pod./a', 'Pod./b'], ['Pod./a', 'Pod./c']), false);
  assert.deepEqual(mergedOrder(['b', 'a', 'c', 'b'], ['a', 'b', 'd']), ['b', 'a', 'd']);
});
