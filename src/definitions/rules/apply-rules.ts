import { fieldManagerProblem } from '../../model/field-manager.ts';
import type { Problem } from '../problem.ts';
import type { Rule } from './rule.ts';

export const fieldManagerIsOne: Rule = function* ({ spec }): Generator<Problem> {
  const name = spec?.apply?.fieldManager;
  const problem = name === undefined ? undefined : fieldManagerProblem(name);
  if (problem === undefined) return;
  yield {
    code: 'invalid-value',
    path: ['spec', 'apply', 'fieldManager'],
    summary: `The field manager ${JSON.stringify(name)} ${problem}`,
    hint: 'Write a short name, such as the one of the team.',
  };
};
