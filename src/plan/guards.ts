// Guards against a hook that has lost its mind: far too many deletes, or a sudden nothing. They look at one parent's
// plan; they are off in the daemon, as the reference has none.

import type { Diagnostic } from '../model/diagnostic.ts';
import { changesOfParent, type ParentPlan } from '../model/plan.ts';
import { formatRef } from '../model/ref.ts';

export interface GuardOptions {
  /** Deletes allowed for one parent; absent: up to 10, or up to a quarter of the observed children. */
  readonly maxDeletes?: number;
  readonly allowEmpty?: boolean;
}

const DEFAULT_DELETES = 10;
const DEFAULT_SHARE = 0.25;

export function checkGuards(plan: ParentPlan, { maxDeletes, allowEmpty = false }: GuardOptions): Diagnostic[] {
  const finalizing = plan.hookCalls.length > 0 && plan.hookCalls.every(({ hookName }) => hookName === 'finalize');
  const deletes = changesOfParent(plan).filter(
    // Revisions come and go with the children that are at them: nobody misses one.
    ({ action, wave }) => action === 'delete' && wave !== 'revision',
  ).length;
  const found: Diagnostic[] = [];
  // Whoever deletes a parent means its children too; only what was said in so many words still counts.
  if (finalizing && maxDeletes === undefined) return [];
  if (exceeds(deletes, plan.observed, maxDeletes)) found.push(tooMany(plan, deletes, maxDeletes));
  const answered = plan.hookCalls.length > 0 && plan.hookCalls.every(({ children }) => children === 0);
  if (answered && !finalizing && !allowEmpty && plan.observed > 1 && deletes > 1) found.push(suddenlyEmpty(plan));
  return found;
}

function exceeds(deletes: number, observed: number, maxDeletes: number | undefined): boolean {
  if (maxDeletes !== undefined) return deletes > maxDeletes;
  return deletes > DEFAULT_DELETES && deletes > observed * DEFAULT_SHARE;
}

function tooMany(plan: ParentPlan, deletes: number, maxDeletes: number | undefined): Diagnostic {
  const limit =
    maxDeletes === undefined
      ? `more than ${DEFAULT_DELETES} and more than a quarter`
      : `--max-deletes is ${maxDeletes}`;
  return {
    severity: 'error',
    code: 'guard-max-deletes',
    summary: `${plan.controller}: ${formatRef(plan.parent)}: ${deletes} of ${plan.observed} children would be deleted (${limit})`,
    hint: `If that is meant: --max-deletes ${deletes}`,
    subject: plan.parent,
  };
}

function suddenlyEmpty(plan: ParentPlan): Diagnostic {
  return {
    severity: 'error',
    code: 'guard-allow-empty',
    summary: `${plan.controller}: ${formatRef(plan.parent)}: the hook returned no children where there are ${plan.observed}`,
    detail: 'A hook that fails to read its input often answers so.',
    hint: 'If that is meant: --allow-empty',
    subject: plan.parent,
  };
}
