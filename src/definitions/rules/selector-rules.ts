import { isLabelKey, isLabelValue } from '../../model/names.ts';
import type { Problem } from '../problem.ts';
import { indexed, PARENT_PATH, type Rule } from './rule.ts';

const SELECTOR_PATH = [...PARENT_PATH, 'labelSelector'];

export const selectorValuesFitOperators: Rule = function* ({ spec }): Generator<Problem> {
  for (const [index, requirement] of indexed(spec?.parentResource?.labelSelector?.matchExpressions)) {
    const { operator } = requirement;
    const values = requirement.values ?? [];
    const path = [...SELECTOR_PATH, 'matchExpressions', index];
    const wantsValues = operator === 'In' || operator === 'NotIn';
    if (wantsValues && values.length === 0) {
      const summary = `The operator ${operator} needs at least one value`;
      yield { code: 'missing-field', path, summary, hint: 'Add "values: [...]".' };
    }
    if (operator && !wantsValues && values.length > 0) {
      const summary = `The operator ${operator} takes no values`;
      yield {
        code: 'conflicting-fields',
        path: [...path, 'values'],
        summary,
        hint: 'Remove values, or use In or NotIn.',
      };
    }
  }
};

export const selectorLabelsAreLabels: Rule = function* ({ spec }): Generator<Problem> {
  const selector = spec?.parentResource?.labelSelector;
  for (const [key, value] of Object.entries(selector?.matchLabels ?? {})) {
    const path = [...SELECTOR_PATH, 'matchLabels', key];
    if (!isLabelKey(key)) yield badLabel(path, `"${key}" is not a label key`, 'key');
    if (value !== undefined && !isLabelValue(value)) yield badLabel(path, `"${value}" is not a label value`);
  }
  for (const [index, { key, values }] of indexed(selector?.matchExpressions)) {
    const path = [...SELECTOR_PATH, 'matchExpressions', index];
    if (key !== undefined && !isLabelKey(key)) yield badLabel([...path, 'key'], `"${key}" is not a label key`);
    for (const [at, value] of indexed(values)) {
      if (!isLabelValue(value)) yield badLabel([...path, 'values', at], `"${value}" is not a label value`);
    }
  }
};

function badLabel(path: (string | number)[], summary: string, part?: 'key'): Problem {
  const hint =
    'Letters, digits, "-", "_" and ".", at most 63 characters; it starts and ends with a letter or digit. ' +
    'A key may have a DNS name and "/" before it.';
  return { code: 'invalid-value', path, ...(part ? { part } : {}), summary, hint };
}
