import { isDnsSubdomain, toDnsSubdomain } from '../../model/names.ts';
import type { Problem } from '../problem.ts';
import type { Rule } from './rule.ts';

export const nameIsDnsSubdomain: Rule = function* ({ metadata }): Generator<Problem> {
  const name = metadata?.name;
  if (name === undefined || isDnsSubdomain(name)) return;
  const better = toDnsSubdomain(name);
  yield {
    code: 'invalid-value',
    path: ['metadata', 'name'],
    summary: `The name "${name}" is not one that Kubernetes accepts`,
    detail:
      'Lower case letters, digits, "-" and "."; it starts and ends with a letter or digit; at most 253 characters.',
    hint: better ? `Write "${better}".` : 'Choose another name.',
  };
};

export const noNamespace: Rule = function* ({ metadata }): Generator<Problem> {
  if (!metadata?.namespace) return;
  yield {
    severity: 'warning',
    code: 'ineffective',
    path: ['metadata', 'namespace'],
    summary: 'metadata.namespace has no effect: controller definitions are cluster-scoped',
    hint: 'Remove it.',
  };
};
