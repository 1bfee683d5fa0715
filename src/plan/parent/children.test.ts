// What becomes of children, the same for every kind of controller; and what is asked, the same for those that have one hook
// for all of them.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '../../kit/json.ts';
import { LAST_APPLIED_ANNOTATION } from '../../merge/index.ts';
import type { Answer, Need } from '../../model/need.ts';
import type { KubeObject, ObjectMeta } from '../../model/object.ts';
import { changesOfParent, type ParentPlan } from '../../model/plan.ts';
import { formatRef } from '../../model/ref.ts';
import {
  CONTROLLER_KINDS,
  type ControllerKind,
  type ControllerOptions,
  KINDS_OF_ONE_HOOK,
} from '../../testing/controller-kinds.ts';
import { CONFIG_MAPS, configMap, PODS, WIDGETS, widget } from '../../testing/objects.ts';
import { planParent } from '../plan-parent.ts';

interface Scene {
  readonly parent?: KubeObject;
  readonly objects?: readonly KubeObject[];
  /** What stands in the cluster under a desired name and is not a candidate. */
  readonly foreign?: readonly KubeObject[];
  readonly answer?: JsonObject;
  readonly definition?: ControllerOptions;
}

interface Planned {
  readonly plan: ParentPlan;
  readonly needs: readonly Need[];
  readonly request?: JsonObject;
}

function planned(kind: ControllerKind, scene: Scene): Planned {
  const view = {
    parent: scene.parent ?? widget(),
    parentType: WIDGETS,
    parentLive: true,
    children: [{ type: CONFIG_MAPS, objects: scene.objects ?? [] }],
    ...(kind.inputs ? { inputs: [{ type: PODS, objects: kind.inputs }] } : {}),
  };
  const answers = new Map<string, Answer>();
  const needs: Need[] = [];
  for (;;) {
    const step = planParent(kind.controller(scene.definition), view, answers, { foresee: true });
    const hook = needs.find((need) => need.kind === 'hook');
    if (step.kind === 'plan') return { plan: step.plan, needs, ...(hook ? { request: hook.request } : {}) };
    for (const need of step.needs) {
      needs.push(need);
      const body = kind.answer(scene.answer ?? { children: [] });
      if (need.kind === 'hook') answers.set(need.id, { kind: 'hook', id: need.id, ok: true, body });
      if (need.kind === 'lookup') answers.set(need.id, { kind: 'lookup', id: need.id, objects: scene.foreign ?? [] });
    }
  }
}

const outline = (plan: ParentPlan): string[] =>
  changesOfParent(plan)
    .filter(({ action }) => action !== 'status')
    .map((change) => `${change.wave} ${change.action} ${formatRef(change.object)} ${change.reasons.join()}`);

for (const kind of CONTROLLER_KINDS) describe(`children: ${kind.name}`, () => tests(kind));
for (const kind of KINDS_OF_ONE_HOOK) describe(`one hook for all children: ${kind.name}`, () => testsOfOneHook(kind));

function tests(kind: ControllerKind): void {
  const applied = (desired: KubeObject, metadata?: ObjectMeta): KubeObject => kind.stored(desired, metadata);
  const cases: readonly (Scene & {
    readonly name: string;
    readonly reason: string;
    readonly want: readonly string[];
  })[] = [
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
      name: 'an observed object returned as it is changes nothing',
      reason: 'metacontroller#1003 loops on it',
      objects: [{ ...applied(configMap('a', { k: '1' })), status: { seen: true } }],
      answer: { children: [{ ...applied(configMap('a', { k: '1' })), status: { seen: true } }] },
      want: [],
    },
  ];
  for (const { name, reason, want, ...scene } of cases)
    test(`${name} (${reason})`, () => {
      const { plan } = planned(kind, scene);
      assert.deepEqual(outline(plan), want);
    });

  test('what cannot be used of an answer is named by its path, in the words of the kind', () => {
    const list = kind.words.children;
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } };
    const table: readonly (readonly [JsonObject, string, string])[] = [
      [{ children: {} }, 'answer-invalid', list],
      [{ children: [null] }, 'answer-invalid', `${list}[0]`],
      [{ children: [secret] }, 'answer-undeclared-kind', `${list}[0]`],
      [{ children: [configMap('a'), configMap('a')] }, 'answer-duplicate', `${list}[1]`],
      [{ children: [configMap('a', {}, { namespace: 'b' })] }, 'answer-invalid', `${list}[0].metadata.namespace`],
      [{ resyncAfterSeconds: '5' }, 'answer-invalid', 'resyncAfterSeconds'],
      // Of these a map hook is not asked.
      ...(kind.inputs
        ? []
        : ([
            [{ status: [] }, 'answer-invalid', 'status'],
            [{ finalized: 'yes' }, 'answer-invalid', 'finalized'],
          ] as const)),
    ];
    for (const [answer, code, path] of table) {
      const { plan } = planned(kind, { answer, objects: [applied(configMap('kept'))] });
      assert.deepEqual(
        plan.diagnostics.map((one) => [one.severity, one.code, one.path]),
        [['error', code, path]],
      );
      assert.deepEqual(outline(plan), [], 'nothing of it is used, and what is there stays');
    }
  });

  test('the plan of a state is the same value every time', () => {
    const scene = {
      objects: [applied(configMap('b')), applied(configMap('a'))],
      answer: { children: [configMap('c')] },
    };
    assert.deepEqual(planned(kind, scene).plan, planned(kind, scene).plan);
  });

  test('deletes carry uid and resourceVersion, creates the owner reference and what was applied', () => {
    const { plan } = planned(kind, {
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

  test('a child that is left as it is (OnDelete) and not ready is waited for', () => {
    const unready = { conditions: [{ type: 'Ready', status: 'False', message: 'not yet' }] };
    const objects = [{ ...applied(configMap('a', { k: '1' })), status: unready }];
    const { plan } = planned(kind, { objects, answer: answerOf('2'), definition: { method: 'OnDelete' } });
    assert.deepEqual(
      plan.result.waitingOn.map(({ reason }) => reason),
      ['not yet'],
    );
  });
}

function testsOfOneHook(kind: ControllerKind): void {
  const applied = (desired: KubeObject, metadata?: ObjectMeta): KubeObject => kind.stored(desired, metadata);

  test('the request has every key, groups of declared kinds also when empty, and v1 or v2 names', () => {
    const { parent, children } = kind.words;
    const configMapsIn = (request: JsonObject | undefined): JsonObject => {
      assert.ok(request);
      assert.deepEqual(Object.keys(request).sort(), [children, 'controller', 'finalizing', parent, 'related'].sort());
      return (request[children] as JsonObject)['ConfigMap.v1'] as JsonObject;
    };
    const objects = [applied(configMap('a'))];
    assert.deepEqual(Object.keys(configMapsIn(planned(kind, { objects }).request)), ['a']);
    const v2 = planned(kind, { objects, definition: { hook: { version: 'v2' } } }).request;
    assert.deepEqual(Object.keys(configMapsIn(v2)), ['default/a']);
    assert.deepEqual(configMapsIn(planned(kind, {}).request), {});
  });

  test('the same request has the same id, whatever the resourceVersions', () => {
    const idOf = (scene: Scene) => planned(kind, scene).needs[0]?.id;
    const again = { objects: [applied(configMap('a'), { resourceVersion: '99' })] };
    assert.equal(idOf({ objects: [applied(configMap('a'))] }), idOf(again));
    assert.notEqual(idOf(again), idOf({ objects: [applied(configMap('b'))] }));
  });
}

const answerOf = (k: string): JsonObject => ({ children: [configMap('a', { k })] });
