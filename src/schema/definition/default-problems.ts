// Defaults of a schema must be valid by it, and have no fields that it does not know.

import { type JsonObject, type JsonValue, jsonEqual } from '../../kit/json.ts';
import { type FieldProblem, invalidValue } from '../field-problem.ts';
import { pruneUnknown } from '../structural/prune.ts';
import { type Structural, structuralOf } from '../structural/structural.ts';
import { schemaProblems } from '../validate/schema-problems.ts';

/** Problems of embedded objects in a default. */
export type CheckEmbedded = (schema: Structural, value: JsonValue, path: string) => FieldProblem[];

export function defaultProblems(schema: JsonObject, path: string, checkEmbedded: CheckEmbedded): FieldProblem[] {
  return problemsOf(structuralOf(schema), path, checkEmbedded);
}

function problemsOf(schema: Structural, path: string, checkEmbedded: CheckEmbedded): FieldProblem[] {
  if (!schema.has.defaults) return [];
  const problems = schema.default === undefined ? [] : ownProblems(schema, schema.default, path, checkEmbedded);
  if (schema.items) problems.push(...problemsOf(schema.items, `${path}.items`, checkEmbedded));
  for (const [name, property] of schema.properties) {
    problems.push(...problemsOf(property, `${path}.properties[${name}]`, checkEmbedded));
  }
  return problems;
}

function ownProblems(schema: Structural, value: JsonValue, path: string, checkEmbedded: CheckEmbedded): FieldProblem[] {
  const field = `${path}.default`;
  const pruned = pruneUnknown(schema, value, schema.embedded).value;
  const problems = jsonEqual(pruned, value) ? [] : [invalidValue(field, value, 'must not have unknown fields')];
  const embedded = checkEmbedded(schema, value, field);
  return [...problems, ...(embedded.length > 0 ? embedded : schemaProblems(schema.source, value, field))];
}
