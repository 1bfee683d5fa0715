// How it stands with one parent after a round, and when it is looked at again.

import { backoffDelay } from '../kit/backoff.ts';
import type { Hook } from '../model/definition.ts';
import { type Diagnostic, hasErrors } from '../model/diagnostic.ts';
import type { ParentPlan, WaitingOn } from '../model/plan.ts';
import type { AppliedChange } from '../model/progress.ts';
import { refKey } from '../model/ref.ts';

export interface Standing {
  /** Sent, or held back: not nothing to do. */
  readonly writes: number;
  readonly waitingOn: readonly WaitingOn[];
  readonly diagnostics: readonly Diagnostic[];
  /** Rounds in a row that went wrong. */
  readonly failures: number;
  /** Its errors are of a kind that another round will not mend. */
  readonly hopeless: boolean;
  /** Rounds in a row in which a finalize hook was not done, and nothing was left but to ask it again. */
  readonly asks: number;
}

/** What is to be done with the parent next. */
export type Next =
  | { readonly kind: 'again'; readonly afterMs: number }
  /** After a failure: no sooner than that, and no sooner than the others who failed allow. */
  | { readonly kind: 'retry'; readonly afterMs: number }
  | { readonly kind: 'rest' };

export interface Concluded {
  readonly standing: Standing;
  readonly next: Next;
  /** Whatever comes next: its hooks are asked again after so long at the latest, also if nothing changes. */
  readonly resyncSeconds?: number;
}

/**
 * of-a-run: what can't mend by itself is given up, so that the run ends. endless: nothing is given up, as somebody may
 * change what no watch tells of (a right, a hook, a quota).
 */
export type Patience = 'of-a-run' | 'endless';

/** Changes that were held back because they do not stay (stability.ts). */
export interface Held {
  readonly changes: number;
  /** The shortest of their delays. */
  readonly waitMs: number;
  readonly diagnostics: readonly Diagnostic[];
}

export interface Round {
  readonly plan: ParentPlan;
  /** Of the hook that failed, if one did. */
  readonly hookKind: Hook['kind'];
  /** 0: none. */
  readonly resyncPeriodSeconds: number;
  readonly applied: readonly AppliedChange[];
  readonly held: Held;
  readonly before: Pick<Standing, 'failures' | 'asks'>;
  readonly patience: Patience;
}

const RETRY = { base: 500, cap: 30_000 };
// What needs somebody to change something: no hurry.
const GIVEN_UP = { base: 1_000, cap: 300_000 };
const STALE = { base: 20, cap: 2_000 };
// What a finalize hook waits for may be outside of the cluster, where nothing tells of it.
const FINALIZE = { base: 1_000, cap: 30_000 };
const SHORTEST_PERIOD_SECONDS = 1;
// A webhook may be on its way up; a local hook that failed twice has an error in it.
const HOOK_ATTEMPTS: Readonly<Record<Hook['kind'], number>> = { webhook: 6, exec: 2, module: 1, jsonnet: 1 };

export function conclude(round: Round): Concluded {
  const { plan, applied, held, before, patience } = round;
  const failed = applied.flatMap(({ outcome }) => (outcome.kind === 'failed' ? outcome : []));
  const stale = applied.some(({ outcome }) => outcome.kind === 'stale');
  const mends = stale || failed.some(({ permanent }) => !permanent) || retriesHook(round);
  const problems = [...plan.diagnostics, ...failed.map(({ diagnostic }) => diagnostic)];
  const again = mends || (patience === 'endless' && hasErrors(problems));
  // A warning is no failure: it neither slows the parent down nor uses up the tries of its hook.
  const failures = again || hasErrors(problems) ? before.failures + 1 : 0;
  const sent = applied.filter(({ outcome }) => outcome.kind === 'done' || outcome.kind === 'stale').length;
  const { waitingOn, resyncAfterSeconds } = plan.result;
  const standing: Standing = {
    writes: sent + held.changes,
    waitingOn,
    diagnostics: [...problems, ...held.diagnostics],
    failures,
    hopeless: !again,
    asks: sent === 0 && isFinalizing(plan) ? before.asks + 1 : 0,
  };
  const next = (): Next => {
    if (stale) return { kind: 'again', afterMs: backoffDelay(STALE, failures - 1) };
    if (again) return { kind: 'retry', afterMs: retryDelay({ mends, failures, resyncAfterSeconds }) };
    if (sent > 0) return { kind: 'again', afterMs: 0 };
    if (held.changes > 0) return { kind: 'again', afterMs: held.waitMs };
    return { kind: 'rest' };
  };
  // A hook that is down is asked by its retries, and one of a parent that is given up not at all.
  const isOver = plan.result.failedHook !== undefined || (patience === 'of-a-run' && hasErrors(problems));
  const resyncSeconds = isOver ? undefined : resyncOf(round);
  return { standing, next: next(), ...(resyncSeconds === undefined ? {} : { resyncSeconds }) };
}

/** Asked a finalize hook, which is not done. */
const isFinalizing = ({ hookCalls, result, parent }: ParentPlan): boolean =>
  hookCalls.some(({ hookName }) => hookName === 'finalize') &&
  result.waitingOn.some(({ ref }) => refKey(ref) === refKey(parent));

/** The soonest of what the hook asks for, the definition's period, and a finalize hook that is to be asked again. */
function resyncOf({ plan, resyncPeriodSeconds, before }: Round): number | undefined {
  const { resyncAfterSeconds } = plan.result;
  const finalize =
    isFinalizing(plan) && resyncAfterSeconds === undefined ? backoffDelay(FINALIZE, before.asks) / 1_000 : undefined;
  const period = resyncPeriodSeconds > 0 ? Math.max(SHORTEST_PERIOD_SECONDS, resyncPeriodSeconds) : undefined;
  const wanted = [resyncAfterSeconds, period, finalize].filter((seconds) => seconds !== undefined);
  return wanted.length === 0 ? undefined : Math.min(...wanted);
}

interface Unread {
  readonly permanent: boolean;
  readonly failuresBefore: number;
  readonly patience: Patience;
}

/** The round could not even be planned: the API server refused a read, or could not be reached. */
export function concludeUnread(diagnostic: Diagnostic, { permanent, failuresBefore, patience }: Unread): Concluded {
  const failures = failuresBefore + 1;
  const hopeless = permanent && patience === 'of-a-run';
  const retry = { mends: !permanent, failures, resyncAfterSeconds: undefined };
  return {
    standing: { writes: 0, waitingOn: [], diagnostics: [diagnostic], failures, hopeless, asks: 0 },
    next: hopeless ? { kind: 'rest' } : { kind: 'retry', afterMs: retryDelay(retry) },
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

function retriesHook({ plan, hookKind, before, patience }: Round): boolean {
  const failed = plan.result.kind === 'retry' && plan.steps.length === 0 && hasErrors(plan.diagnostics);
  // A hook that says when to come back is busy, not broken: it is asked as long as there is time.
  const busy = plan.result.resyncAfterSeconds !== undefined;
  const returns = patience === 'endless' && hookKind === 'webhook';
  return failed && (busy || returns || before.failures + 1 < HOOK_ATTEMPTS[hookKind]);
}

interface RetryReason {
  /** May go through the next time without anybody's doing. */
  readonly mends: boolean;
  readonly failures: number;
  readonly resyncAfterSeconds: number | undefined;
}

function retryDelay({ mends, failures, resyncAfterSeconds }: RetryReason): number {
  if (resyncAfterSeconds !== undefined) return resyncAfterSeconds * 1_000;
  return backoffDelay(mends ? RETRY : GIVEN_UP, failures - 1);
}
