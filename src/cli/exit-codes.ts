// The one table of exit codes. Commands print it in their help; every way out of the program goes through it.
// oclif's own codes never reach the shell (main.ts): its usage errors would be 2, which here means "changes".

import type { ApplyOutcome, PlanOutcome } from '../app/index.ts';
import { type Diagnostic, hasErrors } from '../model/diagnostic.ts';
import { changesOf, isWrite } from '../model/plan.ts';

export const EXIT = {
  success: 0,
  error: 1,
  changes: 2,
  staleSavedPlan: 3,
  notSettled: 4,
  stopped: 5,
  interrupted: 130,
  terminated: 143,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const MEANING: Readonly<Record<keyof typeof EXIT, string>> = {
  success: 'success',
  error: 'an error; wrong usage too',
  changes: 'plan --detailed-exitcode: changes are planned',
  staleSavedPlan: 'a saved plan is stale (saved plans are not there yet)',
  notSettled: 'applied, but not settled before --timeout',
  stopped: 'stopped by a guard, or by a confirmation that was refused or could not be asked for',
  interrupted: 'interrupted (SIGINT)',
  terminated: 'terminated (SIGTERM)',
};

/** All rows, for the command reference. */
export function exitCodeRows(): { readonly code: ExitCode; readonly meaning: string }[] {
  return (Object.keys(EXIT) as (keyof typeof EXIT)[]).map((name) => ({ code: EXIT[name], meaning: MEANING[name] }));
}

/** For a command's help; `only` names the rows that apply to it. */
export function exitCodeHelp(only: readonly (keyof typeof EXIT)[]): string {
  const rows = only.map((name) => `  ${String(EXIT[name]).padEnd(4)} ${MEANING[name]}`);
  return ['Exit codes:', ...rows].join('\n');
}

/** Errors beat changes. A plan that only keeps, skips or is blocked has no changes. */
export function exitCodeOfPlan(outcome: PlanOutcome, options: { readonly detailed: boolean }): ExitCode {
  const { plan, diagnostics } = outcome;
  if (!plan || hasErrors(diagnostics)) return plan && onlyGuards(diagnostics) ? EXIT.stopped : EXIT.error;
  return options.detailed && changesOf(plan).some(isWrite) ? EXIT.changes : EXIT.success;
}

function onlyGuards(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.every(({ severity, code }) => severity !== 'error' || code.startsWith('guard-'));
}

const OF_APPLY: Readonly<Record<ApplyOutcome['status'], ExitCode>> = {
  settled: EXIT.success,
  nothing: EXIT.success,
  unsettled: EXIT.notSettled,
  declined: EXIT.stopped,
  unconfirmed: EXIT.stopped,
  guarded: EXIT.stopped,
  failed: EXIT.error,
  interrupted: EXIT.interrupted,
};

/** `signalled`: the code of the signal that came, if one did: it explains everything but a success that came first. */
export function exitCodeOfApply({ status }: ApplyOutcome, signalled: ExitCode | undefined): ExitCode {
  const code = OF_APPLY[status];
  return code === EXIT.success ? code : (signalled ?? code);
}
