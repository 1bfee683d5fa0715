// What the definition says about fields that others own.

import { type Conflict, type FieldPath, nameOfId, showPath } from '../../merge/index.ts';
import type { ApplySettings, ConflictRule } from '../../model/definition.ts';

export interface Verdict {
  /** Left out of what is applied. */
  readonly ignored: readonly FieldPath[];
  /** Taken. */
  readonly forced: readonly FieldPath[];
  /** In words: field, and who has it. */
  readonly failed: readonly string[];
}

export function judgeConflicts(found: readonly Conflict[], settings: ApplySettings): Verdict {
  const by = (action: ConflictRule['action']): readonly Conflict[] =>
    found.filter((conflict) => actionFor(conflict, settings) === action);
  return {
    ignored: by('ignore').map(({ path }) => path),
    forced: by('force').map(({ path }) => path),
    failed: by('fail').map((conflict) => `${fieldOf(conflict)} of "${managerOf(conflict)}"`),
  };
}

const managerOf = ({ manager }: Conflict): string => nameOfId(manager).manager ?? '';
const fieldOf = ({ path }: Conflict): string => showPath(path).replace(/^\./, '');

function actionFor(conflict: Conflict, { conflicts, force }: ApplySettings): ConflictRule['action'] {
  const rule = conflicts.find((candidate) => fits(candidate, conflict));
  return rule?.action ?? (force ? 'force' : 'fail');
}

function fits({ path, manager }: ConflictRule, conflict: Conflict): boolean {
  if (manager !== undefined && manager !== managerOf(conflict)) return false;
  const field = fieldOf(conflict);
  return field === path || field.startsWith(`${path}.`) || field.startsWith(`${path}[`);
}
