// The fields of x-kubernetes-validations, apart from whether the rule itself compiles.

import type { JsonObject } from '../../kit/json.ts';
import { type FieldProblem, invalidValue, required, unsupportedValue } from '../field-problem.ts';
import { findFieldPath } from './field-path.ts';
import { schemasAt, textAt } from './schema-parts.ts';

const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];
const hasLineBreak = (text: string): boolean => /[\n\r]/.test(text);

export function ruleFieldProblems(schema: JsonObject, path: string): FieldProblem[] {
  return schemasAt(schema['x-kubernetes-validations']).flatMap((rule, index) => {
    const at = `${path}.x-kubernetes-validations[${index}]`;
    return [
      ...messageProblems(rule, at),
      ...(textAt(rule['messageExpression']) !== '' && textAt(rule['messageExpression']).trim() === ''
        ? [required(`${at}.messageExpression`, 'messageExpression must be non-empty if specified')]
        : []),
      ...reasonProblems(rule, at),
      ...fieldPathProblems(schema, rule, at),
    ];
  });
}

function messageProblems(rule: JsonObject, at: string): FieldProblem[] {
  const text = textAt(rule['rule']).trim();
  const message = textAt(rule['message']);
  if (text === '') return [required(`${at}.rule`, 'rule is not specified')];
  if (message !== '' && message.trim() === '')
    return [invalidValue(`${at}.message`, message, 'must be non-empty if specified')];
  if (hasLineBreak(message.trim())) return [invalidValue(`${at}.message`, message, 'must not contain line breaks')];
  return hasLineBreak(text) && message.trim() === ''
    ? [required(`${at}.message`, 'message must be specified if rule contains line breaks')]
    : [];
}

function reasonProblems(rule: JsonObject, at: string): FieldProblem[] {
  const reason = rule['reason'];
  if (typeof reason !== 'string' || REASONS.includes(reason)) return [];
  return [unsupportedValue(`${at}.reason`, reason, REASONS)];
}

function fieldPathProblems(schema: JsonObject, rule: JsonObject, at: string): FieldProblem[] {
  const fieldPath = textAt(rule['fieldPath']);
  if (fieldPath === '') return [];
  const field = `${at}.fieldPath`;
  const problems: FieldProblem[] = [];
  if (fieldPath.trim() === '') problems.push(invalidValue(field, fieldPath, 'must be non-empty if specified'));
  if (hasLineBreak(fieldPath)) problems.push(invalidValue(field, fieldPath, 'must not contain line breaks'));
  if ('problem' in findFieldPath(fieldPath, schema, { brackets: true })) {
    problems.push(invalidValue(field, fieldPath, 'must be a valid path'));
  }
  return problems;
}
