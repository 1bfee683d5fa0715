// Everything that the server checks of one openAPIV3Schema when a CRD is written, in its order.

import { isJsonArray, type JsonObject, stringifyJson } from '../../kit/json.ts';
import { type FieldProblem, forbiddenField, invalidValue, Shown } from '../field-problem.ts';
import { formatCheck } from '../validate/formats.ts';
import { type CheckEmbedded, defaultProblems } from './default-problems.ts';
import { givenFields, internalSchema } from './internal-schema.ts';
import { type CompileRules, openApiProblems } from './open-api-problems.ts';
import { isGiven, schemasIn, textAt } from './schema-parts.ts';
import { structuralProblems } from './structural-problems.ts';

export interface DefinitionChecks {
  /** The version has the status subresource, so the root may say little. */
  readonly hasStatus: boolean;
  readonly checkEmbedded: CheckEmbedded;
  readonly compileRules?: CompileRules | undefined;
}

/** `path`: of the field that holds openAPIV3Schema. */
export function definitionSchemaProblems(schema: JsonObject, path: string, checks: DefinitionChecks): FieldProblem[] {
  const at = `${path}.openAPIV3Schema`;
  const problems = checks.hasStatus ? statusRootProblems(schema, at) : [];
  if (schema['nullable'] === true)
    problems.push(forbiddenField(`${at}.nullable`, 'nullable cannot be true at the root'));
  const unreadable = unsupportedPart(schema);
  const structure = unreadable === undefined ? structureProblems(schema, at, checks) : [];
  problems.push(...structure);
  const compile = unreadable === undefined && structure.length === 0 ? checks.compileRules : undefined;
  problems.push(...openApiProblems(schema, at, compile));
  // It overlaps with what has just been looked at, and is told only where nothing else was.
  if (problems.length === 0 && unreadable !== undefined) problems.push(invalidValue(at, '', unreadable));
  return problems;
}

function structureProblems(schema: JsonObject, at: string, checks: DefinitionChecks): FieldProblem[] {
  const problems = structuralProblems(schema, at);
  return problems.length > 0 ? problems : defaultProblems(schema, at, checks.checkEmbedded);
}

const AT_ROOT = [
  'Description',
  'Type',
  'Format',
  'Title',
  'Maximum',
  'ExclusiveMaximum',
  'Minimum',
  'ExclusiveMinimum',
  'MaxLength',
  'MinLength',
  'Pattern',
  'MaxItems',
  'MinItems',
  'UniqueItems',
  'MultipleOf',
  'Required',
  'Items',
  'Properties',
  'ExternalDocs',
  'Example',
  'XPreserveUnknownFields',
  'XValidations',
];

/** The server validates a status by its own part of the schema: what the root says of it would be lost. */
function statusRootProblems(schema: JsonObject, at: string): FieldProblem[] {
  const problems: FieldProblem[] = [];
  for (const name of givenFields(schema)) {
    if (name === 'Type') {
      if (schema['type'] === 'object') continue;
      const detail =
        'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
      problems.push(invalidValue(`${at}.type`, textAt(schema['type']), detail));
      break;
    }
    if (AT_ROOT.includes(name)) continue;
    const detail = `only [${AT_ROOT.join(' ')}] fields are allowed at the root of the schema if the status subresource is enabled`;
    problems.push(invalidValue(at, new Shown(stringifyJson(internalSchema(schema))), detail));
    break;
  }
  return problems;
}

/** What no structural schema can be made of, in the server's words. */
function unsupportedPart(schema: JsonObject): string | undefined {
  for (const one of schemasIn(schema)) {
    const name = unsupportedName(one);
    if (name !== undefined) return `OpenAPIV3Schema '${name}' is not supported`;
    if (isJsonArray(one['items'])) return "OpenAPIV3Schema 'items' must be a schema, but is an array";
    if (one['x-kubernetes-preserve-unknown-fields'] === false) {
      return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
    }
  }
  return undefined;
}

function unsupportedName(schema: JsonObject): string | undefined {
  if (textAt(schema['id']) !== '') return 'id';
  if (textAt(schema['$schema']) !== '') return 'schema';
  if (textAt(schema['$ref']) !== '') return '$ref';
  const maps = ['patternProperties', 'dependencies', 'definitions'];
  const map = maps.find((key) => Object.keys(Object(schema[key] ?? {})).length > 0);
  return map ?? (isGiven(schema['additionalItems']) ? 'additionalItems' : undefined);
}

/** Formats that the server does not know, as often as they stand there. */
export function unknownFormats(schema: JsonObject): string[] {
  const found: string[] = [];
  for (const one of schemasIn(schema)) {
    const format = textAt(one['format']);
    if (format !== '' && !isKnownFormat(textAt(one['type']), format)) found.push(format);
  }
  return found;
}

function isKnownFormat(type: string, format: string): boolean {
  if (type === '' || type === 'string') return formatCheck(format) !== undefined;
  if (type === 'integer') return format === 'int32' || format === 'int64';
  return type === 'number' && (format === 'float' || format === 'double');
}
