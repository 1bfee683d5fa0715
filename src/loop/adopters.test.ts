// Which parents an orphan may concern, by their selectors, as parents come, change and go.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '../kit/json.ts';
import type { KubeObject } from '../model/object.ts';
import { CONFIG_MAPS, configMap, WIDGETS, widget, widgetController } from '../testing/objects.ts';
import { Adopters } from './adopters.ts';

function adopters({ namespaced = true } = {}): Adopters {
  const definition = widgetController();
  const parentType = { ...WIDGETS, namespaced };
  const scopes = { parentScope: { type: parentType }, childScopes: [{ type: CONFIG_MAPS }] };
  return new Adopters({ definition, parentRule: definition.parent, parentType, childTypes: [CONFIG_MAPS], ...scopes });
}

const parent = (name: string, selector: JsonObject, namespace = 'default'): KubeObject =>
  widget({ selector }, { name, namespace, uid: name });
const orphan = (labels: Record<string, string>, namespace = 'default'): KubeObject =>
  configMap('o', {}, { uid: 'o', namespace, labels });
const names = (index: Adopters, object: KubeObject): (string | undefined)[] =>
  index.of(object).map(({ metadata }) => metadata.name);

const app = (value: string): JsonObject => ({ matchLabels: { app: value } });
const CASES: readonly (readonly [why: string, selector: JsonObject, labels: Record<string, string>, found: boolean])[] =
  [
    ['the label', app('a'), { app: 'a' }, true],
    ['the label among others', app('a'), { x: 'y', app: 'a' }, true],
    ['another value', app('a'), { app: 'b' }, false],
    ['no labels', app('a'), {}, false],
    ['one of two labels', { matchLabels: { app: 'a', tier: 'web' } }, { app: 'a' }, false],
    ['the second of two labels', { matchLabels: { app: 'a', tier: 'web' } }, { tier: 'web' }, false],
    ['both labels', { matchLabels: { app: 'a', tier: 'web' } }, { tier: 'web', app: 'a' }, true],
    ['an expression alone', { matchExpressions: [{ key: 'app', operator: 'Exists' }] }, { app: 'z' }, true],
    ['an expression that is not met', { matchExpressions: [{ key: 'app', operator: 'Exists' }] }, {}, false],
    ['a selector that selects everything adopts nothing', {}, { app: 'a' }, false],
  ];
describe('found by labels', () => {
  for (const [why, selector, labels, found] of CASES)
    test(why, () => {
      const index = adopters();
      index.seen(parent('p', selector));
      assert.deepEqual(names(index, orphan(labels)), found ? ['p'] : []);
    });
});

test('of its own namespace; the parents of a cluster-scoped resource anywhere', () => {
  const index = adopters();
  for (const namespace of ['default', 'other']) index.seen(parent(`in-${namespace}`, app('a'), namespace));
  assert.deepEqual(names(index, orphan({ app: 'a' }, 'other')), ['in-other']);
  const wide = adopters({ namespaced: false });
  const { namespace: _none, ...metadata } = parent('wide', app('a')).metadata;
  wide.seen({ ...parent('wide', app('a')), metadata });
  assert.deepEqual(names(wide, orphan({ app: 'a' }, 'other')), ['wide']);
});

test('a parent that changes its selector is found by the new one alone; one that went by none', () => {
  const index = adopters();
  index.seen(parent('p', app('a')));
  index.seen(parent('q', app('a')));
  index.seen(parent('p', app('b')));
  assert.deepEqual([names(index, orphan({ app: 'a' })), names(index, orphan({ app: 'b' }))], [['q'], ['p']]);
  index.gone(parent('p', app('b')));
  index.gone(parent('p', app('b')));
  assert.deepEqual(names(index, orphan({ app: 'b' })), []);
});
