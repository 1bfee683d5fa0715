// x-kubernetes-list-type, x-kubernetes-list-map-keys and x-kubernetes-map-type of one schema.

import { isJsonArray, type JsonObject } from '../../kit/json.ts';
import { type FieldProblem, forbiddenField, invalidValue, required, unsupportedValue } from '../field-problem.ts';
import { isGiven, schemaAt, textAt, textsAt } from './schema-parts.ts';

const LIST_TYPE = 'x-kubernetes-list-type';
const MAP_TYPE = 'x-kubernetes-map-type';
const MAP_KEYS = 'x-kubernetes-list-map-keys';

export function listAndMapProblems(schema: JsonObject, path: string): FieldProblem[] {
  return [
    ...typeProblems(schema, path, MAP_TYPE, 'object'),
    ...supported(schema, path, MAP_TYPE, ['atomic', 'granular']),
    ...(isGiven(schema[LIST_TYPE]) && schema['type'] !== 'array'
      ? typeProblems(schema, path, LIST_TYPE, 'array')
      : setProblems(schema, path)),
    ...supported(schema, path, LIST_TYPE, ['atomic', 'set', 'map']),
    ...keysProblems(schema, path),
    ...(schema[LIST_TYPE] === 'map' ? mapListProblems(schema, path) : []),
    ...keyFieldProblems(schema, path),
  ];
}

function typeProblems(schema: JsonObject, path: string, extension: string, type: string): FieldProblem[] {
  const given = textAt(schema['type']);
  if (!isGiven(schema[extension]) || given === type) return [];
  const detail = `must be ${type} if ${extension} is specified`;
  return [given === '' ? required(`${path}.type`, detail) : invalidValue(`${path}.type`, given, detail)];
}

function supported(schema: JsonObject, path: string, extension: string, values: readonly string[]): FieldProblem[] {
  const given = schema[extension];
  if (typeof given !== 'string' || values.includes(given)) return [];
  return [unsupportedValue(`${path}.${extension}`, given, values)];
}

function setProblems(schema: JsonObject, path: string): FieldProblem[] {
  const items = schemaAt(schema['items']);
  if (schema[LIST_TYPE] !== 'set' || !items) return [];
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  const own = items[LIST_TYPE] ?? null;
  if (items['type'] === 'array' && own !== null && own !== 'atomic') {
    return [invalidValue(`${path}.items.${LIST_TYPE}`, own, detail)];
  }
  if (items['type'] !== 'object' || items[MAP_TYPE] === 'atomic') return [];
  return [invalidValue(`${path}.items.${MAP_TYPE}`, own, detail)];
}

function keysProblems(schema: JsonObject, path: string): FieldProblem[] {
  const type = schema[LIST_TYPE];
  if (textsAt(schema[MAP_KEYS]).length === 0 || type === 'map') return [];
  const detail = 'must be map if x-kubernetes-list-map-keys is non-empty';
  const field = `${path}.${LIST_TYPE}`;
  return [isGiven(type) ? invalidValue(field, type, detail) : required(field, detail)];
}

function mapListProblems(schema: JsonObject, path: string): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const keys = textsAt(schema[MAP_KEYS]);
  const field = `${path}.${MAP_KEYS}`;
  if (keys.length === 0) problems.push(required(field, 'must not be empty if x-kubernetes-list-type is map'));
  const items = schemaAt(schema['items']);
  if (!isGiven(schema['items'])) {
    problems.push(required(`${path}.items`, 'must have a schema if x-kubernetes-list-type is map'));
  } else if (isJsonArray(schema['items'])) {
    const detail = 'must only have a single schema if x-kubernetes-list-type is map';
    problems.push(invalidValue(`${path}.items`, schema['items'], detail));
  }
  if (!items) return problems;
  const type = textAt(items['type']);
  if (type !== 'object') {
    const detail = "must be object if parent array's x-kubernetes-list-type is map";
    return [...problems, invalidValue(`${path}.items.type`, type, detail)];
  }
  const properties = schemaAt(items['properties']) ?? {};
  keys.forEach((key, index) => {
    const property = schemaAt(properties[key]);
    if (!property) problems.push(invalidValue(field, keys, 'entries must all be names of item properties'));
    else if (property['type'] === 'array' || property['type'] === 'object') {
      const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      problems.push(invalidValue(`${path}.items.properties[${key}].type`, type, detail));
    }
    if (keys.indexOf(key) < index) problems.push(invalidValue(field, keys, 'must not contain duplicate entries'));
  });
  return problems;
}

/** Items and key fields may not be null, and key fields not absent. */
function keyFieldProblems(schema: JsonObject, path: string): FieldProblem[] {
  const items = schemaAt(schema['items']);
  const type = schema[LIST_TYPE];
  if (!items || (type !== 'set' && type !== 'map')) return [];
  const problems: FieldProblem[] = [];
  if (items['nullable'] === true) {
    problems.push(
      forbiddenField(`${path}.items.nullable`, `cannot be nullable when x-kubernetes-list-type is ${type}`),
    );
  }
  const properties = schemaAt(items['properties']) ?? {};
  for (const key of type === 'map' ? textsAt(schema[MAP_KEYS]) : []) {
    const property = schemaAt(properties[key]);
    if (!property) continue;
    const at = `${path}.items.properties[${key}]`;
    const why = 'this property is in x-kubernetes-list-map-keys, so it';
    if (!textsAt(items['required']).includes(key) && !isGiven(property['default'])) {
      problems.push(required(`${at}.default`, `${why} must have a default or be a required property`));
    }
    if (property['nullable'] === true) problems.push(forbiddenField(`${at}.nullable`, `${why} cannot be nullable`));
  }
  return problems;
}
