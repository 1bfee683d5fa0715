import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { ParentPlan, Result } from '../model/plan.ts';
import { conclude, concludeUnread, overall, type Standing } from './standing.ts';

const parent = { apiVersion: 'v1', kind: 'Widget', namespace: 'default', name: 'w' };
const problem = (severity: Diagnostic['severity']): Diagnostic => ({ severity, code: 'hook-failed', summary: 'x' });
const held = { changes: 0, waitMs: 0, diagnostics: [] };

function plan(result: Partial<Result>, diagnostics: readonly Diagnostic[] = []): ParentPlan {
  const counts = { hookCalls: [], unchanged: 0, observed: 0 };
  return {
    controller: 'c',
    parent,
    steps: [],
    result: { kind: 'done', waitingOn: [], ...result },
    ...counts,
    diagnostics,
  };
}

test('a warning is no failure: the resync that the hook asked for is honoured', () => {
  const round = {
    plan: plan({ resyncAfterSeconds: 5 }, [problem('warning')]),
    hookKind: 'webhook',
    resyncPeriodSeconds: 0,
    applied: [],
    held,
    before: { failures: 0, asks: 0 },
    patience: 'of-a-run',
  } as const;
  const { standing, next, resyncSeconds } = conclude(round);
  assert.deepEqual([next, resyncSeconds], [{ kind: 'rest' }, 5]);
  assert.equal(standing.failures, 0);
});

const attempts = [
  { hookKind: 'webhook', failuresBefore: 0, want: { kind: 'retry', afterMs: 500 } },
  { hookKind: 'webhook', failuresBefore: 3, want: { kind: 'retry', afterMs: 4_000 } },
  { hookKind: 'webhook', failuresBefore: 5, want: { kind: 'rest' } },
  { hookKind: 'module', failuresBefore: 0, want: { kind: 'rest' } },
] as const;
for (const { hookKind, failuresBefore, want } of attempts)
  test(`a failed ${hookKind} after ${failuresBefore} failures: ${want.kind}`, () => {
    const failed = plan({ kind: 'retry' }, [problem('error')]);
    const before = { failures: failuresBefore, asks: 0 };
    const round = { plan: failed, hookKind, resyncPeriodSeconds: 0, applied: [], held, before } as const;
    assert.deepEqual(conclude({ ...round, patience: 'of-a-run' }).next, want);
  });

test('a hook that is busy is asked when it says so, however often it was', () => {
  for (const failures of [0, 5, 500]) {
    const busy = plan({ kind: 'retry', resyncAfterSeconds: 30 }, [problem('error')]);
    const before = { failures, asks: 0 };
    const round = { plan: busy, hookKind: 'webhook', resyncPeriodSeconds: 0, applied: [], held, before } as const;
    const { standing, next } = conclude({ ...round, patience: 'of-a-run' });
    assert.deepEqual(next, { kind: 'retry', afterMs: 30_000 });
    assert.equal(standing.hopeless, false);
  }
});

const fine: Standing = { writes: 0, waitingOn: [], diagnostics: [], failures: 0, hopeless: true, asks: 0 };
const lost: Standing = { ...fine, diagnostics: [problem('error')] };
const waiting: Standing = { ...fine, waitingOn: [{ ref: parent, reason: 'is not ready' }] };

const overalls: readonly [string, readonly Standing[], ReturnType<typeof overall>][] = [
  ['everything rests', [fine, fine], 'settled'],
  ['one parent is past help, the others are done', [fine, lost], 'failed'],
  ['one parent is past help, another still waits: it is not held up', [lost, waiting], undefined],
  ['an error that may mend is waited for', [{ ...lost, hopeless: false }], undefined],
  ['something was written: another look', [{ ...fine, writes: 1 }], undefined],
];
for (const [name, standings, want] of overalls) test(name, () => assert.equal(overall(standings, true), want));

test('without waiting, health counts for nothing', () => assert.equal(overall([waiting], false), 'settled'));

const finalize = { id: 'f', hookName: 'finalize', hookKind: 'webhook', children: 0 };
const waitsForHook = [{ ref: parent, reason: 'its finalize hook is not done' }];
const resyncs: readonly [
  string,
  Partial<Result>,
  { period?: number; asks?: number; finalizing?: boolean },
  number | undefined,
][] = [
  ['nothing asks for one', {}, {}, undefined],
  ['a period', {}, { period: 20 }, 20],
  ['a period shorter than a second', {}, { period: 0.2 }, 1],
  ['the hook is sooner', { resyncAfterSeconds: 0.5 }, { period: 20 }, 0.5],
  ['a finalize hook that is not done', { waitingOn: waitsForHook }, { finalizing: true }, 1],
  ['the third time', { waitingOn: waitsForHook }, { finalizing: true, asks: 2 }, 4],
  ['unless it says itself when', { waitingOn: waitsForHook, resyncAfterSeconds: 60 }, { finalizing: true }, 60],
];
for (const [name, result, { period = 0, asks = 0, finalizing = false }, want] of resyncs)
  test(`resync: ${name}`, () => {
    const hookCalls = finalizing ? [finalize] : [];
    const before = { failures: 0, asks };
    const round = { plan: { ...plan(result), hookCalls }, hookKind: 'webhook', applied: [], held, before } as const;
    const { next, resyncSeconds } = conclude({ ...round, resyncPeriodSeconds: period, patience: 'of-a-run' });
    assert.deepEqual([next, resyncSeconds], [{ kind: 'rest' }, want]);
  });

const refused = [{ outcome: { kind: 'failed', permanent: true, diagnostic: problem('error') } }];
const restless: readonly [string, Partial<Parameters<typeof conclude>[0]>, number | undefined][] = [
  ['something was held back', { held: { changes: 1, waitMs: 60_000, diagnostics: [problem('warning')] } }, 20],
  ['a child was refused', { applied: refused as never }, 20],
  ['the answer was no good', { plan: plan({ kind: 'terminal' }, [problem('error')]) }, 20],
  [
    'a hook that is down is asked by its retries',
    { plan: plan({ failedHook: 'webhook' }, [problem('error')]) },
    undefined,
  ],
  ['a parent that is given up', { applied: refused as never, patience: 'of-a-run' }, undefined],
];
for (const [name, given, want] of restless)
  test(`a period is kept whatever else is to be done: ${name}`, () => {
    const usual = {
      hookKind: 'webhook',
      applied: [],
      held,
      before: { failures: 0, asks: 0 },
      patience: 'endless',
    } as const;
    assert.equal(conclude({ plan: plan({}), resyncPeriodSeconds: 20, ...usual, ...given }).resyncSeconds, want);
  });

const endless: readonly [string, Partial<Parameters<typeof conclude>[0]>, object][] = [
  [
    'a hook that failed however often',
    { plan: plan({ kind: 'retry' }, [problem('error')]), before: { failures: 40, asks: 0 } },
    { kind: 'retry', afterMs: 30_000 },
  ],
  [
    'a local hook with an error in it',
    { plan: plan({ kind: 'retry' }, [problem('error')]), hookKind: 'module', before: { failures: 40, asks: 0 } },
    { kind: 'retry', afterMs: 300_000 },
  ],
  [
    'what only somebody else can mend, the first time',
    { plan: plan({ kind: 'terminal' }, [problem('error')]) },
    { kind: 'retry', afterMs: 1_000 },
  ],
  ['nothing wrong', { plan: plan({}) }, { kind: 'rest' }],
];
for (const [name, given, want] of endless)
  test(`nothing is given up where there is no end: ${name}`, () => {
    const usual = { hookKind: 'webhook', resyncPeriodSeconds: 0, applied: [], held, before: { failures: 0, asks: 0 } };
    const round = { plan: plan({}), ...usual, patience: 'endless', ...given } as Parameters<typeof conclude>[0];
    assert.deepEqual(conclude(round).next, want);
    assert.equal(conclude({ ...round, patience: 'of-a-run' }).next.kind, 'rest');
  });

test('a read that is refused is tried again where there is no end, and given up in a run', () => {
  const facts = { permanent: true, failuresBefore: 2 };
  const forever = concludeUnread(problem('error'), { ...facts, patience: 'endless' });
  assert.deepEqual([forever.next, forever.standing.hopeless], [{ kind: 'retry', afterMs: 4_000 }, false]);
  const run = concludeUnread(problem('error'), { ...facts, patience: 'of-a-run' });
  assert.deepEqual([run.next, run.standing.hopeless], [{ kind: 'rest' }, true]);
});
