// A schema as the validator wants it: read once, patterns compiled, formats that nobody checks left out.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../kit/json.ts';
import { formatCheck } from './formats.ts';
import { goPattern } from './go-pattern.ts';

export interface ValueSchema {
  /** Allowed JSON types; none: any. */
  readonly types: readonly string[];
  readonly nullable: boolean;
  readonly format: string;
  readonly checksFormat: ((text: string) => boolean) | undefined;
  readonly enum: readonly JsonValue[] | undefined;
  readonly numbers: NumberLimits | undefined;
  readonly strings: StringLimits | undefined;
  readonly lists: ListLimits | undefined;
  readonly maps: MapLimits | undefined;
  readonly allOf: readonly ValueSchema[];
  readonly anyOf: readonly ValueSchema[];
  readonly oneOf: readonly ValueSchema[];
  readonly not: ValueSchema | undefined;
  readonly items: ValueSchema | undefined;
  readonly properties: readonly (readonly [name: string, schema: ValueSchema])[];
  readonly declared: ReadonlySet<string>;
  /** A schema for every other property; false: there may be none. */
  readonly additional: ValueSchema | false | undefined;
  readonly required: readonly string[];
}

export interface NumberLimits {
  readonly multipleOf?: number;
  readonly maximum?: number;
  readonly minimum?: number;
  readonly exclusiveMaximum: boolean;
  readonly exclusiveMinimum: boolean;
  /** "integer", "number" or "" where the schema allows several types; formats count only where it is clear. */
  readonly type: string;
}

export interface StringLimits {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?:
    | { readonly text: string; readonly regexp: RegExp }
    | { readonly text: string; readonly problem: string };
}

export interface ListLimits {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly unique: boolean;
}

export interface MapLimits {
  readonly minimum?: number;
  readonly maximum?: number;
}

const read = new WeakMap<JsonObject, ValueSchema>();

/** The same one for the same (immutable) schema. */
export function valueSchemaOf(schema: JsonObject): ValueSchema {
  const known = read.get(schema);
  if (known) return known;
  const made = readSchema(schema);
  read.set(schema, made);
  return made;
}

function readSchema(schema: JsonObject): ValueSchema {
  const types = typesOf(schema);
  const format = usedFormat(types, schema['format']);
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const entries = Object.keys(properties).flatMap((name) => {
    const property = properties[name];
    return isJsonObject(property) ? [[name, valueSchemaOf(property)] as const] : [];
  });
  return {
    types,
    nullable: schema['nullable'] === true,
    format,
    checksFormat: format === '' ? undefined : formatCheck(format),
    enum: isJsonArray(schema['enum']) && schema['enum'].length > 0 ? schema['enum'] : undefined,
    numbers: numberLimits(schema, types, format),
    strings: stringLimits(schema),
    lists: listLimits(schema),
    maps: mapLimits(schema),
    allOf: schemasOf(schema['allOf']),
    anyOf: schemasOf(schema['anyOf']),
    oneOf: schemasOf(schema['oneOf']),
    not: isJsonObject(schema['not']) ? valueSchemaOf(schema['not']) : undefined,
    items: isJsonObject(schema['items']) ? valueSchemaOf(schema['items']) : undefined,
    properties: entries,
    declared: new Set(entries.map(([name]) => name)),
    additional: additionalOf(schema['additionalProperties']),
    required: isJsonArray(schema['required']) ? schema['required'].filter((name) => typeof name === 'string') : [],
  };
}

function typesOf(schema: JsonObject): readonly string[] {
  if (schema['x-kubernetes-int-or-string'] === true) return ['integer', 'string'];
  return typeof schema['type'] === 'string' && schema['type'] !== '' ? [schema['type']] : [];
}

const NUMBER_FORMATS: Readonly<Record<string, readonly string[]>> = {
  integer: ['int32', 'int64'],
  number: ['float', 'double'],
};

/** The format where something checks it, else "". */
function usedFormat(types: readonly string[], format: JsonValue | undefined): string {
  if (typeof format !== 'string' || format === '') return '';
  const type = types.length === 1 ? (types[0] ?? '') : '';
  if (type === '' || type === 'string') return formatCheck(format) ? format : '';
  return NUMBER_FORMATS[type]?.includes(format) ? format : '';
}

const numberAt = (value: JsonValue | undefined): number | undefined =>
  typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;

const given = <K extends string>(key: K, value: JsonValue | undefined): { readonly [P in K]?: number } => {
  const number = numberAt(value);
  return (number === undefined ? {} : { [key]: number }) as { readonly [P in K]?: number };
};

function numberLimits(schema: JsonObject, types: readonly string[], format: string): NumberLimits | undefined {
  const limits = {
    ...given('multipleOf', schema['multipleOf']),
    ...given('maximum', schema['maximum']),
    ...given('minimum', schema['minimum']),
  };
  const [type = ''] = types;
  const isNumeric = types.length === 1 && (type === 'integer' || type === 'number');
  if (Object.keys(limits).length === 0 && !isNumeric && format === '') return undefined;
  return {
    ...limits,
    exclusiveMaximum: schema['exclusiveMaximum'] === true,
    exclusiveMinimum: schema['exclusiveMinimum'] === true,
    type: isNumeric ? type : '',
  };
}

function stringLimits(schema: JsonObject): StringLimits | undefined {
  const text = schema['pattern'];
  const pattern = typeof text === 'string' && text !== '' ? { pattern: { text, ...goPattern(text) } } : {};
  const limits = { ...given('minimum', schema['minLength']), ...given('maximum', schema['maxLength']), ...pattern };
  return Object.keys(limits).length === 0 ? undefined : limits;
}

function listLimits(schema: JsonObject): ListLimits | undefined {
  const limits = { ...given('minimum', schema['minItems']), ...given('maximum', schema['maxItems']) };
  const unique = schema['uniqueItems'] === true;
  return Object.keys(limits).length === 0 && !unique ? undefined : { ...limits, unique };
}

function mapLimits(schema: JsonObject): MapLimits | undefined {
  const limits = { ...given('minimum', schema['minProperties']), ...given('maximum', schema['maxProperties']) };
  return Object.keys(limits).length === 0 ? undefined : limits;
}

function schemasOf(value: JsonValue | undefined): readonly ValueSchema[] {
  return isJsonArray(value) ? value.filter(isJsonObject).map(valueSchemaOf) : [];
}

function additionalOf(value: JsonValue | undefined): ValueSchema | false | undefined {
  if (value === false) return false;
  return isJsonObject(value) ? valueSchemaOf(value) : undefined;
}
