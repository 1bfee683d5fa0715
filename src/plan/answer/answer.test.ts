import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JsonObject, type JsonValue, parseJson } from '../../kit/json.ts';
import { CONFIG_MAPS, configMap, NAMESPACES, widget, widgetController } from '../../testing/objects.ts';
import { syncCall } from '../consult/payload.ts';
import { checkSyncAnswer } from './answer.ts';
import { withoutSystemFields } from './answer-child.ts';
import { COMPOSITE_WORDS } from './hook-words.ts';

function check(body: JsonValue, options: { strict?: boolean; clusterParent?: boolean } = {}) {
  const definition = widgetController({ hook: { strict: options.strict ?? false } });
  const { namespace: _none, ...metadata } = widget().metadata;
  const parent = options.clusterParent ? { ...widget(), metadata } : widget();
  const hook = definition.hooks.sync;
  const words = COMPOSITE_WORDS;
  const call = syncCall({ definition, parent, groups: [], related: [], finalizing: false, hook, dryRun: true, words });
  return checkSyncAnswer(call, body, { types: [CONFIG_MAPS, NAMESPACES], words });
}

const child = (metadata: JsonValue): JsonObject => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata });

/** answer → code and path of the first problem, part of its text. */
const bad: readonly [JsonValue, string, string | undefined, RegExp][] = [
  [null, 'answer-invalid', undefined, /it is null, not an object/],
  [[], 'answer-invalid', undefined, /it is a list/],
  ['ok', 'answer-invalid', undefined, /it is a string/],
  [{ children: {} }, 'answer-invalid', 'children', /is an object, not a list/],
  [{ children: [null] }, 'answer-invalid', 'children[0]', /is null/],
  [{ children: ['x'] }, 'answer-invalid', 'children[0]', /is a string/],
  [{ children: [{}] }, 'answer-invalid', 'children[0].apiVersion', /is missing/],
  [
    { children: [{ apiVersion: 'v1', kind: '', metadata: { name: 'a' } }] },
    'answer-invalid',
    'children[0].kind',
    /is empty/,
  ],
  [{ children: [{ apiVersion: 'v1', kind: 'ConfigMap' }] }, 'answer-invalid', 'children[0].metadata', /is missing/],
  [{ children: [child([])] }, 'answer-invalid', 'children[0].metadata', /is a list/],
  [{ children: [child({})] }, 'answer-invalid', 'children[0].metadata.name', /is missing/],
  [{ children: [child({ generateName: 'a-' })] }, 'answer-invalid', 'children[0].metadata.name', /is missing/],
  [{ children: [child({ name: 7 })] }, 'answer-invalid', 'children[0].metadata.name', /is a number/],
  [
    { children: [child({ name: 'a', labels: { x: 1 } })] },
    'answer-invalid',
    'children[0].metadata.labels["x"]',
    /number/,
  ],
  [{ children: [child({ name: 'a', annotations: [] })] }, 'answer-invalid', 'children[0].metadata.annotations', /list/],
  [
    { children: [child({ name: 'a', namespace: 'other' })] },
    'answer-invalid',
    'children[0].metadata.namespace',
    /other/,
  ],
  [
    { children: [{ ...child({ name: 'a' }), kind: 'Secret' }] },
    'answer-undeclared-kind',
    'children[0]',
    /Secret of v1/,
  ],
  [{ children: [{ ...child({ name: 'a' }), apiVersion: 'v2' }] }, 'answer-undeclared-kind', 'children[0]', /of v2/],
  [
    { children: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } }] },
    'answer-invalid',
    'children[0].metadata.namespace',
    /cluster-scoped/,
  ],
  [{ children: [configMap('a'), configMap('a')] }, 'answer-duplicate', 'children[1]', /as children\[0\] is/],
  [{ status: 'fine' }, 'answer-invalid', 'status', /is a string/],
  [{ resyncAfterSeconds: '5' }, 'answer-invalid', 'resyncAfterSeconds', /is a string/],
  [{ finalized: 'yes' }, 'answer-invalid', 'finalized', /is a string/],
];

for (const [body, code, path, text] of bad)
  test(`answer ${JSON.stringify(body).slice(0, 70)} is refused: ${code}`, () => {
    const { answer, diagnostics } = check(body);
    assert.equal(answer, undefined);
    const [first] = diagnostics;
    assert.equal(first?.code, code);
    assert.equal(first?.path, path);
    assert.match(first?.summary ?? '', text);
    assert.match(first?.summary ?? '', /CompositeController\/widgets: the sync hook's answer for Widget default\/w/);
  });

test('all problems of an answer are reported together', () => {
  const { diagnostics } = check({ children: [null, child({}), configMap('a')], status: [] });
  assert.deepEqual(
    diagnostics.map(({ path }) => path),
    ['children[0]', 'children[1].metadata.name', 'status'],
  );
});

test('an unknown field is an error when strict, else a warning with what was meant', () => {
  const strict = check({ childern: [] }, { strict: true });
  assert.equal(strict.answer, undefined);
  const loose = check({ childern: [] });
  assert.ok(loose.answer);
  assert.equal(loose.diagnostics[0]?.severity, 'warning');
  assert.equal(loose.diagnostics[0]?.hint, 'Did you mean "children"?');
});

test('null and absent fields are empty; a negative resync is none', () => {
  const { answer } = check({ status: null, children: null, resyncAfterSeconds: -1, finalized: null });
  assert.deepEqual(answer, { children: [], labels: {}, annotations: {}, resyncAfterSeconds: 0, finalized: false });
});

test('below a cluster-scoped parent a namespaced child must say where it belongs', () => {
  const { diagnostics } = check({ children: [child({ name: 'a' })] }, { clusterParent: true });
  assert.equal(diagnostics[0]?.path, 'children[0].metadata.namespace');
  assert.ok(check({ children: [configMap('a')] }, { clusterParent: true }).answer);
});

test('a __proto__ key in an answer is data and changes no prototype', () => {
  const { answer } = check(
    parseJson(
      '{"children":[{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","labels":{"__proto__":"x"}}}]}',
    ),
  );
  assert.ok(answer);
  assert.equal(({} as Record<string, unknown>)['x'], undefined);
});

test('a __proto__ key in the metadata of a child lends it no labels', () => {
  const { answer } = check(
    parseJson(
      '{"children":[{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","__proto__":{"labels":{}}}}]}',
    ),
  );
  const own = answer?.children.map(({ object }) => withoutSystemFields(object, 'uid', 'annotation'));
  assert.equal(own?.[0]?.metadata.labels, undefined);
});

test('a resync after more seconds than a double counts is a very late one, not an error', () => {
  assert.ok((check(parseJson('{"resyncAfterSeconds": 9007199254740993}')).answer?.resyncAfterSeconds ?? 0) > 9e15);
});

test('annotations and owner references may be null: there are none', () => {
  const metadata = { name: 'a', namespace: 'default', annotations: null, ownerReferences: null };
  const { answer } = check({ children: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata }] });
  const own = answer?.children.map(({ object }) => withoutSystemFields(object, 'uid', 'annotation'));
  assert.deepEqual(own?.[0]?.metadata, metadata);
});
