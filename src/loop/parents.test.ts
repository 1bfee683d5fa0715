// Which parents an event concerns.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CompositeDefinition } from '../model/definition.ts';
import type { KubeObject, ObjectMeta } from '../model/object.ts';
import type { ResourceType } from '../model/resource.ts';
import type { CacheChange } from '../ports/cache.ts';
import type { Controller } from '../reconcile/index.ts';
import { FakeCache } from '../testing/fake-cache.ts';
import { nothingRelated } from '../testing/fake-related.ts';
import {
  CONFIG_MAPS,
  configMap,
  decoratorOfWidgets,
  ownedMetadata,
  WIDGETS,
  widget,
  widgetController,
} from '../testing/objects.ts';
import { Parents } from './parents.ts';

const GOING: ObjectMeta = { deletionTimestamp: '2026-01-01T00:00:00Z' };

const keyOf = (name: string): string => `CompositeController/widgets widgets.example.com ${name}`;

function parents(
  given: { ignore?: boolean; looking?: boolean; labels?: Record<string, string> } = {},
  live: readonly KubeObject[] = [widget()],
): Parents {
  const definition: CompositeDefinition = widgetController();
  const labelSelector = { matchLabels: given.labels ?? {}, matchExpressions: [] };
  const controller: Controller = {
    definition,
    parentRule: { ...definition.parent, labelSelector, ignoreStatusChanges: given.ignore ?? false },
    parentType: WIDGETS,
    childTypes: [CONFIG_MAPS],
    parentScope: { type: WIDGETS },
    childScopes: [{ type: CONFIG_MAPS }],
  };
  const looking = [
    {
      controller: 'CompositeController/widgets',
      parent: { apiVersion: 'example.com/v1', kind: 'Widget', namespace: 'far', name: 'x' },
    },
  ];
  const related = given.looking ? { ...nothingRelated, concernedBy: () => looking } : nothingRelated;
  const found = new Parents({ cache: new FakeCache([...live]), related }, () => true);
  found.add(controller);
  return found;
}

const event = (type: ResourceType, before: KubeObject | undefined, after: KubeObject | undefined): CacheChange => ({
  type,
  before,
  after,
});

const updates: readonly [string, KubeObject, boolean][] = [
  ['a status', widget({}, {}, { seen: 1 }), false],
  ['a finalizer', widget({}, { finalizers: ['x/y'] }), false],
  ['the generation', widget({}, { generation: 2 }), true],
  ['a label', widget({}, { labels: { a: 'b' } }), true],
  ['an annotation', widget({}, { annotations: { a: 'b' } }), true],
  ['a deletion', widget({}, GOING), true],
  ['another object of the name', widget({}, { uid: 'other' }), true],
];
for (const [what, after, wanted] of updates)
  test(`ignoreStatusChanges: an update of ${what} ${wanted ? 'counts' : 'is ignored'}`, () => {
    const change = event(WIDGETS, widget(), after);
    assert.deepEqual(parents({ ignore: true }).concernedBy(change), wanted ? [keyOf('default/w')] : []);
    assert.deepEqual(parents().concernedBy(change), [keyOf('default/w')]);
  });

test('ignoreStatusChanges: parents that come and go count', () => {
  for (const change of [event(WIDGETS, undefined, widget()), event(WIDGETS, widget(), undefined)])
    assert.deepEqual(parents({ ignore: true }).concernedBy(change), [keyOf('default/w')]);
});

test('a parent with a space in its name, as a ClusterRole may have, is found', () => {
  const given = parents({}, [widget({}, { name: 'to read' })]);
  assert.deepEqual(given.all(), [keyOf('default/to read')]);
  assert.equal(given.find(keyOf('default/to read'))?.parent.metadata.name, 'to read');
});

test('labelSelector: a parent that is not selected is none, unless it has the finalizer', () => {
  const given = parents({ labels: { tier: 'a' } });
  assert.deepEqual([given.all(), given.find(keyOf('default/w'))], [[], undefined]);
});

test('a child concerns its parent; an orphan those that may adopt it, or whose child it was in the way of', () => {
  const owned = configMap('a', {}, ownedMetadata('a'));
  const orphan = configMap('b', {}, { uid: 'b' });
  const leaving = configMap('b', {}, { uid: 'b', ...GOING });
  const concernedBy = (change: CacheChange): readonly string[] => parents().concernedBy(change);
  assert.deepEqual(concernedBy(event(CONFIG_MAPS, undefined, owned)), [keyOf('default/w')]);
  assert.deepEqual(concernedBy(event(CONFIG_MAPS, undefined, orphan)), [keyOf('default/w')]);
  assert.deepEqual(concernedBy(event(CONFIG_MAPS, orphan, { ...orphan, data: { k: '1' } })), []);
  assert.deepEqual(concernedBy(event(CONFIG_MAPS, orphan, undefined)), []);
  assert.deepEqual(concernedBy(event(CONFIG_MAPS, leaving, undefined)), [keyOf('default/w')]);
});

test('an orphan that no selector wants concerns nobody, until a selector does', () => {
  const given = parents();
  const orphan = configMap('b', {}, { uid: 'b', labels: { app: 'other' } });
  assert.deepEqual(given.concernedBy(event(CONFIG_MAPS, undefined, orphan)), []);
  const changed = widget({ selector: { matchLabels: { app: 'other' } } });
  given.concernedBy(event(WIDGETS, widget(), changed));
  assert.deepEqual(given.concernedBy(event(CONFIG_MAPS, undefined, orphan)), [keyOf('default/w')]);
});

test('what a customize hook asked for concerns whoever looks at it', () => {
  const change = event({ ...CONFIG_MAPS, resource: 'secrets' }, undefined, configMap('a'));
  assert.deepEqual(parents({ looking: true }).concernedBy(change), [keyOf('far/x')]);
});

test('a controller that goes has no parents any more, and no event concerns it', () => {
  const given = parents();
  assert.deepEqual(given.all('CompositeController/widgets'), [keyOf('default/w')]);
  given.remove('CompositeController/widgets');
  assert.deepEqual([given.all(), given.find(keyOf('default/w'))], [[], undefined]);
  assert.deepEqual(given.concernedBy(event(WIDGETS, undefined, widget())), []);
});

test('a decorator adopts nothing: an orphan concerns none of its objects, but one that was in the way does when it is gone', () => {
  const definition = decoratorOfWidgets();
  const [parentRule] = definition.parents;
  assert.ok(parentRule);
  const scopes = { parentScope: { type: WIDGETS }, childScopes: [{ type: CONFIG_MAPS }] };
  const controller = { definition, parentRule, parentType: WIDGETS, childTypes: [CONFIG_MAPS], ...scopes };
  const found = new Parents({ cache: new FakeCache([widget()]), related: nothingRelated }, () => true);
  found.add(controller);
  const orphan = configMap('b', {}, { uid: 'b' });
  assert.deepEqual(found.concernedBy(event(CONFIG_MAPS, undefined, orphan)), []);
  const leaving = configMap('b', {}, { uid: 'b', ...GOING });
  const key = 'DecoratorController/widgets widgets.example.com default/w';
  assert.deepEqual(found.concernedBy(event(CONFIG_MAPS, leaving, undefined)), [key]);
});
