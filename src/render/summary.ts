// How much of what: the numbers of a plan, counted in one place for every format.

import { type Change, changesOf, type Plan } from '../model/plan.ts';
import { ACTIONS, type Action } from '../model/vocabulary.ts';

export type ActionCounts = Readonly<Record<Action, number>>;

export function countActions(changes: readonly Change[]): ActionCounts {
  const counts = Object.fromEntries(ACTIONS.map((action) => [action, 0])) as Record<Action, number>;
  for (const { action } of changes) counts[action]++;
  return counts;
}

/** Inputs and children that already are as wanted. */
export function countUnchanged(plan: Plan): number {
  return plan.parents.reduce((sum, { unchanged }) => sum + unchanged, plan.inputsUnchanged);
}

const TO_DO: readonly (readonly [Action, string])[] = [
  ['create', 'to create'],
  ['update', 'to change'],
  ['recreate', 'to replace'],
  ['delete', 'to delete'],
  ['adopt', 'to adopt'],
  ['release', 'to release'],
  ['status', 'status to set'],
  ['blocked', 'blocked'],
  ['skip', 'skipped'],
];

/** "3 to create, 1 to change, 2 unchanged"; what there is none of is left out. */
export function describeCounts(plan: Plan): string {
  const counts = countActions(changesOf(plan));
  const parts = TO_DO.filter(([action]) => counts[action] > 0).map(([action, words]) => `${counts[action]} ${words}`);
  const unchanged = countUnchanged(plan) + counts.keep;
  return [...parts, ...(unchanged > 0 ? [`${unchanged} unchanged`] : [])].join(', ');
}

export function plural(count: number, word: string, many = `${word}s`): string {
  return `${count} ${count === 1 ? word : many}`;
}
