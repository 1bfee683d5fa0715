import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { ParentPlan, Result } from '../model/plan.ts';
import { conclude, overall, type Standing } from './standing.ts';

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
    applied: [],
    held,
  } as const;
  const { standing, next } = conclude({ ...round, failuresBefore: 0 });
  assert.deepEqual(next, { kind: 'resync', seconds: 5 });
  assert.equal(standing.failures, 0);
});

const attempts = [
  { hookKind: 'webhook', failuresBefore: 0, want: { kind: 'again', afterMs: 500 } },
  { hookKind: 'webhook', failuresBefore: 3, want: { kind: 'again', afterMs: 4_000 } },
  { hookKind: 'webhook', failuresBefore: 5, want: { kind: 'rest' } },
  { hookKind: 'module', failuresBefore: 0, want: { kind: 'rest' } },
] as const;
for (const { hookKind, failuresBefore, want } of attempts)
  test(`a failed ${hookKind} after ${failuresBefore} failures: ${want.kind}`, () => {
    const failed = plan({ kind: 'retry' }, [problem('error')]);
    assert.deepEqual(conclude({ plan: failed, hookKind, applied: [], held, failuresBefore }).next, want);
  });

const fine: Standing = { writes: 0, waitingOn: [], diagnostics: [], failures: 0, hopeless: true };
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
