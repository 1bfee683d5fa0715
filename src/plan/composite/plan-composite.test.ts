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
      name: 'generateSelector labels the children',
      reason: 'and claims by that label alone',
      definition: { generateSelector: true },
      parent: widget({ selector: null }),
      answer: { children: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }] },
      want: ['children create ConfigMap default/a hook_returned'],
    },
  ];

for (const { name, reason, want, ...scene } of cases)
  test(`${name} (${reason})`, () => {
    const { plan } = planned(scene);
    assert.deepEqual(outline(plan), want);
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

test('a plan that stops before the hook counts the children of the parent, not the orphans beside them', () => {
  const orphan = configMap('b', {}, { uid: 'b', labels: { app: 'other' } });
  const { plan } = planned({ parent: widget({ selector: null }), objects: [applied(configMap('a')), orphan] });
  assert.equal(plan.observed, 1);
});

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

test('hooks see nothing of managedFields, whatever of them the caches keep', () => {
  const managedFields = [{ manager: 'metactl', operation: 'Apply' as const, apiVersion: 'v1' }];
  const own = configMap('a', {}, { ...ownedMetadata('a'), managedFields });
  const { request } = planned({ parent: widget({}, { managedFields }), objects: [own], answer: { children: [] } });
  assert.ok(request && 'children' in request);
  assert.ok(!JSON.stringify(request).includes('managedFields'));
});
