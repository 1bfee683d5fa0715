// What a decorator does of its own: the labels, annotations and status of objects that are somebody else's, and attachments.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../kit/json.ts';
import type { DecoratorDefinition, Hook } from '../../model/definition.ts';
import type { Answer, HookCall } from '../../model/need.ts';
import type { KubeObject, ObjectMeta } from '../../model/object.ts';
import { type Change, changesOfParent, type ParentPlan } from '../../model/plan.ts';
import type { ResourceType } from '../../model/resource.ts';
import { attached } from '../../testing/controller-kinds.ts';
import {
  CONFIG_MAPS,
  configMap,
  decoratorOfWidgets,
  ownedMetadata,
  PODS,
  WIDGETS,
  widget,
} from '../../testing/objects.ts';
import type { Echo } from '../parent/session.ts';
import { planParent } from '../plan-parent.ts';
import { projectObject } from '../project.ts';
import { recordAnnotation } from './set-metadata.ts';

const FINALIZER = 'metacontroller.io/decoratorcontroller-widgets';
const RECORD = recordAnnotation('widgets');

interface Scene {
  readonly parent?: KubeObject;
  readonly type?: ResourceType;
  readonly attachments?: readonly KubeObject[];
  readonly foreign?: readonly KubeObject[];
  readonly answer?: JsonObject;
  readonly definition?: Partial<DecoratorDefinition>;
  /** The kind's fields, as the server tells them. */
  readonly fields?: JsonObject;
}

interface Planned {
  readonly plan: ParentPlan;
  readonly calls: readonly HookCall[];
  readonly echo: Echo | undefined;
}

function planned({ parent = widget(), type = WIDGETS, fields, ...scene }: Scene): Planned {
  const definition: DecoratorDefinition = { ...decoratorOfWidgets(), ...scene.definition };
  const [parentRule] = definition.parents;
  assert.ok(parentRule);
  const children = [{ type: CONFIG_MAPS, objects: scene.attachments ?? [] }];
  const view = { parent, parentType: type, parentLive: true, children };
  const answers = new Map<string, Answer>();
  const calls: HookCall[] = [];
  const answerTo = (id: string, kind: string): Answer => {
    if (kind === 'hook') return { kind: 'hook', id, ok: true, body: scene.answer ?? {} };
    if (kind === 'lookup') return { kind: 'lookup', id, objects: scene.foreign ?? [] };
    assert.equal(kind, 'schema');
    const schema = fields && { name: 'X', components: { X: { properties: fields } } };
    return { kind: 'schema', id, schema };
  };
  for (;;) {
    const step = planParent({ definition, parentRule }, view, answers, { foresee: false });
    if (step.kind === 'plan') return { plan: step.plan, calls, echo: step.echo };
    for (const need of step.needs) {
      if (need.kind === 'hook') calls.push(need);
      answers.set(need.id, answerTo(need.id, need.kind));
    }
  }
}

const changesIn = (scene: Scene): Change[] => changesOfParent(planned(scene).plan);

/** What one write makes of labels and annotations. */
function metadataAfter(scene: Scene): Pick<ObjectMeta, 'labels' | 'annotations'> {
  const [change, ...more] = changesIn(scene);
  assert.deepEqual(more, []);
  const { labels, annotations } = change?.after?.metadata ?? {};
  return { ...(labels ? { labels } : {}), ...(annotations ? { annotations } : {}) };
}

const labelled = (labels: Record<string, string>, annotations: Record<string, string> = {}): KubeObject =>
  widget({}, { labels, annotations });

test('labels and annotations: a text sets, null takes off, what is not named stays', () => {
  const parent = labelled({ old: '1', kept: '1', wrong: '1' }, { note: 'x' });
  const answer = { labels: { old: null, wrong: '2', new: '3', never: null }, annotations: { note: null } };
  assert.deepEqual(metadataAfter({ parent, answer }), { labels: { kept: '1', wrong: '2', new: '3' } });
  const [change] = changesIn({ parent, answer });
  assert.deepEqual(
    [change?.wave, change?.action, change?.verb, change?.subresource, change?.reasons],
    ['status', 'update', 'update', undefined, ['hook_returned']],
  );
  assert.deepEqual(
    change?.fields.map(({ path, op }) => `${op} ${path.join('/')}`),
    [
      'remove metadata/annotations',
      'add metadata/labels/new',
      'remove metadata/labels/old',
      'change metadata/labels/wrong',
    ],
  );
});

test('what is as the hook wants it is not written', () => {
  const parent = widget({}, { labels: { a: '1' } }, { seen: true });
  assert.deepEqual(changesIn({ parent, answer: { labels: { a: '1', b: null }, status: { seen: true } } }), []);
});

test('status is the hook’s, whole and without a generation; none, or null, leaves it', () => {
  const parent = widget({}, {}, { seen: 1, by: 'its controller' });
  for (const answer of [{}, { status: null }]) assert.deepEqual(changesIn({ parent, answer }), []);
  const [change] = changesIn({ parent, answer: { status: { seen: 2 } } });
  assert.deepEqual([change?.subresource, change?.after?.['status']], ['status', { seen: 2 }]);
});

test('a status and a label are two writes, the second on the result of the first', () => {
  const [status, label] = changesIn({ answer: { status: { a: 1 }, labels: { b: '2' } } });
  assert.deepEqual([status?.subresource, label?.subresource], ['status', undefined]);
  assert.deepEqual(label?.dependsOn, [status?.id]);
});

test('without the subresource a status goes with the rest, if the kind has one at all', () => {
  const type = { ...WIDGETS, subresources: [] };
  const answer = { status: { a: 1 }, labels: { b: '2' } };
  const [change, ...more] = changesIn({ type, answer, fields: { status: {} } });
  assert.deepEqual([more, change?.subresource, change?.after?.['status']], [[], undefined, { a: 1 }]);
  const { plan } = planned({ type, answer, fields: { data: {} } });
  assert.deepEqual(
    plan.diagnostics.map(({ severity, code, path }) => [severity, code, path]),
    [['warning', 'no-status-subresource', 'status']],
  );
  assert.deepEqual(changesOfParent(plan)[0]?.after?.['status'], undefined);
});

const bad: readonly (readonly [JsonObject, string, RegExp])[] = [
  [{ labels: { a: 1 } }, 'labels["a"]', /is a number, not a string/],
  [{ labels: ['a'] }, 'labels', /is a list, not an object/],
  [{ labels: { a: 'two words' } }, 'labels["a"]', /is not a label value/],
  [{ labels: { 'a b': 'x' } }, 'labels["a b"]', /is not a label key/],
  [{ labels: { 'UPPER.case/x': 'x' } }, 'labels["UPPER.case/x"]', /is not a label key/],
  [{ labels: { 'metactl.dev/map-key-hash': 'x' } }, 'labels["metactl.dev/map-key-hash"]', /is reserved/],
  [{ labels: { 'kubernetes.io/metadata.name': 'x' } }, 'labels["kubernetes.io/metadata.name"]', /reserved for the API/],
  [{ annotations: { 'a//b': 'x' } }, 'annotations["a//b"]', /is not an annotation key/],
  [{ annotations: { a: { b: 1 } } }, 'annotations["a"]', /is an object, not a string/],
  [{ annotations: { [RECORD]: 'x' } }, `annotations["${RECORD}"]`, /is reserved/],
  [
    { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': null } },
    'annotations["kubectl.kubernetes.io/last-applied-configuration"]',
    /is reserved/,
  ],
  [{ annotations: { big: 'x'.repeat(300_000) } }, 'annotations', /are 300003 bytes/],
  [{ attachments: [widget({}, { labels: {} })] }, 'attachments[0]', /spec.attachments does not list/],
];
for (const [answer, path, problem] of bad)
  test(`refused: ${path} ${problem.source}`, () => {
    const { plan } = planned({ answer });
    assert.deepEqual([plan.steps, plan.result.kind], [[], 'terminal']);
    assert.equal(plan.diagnostics[0]?.path, path);
    assert.match(plan.diagnostics[0]?.summary ?? '', problem);
  });

test('annotations with capitals in their prefix, any value, and labels of Kubernetes that others set too', () => {
  const answer = { annotations: { 'Example.com/x': '{"a": "b c"}' }, labels: { 'node-role.kubernetes.io/x': '' } };
  assert.deepEqual(planned({ answer }).plan.diagnostics, []);
});

test('an attachment is the object itself', () => {
  const parent = configMap('self', {}, { uid: 'self' });
  const parents = [{ ...decoratorOfWidgets().parents[0], apiVersion: 'v1', resource: 'configmaps' }];
  const definition = { parents } as Partial<DecoratorDefinition>;
  const { plan } = planned({ parent, type: CONFIG_MAPS, definition, answer: { attachments: [configMap('self')] } });
  assert.match(plan.diagnostics[0]?.summary ?? '', /attachments\[0\] is ConfigMap default\/self itself/);
});

test('what another decorator attached to the same object is not ours, and stands in the way', () => {
  const theirs = attached(configMap('a', {}, ownedMetadata('a')), 'other');
  const { plan, calls } = planned({
    attachments: [theirs],
    foreign: [theirs],
    answer: { attachments: [configMap('a')] },
  });
  assert.deepEqual(calls[0]?.request['attachments'], { 'ConfigMap.v1': {} });
  assert.match(plan.diagnostics[0]?.summary ?? '', /exists already and belongs to the same object, but/);
  assert.deepEqual(changesIn({ attachments: [theirs], answer: { attachments: [] } }), []);
});

test('an orphan is neither adopted nor overwritten', () => {
  const orphan = configMap('a', {}, { uid: 'u' });
  const { plan } = planned({ attachments: [orphan], foreign: [orphan], answer: { attachments: [configMap('a')] } });
  assert.deepEqual(
    changesOfParent(plan).map(({ action, note }) => [action, note]),
    [['blocked', 'ConfigMap default/a exists already and has no controller, and a decorator adopts nothing']],
  );
});

test('an attachment carries the name of its decorator', () => {
  const [create] = changesIn({ answer: { attachments: [configMap('a')] } });
  assert.equal(create?.after?.metadata.annotations?.['metacontroller.k8s.io/decorator-controller'], 'widgets');
});

test('the object leaves, with everything that was set: one write', () => {
  const parent = widget({}, { finalizers: [FINALIZER], labels: { tier: 'b', mark: 'x' } });
  const base = decoratorOfWidgets();
  const definition = {
    parents: base.parents.map((rule) => ({
      ...rule,
      labelSelector: { matchLabels: { tier: 'a' }, matchExpressions: [] },
    })),
    hooks: { ...base.hooks, finalize: base.hooks.sync },
  };
  const [change, ...more] = changesIn({ parent, definition, answer: { finalized: true, labels: { mark: null } } });
  assert.deepEqual([more, change?.wave], [[], 'finalizer-remove']);
  assert.deepEqual(change?.after?.metadata.labels, { tier: 'b' });
  assert.equal(change?.after?.metadata.finalizers, undefined);
});

test('selected by annotations too', () => {
  const base = decoratorOfWidgets();
  const annotationSelector = {
    matchLabels: {},
    matchExpressions: [{ key: 'on', operator: 'Exists', values: [] }],
  } as const;
  const definition = { parents: base.parents.map((rule) => ({ ...rule, annotationSelector })) };
  assert.equal(planned({ definition, answer: {} }).calls.length, 0);
  assert.equal(planned({ definition, parent: labelled({}, { on: '' }) }).calls.length, 1);
});

const remove = { omittedMetadata: 'remove' } as const;
/** The object after the plan of the scene. */
function after(scene: Scene): KubeObject {
  const parent = scene.parent ?? widget();
  return changesIn({ ...scene, parent }).reduce((object, change) => projectObject(object, change) ?? object, parent);
}

test('what the hook returns no more is taken off, if it was set here; by default it stays', () => {
  const given = labelled({ before: 'x' }, { theirs: 'y' });
  const first = { labels: { before: 'x', mine: '1' }, annotations: { note: 'n' } };
  const marked = after({ parent: given, answer: first, definition: remove });
  assert.equal(marked.metadata.annotations?.[RECORD], '{"annotations":["note"],"labels":["mine"]}');
  assert.deepEqual(changesIn({ parent: marked, answer: first, definition: remove }), [], 'and it stays so');
  const less = after({ parent: marked, answer: { labels: { mine: '1' } }, definition: remove });
  assert.deepEqual(less.metadata.annotations, { theirs: 'y', [RECORD]: '{"annotations":[],"labels":["mine"]}' });
  const none = after({ parent: less, answer: {}, definition: remove });
  assert.deepEqual(none.metadata.labels, { before: 'x' }, 'what stood there already was not ours');
  assert.deepEqual(none.metadata.annotations, { theirs: 'y' });
  assert.deepEqual(changesIn({ parent: marked, answer: {} }), []);
});

test('a value that somebody changed is set again, and still ours', () => {
  const marked = after({ answer: { labels: { mine: '1' } }, definition: remove });
  const edited = { ...marked, metadata: { ...marked.metadata, labels: { mine: '2' } } };
  const again = after({ parent: edited, answer: { labels: { mine: '1' } }, definition: remove });
  assert.deepEqual(again.metadata.labels, { mine: '1' });
  assert.equal(after({ parent: again, answer: {}, definition: remove }).metadata.labels, undefined);
});

test('a record that cannot be read takes nothing off', () => {
  for (const record of ['', '{', '[]', '{"labels": 1}', '{"labels": [2], "annotations": null}']) {
    const left = after({ parent: labelled({ a: '1' }, { [RECORD]: record }), answer: {}, definition: remove });
    assert.deepEqual([left.metadata.labels, left.metadata.annotations], [{ a: '1' }, undefined], record);
  }
});

test('the record of a long name has room, and two long names have two', () => {
  const long = `${'a'.repeat(100)}.b`;
  assert.match(recordAnnotation(long), /^decorator\.metactl\.dev\/.{1,63}$/);
  assert.notEqual(recordAnnotation(long), recordAnnotation(`${long}c`));
});

test('a __proto__ label is data', () => {
  const answer = JSON.parse('{"labels": {"__proto__": "x"}}') as JsonObject;
  assert.match(planned({ answer }).plan.diagnostics[0]?.summary ?? '', /__proto__.*is not a label key/);
});

test('the write that is nothing but the hook’s own labels is no news to it; anything else is', () => {
  const scene = { answer: { labels: { a: '1' }, annotations: { b: '2' } } };
  const { plan, calls, echo } = planned(scene);
  assert.equal(echo?.call, calls[0]?.id);
  const written = after(scene);
  const seen = { ...written, metadata: { ...written.metadata, resourceVersion: '99' } };
  assert.equal(echo?.next, planned({ ...scene, parent: seen }).calls[0]?.id);
  assert.equal(changesOfParent(plan).length, 1);
  const others: readonly Scene[] = [
    { answer: { ...scene.answer, status: { c: 1 } } },
    { answer: { ...scene.answer, attachments: [configMap('a')] } },
    { answer: { status: { c: 1 } } },
    { answer: {} },
    { ...scene, definition: { fromCluster: true } },
  ];
  for (const other of others) assert.equal(planned(other).echo, undefined, JSON.stringify(other));
});

test('an object of a cluster-scoped kind has attachments anywhere', () => {
  const { namespace: _none, ...metadata } = widget().metadata;
  const parent = { ...widget(), metadata };
  const type = { ...WIDGETS, namespaced: false };
  const answer = { attachments: [configMap('a', {}, { namespace: 'x' }), configMap('a', {}, { namespace: 'y' })] };
  const { plan } = planned({ parent, type, answer });
  assert.deepEqual(
    changesOfParent(plan).map(({ action, object }) => `${action} ${object.namespace}/${object.name}`),
    ['create x/a', 'create y/a'],
  );
  const observed = [attached(configMap('a', {}, ownedMetadata('a', { namespace: 'x' })))];
  const { calls } = planned({ parent, type, attachments: observed });
  const groups = calls[0]?.request['attachments'] as Record<string, object> | undefined;
  assert.deepEqual(Object.keys(groups?.['ConfigMap.v1'] ?? {}), ['x/a']);
});

test('the customize hook is asked about "parent", sync about "object"', () => {
  const base = decoratorOfWidgets();
  const definition = { hooks: { ...base.hooks, customize: base.hooks.sync as Hook } };
  const { calls } = planned({ definition, answer: { relatedResources: 1 } });
  assert.deepEqual(Object.keys(calls[0]?.request ?? {}), ['controller', 'parent']);
  assert.deepEqual(
    Object.keys(planned({ parent: widget(), type: PODS }).calls[0]?.request ?? {}).includes('object'),
    true,
  );
});
