import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, JsonValue } from '../../kit/json.ts';
import { UNKNOWN } from '../../kit/unknown.ts';
import { LAST_APPLIED_ANNOTATION, withLastApplied } from '../../merge/index.ts';
import type { Answer, Need } from '../../model/need.ts';
import type { KubeObject, ObjectMeta } from '../../model/object.ts';
import { changesOfParent, type ParentPlan } from '../../model/plan.ts';
import { formatRef } from '../../model/ref.ts';
import type { ParentView } from '../../model/view.ts';
import {
  CONFIG_MAPS,
  configMap,
  type DefinitionOptions,
  ofWidgets,
  ownedMetadata,
  WIDGETS,
  widget,
  widgetController,
} from '../../testing/objects.ts';
import { planParent } from '../plan-parent.ts';

interface Scene {
  readonly parent?: KubeObject;
  readonly live?: boolean;
  readonly objects?: readonly KubeObject[];
  /** What stands in the cluster under a desired name and is not a candidate. */
  readonly foreign?: readonly KubeObject[];
  readonly answer?: JsonValue;
  readonly definition?: DefinitionOptions;
  readonly foresee?: boolean;
}

interface Planned {
  readonly plan: ParentPlan;
  readonly needs: readonly Need[];
  readonly request?: JsonObject;
}

function planned(scene: Scene): Planned {
  const definition = widgetController(scene.definition);
  const view: ParentView = {
    parent: scene.parent ?? widget(),
    parentType: WIDGETS,
    parentLive: scene.live ?? true,
    children: [{ type: CONFIG_MAPS, objects: scene.objects ?? [] }],
  };
  const answers = new Map<string, Answer>();
  const needs: Need[] = [];
  for (;;) {
    const step = planParent(ofWidgets(definition), view, answers, { foresee: scene.foresee ?? true });
    const hook = needs.find((need) => need.kind === 'hook');
    if (step.kind === 'plan') return { plan: step.plan, needs, ...(hook ? { request: hook.request } : {}) };
    for (const need of step.needs) {
      needs.push(need);
      if (need.kind === 'hook')
        answers.set(need.id, { kind: 'hook', id: need.id, ok: true, body: scene.answer ?? { children: [] } });
      if (need.kind === 'lookup') answers.set(need.id, { kind: 'lookup', id: need.id, objects: scene.foreign ?? [] });
    }
  }
}

const outline = (plan: ParentPlan): string[] =>
  changesOfParent(plan)
    .filter(({ action }) => action !== 'status')
    .map((change) => `${change.wave} ${change.action} ${formatRef(change.object)} ${change.reasons.join()}`);

/** A child as it stands after it was applied from `desired`. */
function applied(desired: KubeObject, metadata: ObjectMeta = {}): KubeObject {
  const stored = withLastApplied(desired, LAST_APPLIED_ANNOTATION);
  return { ...stored, metadata: { ...stored.metadata, ...ownedMetadata(desired.metadata.name ?? ''), ...metadata } };
}

const cases: readonly (Scene & { readonly name: string; readonly reason: string; readonly want: readonly string[] })[] =
  [
    {
      name: 'a child that is not there is created',
      reason: 'the main job',
      answer: { children: [configMap('a')] },
      want: ['children create ConfigMap default/a hook_returned'],
    },
    {
      name: 'a child without a namespace gets the parent’s',
      reason: 'hooks leave it out, as the book’s examples do',
      answer: { children: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', labels: { app: 'w' } } }] },
      want: ['children create ConfigMap default/a hook_returned'],
    },
    {
      name: 'a child that is as wanted costs nothing',
      reason: 'a second run must be empty',
      objects: [applied(configMap('a', { k: '1' }))],
      answer: { children: [configMap('a', { k: '1' })] },
      want: [],
    },
    {
      name: 'InPlace updates',
      reason: 'strategy',
      objects: [applied(configMap('a', { k: '1' }))],
      answer: { children: [configMap('a', { k: '2' })] },
      want: ['children update ConfigMap default/a hook_returned'],
    },
    {
      name: 'a hand-made edit of an owned field is drift',
      reason: 'the reader wants to know that it was not the hook',
      objects: [{ ...applied(configMap('a', { k: '1' })), data: { k: 'edited' } }],
      answer: { children: [configMap('a', { k: '1' })] },
      want: ['children update ConfigMap default/a drift'],
    },
    {
      name: 'a field of somebody else stays',
      reason: 'three-way merge',
      objects: [{ ...applied(configMap('a', { k: '1' })), data: { k: '1', other: 'x' } }],
      answer: { children: [configMap('a', { k: '1' })] },
      want: [],
    },
    {
      name: 'Recreate deletes first',
      reason: 'the new one is created when the old one is gone',
      definition: { method: 'Recreate' },
      objects: [applied(configMap('a', { k: '1' }))],
      answer: { children: [configMap('a', { k: '2' })] },
      want: ['children recreate ConfigMap default/a hook_returned'],
    },
    {
      name: 'OnDelete leaves it and says so',
      reason: 'nothing is skipped silently',
      definition: { method: 'OnDelete' },
      objects: [applied(configMap('a', { k: '1' }))],
      answer: { children: [configMap('a', { k: '2' })] },
      want: ['children skip ConfigMap default/a on_delete'],
    },
    {
      name: 'a child that the hook drops is deleted, whatever the strategy',
      reason: 'the reference’s rule',
      definition: { method: 'OnDelete' },
      objects: [applied(configMap('a'))],
      answer: { children: [] },
      want: ['children delete ConfigMap default/a hook_dropped'],
    },
    {
      name: 'a child on its way out is waited for, not deleted twice',
      reason: 'finalizers take time',
      objects: [applied(configMap('a'), { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['x/y'] })],
      answer: { children: [configMap('a')] },
      want: [],
    },
    {
      name: 'an orphan that matches is adopted, then compared',
      reason: 'ControllerRef rules; plan shows both',
      objects: [configMap('a', { k: '1' }, { uid: 'u', resourceVersion: '3' })],
      answer: { children: [configMap('a', { k: '1' })] },
      want: ['claim adopt ConfigMap default/a adopt', 'children update ConfigMap default/a hook_returned'],
    },
    {
      name: 'an orphan in another namespace is left alone',
      reason: 'a namespaced parent owns nothing elsewhere',
      objects: [configMap('a', {}, { uid: 'u', namespace: 'other' })],
      want: [],
    },
    {
      name: 'an owned child that no longer matches is released',
      reason: 'ControllerRef rules',
      objects: [applied(configMap('a'), { labels: { app: 'other' } })],
      want: ['claim release ConfigMap default/a not_owned'],
    },
    {
      name: 'an object of another controller is left alone',
      reason: 'two controllers must not fight',
      objects: [
        configMap(
          'a',
          {},
          { uid: 'u', ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'x', uid: 'x', controller: true }] },
        ),
      ],
      want: [],
    },
    {
      name: 'a name that is taken blocks that child alone',
      reason: 'the reference swallows it silently',
      foreign: [configMap('a', {}, { uid: 'u', labels: { app: 'other' } })],
      answer: { children: [configMap('a'), configMap('b')] },
      want: ['children blocked ConfigMap default/a not_owned', 'children create ConfigMap default/b hook_returned'],
    },
    {
      name: 'a deleting parent’s children are the garbage collector’s',
      reason: 'there is no finalize hook here',
      parent: widget({}, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
      answer: { children: [configMap('a')] },
      want: [],
    },
    {
      name: 'generateSelector labels the children',
      reason: 'and claims by that label alone',
      definition: { generateSelector: true },
      parent: widget({ selector: null }),
      answer: { children: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }] },
      want: ['children create ConfigMap default/a hook_returned'],
    },
    {
      name: 'an observed object returned as it is changes nothing',
      reason: 'metacontroller#1003 loops on it',
      objects: [{ ...applied(configMap('a', { k: '1' })), status: { seen: true } }],
      answer: { children: [{ ...applied(configMap('a', { k: '1' })), status: { seen: true } }] },
      want: [],
    },
  ];

for (const { name, reason, want, ...scene } of cases)
  test(`${name} (${reason})`, () => {
    const { plan } = planned(scene);
    assert.deepEqual(outline(plan), want);
  });

test('the plan of a state is the same value every time', () => {
  const scene = { objects: [applied(configMap('b')), applied(configMap('a'))], answer: { children: [configMap('c')] } };
  assert.deepEqual(planned(scene).plan, planned(scene).plan);
});

test('apply stops at the claims: the hook is asked when they have been seen', () => {
  const { plan, needs } = planned({ objects: [configMap('a', {}, { uid: 'u' })], foresee: false });
  assert.deepEqual(outline(plan), ['claim adopt ConfigMap default/a adopt']);
  assert.deepEqual(needs, []);
  assert.equal(plan.result.kind, 'retry');
});

test('what follows an adoption hangs on its result', () => {
  const { plan } = planned({
    objects: [configMap('a', {}, { uid: 'u', resourceVersion: '3' })],
    answer: { children: [configMap('a')] },
  });
  const [adopt, update] = changesOfParent(plan);
  assert.deepEqual(update?.dependsOn, [adopt?.id]);
  assert.deepEqual(update?.guards, [
    { kind: 'uid', uid: 'u' },
    { kind: 'result-of', change: adopt?.id },
  ]);
});

test('an adoption is guarded by the live parent and by the child’s identity', () => {
  const { plan } = planned({ objects: [configMap('a', {}, { uid: 'u', resourceVersion: '3' })] });
  const guards = changesOfParent(plan)[0]?.guards.map(({ kind }) => kind);
  assert.deepEqual(guards, ['uid', 'resourceVersion', 'live']);
});

test('deletes carry uid and resourceVersion, creates the owner reference and what was applied', () => {
  const { plan } = planned({
    objects: [applied(configMap('old'))],
    answer: { children: [configMap('new', { k: '1' })] },
  });
  const [remove, create] = changesOfParent(plan);
  assert.deepEqual(remove?.guards, [
    { kind: 'uid', uid: 'old-uid' },
    { kind: 'resourceVersion', resourceVersion: '7' },
  ]);
  assert.equal(create?.after?.metadata.ownerReferences?.[0]?.uid, 'widget-uid');
  const last = create?.after?.metadata.annotations?.[LAST_APPLIED_ANNOTATION] ?? '';
  assert.equal((JSON.parse(last) as { data: { k: string } }).data.k, '1');
});

test('status is the hook’s, with the generation it was made for; equal status is not written', () => {
  const status = (plan: ParentPlan) =>
    changesOfParent(plan).find(({ action }) => action === 'status')?.after?.['status'];
  const answer = { status: { ready: 1 }, children: [] };
  assert.deepEqual(status(planned({ answer }).plan), { ready: 1, observedGeneration: 1 });
  const parent = widget({}, {}, { ready: 1, observedGeneration: 1 });
  assert.equal(status(planned({ parent, answer }).plan), undefined);
  const wiped = status(planned({ parent, answer: { status: null } }).plan);
  assert.deepEqual(wiped, { observedGeneration: 1 }, 'a null status wipes the rest, as in the reference');
});

test('a parent that is not live yet has an unknown UID in what its children will carry', () => {
  const parent = widget({}, { uid: UNKNOWN });
  const { plan } = planned({
    parent,
    live: false,
    definition: { generateSelector: true },
    answer: { children: [configMap('a')] },
  });
  const [create] = changesOfParent(plan);
  assert.equal(create?.after?.metadata.labels?.['controller-uid'], UNKNOWN);
  assert.equal(create?.after?.metadata.ownerReferences?.[0]?.uid, UNKNOWN);
  assert.equal(create?.fidelity.level, 'unknown');
});

const configMapsIn = (request: JsonObject | undefined): JsonObject => {
  assert.ok(request);
  const children = request['children'] as JsonObject;
  return children['ConfigMap.v1'] as JsonObject;
};

test('the request has every key, groups of declared kinds also when empty, and v1 or v2 names', () => {
  const objects = [applied(configMap('a'))];
  const v1 = planned({ objects }).request;
  assert.deepEqual(Object.keys(v1 ?? {}).sort(), ['children', 'controller', 'finalizing', 'parent', 'related']);
  assert.deepEqual(Object.keys(configMapsIn(v1)), ['a']);
  const v2 = planned({ objects, definition: { hook: { version: 'v2' } } }).request;
  assert.deepEqual(Object.keys(configMapsIn(v2)), ['default/a']);
  assert.deepEqual(configMapsIn(planned({}).request), {});
});

test('the same request has the same id, whatever the resourceVersions', () => {
  const idOf = (scene: Scene) => planned(scene).needs[0]?.id;
  const again = { objects: [applied(configMap('a'), { resourceVersion: '99' })] };
  assert.equal(idOf({ objects: [applied(configMap('a'))] }), idOf(again));
  assert.notEqual(idOf(again), idOf({ objects: [applied(configMap('b'))] }));
});

test('a plan that stops before the hook counts the children of the parent, not the orphans beside them', () => {
  const orphan = configMap('b', {}, { uid: 'b', labels: { app: 'other' } });
  const { plan } = planned({ parent: widget({ selector: null }), objects: [applied(configMap('a')), orphan] });
  assert.equal(plan.observed, 1);
});

test('a child that is left as it is (OnDelete) and not ready is waited for', () => {
  const unready = { conditions: [{ type: 'Ready', status: 'False', message: 'not yet' }] };
  const objects = [{ ...applied(configMap('a', { k: '1' })), status: unready }];
  const { plan } = planned({ objects, answer: answerOf('2'), definition: { method: 'OnDelete' } });
  assert.deepEqual(
    plan.result.waitingOn.map(({ reason }) => reason),
    ['not yet'],
  );
});

const answerOf = (k: string): JsonObject => ({ children: [configMap('a', { k })] });

test('a parent without a usable selector is a clear error and nothing else', () => {
  const table: readonly [JsonValue, RegExp][] = [
    [null, /is missing/],
    [{}, /is empty/],
    ['x', /is not an object/],
    [{ matchLabels: { a: 1 } }, /matchLabels.a is not a string/],
    [{ matchExpressions: [{ key: 'a', operator: 'in', values: ['b'] }] }, /operator "in"/],
  ];
  for (const [selector, wanted] of table) {
    const { plan, needs } = planned({ parent: widget({ selector }) });
    assert.match(plan.diagnostics[0]?.summary ?? '', wanted);
    assert.equal(plan.diagnostics[0]?.code, 'parent-selector-invalid');
    assert.deepEqual([needs, plan.steps, plan.result.kind], [[], [], 'terminal']);
  }
});
