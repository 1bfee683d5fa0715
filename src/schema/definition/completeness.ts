// What the value validation of the root (allOf, anyOf, oneOf, not) names must be in its structure. Only the root's is looked at,
// as in the server.

import type { JsonObject } from '../../kit/json.ts';
import { type FieldProblem, required } from '../field-problem.ts';
import { entriesAt, schemaAt, schemasAt } from './schema-parts.ts';

interface Place {
  readonly structure: JsonObject | undefined;
  /** Of the structure, and of the validation. */
  readonly at: string;
  readonly from: string;
}

export function completenessProblems(schema: JsonObject, path: string): FieldProblem[] {
  return junctorProblems(schema, { structure: schema, at: path, from: path });
}

function junctorProblems(validation: JsonObject, place: Place): FieldProblem[] {
  const not = schemaAt(validation['not']);
  const problems = not ? nestedProblems(not, { ...place, from: `${place.from}.not` }) : [];
  for (const key of ['allOf', 'anyOf', 'oneOf']) {
    schemasAt(validation[key]).forEach((one, index) => {
      problems.push(...nestedProblems(one, { ...place, from: `${place.from}.${key}[${index}]` }));
    });
  }
  return problems;
}

function nestedProblems(validation: JsonObject, place: Place): FieldProblem[] {
  const { structure, at, from } = place;
  if (!structure) return [required(at, `because it is defined in ${from}`)];
  const problems = junctorProblems(validation, place);
  const items = schemaAt(validation['items']);
  if (items) {
    const inside = { structure: schemaAt(structure['items']), at: `${at}.items`, from: `${from}.items` };
    problems.push(...nestedProblems(items, inside));
  }
  const properties = schemaAt(structure['properties']) ?? {};
  for (const [name, property] of entriesAt(validation['properties'])) {
    const inside = {
      structure: schemaAt(properties[name]),
      at: `${at}.properties[${name}]`,
      from: `${from}.properties[${name}]`,
    };
    problems.push(...nestedProblems(property, inside));
  }
  return problems;
}
