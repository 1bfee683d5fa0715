import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Change } from '../../model/plan.ts';
import type { NotOurs } from '../children/plan-children.ts';

/** Of children that stand in the way, or have fields of others: an error each. */
export function blockedDiagnostics(changes: readonly Change[], controller: string, { hint }: NotOurs): Diagnostic[] {
  return changes
    .filter(({ action }) => action === 'blocked')
    .map((change) =>
      change.reasons.includes('conflict') ? conflictOf(change, controller) : { ...notOwned(change, controller), hint },
    );
}

const notOwned = (change: Change, controller: string): Diagnostic => ({
  severity: 'error',
  code: 'child-not-owned',
  summary: `${controller}: ${change.note}`,
  detail: 'It is not taken over and not changed; the other children are not held up by it.',
  subject: change.object,
});

const conflictOf = (change: Change, controller: string): Diagnostic => ({
  severity: 'error',
  code: 'field-conflict',
  summary: `${controller}: ${change.note}`,
  detail:
    'Server-side apply takes nothing from another manager unasked: the child stays as it is; the others are not held up by it.',
  hint: 'Let the hook leave these fields out, say in spec.apply.conflicts of the definition what becomes of them, or take them once with --force-conflicts.',
  subject: change.object,
});
