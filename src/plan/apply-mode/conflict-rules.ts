// What the definition says about fields that others own.

import type { ApplySettings, ConflictRule } from '../../model/definition.ts';
import type { FieldConflict } from '../../model/need.ts';

export interface Judged {
  /** Left out of what is applied. */
  readonly ignored: readonly FieldConflict[];
  /** Taken. */
  readonly forced: readonly FieldConflict[];
  /** In the way. */
  readonly failed: readonly FieldConflict[];
}

/** `own`: names under which we write. What we own by other writes is ours to take, whatever the rules say. */
export function judgeConflicts(
  found: readonly FieldConflict[],
  settings: Pick<ApplySettings, 'conflicts' | 'force'>,
  own: readonly string[],
): Judged {
  const by = (action: ConflictRule['action']): readonly FieldConflict[] =>
    found.filter((conflict) => (own.includes(conflict.manager) ? 'force' : actionFor(conflict, settings)) === action);
  return { ignored: by('ignore'), forced: by('force'), failed: by('fail') };
}

function actionFor(
  conflict: FieldConflict,
  { conflicts, force }: Pick<ApplySettings, 'conflicts' | 'force'>,
): ConflictRule['action'] {
  const rule = conflicts.find((candidate) => fits(candidate, conflict));
  return rule?.action ?? (force ? 'force' : 'fail');
}

/** A rule for a field is one for all that is below it. The leading dot, with which the server names fields, may be there. */
function fits(rule: ConflictRule, { field, manager }: FieldConflict): boolean {
  if (rule.manager !== undefined && rule.manager !== manager) return false;
  const path = rule.path.replace(/^\./, '');
  return field === path || field.startsWith(`${path}.`) || field.startsWith(`${path}[`);
}
