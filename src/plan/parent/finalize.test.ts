// A parent's way in and out: which hook is asked, what becomes of the children, when the finalizer comes and goes.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '../../kit/json.ts';
import type { Hook } from '../../model/definition.ts';
import type { Answer, HookCall } from '../../model/need.ts';
import type { KubeObject, ObjectMeta } from '../../model/object.ts';
import { changesOfParent, type ParentPlan } from '../../model/plan.ts';
import { CONTROLLER_KINDS, type ControllerKind } from '../../testing/controller-kinds.ts';
import { CONFIG_MAPS, configMap, PODS, WIDGETS, widget } from '../../testing/objects.ts';
import { checkGuards } from '../guards.ts';
import { planParent } from '../plan-parent.ts';

const SELECTOR = {
  matchLabels: {},
  matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['b'] }],
} as const;

interface Scene {
  readonly parent: ObjectMeta;
  readonly children?: readonly KubeObject[];
  readonly answer?: JsonObject;
  readonly finalize?: Partial<Hook> | 'none';
  readonly foresee?: boolean;
  readonly askFinalize?: boolean;
}

interface Planned {
  readonly plan: ParentPlan;
  readonly calls: readonly HookCall[];
}

function planned(kind: ControllerKind, scene: Scene): Planned {
  const objects = (scene.children ?? []).map((child) => kind.stored(child));
  const children = [{ type: CONFIG_MAPS, objects }];
  const parent = widget({}, scene.parent, { old: true });
  const inputs = kind.inputs ? { inputs: [{ type: PODS, objects: kind.inputs }] } : {};
  const view = { parent, parentType: WIDGETS, parentLive: true, children, ...inputs };
  const answers = new Map<string, Answer>();
  const calls: HookCall[] = [];
  const { foresee = false, askFinalize = false, finalize = {} } = scene;
  const hook = finalize === 'none' ? {} : { finalize };
  const controller = kind.controller({ labelSelector: SELECTOR, ...hook });
  for (;;) {
    const step = planParent(controller, view, answers, { foresee, askFinalize });
    if (step.kind === 'plan') return { plan: step.plan, calls };
    for (const need of step.needs) {
      if (need.kind === 'hook') calls.push(need);
      const body = kind.answer({ status: {}, ...(scene.answer ?? { children: [] }) });
      if (need.kind === 'hook') answers.set(need.id, { kind: 'hook', id: need.id, ok: true, body });
      if (need.kind === 'lookup') answers.set(need.id, { kind: 'lookup', id: need.id, objects: [] });
    }
  }
}

for (const kind of CONTROLLER_KINDS) describe(`on the way in and out: ${kind.name}`, () => tests(kind));

function tests(kind: ControllerKind): void {
  const FINALIZER = kind.finalizer;
  const OURS = { finalizers: [FINALIZER] };
  const GOING: ObjectMeta = { ...OURS, deletionTimestamp: '2026-01-01T00:00:00Z' };
  const UNSELECTED: ObjectMeta = { ...OURS, labels: { tier: 'b' } };
  const DONE = { children: [], finalized: true };
  const BOTH = [configMap('a'), configMap('b')];

  const cases: readonly (Scene & {
    name: string;
    why: string;
    /** sync: the hook of the kind that says what shall be there. */
    asked: string;
    want: readonly string[];
    waits?: boolean;
  })[] = [
    {
      name: 'a parent without the finalizer',
      why: 'no hook is asked before it is on it',
      parent: {},
      asked: '',
      want: ['finalizer-add update w'],
    },
    {
      name: 'the same in a plan',
      why: 'the hook sees what it would see',
      parent: {},
      foresee: true,
      asked: 'sync',
      answer: { children: [configMap('a')] },
      want: ['finalizer-add update w', 'children create a', 'status status w'],
    },
    {
      name: 'a parent with it',
      why: 'nothing more to do about it',
      parent: OURS,
      asked: 'sync',
      want: ['status status w'],
    },
    {
      name: 'a deletion',
      why: 'children are managed on the way out',
      parent: GOING,
      children: BOTH,
      answer: { children: [configMap('a')] },
      asked: 'finalize',
      want: ['children delete b', 'status status w'],
      waits: true,
    },
    {
      name: 'done',
      why: 'the finalizer is all that kept it: no status',
      parent: GOING,
      answer: DONE,
      asked: 'finalize',
      want: ['finalizer-remove update w'],
    },
    {
      name: 'done too early',
      why: 'the garbage collector has the rest',
      parent: GOING,
      children: BOTH,
      answer: DONE,
      asked: 'finalize',
      want: ['finalizer-remove update w'],
    },
    {
      name: 'done, and somebody else keeps it',
      why: 'the status is still read',
      parent: { ...GOING, finalizers: [FINALIZER, 'x/y'] },
      answer: DONE,
      asked: 'finalize',
      want: ['status status w', 'finalizer-remove update w'],
    },
    {
      name: 'after it is off',
      why: 'the hook may be asked again, the children are left',
      parent: { ...GOING, finalizers: ['x/y'] },
      children: BOTH,
      asked: 'finalize',
      want: ['status status w'],
      waits: true,
    },
    {
      name: 'foreground deletion',
      why: 'the garbage collector is at it',
      parent: { ...GOING, finalizers: [FINALIZER, 'foregroundDeletion'] },
      children: BOTH,
      asked: 'finalize',
      want: ['status status w'],
      waits: true,
    },
    {
      name: 'orphaning',
      why: 'they are to stay',
      parent: { ...GOING, finalizers: [FINALIZER, 'orphan'] },
      children: BOTH,
      asked: 'finalize',
      want: ['status status w'],
      waits: true,
    },
    {
      name: 'selected no more',
      why: 'it is finalized like one that goes',
      parent: UNSELECTED,
      children: BOTH,
      answer: { children: [configMap('a')] },
      asked: 'finalize',
      want: ['children delete b', 'status status w'],
      waits: true,
    },
    {
      name: 'selected no more, done',
      why: 'it lives on without us',
      parent: UNSELECTED,
      children: BOTH,
      answer: DONE,
      asked: 'finalize',
      want: ['children delete a', 'children delete b', 'status status w', 'finalizer-remove update w'],
    },
    {
      name: 'selected no more, never ours',
      why: 'nobody’s business',
      parent: { labels: { tier: 'b' } },
      children: BOTH,
      asked: '',
      want: [],
    },
    {
      name: 'no finalize hook any more',
      why: 'the finalizer goes last',
      parent: OURS,
      finalize: 'none',
      asked: 'sync',
      want: ['status status w', 'finalizer-remove update w'],
    },
    {
      name: 'no finalize hook any more, being deleted',
      why: 'nobody is asked',
      parent: GOING,
      finalize: 'none',
      asked: '',
      want: ['finalizer-remove update w'],
    },
    {
      name: 'no finalize hook any more, selected no more',
      why: 'nobody is asked',
      parent: UNSELECTED,
      finalize: 'none',
      asked: '',
      want: ['finalizer-remove update w'],
    },
    {
      name: 'a plan of a hook that may have effects',
      why: 'it is not asked',
      parent: GOING,
      children: BOTH,
      finalize: { sideEffects: 'Unknown' },
      foresee: true,
      asked: '',
      want: [],
      waits: true,
    },
    {
      name: 'the same with a flag',
      why: 'somebody said so',
      parent: GOING,
      finalize: { sideEffects: 'Unknown' },
      foresee: true,
      askFinalize: true,
      answer: DONE,
      asked: 'finalize',
      want: ['finalizer-remove update w'],
    },
    {
      name: 'a plan of a hook that spares them',
      why: 'it may be asked',
      parent: GOING,
      finalize: { sideEffects: 'NoneOnDryRun' },
      foresee: true,
      answer: DONE,
      asked: 'finalize',
      want: ['finalizer-remove update w'],
    },
    {
      name: 'apply asks in any case',
      why: 'that is what it is for',
      parent: GOING,
      finalize: { sideEffects: 'Unknown' },
      answer: DONE,
      asked: 'finalize',
      want: ['finalizer-remove update w'],
    },
  ];
  for (const { name, why, asked, want, waits = false, ...scene } of cases)
    test(`${name}: ${why}`, () => {
      const { plan, calls } = planned(kind, scene);
      assert.deepEqual(
        changesOfParent(plan).map(({ wave, action, object }) => `${wave} ${action} ${object.name}`),
        want,
      );
      assert.deepEqual(calls.map(({ hookName }) => hookName).join(' '), asked === 'sync' ? kind.words.hook : asked);
      assert.ok(calls.every(({ request, hookName }) => (request['finalizing'] === true) === (hookName === 'finalize')));
      assert.equal(
        plan.result.waitingOn.some(({ ref }) => ref.name === 'w'),
        waits,
      );
    });

  test('the hook sees the finalizer that a plan foresees', () => {
    const { calls } = planned(kind, { parent: {}, foresee: true });
    const parent = calls[0]?.request[kind.words.parent] as KubeObject | undefined;
    assert.deepEqual(parent?.metadata.finalizers, [FINALIZER]);
  });

  test('what is not asked is said, with what to do', () => {
    const { plan } = planned(kind, {
      parent: GOING,
      children: BOTH,
      finalize: { sideEffects: 'Unknown' },
      foresee: true,
    });
    assert.deepEqual(
      plan.diagnostics.map(({ severity, code }) => [severity, code]),
      [['warning', 'hook-not-asked']],
    );
    assert.match(
      `${plan.diagnostics[0]?.summary} ${plan.diagnostics[0]?.hint}`,
      /its 2 children.*--ask-finalize-hooks/,
    );
  });

  test('the write after the status starts from its result', () => {
    const { plan } = planned(kind, { parent: UNSELECTED, answer: DONE });
    const [status, removal] = changesOfParent(plan);
    assert.deepEqual(removal?.dependsOn, [status?.id]);
    assert.deepEqual(
      removal?.fields.map(({ path, op }) => [path.join('.'), op]),
      [['metadata.finalizers', 'remove']],
    );
  });

  test('guards let a finalize hook delete what is left, up to what was said in so many words', () => {
    const many = Array.from({ length: 12 }, (_, index) => configMap(`m-${index}`));
    const { plan } = planned(kind, { parent: GOING, children: many });
    assert.deepEqual(checkGuards(plan, {}), []);
    assert.deepEqual(
      checkGuards(plan, { maxDeletes: 5 }).map(({ code }) => code),
      ['guard-max-deletes'],
    );
  });
}
