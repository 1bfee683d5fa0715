// How it stands with one parent after a round, and when it is looked at again.

import { backoffDelay } from '../kit/backoff.ts';
import type { Hook } from '../model/definition.ts';
import { type Diagnostic, hasErrors } from '../model/diagnostic.ts';
import type { ParentPlan, WaitingOn } from '../model/plan.ts';
import type { AppliedChange } from '../model/progress.ts';

export interface Standing {
  /** Sent, or held back: not nothing to do. */
  readonly writes: number;
  readonly waitingOn: readonly WaitingOn[];
  readonly diagnostics: readonly Diagnostic[];
  /** Rounds in a row that went wrong. */
  readonly failures: number;
  /** Its errors are of a kind that another round will not mend. */
  readonly hopeless: boolean;
}

/** What is to be done with the parent next. */
export type Next =
  | { readonly kind: 'again'; readonly afterMs: number }
  /** Because the hook asked for it: its last answer is then forgotten. */
  | { readonly kind: 'resync'; readonly seconds: number }
  | { readonly kind: 'rest' };

/** Changes that were held back because they do not stay (stability.ts). */
export interface Held {
  readonly changes: number;
  /** The shortest of their delays. */
  readonly waitMs: number;
  readonly diagnostics: readonly Diagnostic[];
}

export interface Round {
  readonly plan: ParentPlan;
  readonly hookKind: Hook['kind'];
  readonly applied: readonly AppliedChange[];
  readonly held: Held;
  /** Of the standing before. */
  readonly failuresBefore: number;
}

const RETRY = { base: 500, cap: 30_000 };
const STALE = { base: 20, cap: 2_000 };
// A webhook may be on its way up; a local hook that failed twice has an error in it.
const HOOK_ATTEMPTS: Readonly<Record<Hook['kind'], number>> = { webhook: 6, exec: 2, module: 1 };

export function conclude(round: Round): { readonly standing: Standing; readonly next: Next } {
  const { plan, applied, held, failuresBefore } = round;
  const failed = applied.flatMap(({ outcome }) => (outcome.kind === 'failed' ? outcome : []));
  const stale = applied.some(({ outcome }) => outcome.kind === 'stale');
  const again = stale || failed.some(({ permanent }) => !permanent) || retriesHook(round);
  const problems = [...plan.diagnostics, ...failed.map(({ diagnostic }) => diagnostic)];
  // A warning is no failure: it neither slows the parent down nor uses up the tries of its hook.
  const failures = again || hasErrors(problems) ? failuresBefore + 1 : 0;
  const sent = applied.filter(({ outcome }) => outcome.kind === 'done' || outcome.kind === 'stale').length;
  const { waitingOn, resyncAfterSeconds } = plan.result;
  const standing: Standing = {
    writes: sent + held.changes,
    waitingOn,
    diagnostics: [...problems, ...held.diagnostics],
    failures,
    hopeless: !again,
  };
  const next = (): Next => {
    if (again) return { kind: 'again', afterMs: retryDelay({ stale, failures, resyncAfterSeconds }) };
    if (sent > 0) return { kind: 'again', afterMs: 0 };
    if (held.changes > 0) return { kind: 'again', afterMs: held.waitMs };
    if (resyncAfterSeconds !== undefined && !hasErrors(problems))
      return { kind: 'resync', seconds: resyncAfterSeconds };
    return { kind: 'rest' };
  };
  return { standing, next: next() };
}

/** The round could not even be planned: the API server refused a read, or could not be reached. */
export function concludeUnread(
  diagnostic: Diagnostic,
  { permanent, failuresBefore }: { readonly permanent: boolean; readonly failuresBefore: number },
): { readonly standing: Standing; readonly next: Next } {
  const failures = failuresBefore + 1;
  return {
    standing: { writes: 0, waitingOn: [], diagnostics: [diagnostic], failures, hopeless: permanent },
    next: permanent ? { kind: 'rest' } : { kind: 'again', afterMs: backoffDelay(RETRY, failures - 1) },
  };
}

/** What all parents together amount to; undefined: there is still something to do or to wait for. */
export function overall(standings: readonly Standing[], wait: boolean): 'settled' | 'failed' | undefined {
  const failing = standings.filter(({ diagnostics }) => hasErrors(diagnostics));
  if (failing.some(({ hopeless }) => !hopeless)) return undefined;
  // A parent, or a child, that is past help does not hold up the others.
  if (wait && standings.some(({ waitingOn }) => waitingOn.length > 0)) return undefined;
  if (standings.some(({ writes }) => writes > 0)) return undefined;
  return failing.length > 0 ? 'failed' : 'settled';
}

function retriesHook({ plan, hookKind, failuresBefore }: Round): boolean {
  const failed = plan.result.kind === 'retry' && plan.steps.length === 0 && hasErrors(plan.diagnostics);
  return failed && failuresBefore + 1 < HOOK_ATTEMPTS[hookKind];
}

interface RetryReason {
  readonly stale: boolean;
  readonly failures: number;
  readonly resyncAfterSeconds: number | undefined;
}

function retryDelay({ stale, failures, resyncAfterSeconds }: RetryReason): number {
  if (resyncAfterSeconds !== undefined && !stale) return resyncAfterSeconds * 1_000;
  return backoffDelay(stale ? STALE : RETRY, failures - 1);
}
