import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { ApplyOutcome } from '../app/index.ts';
import type { Diagnostic, DiagnosticCode } from '../model/diagnostic.ts';
import { buildChangeOf, buildPlan } from '../testing/plan-builder.ts';
import { EXIT, exitCodeHelp, exitCodeOfApply, exitCodeOfPlan } from './exit-codes.ts';

const problem = (code: DiagnosticCode, severity: Diagnostic['severity'] = 'error'): Diagnostic => {
  return { severity, code, summary: 'a problem' };
};
const changed = buildPlan({ inputs: [buildChangeOf('create', 'ConfigMap default/a')] });
const kept = buildPlan({ inputs: [buildChangeOf('skip', 'ConfigMap default/a')] });

test('plan: changes count only when they are asked for, and errors beat them', () => {
  const cases = [
    { why: 'changes, not asked for', plan: changed, diagnostics: [], detailed: false, code: 0 },
    { why: 'changes, asked for', plan: changed, diagnostics: [], detailed: true, code: 2 },
    { why: 'nothing to write', plan: kept, diagnostics: [], detailed: true, code: 0 },
    {
      why: 'a warning is no error',
      plan: changed,
      diagnostics: [problem('ineffective', 'warning')],
      detailed: true,
      code: 2,
    },
    { why: 'an error beside changes', plan: changed, diagnostics: [problem('hook-failed')], detailed: true, code: 1 },
    { why: 'a guard', plan: changed, diagnostics: [problem('guard-max-deletes')], detailed: true, code: 5 },
    {
      why: 'a guard and an error',
      plan: changed,
      diagnostics: [problem('guard-allow-empty'), problem('api-error')],
      detailed: true,
      code: 1,
    },
    { why: 'no plan', plan: undefined, diagnostics: [problem('no-input')], detailed: true, code: 1 },
  ];
  for (const { why, plan, diagnostics, detailed, code } of cases) {
    assert.equal(exitCodeOfPlan({ ...(plan ? { plan } : {}), diagnostics }, { detailed }), code, why);
  }
});

test('apply: one code for each status', () => {
  const codes: Record<ApplyOutcome['status'], number> = {
    settled: 0,
    nothing: 0,
    unsettled: 4,
    declined: 5,
    unconfirmed: 5,
    guarded: 5,
    failed: 1,
    interrupted: 130,
  };
  for (const [status, code] of Object.entries(codes)) {
    const outcome = { status: status as ApplyOutcome['status'], applied: [], waitingOn: [], diagnostics: [] };
    assert.equal(exitCodeOfApply(outcome, undefined), code, status);
  }
  const after = (status: ApplyOutcome['status']): number =>
    exitCodeOfApply({ status, applied: [], waitingOn: [], diagnostics: [] }, EXIT.terminated);
  assert.equal(after('interrupted'), 143, 'SIGTERM');
  assert.equal(after('declined'), 143, 'Ctrl-C at the question');
  assert.equal(after('settled'), 0, 'it came too late to stop anything');
});

test('the help of a command names its codes', () => {
  assert.match(exitCodeHelp(['success', 'changes']), /^Exit codes:\n {2}0 +success\n {2}2 +plan --detailed-exitcode/);
});

test('every exit code of oclif is 1', () => {
  const { oclif } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  assert.ok(Object.keys(oclif.exitCodes).includes('default'));
  for (const [name, code] of Object.entries(oclif.exitCodes)) assert.equal(code, 1, name);
});
