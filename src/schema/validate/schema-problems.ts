// The door of the validator: problems of a value by its openAPIV3Schema, as the server reports them.

import type { JsonObject, JsonValue } from '../../kit/json.ts';
import type { FieldProblem } from '../field-problem.ts';
import { structuralOf } from '../structural/structural.ts';
import { Correlated } from './correlate.ts';
import { validateValue } from './validate-value.ts';
import { valueSchemaOf } from './value-schema.ts';

/** `base`: the path of the value in its object; "" for a whole object. */
export function schemaProblems(schema: JsonObject, value: JsonValue, base = ''): FieldProblem[] {
  return validateValue(valueSchemaOf(schema), value, { path: '' }).errors.map(({ problem }) => problem(base));
}

/** The same for an update: what is invalid and was the same before is let through. */
export function updateSchemaProblems(
  schema: JsonObject,
  states: { readonly before: JsonValue | undefined; readonly after: JsonValue },
  base = '',
): FieldProblem[] {
  const { before, after } = states;
  const found = schemaProblems(schema, after, base);
  if (found.length === 0 || before === undefined) return found;
  const correlated = new Correlated(structuralOf(schema), after, before);
  const result = validateValue(valueSchemaOf(schema), after, { path: '', correlated });
  // Whatever is wrong with the whole, it was accepted like this before.
  return correlated.isUnchanged() ? [] : result.errors.map(({ problem }) => problem(base));
}
