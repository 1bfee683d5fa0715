import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RelatedRule } from '../model/need.ts';
import type { KubeObject } from '../model/object.ts';
import { CONFIG_MAPS, configMap, NAMESPACES } from '../testing/objects.ts';
import { RelatedIndex } from './related-index.ts';
import { RelatedScopes } from './related-scopes.ts';

const MAPS = { apiVersion: 'v1', resource: 'configmaps' };
const selector = (matchLabels: Record<string, string>) => ({ matchLabels, matchExpressions: [] });
const LABELS: Readonly<Record<string, Record<string, string>>> = { default: { team: 'x' }, other: {} };

function index(given: Readonly<Record<string, RelatedRule>>): RelatedIndex {
  const made = new RelatedIndex();
  for (const [parent, rule] of Object.entries(given)) made.add(parent, rule, CONFIG_MAPS);
  return made;
}

const concerned = (
  made: RelatedIndex,
  before: KubeObject | undefined,
  after: KubeObject | undefined,
  type = CONFIG_MAPS,
) => [...made.concernedBy({ type, before, after }, (name) => LABELS[name])].sort();

test('an object concerns whom it was or is selected by', () => {
  const made = index({
    named: { ...MAPS, names: ['a'], namespace: 'default' },
    'named anywhere': { ...MAPS, names: ['a'] },
    elsewhere: { ...MAPS, names: ['a'], namespace: 'other' },
    all: MAPS,
    'in default': { ...MAPS, namespace: 'default' },
    labelled: { ...MAPS, labelSelector: selector({ pick: 'me' }) },
    'by team': { ...MAPS, namespaceSelector: selector({ team: 'x' }) },
  });
  const everyone = ['all', 'by team', 'in default', 'named', 'named anywhere'];
  assert.deepEqual(concerned(made, undefined, configMap('a')), everyone);
  assert.deepEqual(concerned(made, configMap('a', {}, { labels: { pick: 'me' } }), configMap('a')), [
    ...everyone.slice(0, 3),
    'labelled',
    ...everyone.slice(3),
  ]);
  assert.deepEqual(concerned(made, configMap('b', {}, { namespace: 'other' }), undefined), ['all']);
  assert.deepEqual(concerned(made, undefined, configMap('a'), { ...CONFIG_MAPS, resource: 'secrets' }), []);
});

test('a namespace that comes into a selector, or leaves it', () => {
  const made = index({ 'by team': { ...MAPS, namespaceSelector: selector({ team: 'x' }) }, all: MAPS });
  const place = (labels: Record<string, string>): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'n', labels },
  });
  const by = (before: KubeObject | undefined, after: KubeObject | undefined) =>
    concerned(made, before, after, NAMESPACES);
  assert.deepEqual(by(undefined, place({ team: 'x' })), ['by team']);
  assert.deepEqual(by(place({ team: 'x' }), place({ team: 'y' })), ['by team']);
  assert.deepEqual(by(place({ team: 'x' }), undefined), ['by team']);
  assert.deepEqual(by(place({ team: 'x' }), place({ team: 'x', more: 'y' })), []);
  assert.deepEqual(by(undefined, place({})), []);
});

test('a parent that looks elsewhere now is not concerned any more; a rule that two have stays for the other', () => {
  const made = index({ one: MAPS, two: MAPS });
  made.replace('one', [{ rule: { ...MAPS, names: ['a'] }, type: CONFIG_MAPS }]);
  assert.deepEqual(concerned(made, undefined, configMap('a')), ['one', 'two']);
  assert.deepEqual(concerned(made, undefined, configMap('b')), ['two']);
  made.replace('two', []);
  assert.deepEqual(concerned(made, undefined, configMap('b')), []);
});

test('scopes: by name, unless a wider one is open or they become too many', () => {
  const scopes = new RelatedScopes([{ type: NAMESPACES }]);
  const shape = (rule: RelatedRule, type = CONFIG_MAPS) => {
    const found = scopes.take(rule, type);
    for (const scope of found) scopes.opened(scope);
    return found.map(({ type: _type, ...rest }) => rest);
  };
  assert.deepEqual(shape({ apiVersion: 'v1', resource: 'namespaces', names: ['a'] }, NAMESPACES), [{}]);
  assert.deepEqual(shape({ ...MAPS, namespace: 'x', names: ['a', 'b'] }), [
    { namespace: 'x', name: 'a' },
    { namespace: 'x', name: 'b' },
  ]);
  assert.deepEqual(shape({ ...MAPS, namespace: 'x', labelSelector: selector({ a: 'b' }) }), [
    { namespace: 'x', labelSelector: 'a=b' },
  ]);
  const many = Array.from({ length: 20 }, (_, number) => `n-${number}`);
  assert.deepEqual(shape({ ...MAPS, namespace: 'x', names: many }), [{ namespace: 'x' }]);
  assert.deepEqual(shape({ ...MAPS, namespace: 'x', names: ['c'] }), [{ namespace: 'x' }]);
  assert.deepEqual(shape({ ...MAPS, names: ['c'] }), [{ name: 'c' }]);
});

test('scopes: one that holds some shards only serves what is in the namespace of the parent that asks', () => {
  const scopes = new RelatedScopes([{ type: CONFIG_MAPS, sharded: true }]);
  const shape = (rule: RelatedRule, home?: string) =>
    scopes.take(rule, CONFIG_MAPS, home).map(({ type: _type, ...rest }) => rest);
  assert.deepEqual(shape({ ...MAPS, namespace: 'x' }, 'x'), [{ sharded: true }]);
  assert.deepEqual(shape({ ...MAPS, namespace: 'x', names: ['a'] }, 'x'), [{ sharded: true }]);
  assert.deepEqual(shape({ ...MAPS, namespace: 'y' }, 'x'), [{ namespace: 'y' }], 'elsewhere');
  assert.deepEqual(shape({ ...MAPS, namespace: 'x' }), [{ namespace: 'x' }], 'a cluster-scoped parent');
  assert.deepEqual(shape(MAPS, 'x'), [{}], 'everywhere');
});
