// What the hooks of a map controller are shown, who is asked again after what, and what is said of their answers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, JsonValue } from '../../kit/json.ts';
import { changesOfParent } from '../../model/plan.ts';
import {
  COUNTED,
  copies,
  FAILED,
  inputPod,
  keyOf,
  made,
  planned,
  questionOf,
  type Scene,
  TOMBSTONE,
} from '../../testing/map-world.ts';

const callsOf = (scene: Scene): string[] => planned(scene).calls.map(({ id }) => id);

test('what the hooks are shown', () => {
  const inputs = [inputPod('a')];
  const outputs = [made('a', 'a1'), made('gone', 'g1')];
  const { calls } = planned({ controller: TOMBSTONE, inputs, outputs });
  const [map, tombstone] = calls.map(({ request }) => request);
  assert.deepEqual(Object.keys(map ?? {}), ['controller', 'parent', 'mapKey', 'input', 'outputs', 'related']);
  assert.equal(map?.['mapKey'], keyOf('a'));
  assert.equal(map?.['input'], inputs[0]);
  assert.deepEqual(map?.['outputs'], { 'ConfigMap.v1': { a1: outputs[0] } });
  assert.deepEqual(Object.keys(tombstone ?? {}), ['controller', 'parent', 'mapKey', 'outputs', 'related']);
  assert.deepEqual(tombstone?.['outputs'], { 'ConfigMap.v1': { g1: outputs[1] } });
});

test('v2 names outputs by namespace and name, and takes no unknown field', () => {
  const controller = { hook: { version: 'v2', strict: true } } as const;
  const scene = { controller, inputs: [inputPod('a')], outputs: [made('a', 'a1')] };
  const { calls, plan } = planned({ ...scene, answers: { 'map a': { ...copies('a1'), status: {} } } });
  const outputs = calls[0]?.request['outputs'] as JsonObject;
  assert.deepEqual(outputs, { 'ConfigMap.v1': { 'default/a1': made('a', 'a1') } });
  assert.deepEqual(
    plan.diagnostics.map(({ summary }) => summary),
    [
      "MapController/copier: the map hook's answer for Widget default/w and its input Pod default/a: status is not a field of an answer",
    ],
  );
});

const TWO = { inputs: [inputPod('a'), inputPod('b')], outputs: [made('a', 'a1')] };
const SAME_QUESTION: readonly (readonly [why: string, other: Scene, changed: readonly string[]])[] = [
  ['the status of the parent: we count in it', { ...TWO, status: COUNTED(3, 4) }, []],
  ['resourceVersion and managedFields', { ...TWO, parent: { resourceVersion: '11', managedFields: [{}] } }, []],
  ['those of an input', { ...TWO, inputs: [inputPod('a', { resourceVersion: '6' }), inputPod('b')] }, []],
  ['labels of one input', { ...TWO, inputs: [inputPod('a', { labels: { x: 'y' } }), inputPod('b')] }, ['map a']],
  ['one input made anew', { ...TWO, inputs: [inputPod('a'), inputPod('b', { uid: 'new' })] }, ['map b']],
  ['an output of one input', { ...TWO, outputs: [made('a', 'a1', { x: '1' })] }, ['map a']],
  ['the generation of the parent', { ...TWO, parent: { generation: 2 } }, ['map a', 'map b']],
];
for (const [why, other, changed] of SAME_QUESTION)
  test(`who is asked again: ${why}`, () => {
    const known = new Set(callsOf(TWO));
    const asked = planned(other).calls.filter(({ id }) => !known.has(id));
    assert.deepEqual(asked.map(questionOf), changed);
  });

test('whoever else writes into the status keeps it', () => {
  const { plan } = planned({ status: { phase: 'Fine', inputs: { old: 1 } } });
  assert.deepEqual(changesOfParent(plan)[0]?.after?.['status'], { phase: 'Fine', ...COUNTED(0, 0) });
});

test('both inputs are named, and what to do', () => {
  const inputs = ['a', 'b', 'c'].map((name) => inputPod(name));
  const answers = Object.fromEntries(['a', 'b', 'c'].map((name) => [`map ${name}`, copies('same')]));
  const { plan } = planned({ inputs, answers });
  const [problem] = plan.diagnostics;
  assert.equal(
    problem?.summary,
    'MapController/copier: ConfigMap default/same is returned for 3 inputs: Pod default/a, Pod default/b, Pod default/c',
  );
  assert.match(problem?.hint ?? '', /name depend on the input/);
});

test('each change says which call asked for it, and a delete why', () => {
  const scene = { inputs: [inputPod('a'), inputPod('b')], outputs: [made('a', 'a1'), made('gone', 'g1')] };
  const { plan, calls } = planned({ ...scene, answers: { 'map b': copies('b1') } });
  const of = (name: string) => changesOfParent(plan).find(({ object }) => object.name === name);
  assert.equal(of('a1')?.hookCall, calls[0]?.id);
  assert.equal(of('b1')?.hookCall, calls[1]?.id);
  assert.equal(of('g1')?.hookCall, undefined);
  assert.equal(of('g1')?.note, 'its input is gone');
});

test('the soonest of what the hooks wish is when they are asked again', () => {
  const inputs = [inputPod('a'), inputPod('b'), inputPod('c')];
  const answers = { 'map a': { resyncAfterSeconds: 30 }, 'map b': { resyncAfterSeconds: 4.5 } };
  assert.equal(planned({ inputs, answers }).plan.result.resyncAfterSeconds, 4.5);
});

test('a hook that is busy is asked again when it says so, whatever the others wish', () => {
  const inputs = [inputPod('a'), inputPod('b')];
  const answers = { 'map a': { resyncAfterSeconds: 1 }, 'map b': FAILED as unknown as JsonValue };
  const { result } = planned({ inputs, answers }).plan;
  assert.deepEqual(result, { kind: 'retry', waitingOn: [], failedHook: 'module' });
});
