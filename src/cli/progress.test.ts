import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Change } from '../model/plan.ts';
import type { ChangeOutcome, Progress } from '../model/progress.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { memoryStreams } from '../testing/memory-streams.ts';
import { buildChangeOf } from '../testing/plan-builder.ts';
import { openProgress } from './progress.ts';
import { describeOutcome, describeWaiting } from './progress-words.ts';

const pod = buildChangeOf('create', 'Pod default/a');
const ended: Progress = { kind: 'change.end', change: pod, outcome: { kind: 'done' } };
const waiting = (elapsedMs: number): Progress => ({
  kind: 'waiting',
  on: [{ ref: pod.object, reason: 'not Ready' }],
  elapsedMs,
});

async function open(quiet = false) {
  const clock = new FakeClock();
  const streams = memoryStreams({ terminal: false });
  const view = await openProgress({ quiet, color: false, ascii: false, clock, streams, variables: {} });
  const lines = (): string[] => streams.written.stderr.split('\n').slice(0, -1);
  return { clock, streams, view, lines };
}

test('without a terminal: a line for each change, on stderr only', async () => {
  const { view, lines, streams, clock } = await open();
  view.take({ kind: 'change.begin', change: pod });
  view.take(ended);
  assert.deepEqual(lines(), ['created Pod default/a']);
  assert.equal(streams.written.stdout, '');
  await view.end();
  assert.equal(clock.pending, 0, 'no timer is left that would keep the process alive');
});

test('a quiet plan prints nothing, a slow one a sign of life every ten seconds', async () => {
  const { view, lines, clock } = await open();
  clock.advance(9_999);
  assert.deepEqual(lines(), []);
  clock.advance(1);
  assert.deepEqual(lines(), ['planning']);
  view.take({ kind: 'parent.planned', parent: pod.object, controller: 'c', changes: 0 });
  clock.advance(20_000);
  assert.deepEqual(lines(), ['planning', 'planning: 1 done', 'planning: 1 done']);
  await view.end();
});

test('waiting is said at once, then in the rhythm of the heartbeat', async () => {
  const { view, lines, clock } = await open();
  for (let second = 0; second <= 25; second++) {
    view.take(waiting(second * 1_000));
    clock.advance(1_000);
  }
  assert.deepEqual(
    lines().map((line) => line.split(', ').at(-1)),
    ['0ms', '10s', '20s'],
  );
  await view.end();
});

test('a pause leaves the screen to the question', async () => {
  const { view, lines, clock } = await open();
  await view.pause();
  clock.advance(60_000);
  assert.deepEqual(lines(), []);
  view.take(ended);
  clock.advance(10_000);
  assert.deepEqual(lines(), ['created Pod default/a', 'applying']);
  await view.end();
});

test('--quiet', async () => {
  const { view, lines, clock } = await open(true);
  view.take(ended);
  view.take(waiting(0));
  clock.advance(60_000);
  assert.deepEqual(lines(), []);
});

test('what happened, in words', () => {
  const removed = buildChangeOf('recreate', 'Pod default/a');
  const refused = { severity: 'error', code: 'api-error', summary: 'pods "a" is forbidden' } as const;
  const cases: readonly [Change, ChangeOutcome, string][] = [
    [pod, { kind: 'done' }, 'created Pod default/a'],
    [removed, { kind: 'done' }, 'deleted (to be recreated) Pod default/a'],
    [pod, { kind: 'unneeded' }, 'already as wanted: Pod default/a'],
    [
      pod,
      { kind: 'failed', diagnostic: refused, permanent: false },
      'could not create Pod default/a: pods "a" is forbidden',
    ],
    [pod, { kind: 'stale', why: 'gone' }, 'Pod default/a has changed since the plan (gone): planning again'],
    [pod, { kind: 'not-tried', why: 'interrupted' }, 'not tried: Pod default/a (interrupted)'],
  ];
  for (const [change, outcome, words] of cases) assert.equal(describeOutcome(change, outcome), words);
});

test('a long list of what is waited for is cut', () => {
  const on = ['a', 'b', 'c', 'd', 'e'].map((name) => ({
    ref: buildChangeOf('create', `Pod x/${name}`).object,
    reason: 'r',
  }));
  assert.equal(describeWaiting(on, 61_000), 'waiting for 5: Pod x/a (r), Pod x/b (r), Pod x/c (r) and 2 more, 1m1s');
});
