// Several revisions of one parent, asked about side by side, and what becomes of their answers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, JsonValue } from '../../kit/json.ts';
import type { Answer, HookCall } from '../../model/need.ts';
import { changesOfParent } from '../../model/plan.ts';
import { ofWidgets, widgetController } from '../../testing/objects.ts';
import { type HookOf, imageHook, RolloutWorld } from '../../testing/rollout-world.ts';
import { planParent } from '../plan-parent.ts';

const imageOf = (request: JsonObject): string => ((request['parent'] as JsonObject)['spec'] as { image: string }).image;

/** In the middle of a rollout from image 1 to image 2; the hook's answers have `more` by image. */
function halfway(more: Readonly<Record<string, JsonObject>> = {}): RolloutWorld {
  let besides: typeof more = {};
  const hook: HookOf = (request, call) => ({
    ...(imageHook(request, call) as JsonObject),
    ...besides[imageOf(request)],
  });
  const definition = widgetController({ method: 'RollingInPlace' });
  const world = new RolloutWorld({ parent: { ...definition.parent, revisionFieldPaths: ['spec.image'] } }, hook);
  world.settle();
  world.edit({ image: '2' });
  world.apply(world.plan());
  besides = more;
  return world;
}

/** The calls of the first round, of which nothing is answered yet. */
function firstCalls({ definition, view }: RolloutWorld): HookCall[] {
  const step = planParent(ofWidgets(definition), view, new Map(), { foresee: false });
  return step.kind === 'needs' ? step.needs.filter((need) => need.kind === 'hook') : [];
}

test('all live revisions are asked about at once, each with the parent as it was', () => {
  const world = halfway();
  assert.deepEqual(
    firstCalls(world).map(({ request }) => imageOf(request)),
    ['2', '1'],
  );
  world.settle();
  assert.equal(firstCalls(world).length, 1);
});

test('the soonest resync of all counts, and the status is the latest’s', () => {
  const world = halfway({
    1: { resyncAfterSeconds: 5, status: { said: 'old' } },
    2: { resyncAfterSeconds: 60, status: { said: 'new' } },
  });
  const plan = world.plan();
  assert.equal(plan.result.resyncAfterSeconds, 5);
  const status = changesOfParent(plan).find(({ action }) => action === 'status')?.after?.['status'] as JsonObject;
  assert.equal(status['said'], 'new');
});

test('a revision that asks for no resync does not stop the others’', () => {
  assert.equal(halfway({ 1: { resyncAfterSeconds: 7 } }).plan().result.resyncAfterSeconds, 7);
});

test('conditions that are no list stay as they are, with a warning, and the rollout goes on', () => {
  const world = halfway({ 2: { status: { conditions: { Ready: 'True' } } } });
  const plan = world.plan();
  assert.deepEqual(
    plan.diagnostics.map(({ severity, code, path }) => [severity, code, path]),
    [['warning', 'answer-invalid', 'status.conditions']],
  );
  world.settle();
  assert.equal(world.images, 'a@2 b@2 c@2');
});

test('an answer for an older revision that can not be used stops everything, and says which it is', () => {
  const plan = halfway({ 1: { children: 'none' } }).plan();
  assert.equal(plan.result.kind, 'terminal');
  assert.deepEqual(changesOfParent(plan), []);
  const [diagnostic] = plan.diagnostics;
  assert.equal(diagnostic?.code, 'answer-invalid');
  assert.match(
    diagnostic?.detail ?? '',
    /^Asked about the parent as it was at ControllerRevision widgets\.example\.com-[0-9a-f]{40}, at which 2 of its children still are\.$/,
  );
});

test('finalized only when all revisions say so; until then children are rolled on', () => {
  const finalized = (answers: Readonly<Record<string, boolean>>): string[] => {
    const world = halfway();
    const sync = world.definition.hooks.sync;
    const definition = { ...world.definition, hooks: { sync, finalize: sync } };
    const metadata = {
      ...world.view.parent.metadata,
      deletionTimestamp: '2026-01-01T00:00:00Z',
      finalizers: ['metacontroller.io/compositecontroller-widgets'],
    };
    const view = { ...world.view, parent: { ...world.view.parent, metadata } };
    const known = new Map<string, Answer>();
    for (;;) {
      const step = planParent(ofWidgets(definition), view, known, { foresee: false });
      if (step.kind === 'plan') return changesOfParent(step.plan).map(({ wave }) => wave);
      for (const need of step.needs) {
        if (need.kind !== 'hook') continue;
        const body: JsonValue = {
          ...(imageHook(need.request, need) as JsonObject),
          finalized: answers[imageOf(need.request)] ?? false,
        };
        known.set(need.id, { kind: 'hook', id: need.id, ok: true, body });
      }
    }
  };
  assert.deepEqual(finalized({ 1: true, 2: true }), ['finalizer-remove']);
  for (const one of ['1', '2']) {
    const waves = finalized({ [one]: true });
    assert.ok(!waves.includes('finalizer-remove'), one);
    assert.ok(waves.includes('revision') && waves.includes('children'), waves.join());
  }
});
