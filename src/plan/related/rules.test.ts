import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JsonValue, parseJson } from '../../kit/json.ts';
import type { HookVersion } from '../../model/definition.ts';
import type { RelatedRule } from '../../model/need.ts';
import type { KubeObject } from '../../model/object.ts';
import { CONFIG_MAPS, configMap, NAMESPACES, widget, widgetController } from '../../testing/objects.ts';
import { customizeCall } from '../consult/payload.ts';
import { matchesRule, misfitOf } from './match.ts';
import { checkCustomizeAnswer } from './rules.ts';

interface Options {
  readonly version?: HookVersion;
  readonly clusterParent?: boolean;
  readonly strict?: boolean;
}

function check(body: JsonValue, { version = 'v1', clusterParent = false, strict = false }: Options = {}) {
  const definition = widgetController();
  const hook = { ...definition.hooks.sync, version, strict };
  const { namespace: _none, ...metadata } = widget().metadata;
  const parent = clusterParent ? { ...widget(), metadata } : widget();
  return checkCustomizeAnswer(customizeCall({ definition, parent, hook, dryRun: true }), body);
}

const MAPS = { apiVersion: 'v1', resource: 'configmaps' };
const rules = (...list: JsonValue[]): JsonValue => ({ relatedResources: list });
const V2 = { version: 'v2' } as const;
const CLUSTER = { clusterParent: true } as const;
const LABELS = { matchLabels: { a: 'b' } };

/** Why → answer → path and words of the one problem. */
const bad: readonly [string, JsonValue, Options, string | undefined, RegExp][] = [
  ['nothing', null, {}, undefined, /it is null, not an object/],
  ['a bare list, as an example of the book has it', [MAPS], {}, undefined, /it is a list, not an object/],
  ['rules that are no list', { relatedResources: {} }, {}, 'relatedResources', /not a list/],
  ['a rule that is none', rules('configmaps'), {}, 'relatedResources[0]', /is a string, not an object/],
  ['no apiVersion', rules({ resource: 'x' }), {}, 'relatedResources[0].apiVersion', /is missing/],
  ['an empty resource', rules({ apiVersion: 'v1', resource: '' }), {}, 'relatedResources[0].resource', /is empty/],
  [
    'names and labels',
    rules({ ...MAPS, names: ['a'], labelSelector: LABELS }),
    V2,
    'relatedResources[0].names',
    /stands beside labelSelector/,
  ],
  [
    'names and namespaces by label',
    rules({ ...MAPS, names: ['a'], namespaceSelector: LABELS }),
    V2,
    'relatedResources[0].names',
    /stands beside namespaceSelector/,
  ],
  [
    'a namespace and namespaces by label',
    rules({ ...MAPS, namespace: 'x', namespaceSelector: LABELS }),
    V2,
    'relatedResources[0].namespace',
    /stands beside namespaceSelector/,
  ],
  [
    'v1: another namespace',
    rules({ ...MAPS, namespace: 'other' }),
    {},
    'relatedResources[0].namespace',
    /is other, but the parent is in default/,
  ],
  [
    'v1: namespaces by label',
    rules({ ...MAPS, namespaceSelector: LABELS }),
    {},
    'relatedResources[0].namespaceSelector',
    /not for a parent in a namespace under hook version v1/,
  ],
  [
    'a selector that is broken',
    rules({ ...MAPS, labelSelector: { matchLabels: { a: 1 } } }),
    {},
    'relatedResources[0].labelSelector',
    /matchLabels.a is not a string/,
  ],
  [
    'a name that is none',
    rules({ ...MAPS, names: ['a', 7] }),
    {},
    'relatedResources[0].names[1]',
    /a number, not a string/,
  ],
  [
    'an unknown field where answers are strict',
    rules({ ...MAPS, labelselector: {} }),
    { strict: true },
    'relatedResources[0].labelselector',
    /not a field/,
  ],
  [
    '__proto__',
    parseJson('{"relatedResources": [{"__proto__": {"apiVersion": "v1"}, "resource": "x"}]}'),
    {},
    'relatedResources[0].apiVersion',
    /is missing/,
  ],
];
for (const [why, body, options, path, words] of bad)
  test(`a bad rule: ${why}`, () => {
    const { rules: checked, diagnostics } = check(body, options);
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    assert.deepEqual([checked, errors.map((error) => error.path)], [undefined, [path]]);
    assert.match(errors[0]?.summary ?? '', words);
  });

const good: readonly [string, JsonValue, Options, readonly RelatedRule[]][] = [
  ['none', {}, {}, []],
  ['null', { relatedResources: null }, {}, []],
  ['v1: the namespace is the parent’s', rules(MAPS), {}, [{ ...MAPS, namespace: 'default' }]],
  ['v1: said anyway', rules({ ...MAPS, namespace: 'default' }), {}, [{ ...MAPS, namespace: 'default' }]],
  ['v1 from a cluster-scoped parent: everywhere', rules(MAPS), CLUSTER, [MAPS]],
  ['v2: everywhere', rules(MAPS), V2, [MAPS]],
  [
    'a namespace and labels',
    rules({ ...MAPS, namespace: 'x', labelSelector: LABELS }),
    V2,
    [{ ...MAPS, namespace: 'x', labelSelector: { ...LABELS, matchExpressions: [] } }],
  ],
  ['empty means absent', rules({ ...MAPS, namespace: '', names: [], labelSelector: null }), V2, [MAPS]],
  ['a name twice', rules({ ...MAPS, names: ['a', 'a'] }), V2, [{ ...MAPS, names: ['a'] }]],
];
for (const [why, body, options, want] of good)
  test(`a rule: ${why}`, () => assert.deepEqual(check(body, options), { rules: want, diagnostics: [] }));

test('an unknown field is a warning where answers are loose', () => {
  const { rules: checked, diagnostics } = check(rules({ ...MAPS, labelselector: {} }), V2);
  assert.deepEqual(
    [checked, diagnostics.map(({ severity, hint }) => [severity, hint])],
    [[MAPS], [['warning', 'Did you mean "labelSelector"?']]],
  );
});

const selector = (matchLabels: Record<string, string>) => ({ matchLabels, matchExpressions: [] });
const object: KubeObject = configMap('a', {}, { labels: { app: 'w' } });
const labelsOf = (name: string) => (name === 'default' ? { team: 'x' } : undefined);
const matches: readonly [string, Partial<RelatedRule>, boolean][] = [
  ['nothing said: all', {}, true],
  ['its name', { names: ['b', 'a'] }, true],
  ['another name', { names: ['b'] }, false],
  ['its namespace', { namespace: 'default', names: ['a'] }, true],
  ['another namespace', { namespace: 'other', names: ['a'] }, false],
  ['its labels', { labelSelector: selector({ app: 'w' }) }, true],
  ['other labels', { labelSelector: selector({ app: 'x' }) }, false],
  ['an empty selector: all', { labelSelector: selector({}) }, true],
  ['labels of its namespace', { namespaceSelector: selector({ team: 'x' }) }, true],
  ['other labels of its namespace', { namespaceSelector: selector({ team: 'y' }) }, false],
  ['labels of both', { namespaceSelector: selector({ team: 'x' }), labelSelector: selector({ app: 'x' }) }, false],
];
for (const [why, rule, want] of matches)
  test(`match: ${why}`, () => assert.equal(matchesRule({ ...MAPS, ...rule }, object, labelsOf), want));

test('a namespace that is not there matches no selector, not even an empty one', () => {
  const rule = { ...MAPS, namespaceSelector: selector({}) };
  assert.equal(matchesRule(rule, configMap('a', {}, { namespace: 'gone' }), labelsOf), false);
});

test('rules that do not fit their resource', () => {
  const rule = { apiVersion: 'v1', resource: 'namespaces' };
  assert.equal(misfitOf({ ...rule, namespaceSelector: selector({}) }, NAMESPACES)?.severity, 'error');
  assert.equal(misfitOf({ ...rule, namespace: 'x' }, NAMESPACES)?.severity, 'warning');
  assert.equal(misfitOf(rule, NAMESPACES), undefined);
  assert.equal(misfitOf({ ...rule, namespace: 'x' }, CONFIG_MAPS), undefined);
});
