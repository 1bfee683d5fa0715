import { isLabelKey, isLabelValue } from '../../model/names.ts';
import type { DocumentPath } from '../parse/document.ts';
import type { Problem } from '../problem.ts';
import type { GivenDefinition, GivenRequirement, Items } from '../schema/given.ts';
import { indexed, PARENT_PATH, type Rule } from './rule.ts';

interface Selector {
  readonly path: DocumentPath;
  readonly of: 'label' | 'annotation';
  /** matchLabels or matchAnnotations. */
  readonly field: string;
  readonly equal: Readonly<Record<string, string | undefined>>;
  readonly expressions: Items<GivenRequirement> | undefined;
}

/** Every selector of a definition. */
function selectorsOf({ spec }: GivenDefinition): Selector[] {
  const places = [
    [PARENT_PATH, spec?.parentResource] as const,
    ...indexed(spec?.resources).map(([index, rule]) => [['spec', 'resources', index], rule] as const),
  ];
  return places.flatMap(([path, rule]) => {
    const labels = rule?.labelSelector;
    const annotations = rule && 'annotationSelector' in rule ? rule.annotationSelector : undefined;
    const found: Selector[] = [];
    if (labels)
      found.push({
        path: [...path, 'labelSelector'],
        of: 'label',
        field: 'matchLabels',
        equal: labels.matchLabels ?? {},
        expressions: labels.matchExpressions,
      });
    if (annotations)
      found.push({
        path: [...path, 'annotationSelector'],
        of: 'annotation',
        field: 'matchAnnotations',
        equal: annotations.matchAnnotations ?? {},
        expressions: annotations.matchExpressions,
      });
    return found;
  });
}

export const selectorValuesFitOperators: Rule = function* (given): Generator<Problem> {
  for (const { path: of, expressions } of selectorsOf(given))
    for (const [index, { operator, values = [] }] of indexed(expressions)) {
      const path = [...of, 'matchExpressions', index];
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

export const selectorLabelsAreLabels: Rule = function* (given): Generator<Problem> {
  for (const { path: selector, of, field, equal, expressions } of selectorsOf(given)) {
    const a = of === 'label' ? 'a label' : 'an annotation';
    // The server does not mind capitals in the prefix of an annotation, and takes any text for its value.
    const isKey = (key: string): boolean => isLabelKey(of === 'label' ? key : key.toLowerCase());
    const isValue = (value: string): boolean => of === 'annotation' || isLabelValue(value);
    for (const [key, value] of Object.entries(equal)) {
      const path = [...selector, field, key];
      if (!isKey(key)) yield badLabel(path, `"${key}" is not ${a} key`, 'key');
      if (value !== undefined && !isValue(value)) yield badLabel(path, `"${value}" is not ${a} value`);
    }
    for (const [index, { key, values }] of indexed(expressions)) {
      const path = [...selector, 'matchExpressions', index];
      if (key !== undefined && !isKey(key)) yield badLabel([...path, 'key'], `"${key}" is not ${a} key`);
      for (const [at, value] of indexed(values)) {
        if (!isValue(value)) yield badLabel([...path, 'values', at], `"${value}" is not ${a} value`);
      }
    }
  }
};

function badLabel(path: DocumentPath, summary: string, part?: 'key'): Problem {
  const hint =
    'Letters, digits, "-", "_" and ".", at most 63 characters; it starts and ends with a letter or digit. ' +
    'A key may have a DNS name and "/" before it.';
  return { code: 'invalid-value', path, ...(part ? { part } : {}), summary, hint };
}
