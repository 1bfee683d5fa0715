// One parent of a map controller: what is asked, and what follows from the answers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonValue } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import { changesOfParent } from '../../model/plan.ts';
import {
  COUNTED,
  copies,
  copy,
  FAILED,
  inputPod,
  keyOf,
  made,
  owned,
  planned,
  questionOf,
  type Scene,
  TOMBSTONE,
  withKey,
} from '../../testing/map-world.ts';
import { configMap } from '../../testing/objects.ts';

interface Case extends Scene {
  readonly name: string;
  readonly why: string;
  readonly asked: readonly string[];
  /** Changes but for the status. */
  readonly want: readonly string[];
  /** [inputs, outputs] in the status that is written; absent: none is. */
  readonly counts?: readonly [number, number];
  readonly problems?: readonly string[];
  readonly result?: string;
}

const CASES: readonly Case[] = [
  {
    name: 'nothing',
    why: 'there is still something to count',
    asked: [],
    want: [],
    counts: [0, 0],
  },
  {
    name: 'two inputs',
    why: 'each is a question of its own, and there is one write of the status',
    inputs: [inputPod('b'), inputPod('a')],
    answers: { 'map a': copies('a1', 'a2'), 'map b': copies('b1') },
    asked: ['map a', 'map b'],
    want: ['create a1', 'create a2', 'create b1'],
    counts: [2, 3],
  },
  {
    name: 'settled',
    why: 'nothing is left to do',
    inputs: [inputPod('a')],
    outputs: [made('a', 'a1')],
    status: COUNTED(1, 1),
    answers: { 'map a': copies('a1') },
    asked: ['map a'],
    want: [],
  },
  {
    name: 'one that the hook leaves out',
    why: 'it goes',
    inputs: [inputPod('a')],
    outputs: [made('a', 'a1'), made('a', 'a2')],
    answers: { 'map a': copies('a1') },
    asked: ['map a'],
    want: ['delete a2'],
    counts: [1, 1],
  },
  {
    name: 'changed, InPlace',
    why: 'it is updated',
    inputs: [inputPod('a')],
    outputs: [made('a', 'a1')],
    answers: { 'map a': { outputs: [copy('a1', { x: '1' })] } },
    asked: ['map a'],
    want: ['update a1'],
    counts: [1, 1],
  },
  {
    name: 'changed, Recreate',
    why: 'the moment without it is not counted',
    controller: { method: 'Recreate' },
    inputs: [inputPod('a')],
    outputs: [made('a', 'a1')],
    status: COUNTED(1, 1),
    answers: { 'map a': { outputs: [copy('a1', { x: '1' })] } },
    asked: ['map a'],
    want: ['recreate a1'],
  },
  {
    name: 'changed, OnDelete',
    why: 'it stays until somebody deletes it',
    controller: { method: 'OnDelete' },
    inputs: [inputPod('a')],
    outputs: [made('a', 'a1')],
    status: COUNTED(1, 1),
    answers: { 'map a': { outputs: [copy('a1', { x: '1' })] } },
    asked: ['map a'],
    want: ['skip a1'],
  },
  {
    name: 'an input that is gone, no tombstone hook',
    why: 'what was made of it goes',
    inputs: [inputPod('b')],
    outputs: [made('a', 'a1'), made('b', 'b1')],
    answers: { 'map b': copies('b1') },
    asked: ['map b'],
    want: ['delete a1'],
    counts: [1, 1],
  },
  {
    name: 'the same with a tombstone hook that keeps one',
    why: 'it says which stay',
    controller: TOMBSTONE,
    outputs: [made('a', 'a1'), made('a', 'a2')],
    answers: { [`tombstone ${keyOf('a')}`]: { outputs: [made('a', 'a2')] } },
    asked: [`tombstone ${keyOf('a')}`],
    want: ['delete a1'],
    counts: [0, 1],
  },
  {
    name: 'a tombstone that names what stays',
    why: 'the name is enough',
    controller: TOMBSTONE,
    outputs: [made('a', 'a1', { x: '1' })],
    status: COUNTED(0, 1),
    answers: {
      [`tombstone ${keyOf('a')}`]: { outputs: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a1' } }] },
    },
    asked: [`tombstone ${keyOf('a')}`],
    want: [],
  },
  {
    name: 'a tombstone that edits',
    why: 'nothing of its answer is used',
    controller: TOMBSTONE,
    outputs: [made('a', 'a1', { x: '1' }), made('a', 'a2')],
    status: COUNTED(0, 2),
    answers: { [`tombstone ${keyOf('a')}`]: { outputs: [copy('a1', { x: '2' })] } },
    asked: [`tombstone ${keyOf('a')}`],
    want: [],
    problems: ['error answer-invalid outputs[0].data.x'],
  },
  {
    name: 'a tombstone that adds',
    why: 'nothing of its answer is used',
    controller: TOMBSTONE,
    inputs: [inputPod('b')],
    outputs: [made('a', 'a1'), made('b', 'b1')],
    status: COUNTED(1, 2),
    answers: { 'map b': copies('b1'), [`tombstone ${keyOf('a')}`]: copies('a1', 'b1') },
    asked: ['map b', `tombstone ${keyOf('a')}`],
    want: [],
    problems: ['error answer-invalid outputs[1]'],
  },
  {
    name: 'a tombstone hook that fails',
    why: 'nothing is deleted unasked',
    controller: TOMBSTONE,
    outputs: [made('a', 'a1')],
    status: COUNTED(0, 1),
    answers: { [`tombstone ${keyOf('a')}`]: FAILED as unknown as JsonValue },
    asked: [`tombstone ${keyOf('a')}`],
    want: [],
    problems: ['error hook-failed'],
    result: 'retry',
  },
  {
    name: 'a map hook that fails for one input',
    why: 'the others are not held up, and its outputs stay',
    inputs: [inputPod('a'), inputPod('b')],
    outputs: [made('a', 'a1')],
    answers: { 'map a': FAILED as unknown as JsonValue, 'map b': copies('b1') },
    asked: ['map a', 'map b'],
    want: ['create b1'],
    counts: [2, 2],
    problems: ['error hook-failed'],
    result: 'retry',
  },
  {
    name: 'an answer that is wrong for one input',
    why: 'the others are not held up, and its outputs stay',
    inputs: [inputPod('a'), inputPod('b')],
    outputs: [made('a', 'a1')],
    answers: { 'map a': { outputs: [{ ...inputPod('x'), kind: 'Pod' }] }, 'map b': copies('b1') },
    asked: ['map a', 'map b'],
    want: ['create b1'],
    counts: [2, 2],
    problems: ['error answer-undeclared-kind outputs[0]'],
  },
  {
    name: 'one object for two inputs',
    why: 'neither gets it: it is not created',
    inputs: [inputPod('a'), inputPod('b')],
    answers: { 'map a': copies('same', 'a1'), 'map b': copies('same') },
    asked: ['map a', 'map b'],
    want: ['create a1'],
    counts: [2, 1],
    problems: ['error answer-duplicate'],
  },
  {
    name: 'one object for two inputs, and it is there',
    why: 'it stays as it is',
    inputs: [inputPod('a'), inputPod('b')],
    outputs: [made('a', 'same', { x: 'a' })],
    status: COUNTED(2, 1),
    answers: { 'map a': { outputs: [copy('same', { x: 'A' })] }, 'map b': { outputs: [copy('same', { x: 'B' })] } },
    asked: ['map a', 'map b'],
    want: [],
    problems: ['error answer-duplicate'],
  },
  {
    name: 'an input that was made anew and wants what is left of the old one',
    why: 'it gets it, whatever the tombstone hook says',
    controller: TOMBSTONE,
    inputs: [inputPod('a', { uid: 'new' })],
    outputs: [made('a', 'a1')],
    answers: { 'map a': copies('a1') },
    asked: ['map a', `tombstone ${keyOf('a')}`],
    want: ['update a1'],
    counts: [1, 1],
  },
  {
    name: 'an output that has lost its annotation',
    why: 'the label says whose it is, and the annotation is put back',
    inputs: [inputPod('a')],
    outputs: [withoutAnnotation(made('a', 'a1'))],
    status: COUNTED(1, 1),
    answers: { 'map a': copies('a1') },
    asked: ['map a'],
    want: ['update a1'],
  },
  {
    name: "another controller's child of the same parent",
    why: 'it is not ours to delete, nor to take',
    inputs: [inputPod('a')],
    outputs: [owned(configMap('theirs'))],
    foreign: [owned(configMap('theirs'))],
    answers: { 'map a': copies('theirs') },
    asked: ['map a'],
    want: ['blocked theirs'],
    counts: [1, 0],
    problems: ['error child-not-owned'],
  },
  {
    name: "another map controller's output of the same parent",
    why: 'it is not ours to delete',
    outputs: [owned(withKey(configMap('theirs'), keyOf('a', 'other')))],
    asked: [],
    want: [],
    counts: [0, 0],
  },
  {
    name: 'an orphan',
    why: 'outputs are not adopted',
    inputs: [inputPod('a')],
    outputs: [configMap('o', {}, { uid: 'o', resourceVersion: '1' })],
    foreign: [configMap('o', {}, { uid: 'o', resourceVersion: '1' })],
    answers: { 'map a': copies('o') },
    asked: ['map a'],
    want: ['blocked o'],
    counts: [1, 0],
    problems: ['error child-not-owned'],
  },
  {
    name: 'a selector that is none',
    why: 'nobody is asked and nothing is deleted',
    selector: 'x',
    inputs: [inputPod('a')],
    outputs: [made('a', 'a1')],
    asked: [],
    want: [],
    problems: ['error parent-selector-invalid spec.selector'],
    result: 'terminal',
  },
  {
    name: 'a finalize hook, for the first time',
    why: 'no hook is asked before the finalizer is on',
    controller: { hooks: ['finalize'] },
    inputs: [inputPod('a')],
    asked: [],
    want: ['update w'],
  },
  {
    name: 'a deletion',
    why: 'one hook is asked about all outputs',
    controller: { hooks: ['finalize', 'tombstone'] },
    parent: { finalizers: ['metacontroller.io/mapcontroller-copier'], deletionTimestamp: 'x' },
    inputs: [inputPod('b')],
    outputs: [made('a', 'a1'), made('b', 'b1')],
    answers: { finalize: copies('b1') },
    asked: ['finalize'],
    want: ['delete a1'],
    counts: [1, 1],
  },
  {
    name: 'a deletion that is done',
    why: 'the finalizer goes, and with it the parent: no status',
    controller: { hooks: ['finalize'] },
    parent: { finalizers: ['metacontroller.io/mapcontroller-copier'], deletionTimestamp: 'x' },
    answers: { finalize: { finalized: true } },
    asked: ['finalize'],
    want: ['update w'],
  },
  {
    name: 'a deletion without a finalize hook',
    why: 'the garbage collector has the outputs',
    parent: { deletionTimestamp: 'x', finalizers: ['foregroundDeletion'] },
    inputs: [inputPod('a')],
    outputs: [made('a', 'a1')],
    asked: [],
    want: [],
    counts: [1, 1],
  },
];

function withoutAnnotation(object: KubeObject): KubeObject {
  const { annotations: _all, ...metadata } = object.metadata;
  return { ...object, metadata };
}

for (const { name, why, asked, want, counts, problems = [], result, ...scene } of CASES)
  test(`${name}: ${why}`, () => {
    const { plan, calls } = planned(scene);
    const changes = changesOfParent(plan);
    assert.deepEqual(calls.map(questionOf), asked);
    assert.deepEqual(
      changes.filter(({ action }) => action !== 'status').map(({ action, object }) => `${action} ${object.name}`),
      want,
    );
    const status = changes.find(({ action }) => action === 'status')?.after?.['status'];
    assert.deepEqual(status, counts && COUNTED(...counts));
    assert.deepEqual(
      plan.diagnostics.map(({ severity, code, path }) => [severity, code, path].filter(Boolean).join(' ')),
      problems,
    );
    if (result !== undefined) assert.equal(plan.result.kind, result);
  });
