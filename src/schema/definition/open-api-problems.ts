// Which parts of OpenAPI a CRD's schema may use, level by level. Rules (CEL) are compiled by the caller, where everything else
// about their level is right.

import { isJsonArray, type JsonObject } from '../../kit/json.ts';
import { type FieldProblem, forbiddenField, invalidValue, unsupportedValue } from '../field-problem.ts';
import { listAndMapProblems } from './list-problems.ts';
import { ruleFieldProblems } from './rule-problems.ts';
import { entriesAt, isGiven, schemaAt, schemasAt, textAt } from './schema-parts.ts';

/** Rules of one schema: problems of compiling them. `uncorrelated`: where oldSelf can't be told, the path that is why. */
export type CompileRules = (schema: JsonObject, path: string, uncorrelated: string | undefined) => FieldProblem[];

export interface OpenApiProblems {
  readonly schema: FieldProblem[];
  readonly rules: FieldProblem[];
}

interface Context {
  readonly isRoot: boolean;
  readonly insideMeta: boolean;
  /** Why there may be no defaults here. */
  readonly noDefaults: string | undefined;
  readonly uncorrelated: string | undefined;
  /** Absent: rules are not compiled here. */
  readonly compile: CompileRules | undefined;
}

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const META = new Set(['metadata', 'kind', 'apiVersion']);

export function openApiProblems(schema: JsonObject, path: string, compile?: CompileRules): FieldProblem[] {
  const context = { isRoot: true, insideMeta: false, noDefaults: undefined, uncorrelated: undefined, compile };
  const found = problemsOf(schema, path, context);
  return [...found.schema, ...found.rules];
}

function problemsOf(schema: JsonObject, path: string, context: Context): OpenApiProblems {
  const found: OpenApiProblems = { schema: ownProblems(schema, path, context), rules: [] };
  const add = (inside: JsonObject | undefined, at: string, change: Partial<Context> = {}): void => {
    if (!inside) return;
    const below = problemsOf(inside, at, { ...context, isRoot: false, ...change });
    found.schema.push(...below.schema);
    found.rules.push(...below.rules);
  };
  addStructure(schema, path, context, add);
  const noRules = { compile: undefined };
  add(schemaAt(schema['not']), `${path}.not`, noRules);
  for (const key of ['allOf', 'oneOf', 'anyOf']) {
    schemasAt(schema[key]).forEach((one, index) => {
      add(one, `${path}.${key}[${index}]`, noRules);
    });
  }
  for (const [name, one] of entriesAt(schema['definitions'])) add(one, `${path}.definitions[${name}]`, noRules);
  addItems(schema, path, context, add);
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    found.schema.push(invalidValue(`${path}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined'));
  }
  found.schema.push(...listAndMapProblems(schema, path), ...ruleFieldProblems(schema, path));
  if (found.schema.length === 0 && schemasAt(schema['x-kubernetes-validations']).length > 0 && context.compile) {
    found.rules.push(...context.compile(schema, path, context.uncorrelated));
  }
  return found;
}

type Add = (inside: JsonObject | undefined, at: string, change?: Partial<Context>) => void;

function addStructure(schema: JsonObject, path: string, context: Context, add: Add): void {
  const inMeta = context.insideMeta ? { noDefaults: ' inside additionalProperties applying to object metadata' } : {};
  add(schemaAt(schema['additionalProperties']), `${path}.additionalProperties`, inMeta);
  const isResource = context.isRoot || schema['x-kubernetes-embedded-resource'] === true;
  for (const [name, property] of entriesAt(schema['properties'])) {
    const isMeta = isResource && META.has(name);
    add(property, `${path}.properties[${name}]`, {
      ...(isMeta ? { insideMeta: true } : {}),
      ...(isMeta && context.isRoot ? { noDefaults: ` in top-level ${name}` } : {}),
    });
  }
}

function addItems(schema: JsonObject, path: string, context: Context, add: Add): void {
  const correlated = schema['x-kubernetes-list-type'] === 'map';
  const change = correlated ? {} : { uncorrelated: context.uncorrelated ?? path };
  add(schemaAt(schema['items']), `${path}.items`, change);
  schemasAt(schema['items']).forEach((one, index) => {
    add(one, `${path}.items[${index}]`, change);
  });
}

/** What is not supported in this schema itself. */
function ownProblems(schema: JsonObject, path: string, context: Context): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const type = textAt(schema['type']);
  const unsupported = (name: string): number =>
    problems.push(forbiddenField(`${path}.${name}`, `${name} is not supported`));
  if (type !== '' && !TYPES.includes(type)) problems.push(unsupportedValue(`${path}.type`, type, TYPES));
  if (isGiven(schema['default']) && context.noDefaults !== undefined) {
    problems.push(forbiddenField(`${path}.default`, `must not be set${context.noDefaults}`));
  }
  if (textAt(schema['id']) !== '') unsupported('id');
  if (isGiven(schema['additionalItems'])) unsupported('additionalItems');
  if (entriesAt(schema['patternProperties']).length > 0) unsupported('patternProperties');
  if (entriesAt(schema['definitions']).length > 0) unsupported('definitions');
  if (isGiven(schema['dependencies'])) unsupported('dependencies');
  if (isGiven(schema['$ref'])) unsupported('$ref');
  if (type === 'null') {
    problems.push(forbiddenField(`${path}.type`, 'type cannot be set to null, use nullable as an alternative'));
  }
  if (isJsonArray(schema['items']) && schema['items'].length > 0) {
    problems.push(forbiddenField(`${path}.items`, 'items must be a schema object and not an array'));
  }
  if (context.insideMeta && schema['x-kubernetes-embedded-resource'] === true) {
    const detail = 'must not be used inside of resource meta';
    problems.push(forbiddenField(`${path}.x-kubernetes-embedded-resource`, detail));
  }
  if (schema['uniqueItems'] === true) {
    const detail = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    problems.push(forbiddenField(`${path}.uniqueItems`, detail));
  }
  const additional = schema['additionalProperties'];
  if (isGiven(additional) && additional !== true && entriesAt(schema['properties']).length > 0) {
    const detail = 'additionalProperties and properties are mutual exclusive';
    problems.push(forbiddenField(`${path}.additionalProperties`, detail));
  }
  return problems;
}
