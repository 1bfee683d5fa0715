// One violation of the schema as a problem: what is wrong, and what to write instead.

import { type JsonObject, type JsonValue, stringifyJson } from '../../kit/json.ts';
import { formatPath } from '../../kit/path.ts';
import { nearest } from '../../kit/suggest.ts';
import type { DocumentPath } from '../parse/document.ts';
import type { Problem } from '../problem.ts';
import { placesOf } from './misplaced.ts';
import type { FieldSchema } from './types.ts';
import type { Violation } from './violation.ts';

export function explain(violation: Violation, root: FieldSchema): Problem {
  switch (violation.keyword) {
    case 'additionalProperties':
      return unknownField(violation, root);
    case 'required':
      return missingField(violation);
    case 'type':
      return wrongType(violation);
    case 'x-metactl-unsupported':
      return unsupported(violation, violation.schema['x-metactl-unsupported'] ?? '');
    case 'x-metactl-unsupported-values':
      return unsupported(violation, `${nameOf(violation.path)} ${quote(violation.value)}`);
    case 'x-metactl-unused':
      return unused(violation);
    default:
      return invalidValue(violation);
  }
}

function unknownField({ path, params, schema, value }: Violation, root: FieldSchema): Problem {
  const name = params['additionalProperty'] as string;
  const known = Object.keys(schema.properties ?? {});
  const full = [...path, name];
  return {
    code: 'unknown-field',
    path: full,
    part: 'key',
    summary: `Unknown field ${formatPath(full)}`,
    hint: adviceForUnknown(name, path, { known, root, siblings: Object.keys(value as JsonObject) }),
  };
}

function adviceForUnknown(
  name: string,
  path: DocumentPath,
  { known, root, siblings }: { known: readonly string[]; root: FieldSchema; siblings: readonly string[] },
): string {
  const similar = nearest(name, known);
  if (similar) return `Did you mean "${similar}"?`;
  const places = placesOf(root, name, path);
  const present = places.filter((place) => place.length <= path.length || siblings.includes(String(place.at(-1))));
  const elsewhere = present.length > 0 ? present : places;
  if (elsewhere.length > 0) return `It belongs in ${elsewhere.map(formatPath).join(' or ')}.`;
  return `Known here: ${known.join(', ')}.`;
}

function missingField({ path, params, schema }: Violation): Problem {
  const name = params['missingProperty'] as string;
  const field = schema.properties?.[name];
  return {
    code: 'missing-field',
    path,
    part: 'key',
    summary: `${path.length === 0 ? 'The definition' : formatPath(path)} has no ${name}`,
    ...(field ? { hint: `Add ${exampleOf(name, field)}` } : {}),
  };
}

function exampleOf(name: string, field: FieldSchema): string {
  const value = field.examples?.[0] ?? field.const ?? field.enum?.[0];
  if (value === undefined) return `${name}: ${field.description}`;
  return `"${name}: ${typeof value === 'string' ? value : stringifyJson(value)}".`;
}

const A_TYPE: Readonly<Record<string, string>> = {
  object: 'a map of fields',
  array: 'a list',
  string: 'a text',
  integer: 'a whole number',
  boolean: 'true or false',
};

function wrongType({ path, schema, params, value }: Violation): Problem {
  const type = params['type'] as string;
  const given = value === null ? 'empty' : describe(value);
  return {
    code: 'wrong-type',
    path,
    summary: `${formatPath(path)} must be ${A_TYPE[type] ?? type}; it is ${given}`,
    hint: adviceForType({ type, value, schema, name: nameOf(path) }),
  };
}

function adviceForType(at: { type: string; value: JsonValue | undefined; schema: FieldSchema; name: string }): string {
  const { type, value, schema, name } = at;
  const isScalar = typeof value !== 'object';
  if (name === 'timeout' && typeof value === 'number') return `Write a duration with its unit: "${value}s".`;
  if (type === 'string' && isScalar) return `Put it in quotes: ${name}: "${wordFor(value)}".`;
  if (type === 'array' && value !== null) return `Write a list: ${name}: ${asList(name, value ?? null)}.`;
  if (type === 'integer' && typeof value === 'string' && /^-?\d+$/.test(value)) return `Write ${value} without quotes.`;
  if (type === 'boolean' && typeof value === 'string') return 'Write true or false without quotes.';
  if (value === null) return `Give it a value or remove it; is what follows "${name}:" indented?`;
  if (type === 'object' && schema.properties) return `Fields: ${Object.keys(schema.properties).join(', ')}.`;
  return `Write ${A_TYPE[type] ?? type}.`;
}

/** A command line is one item a word, or it would be the name of a program with spaces in it. */
function asList(name: string, value: JsonValue): string {
  const isCommandLine = name === 'command' && typeof value === 'string' && !/["'\\$]/.test(value);
  const items = isCommandLine ? value.trim().split(/\s+/) : [value];
  return `[${items.map((item) => stringifyJson(item)).join(', ')}]`;
}

/** YAML turned `status: True` into a boolean: conditions are written with a capital. */
function wordFor(value: JsonValue | undefined): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return String(value);
}

function unsupported({ path }: Violation, what: string): Problem {
  return {
    code: 'unsupported',
    path,
    part: 'key',
    summary: `${formatPath(path)}: this version of metactl does not support ${what}`,
    hint: 'Remove it, or use a version that has it; metactl never leaves a field out silently.',
  };
}

function unused({ path, schema }: Violation): Problem {
  return {
    severity: 'warning',
    code: 'ineffective',
    path,
    part: 'key',
    summary: `${formatPath(path)} has no effect: ${schema['x-metactl-unused']}`,
    hint: 'Remove it.',
  };
}

function invalidValue({ keyword, path, params, schema, value }: Violation): Problem {
  const name = formatPath(path);
  const problem = (summary: string, hint: string): Problem => ({ code: 'invalid-value', path, summary, hint });
  switch (keyword) {
    case 'enum':
      return problem(`${name} can not be ${quote(value)}`, adviceForEnum(schema.enum ?? [], value));
    case 'const':
      return problem(`${name} can not be ${quote(value)}`, `Write ${quote(schema.const)}.`);
    case 'minLength':
      return problem(`${name} is empty`, adviceForEmpty(schema));
    case 'minItems':
      return problem(`${name} is empty`, adviceForEmpty(schema));
    case 'maxLength':
      return problem(`${name} is longer than ${params['limit']} characters`, 'Shorten it.');
    case 'minimum':
      return problem(`${name} is ${String(value)}; the smallest is ${params['limit']}`, 'Write a larger number.');
    case 'maximum':
      return problem(`${name} is ${String(value)}; the largest is ${params['limit']}`, 'Write a smaller number.');
    default:
      return problem(`${name} is not valid (${keyword})`, schema.description ?? '');
  }
}

function adviceForEnum(values: readonly string[], value: JsonValue | undefined): string {
  const similar = typeof value === 'string' ? nearest(value, values) : undefined;
  return similar ? `Did you mean "${similar}"?` : `Write one of: ${values.join(', ')}.`;
}

function adviceForEmpty(schema: FieldSchema): string {
  const example = schema.examples?.[0];
  return example === undefined ? 'Give it a value or remove it.' : `Write for example ${stringifyJson(example)}.`;
}

function describe(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  if (typeof value === 'string') return `the text ${quote(value)}`;
  return typeof value === 'boolean' ? `${value}` : `the number ${String(value)}`;
}

function quote(value: JsonValue | undefined): string {
  const text = typeof value === 'string' ? value : stringifyJson(value ?? null);
  return `"${text.length > 60 ? `${text.slice(0, 60)}…` : text}"`;
}

function nameOf(path: DocumentPath): string {
  return String(path.findLast((element) => typeof element === 'string') ?? '');
}
