import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LAST_APPLIED_ANNOTATION, withLastApplied } from '../../merge/index.ts';
import type { UpdateMethod } from '../../model/definition.ts';
import type { KubeObject, OwnerReference } from '../../model/object.ts';
import { CONFIG_MAPS, configMap, ownedMetadata, widget } from '../../testing/objects.ts';
import { DynamicMode } from '../apply-mode/dynamic.ts';
import { ownerReferenceTo } from '../claim/claim.ts';
import { observedChildren, planChildren } from './plan-children.ts';

interface Scene {
  readonly observed?: readonly KubeObject[];
  readonly foreign?: readonly KubeObject[];
  readonly desired: KubeObject;
  readonly method?: UpdateMethod;
}

const plan = ({ observed = [], foreign = [], desired, method = 'InPlace' }: Scene) =>
  planChildren({
    observed: observedChildren([{ type: CONFIG_MAPS, objects: observed }]),
    desired: [{ type: CONFIG_MAPS, object: desired }],
    foreign,
    owner: ownerReferenceTo(widget()),
    notOurs: { ofParent: 'is released', orphan: 'is not adopted' },
    methodOf: () => method,
    hookCall: 'call',
    mode: new DynamicMode({ managers: [], types: [], answers: new Map() }),
    context: { controller: 'CompositeController/widgets', fieldManager: 'metactl', step: 1 },
  });

function applied(desired: KubeObject): KubeObject {
  const stored = withLastApplied(desired, LAST_APPLIED_ANNOTATION);
  return { ...stored, metadata: { ...stored.metadata, ...ownedMetadata('a') } };
}

test('a child that waits for somebody to delete it is still looked at: its health counts', () => {
  const observed = applied(configMap('a', { k: '1' }));
  const { changes, skipped, unchanged } = plan({
    observed: [observed],
    desired: configMap('a', { k: '2' }),
    method: 'OnDelete',
  });
  assert.deepEqual(
    changes.map(({ action }) => action),
    ['skip'],
  );
  assert.deepEqual([skipped, unchanged], [[observed], []]);
});

test('a blocked child says whose the object is', () => {
  const note = (metadata: KubeObject['metadata']): string | undefined =>
    plan({ foreign: [configMap('a', {}, metadata)], desired: configMap('a') }).changes[0]?.note;
  const labels = { app: 'other' };
  const stranger = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'r', uid: 'r', controller: true };
  assert.match(note({ labels }) ?? '', /has no controller, and is not adopted/);
  assert.match(note({ labels, ownerReferences: [stranger] }) ?? '', /belongs to ReplicaSet r/);
  // Its release is planned in the same step: "belongs to" this very parent would be no reason.
  assert.match(note({ ...ownedMetadata('a'), labels }) ?? '', / already and is released$/);
});

test('what a former parent of the same name left is waited for: the garbage collector deletes it', () => {
  const former = (change: Partial<OwnerReference>): KubeObject['metadata'] => {
    const [owner] = ownedMetadata('a').ownerReferences ?? [];
    assert.ok(owner);
    return { ...ownedMetadata('a'), ownerReferences: [{ ...owner, uid: 'of-yesterday', ...change }] };
  };
  const { changes, waitingOn } = plan({ foreign: [configMap('a', {}, former({}))], desired: configMap('a') });
  assert.deepEqual(changes, []);
  assert.match(waitingOn[0]?.reason ?? '', /a former \w+ \w+, which is gone/);
  for (const other of [{ kind: 'Other' }, { name: 'other' }, { apiVersion: 'other.example.com/v1' }])
    assert.equal(
      plan({ foreign: [configMap('a', {}, former(other))], desired: configMap('a') }).changes[0]?.action,
      'blocked',
      JSON.stringify(other),
    );
});
