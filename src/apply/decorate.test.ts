// A write on an object that others write too: what happens when it moved since the plan.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLimiter } from '../kit/concurrency.ts';
import type { JsonObject } from '../kit/json.ts';
import type { Hook } from '../model/definition.ts';
import type { Answer } from '../model/need.ts';
import type { KubeObject, ObjectMeta } from '../model/object.ts';
import type { ParentPlan } from '../model/plan.ts';
import { planParent } from '../plan/index.ts';
import { FakeStore } from '../testing/fake-store.ts';
import { decoratorOfWidgets, WIDGETS, widget } from '../testing/objects.ts';
import { executeStep } from './execute.ts';

const FINALIZER = 'metacontroller.io/decoratorcontroller-widgets';

/** A decorator of widgets in tier a, with a finalize hook; the plan for one widget whose hook answers so. */
function planFor(parent: KubeObject, body: JsonObject): ParentPlan {
  const base = decoratorOfWidgets();
  const definition = { ...base, hooks: { ...base.hooks, finalize: base.hooks.sync as Hook } };
  const [rule] = base.parents;
  assert.ok(rule);
  const parentRule = { ...rule, labelSelector: { matchLabels: { tier: 'a' }, matchExpressions: [] } };
  const view = { parent, parentType: WIDGETS, parentLive: true, children: [] };
  const answers = new Map<string, Answer>();
  for (;;) {
    const step = planParent({ definition, parentRule }, view, answers, { foresee: false });
    if (step.kind === 'plan') return step.plan;
    for (const { id } of step.needs) answers.set(id, { kind: 'hook', id, ok: true, body });
  }
}

const decoratedWidget = (metadata: ObjectMeta): KubeObject =>
  widget({ size: 1 }, { finalizers: [FINALIZER], ...metadata });

interface Race {
  readonly name: string;
  readonly before?: ObjectMeta;
  readonly answer: JsonObject;
  /** As somebody else has made it since. */
  readonly meanwhile: KubeObject;
  readonly outcome: string;
  readonly labels: Readonly<Record<string, string>>;
}

const TIER = { tier: 'a' };
const races: readonly Race[] = [
  {
    name: 'another field: the write is made on the fresh object, and the round is not lost',
    answer: { labels: { mark: 'x' } },
    meanwhile: widget({ size: 2 }, { finalizers: [FINALIZER], labels: { ...TIER, other: 'y' } }),
    outcome: 'done',
    labels: { ...TIER, other: 'y', mark: 'x' },
  },
  {
    name: 'labels, of which there was none: they stand beside ours',
    before: {},
    answer: { labels: { mark: null, mine: 'x' }, finalized: false },
    meanwhile: decoratedWidget({ labels: { other: 'y' } }),
    outcome: 'done',
    labels: { other: 'y', mine: 'x' },
  },
  {
    name: 'the same, by somebody else',
    answer: { labels: { mark: 'x' } },
    meanwhile: decoratedWidget({ labels: { ...TIER, mark: 'x' } }),
    outcome: 'unneeded',
    labels: { ...TIER, mark: 'x' },
  },
  {
    name: 'the label itself, to another value: planned again',
    answer: { labels: { mark: 'x' } },
    meanwhile: decoratedWidget({ labels: { ...TIER, mark: 'theirs' } }),
    outcome: 'stale',
    labels: { ...TIER, mark: 'theirs' },
  },
  {
    name: 'another object of the name',
    answer: { labels: { mark: 'x' } },
    meanwhile: decoratedWidget({ uid: 'other', labels: TIER }),
    outcome: 'stale',
    labels: TIER,
  },
  {
    name: 'the labels of one that was to be let go: is it back?',
    before: { labels: { mark: 'x' } },
    answer: { labels: { mark: null }, finalized: true },
    meanwhile: decoratedWidget({ labels: { ...TIER, mark: 'x' } }),
    outcome: 'stale',
    labels: { ...TIER, mark: 'x' },
  },
];

for (const { name, before = { labels: TIER }, answer, meanwhile, outcome, labels } of races)
  test(`somebody changed ${name}`, async () => {
    const store = new FakeStore();
    store.put(decoratedWidget(before));
    const parent = await store.get(WIDGETS, 'w', 'default');
    assert.ok(parent);
    const plan = planFor(parent, answer);
    store.put(meanwhile);
    const [step] = plan.steps;
    assert.ok(step);
    const ports = { reader: store, writer: store, cache: { record: () => undefined } };
    const options = { limit: createLimiter(1), signal: new AbortController().signal, onProgress: () => undefined };
    const applied = await executeStep(step, ports, options);
    assert.deepEqual(
      applied.map((one) => one.outcome.kind),
      [outcome],
    );
    assert.deepEqual((await store.get(WIDGETS, 'w', 'default'))?.metadata.labels, labels);
  });
