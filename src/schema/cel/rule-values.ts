// JSON → what rules see: integers as int, other numbers as double, dates, durations and bytes by their format, objects with their
// declared fields only, under names that CEL can say.

import { Duration } from '@marcbachmann/cel-js/evaluator';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../kit/json.ts';
import { type Structural, structuralOf } from '../structural/structural.ts';

const RESERVED = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);
const ESCAPES: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

/** The name of a property in rules; undefined: it has none. */
export function ruleName(property: string): string | undefined {
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(property)) return undefined;
  if (RESERVED.has(property)) return `__${property}__`;
  return property.replaceAll(/__|[./-]/g, (part) => ESCAPES[part] ?? part);
}

const METADATA = { type: 'object', properties: { name: { type: 'string' }, generateName: { type: 'string' } } };
const TEXT = structuralOf({ type: 'string' });
const ROOT_FIELDS: readonly (readonly [string, Structural])[] = [
  ['apiVersion', TEXT],
  ['kind', TEXT],
  ['metadata', structuralOf(METADATA)],
];

/** The declared properties that rules can reach; of a resource also apiVersion, kind and metadata. */
export function ruleFields(schema: Structural, isResource: boolean): ReadonlyMap<string, Structural> {
  if (!isResource && !schema.embedded) return schema.properties;
  const fields = new Map(schema.properties);
  for (const [name, field] of ROOT_FIELDS) fields.set(name, field);
  return fields;
}

export type RuleType =
  | 'dyn'
  | 'list'
  | 'map'
  | 'object'
  | 'bytes'
  | 'duration'
  | 'timestamp'
  | 'string'
  | 'bool'
  | 'double'
  | 'int';

/** Undefined: rules can't reach it. */
export function ruleType(schema: Structural): RuleType | undefined {
  if (schema.source['x-kubernetes-int-or-string'] === true) return 'dyn';
  switch (schema.type) {
    case 'array':
      return schema.items ? 'list' : undefined;
    case 'object':
      return typeof schema.additional === 'object' ? 'map' : 'object';
    case 'string':
      return textType(schema.source['format']);
    case 'boolean':
      return 'bool';
    case 'number':
      return 'double';
    case 'integer':
      return 'int';
    default:
      return undefined;
  }
}

function textType(format: JsonValue | undefined): RuleType {
  if (format === 'byte') return 'bytes';
  if (format === 'duration') return 'duration';
  return format === 'date' || format === 'date-time' ? 'timestamp' : 'string';
}

export function ruleValue(schema: Structural, value: JsonValue, isResource = false): unknown {
  if (value === null) return null;
  switch (ruleType(schema)) {
    case 'list':
      return isJsonArray(value) && schema.items
        ? value.map((item) => ruleValue(schema.items as Structural, item))
        : value;
    case 'map':
      return isJsonObject(value) ? mapValue(schema.additional as Structural, value) : value;
    case 'object':
      return isJsonObject(value) ? objectValue(reachable(schema, isResource), value) : value;
    case 'double':
      return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : value;
    case 'bytes':
      return typeof value === 'string' ? new Uint8Array(Buffer.from(value, 'base64')) : value;
    case 'duration':
      return typeof value === 'string' ? durationOf(value) : value;
    case 'timestamp':
      // biome-ignore lint/style/noRestrictedGlobals: the evaluator's type of timestamps; no clock is read
      return typeof value === 'string' ? new Date(value) : value;
    default:
      return scalarValue(value);
  }
}

const scalarValue = (value: JsonValue): unknown =>
  typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value;

function mapValue(schema: Structural, object: JsonObject): Map<string, unknown> {
  return new Map(Object.keys(object).map((key) => [key, ruleValue(schema, object[key] ?? null)]));
}

interface Reachable {
  readonly property: string;
  readonly name: string;
  readonly schema: Structural;
}

const reachableFields = {
  resource: new WeakMap<Structural, readonly Reachable[]>(),
  other: new WeakMap<Structural, readonly Reachable[]>(),
};

/** Fields with their names in rules, found once. */
function reachable(schema: Structural, isResource: boolean): readonly Reachable[] {
  const kept = isResource ? reachableFields.resource : reachableFields.other;
  const known = kept.get(schema);
  if (known) return known;
  const found = [...ruleFields(schema, isResource)].flatMap(([property, field]) => {
    const name = ruleName(property);
    return name === undefined || ruleType(field) === undefined ? [] : [{ property, name, schema: field }];
  });
  kept.set(schema, found);
  return found;
}

/** A Map, as the evaluator reads objects and maps alike and a Map has no prototype to fall through to. */
function objectValue(fields: readonly Reachable[], object: JsonObject): Map<string, unknown> {
  const shown = new Map<string, unknown>();
  for (const { property, name, schema } of fields) {
    const value = Object.hasOwn(object, property) ? object[property] : undefined;
    if (value !== undefined && value !== null) shown.set(name, ruleValue(schema, value));
  }
  return shown;
}

const UNIT_SECONDS: Readonly<Record<string, number>> = {
  h: 3600,
  m: 60,
  s: 1,
  ms: 1e-3,
  us: 1e-6,
  µs: 1e-6,
  ns: 1e-9,
  d: 86_400,
  w: 604_800,
};

function durationOf(text: string): Duration {
  let seconds = 0;
  for (const [, amount = '', unit = ''] of text.matchAll(/(\d+(?:\.\d*)?|\.\d+)\s*([a-zµ]+)/gi)) {
    const name = unit.toLowerCase();
    seconds += Number(amount) * (UNIT_SECONDS[name] ?? UNIT_SECONDS[name[0] ?? ''] ?? 0);
  }
  return Duration.fromMilliseconds((text.startsWith('-') ? -seconds : seconds) * 1000);
}
