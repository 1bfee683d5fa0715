// Is a schema structural: every field has a type, and value validation (anyOf, not …) says nothing about the structure?
// Sorted by text, as the server does it.

import { type JsonObject, type JsonValue, jsonEqual } from '../../kit/json.ts';
import { type FieldProblem, forbiddenField, invalidValue, required } from '../field-problem.ts';
import { goPattern } from '../validate/go-pattern.ts';
import { completenessProblems } from './completeness.ts';
import { entriesAt, isGiven, schemaAt, schemasAt, textAt } from './schema-parts.ts';

type Level = 'root' | 'item' | 'field';

const INT_OR_STRING = [{ type: 'integer' }, { type: 'string' }];
const WHERE: Readonly<Record<Level, string>> = {
  root: 'at the root',
  item: 'for specified array items',
  field: 'for specified object fields',
};

export function structuralProblems(schema: JsonObject, path: string): FieldProblem[] {
  const problems = [...invariantProblems(schema, 'root', path), ...completenessProblems(schema, path)];
  const text = (problem: FieldProblem): string => `${problem.field}: ${problem.message}`;
  return problems.sort((a, b) => (text(a) < text(b) ? -1 : 1));
}

function invariantProblems(schema: JsonObject, level: Level, path: string): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const items = schemaAt(schema['items']);
  if (schema['type'] === 'array' && !items) problems.push(required(`${path}.items`, 'must be specified'));
  if (items) problems.push(...invariantProblems(items, 'item', `${path}.items`));
  for (const [name, property] of entriesAt(schema['properties'])) {
    problems.push(...invariantProblems(property, 'field', `${path}.properties[${name}]`));
  }
  const additional = schemaAt(schema['additionalProperties']);
  if (isGiven(schema['additionalProperties']) && level === 'root') {
    problems.push(forbiddenField(`${path}.additionalProperties`, 'must not be used at the root'));
  }
  if (additional) problems.push(...invariantProblems(additional, 'field', `${path}.additionalProperties`));
  return [
    ...problems,
    ...extensionProblems(schema, path),
    ...valueProblems(schema, path, {
      anyOf: jsonEqual(schema['anyOf'] ?? null, INT_OR_STRING),
      first: jsonEqual(schemasAt(schema['allOf'])[0]?.['anyOf'] ?? null, INT_OR_STRING),
    }),
    ...typeProblems(schema, level, path),
    ...metaProblems(schema, level, path),
  ];
}

function extensionProblems(schema: JsonObject, path: string): FieldProblem[] {
  if (schema['x-kubernetes-int-or-string'] !== true) return [];
  return ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource']
    .filter((name) => schema[name] === true)
    .map((name) => invalidValue(`${path}.${name}`, true, 'must be false if x-kubernetes-int-or-string is true'));
}

function typeProblems(schema: JsonObject, level: Level, path: string): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const type = textAt(schema['type']);
  const field = `${path}.type`;
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  const preserves = schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (embedded && type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true';
    problems.push(type === '' ? required(field, detail) : invalidValue(field, type, detail));
  } else if (type === '' && schema['x-kubernetes-int-or-string'] !== true && !preserves) {
    problems.push(required(field, `must not be empty ${WHERE[level]}`));
  }
  if (embedded && isGiven(schema['additionalProperties'])) {
    const detail = 'must not be used if x-kubernetes-embedded-resource is set';
    problems.push(forbiddenField(`${path}.additionalProperties`, detail));
  }
  if (level === 'root' && type !== '' && type !== 'object') {
    problems.push(invalidValue(field, type, 'must be object at the root'));
  }
  if (embedded && !preserves && entriesAt(schema['properties']).length === 0) {
    const detail =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    problems.push(required(`${path}.properties`, detail));
  }
  return problems;
}

/** kind, apiVersion and metadata of a resource. */
function metaProblems(schema: JsonObject, level: Level, path: string): FieldProblem[] {
  const isResource = level === 'root' || schema['x-kubernetes-embedded-resource'] === true;
  const properties = schemaAt(schema['properties']) ?? {};
  const problems: FieldProblem[] = [];
  for (const name of ['kind', 'apiVersion']) {
    const property = schemaAt(properties[name]);
    const type = textAt(property?.['type']);
    if (property && isResource && type !== 'string') {
      problems.push(invalidValue(`${path}.properties[${name}].type`, type, 'must be string'));
    }
  }
  const metadata = schemaAt(properties['metadata']);
  if (!metadata || !isResource) return problems;
  const field = `${path}.properties[metadata]`;
  const type = textAt(metadata['type']);
  if (type !== 'object') problems.push(invalidValue(`${field}.type`, type, 'must be object'));
  if (level === 'root' && saysMoreThanNames(metadata)) {
    const detail = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
    problems.push(forbiddenField(field, detail));
  }
  return problems;
}

function saysMoreThanNames(metadata: JsonObject): boolean {
  const { type: _type, default: _default, properties, ...rest } = metadata;
  const names = entriesAt(properties).map(([name]) => name);
  return Object.keys(rest).length > 0 || names.some((name) => name !== 'name' && name !== 'generateName');
}

/** Parts of value validation that are not looked into: the usual ways to write int-or-string. */
interface Skipped {
  readonly anyOf: boolean;
  /** anyOf of the first allOf. */
  readonly first: boolean;
}

const NOTHING_SKIPPED: Skipped = { anyOf: false, first: false };

function valueProblems(schema: JsonObject, path: string, skipped: Skipped): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const nested = (key: string, skip: (index: number) => Skipped): void => {
    schemasAt(schema[key]).forEach((one, index) => {
      problems.push(...nestedProblems(one, `${path}.${key}[${index}]`, skip(index)));
    });
  };
  if (!skipped.anyOf) nested('anyOf', () => NOTHING_SKIPPED);
  nested('allOf', (index) => ({ anyOf: skipped.first && index === 0, first: false }));
  nested('oneOf', () => NOTHING_SKIPPED);
  const not = schemaAt(schema['not']);
  if (not) problems.push(...nestedProblems(not, `${path}.not`, NOTHING_SKIPPED));
  const pattern = textAt(schema['pattern']);
  const read = pattern === '' ? undefined : goPattern(pattern);
  if (read && 'problem' in read) {
    const detail = `must be a valid regular expression, but isn't: ${read.problem}`;
    problems.push(invalidValue(`${path}.pattern`, pattern, detail));
  }
  return problems;
}

type Rule = readonly [key: string, isUsed: (value: JsonValue | undefined) => boolean, detail: string];
const isTrue = (value: JsonValue | undefined): boolean => value === true;
const isText = (value: JsonValue | undefined): boolean => textAt(value) !== '';
const isFilled = (value: JsonValue | undefined): boolean => Array.isArray(value) && value.length > 0;

const FORBIDDEN: readonly Rule[] = [
  ['type', isText, 'must be empty to be structural'],
  ['additionalProperties', (value) => isGiven(value) && value !== false, 'must be undefined to be structural'],
  ['default', isGiven, 'must be undefined to be structural'],
  ['title', isText, 'must be empty to be structural'],
  ['description', isText, 'must be empty to be structural'],
  ['nullable', isTrue, 'must be false to be structural'],
  ['x-kubernetes-preserve-unknown-fields', isTrue, 'must be false to be structural'],
  ['x-kubernetes-embedded-resource', isTrue, 'must be false to be structural'],
  ['x-kubernetes-int-or-string', isTrue, 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', isFilled, 'must be empty to be structural'],
  ['x-kubernetes-list-type', isGiven, 'must be undefined to be structural'],
  ['x-kubernetes-map-type', isGiven, 'must be undefined to be structural'],
  ['x-kubernetes-validations', isFilled, 'must be empty to be structural'],
];

function nestedProblems(schema: JsonObject, path: string, skipped: Skipped): FieldProblem[] {
  const problems = valueProblems(schema, path, skipped);
  const items = schemaAt(schema['items']);
  if (items) problems.push(...nestedProblems(items, `${path}.items`, NOTHING_SKIPPED));
  for (const [name, property] of entriesAt(schema['properties'])) {
    problems.push(...nestedProblems(property, `${path}.properties[${name}]`, NOTHING_SKIPPED));
  }
  for (const [key, isUsed, detail] of FORBIDDEN) {
    if (isUsed(schema[key])) problems.push(forbiddenField(`${path}.${key}`, detail));
  }
  if (schemaAt(schemaAt(schema['properties'])?.['metadata'])) {
    problems.push(forbiddenField(`${path}.properties[metadata]`, 'must not be specified in a nested context'));
  }
  return problems;
}
