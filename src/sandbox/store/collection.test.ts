import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../model/object.ts';
import { Store } from './store.ts';
import { Stored } from './stored.ts';

const KIND = { id: 'configmaps', group: '', resource: 'configmaps' };

function object(key: string, value = ''): KubeObject {
  const [namespace = '', name = ''] = key.split('/');
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data: { value } };
}

function namesOf(items: Iterable<Stored>): string[] {
  return Array.from(items, (item) => `${item.object.metadata.namespace}/${item.object.metadata.name}`);
}

function filled(...keys: readonly string[]): Store {
  const store = new Store();
  for (const key of keys) store.put(KIND, object(key));
  return store;
}

test('keys are ordered as the storage of the server orders them, namespaces with dashes before their prefix', () => {
  const collection = filled('b/z', 'a/b', 'a-b/c', 'a/a', 'a/a-b').collection(KIND);
  assert.deepEqual(namesOf(collection.range('')), ['a-b/c', 'a/a', 'a/a-b', 'a/b', 'b/z']);
  assert.deepEqual(namesOf(collection.range('a/')), ['a/a', 'a/a-b', 'a/b']);
  assert.deepEqual(namesOf(collection.range('a/', 'a/a')), ['a/a-b', 'a/b'], 'after a key, without it');
  assert.deepEqual(namesOf(collection.range('a/', 'a/a0')), ['a/b'], 'after a key that is not there');
});

test('the past is rebuilt from the events since', () => {
  const store = filled('n/a', 'n/b');
  const rv = store.resourceVersion;
  const collection = store.collection(KIND);
  store.put(KIND, object('n/a', 'changed'));
  store.remove(KIND, collection.get('n/b') as Stored);
  store.put(KIND, object('n/c'));
  store.put(KIND, object('n/b', 'again'));
  assert.deepEqual(namesOf(collection.range('')), ['n/a', 'n/b', 'n/c']);
  const then = collection.rangeAt(rv, 'n/') ?? [];
  assert.deepEqual(
    then.map((item) => [item.object.metadata.name, item.object['data']]),
    [
      ['a', { value: '' }],
      ['b', { value: '' }],
    ],
  );
  assert.deepEqual(namesOf(collection.rangeAt(rv, 'n/', 'n/a') ?? []), ['n/b']);
});

test('what was forgotten is unknown, not empty', () => {
  const store = filled('n/a');
  const before = store.resourceVersion - 1;
  store.forgetHistory();
  const collection = store.collection(KIND);
  assert.equal(collection.since(before), undefined);
  assert.equal(collection.rangeAt(before, ''), undefined);
  assert.deepEqual(collection.since(store.resourceVersion), []);
});

test('one counter for all resources, and a delete takes a number too', () => {
  const store = filled('n/a');
  const other = store.put({ id: 'secrets', group: '', resource: 'secrets' }, object('n/s'));
  const deleted = store.remove(KIND, store.collection(KIND).get('n/a') as Stored);
  assert.deepEqual([other.rv, deleted.rv, store.resourceVersion], [3, 4, 4]);
  assert.equal(deleted.object.metadata.resourceVersion, '4');
});

test('the text of another version, and of a list item, is the same text behind another prefix', () => {
  const stored = new Stored({ apiVersion: 'x/v1', kind: 'K', metadata: { name: 'a' }, big: 9007199254740993n }, 1);
  assert.equal(stored.text('x/v1'), '{"apiVersion":"x/v1","kind":"K","metadata":{"name":"a"},"big":9007199254740993}');
  assert.equal(stored.text('x/v2'), '{"apiVersion":"x/v2","kind":"K","metadata":{"name":"a"},"big":9007199254740993}');
  assert.equal(stored.itemText(), '{"metadata":{"name":"a"},"big":9007199254740993}');
});
