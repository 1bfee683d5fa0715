import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNKNOWN } from '../../kit/unknown.ts';
import type { KubeObject, ObjectMeta } from '../../model/object.ts';
import {
  MAP_KEY_ANNOTATION,
  MAP_KEY_HASH_LABEL,
  mapKeyHash,
  mapKeyIn,
  mapKeyOf,
  withMapKey,
  withoutMapKey,
} from './map-key.ts';

const input = (apiVersion: string, kind: string, metadata: ObjectMeta): KubeObject => ({ apiVersion, kind, metadata });
const claim = input('v1', 'PersistentVolumeClaim', { name: 'data-0', namespace: 'default', uid: 'u1' });

test('a key names controller, kind, namespace, name and uid', () => {
  assert.equal(mapKeyOf('snapshots', claim), 'snapshots/PersistentVolumeClaim/default/data-0/u1');
  const node = input('v1', 'Node', { name: 'n1', uid: 'u2' });
  assert.equal(mapKeyOf('snapshots', node), 'snapshots/Node//n1/u2');
});

test('no two inputs have one key', () => {
  const inputs = [
    claim,
    { ...claim, kind: 'ConfigMap' },
    { ...claim, apiVersion: 'example.com/v1' },
    ...(['name', 'namespace', 'uid'] as const).map((field) => ({
      ...claim,
      metadata: { ...claim.metadata, [field]: 'other' },
    })),
  ];
  const keys = ['a', 'b'].flatMap((controller) => inputs.map((one) => mapKeyOf(controller, one)));
  assert.equal(new Set(keys).size, keys.length);
  assert.equal(new Set(keys.map(mapKeyHash)).size, keys.length);
});

test('the version in which an input is read is no part of its key', () => {
  const ingress = (version: string) => input(`networking.k8s.io/${version}`, 'Ingress', { ...claim.metadata });
  assert.equal(mapKeyOf('c', ingress('v1')), mapKeyOf('c', ingress('v1beta1')));
});

test('the key of an input that is still to be created is unknown', () => {
  const coming = { ...claim, metadata: { ...claim.metadata, uid: UNKNOWN } };
  const output = withMapKey(claim, mapKeyOf('c', coming));
  assert.equal(output.metadata.annotations?.[MAP_KEY_ANNOTATION], UNKNOWN);
  assert.equal(output.metadata.labels?.[MAP_KEY_HASH_LABEL], UNKNOWN);
});

test('an output carries the key, and the label is one that Kubernetes takes', () => {
  const key = mapKeyOf('c'.repeat(253), { ...claim, metadata: { ...claim.metadata, name: 'n'.repeat(253) } });
  const metadata = { name: 'o', labels: { a: 'b' }, annotations: { c: 'd' } };
  const output = withMapKey({ apiVersion: 'v1', kind: 'ConfigMap', metadata }, key);
  assert.deepEqual(output.metadata.annotations, { c: 'd', [MAP_KEY_ANNOTATION]: key });
  assert.match(output.metadata.labels?.[MAP_KEY_HASH_LABEL] ?? '', /^[0-9a-f]{32}$/);
  assert.deepEqual(withoutMapKey(output.metadata), metadata);
});

test('the key of another controller is none', () => {
  const output = withMapKey(claim, mapKeyOf('snapshots', claim));
  assert.equal(mapKeyIn(output, 'snapshots'), mapKeyOf('snapshots', claim));
  assert.equal(mapKeyIn(output, 'snap'), undefined);
  assert.equal(mapKeyIn(claim, 'snapshots'), undefined);
});
