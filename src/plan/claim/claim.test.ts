import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../model/object.ts';
import { CONFIG_MAPS, configMap, ownedMetadata, WIDGETS, widget } from '../../testing/objects.ts';
import { claimChildren } from './claim.ts';

const SELECTOR = { matchLabels: { app: 'w' }, matchExpressions: [] };
const OWNED = configMap('b', {}, ownedMetadata('b'));
const LEFT = configMap('c', {}, { ...ownedMetadata('c'), labels: { app: 'other' } });
const ORPHAN = configMap('a', {}, { uid: 'a', resourceVersion: '1' });
const STRANGE = configMap('d', {}, { uid: 'd', labels: { app: 'other' } });

function claims(objects: readonly KubeObject[]) {
  const view = {
    parent: widget(),
    parentType: WIDGETS,
    parentLive: true,
    children: [{ type: CONFIG_MAPS, objects }],
  };
  const context = { controller: 'CompositeController/widgets', fieldManager: 'metactl', step: 1 };
  return claimChildren(view, SELECTOR, context);
}

test('claims: what is adopted is among the children as it will be, what is released is not', () => {
  const { changes, groups } = claims([ORPHAN, OWNED, LEFT, STRANGE]);
  assert.deepEqual(
    changes.map(({ action, object }) => `${action} ${object.name}`),
    ['adopt a', 'release c'],
  );
  const children = groups[0]?.objects ?? [];
  assert.deepEqual(
    children.map(({ metadata }) => [metadata.name, metadata.ownerReferences?.[0]?.kind]),
    [
      ['a', 'Widget'],
      ['b', 'Widget'],
    ],
  );
  assert.equal(children[1], OWNED);
});

test('claims: the order in which a cache hands out the objects makes no difference', () => {
  assert.deepEqual(claims([STRANGE, LEFT, OWNED, ORPHAN]), claims([ORPHAN, OWNED, LEFT, STRANGE]));
});
