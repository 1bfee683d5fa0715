// The structural part of an openAPIV3Schema, read once: what pruning, defaulting and the rules of list types walk along.
// Value validation ("minimum", "pattern", "anyOf" …) is not here but in ../validate.

import { getOwn, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../kit/json.ts';

export interface Structural {
  readonly type: string;
  readonly nullable: boolean;
  readonly preservesUnknown: boolean;
  /** A whole object with apiVersion, kind and metadata of its own. */
  readonly embedded: boolean;
  readonly listType: string | undefined;
  readonly listMapKeys: readonly string[];
  readonly default: JsonValue | undefined;
  readonly properties: ReadonlyMap<string, Structural>;
  /** A schema for the values of a map; a boolean where it only says that there may be others. */
  readonly additional: Structural | boolean | undefined;
  readonly items: Structural | undefined;
  /** What is somewhere inside, so that a walk can pass by what does not concern it. */
  readonly has: {
    readonly defaults: boolean;
    readonly listTypes: boolean;
    readonly embedded: boolean;
    /** x-kubernetes-validations. */
    readonly rules: boolean;
  };
  /** The schema that this was read from. */
  readonly source: JsonObject;
}

const NOTHING: ReadonlyMap<string, Structural> = new Map();
const read = new WeakMap<JsonObject, Structural>();

/** The structural schema of an openAPIV3Schema; the same one for the same (immutable) value. */
export function structuralOf(schema: JsonObject): Structural {
  const known = read.get(schema);
  if (known) return known;
  const structural = readStructural(schema);
  read.set(schema, structural);
  return structural;
}

function readStructural(source: JsonObject): Structural {
  const properties = readProperties(getOwn(source, 'properties'));
  const additional = schemaOrBool(getOwn(source, 'additionalProperties'));
  const items = isJsonObject(source['items']) ? structuralOf(source['items']) : undefined;
  const inside = [...properties.values(), additional, items].filter((s) => typeof s === 'object');
  const embedded = source['x-kubernetes-embedded-resource'] === true;
  const listType = textOf(source['x-kubernetes-list-type']);
  const fallback = source['default'] ?? undefined;
  return {
    type: textOf(source['type']) ?? '',
    nullable: source['nullable'] === true,
    preservesUnknown: source['x-kubernetes-preserve-unknown-fields'] === true,
    embedded,
    listType,
    listMapKeys: textsOf(source['x-kubernetes-list-map-keys']),
    default: fallback,
    properties,
    additional,
    items,
    has: {
      defaults: fallback !== undefined || inside.some((s) => s.has.defaults),
      listTypes: listType === 'set' || listType === 'map' || inside.some((s) => s.has.listTypes),
      embedded: embedded || inside.some((s) => s.has.embedded),
      rules: hasRules(source) || inside.some((s) => s.has.rules),
    },
    source,
  };
}

const hasRules = ({ 'x-kubernetes-validations': rules }: JsonObject): boolean => isJsonArray(rules) && rules.length > 0;

function readProperties(value: JsonValue | undefined): ReadonlyMap<string, Structural> {
  if (!isJsonObject(value)) return NOTHING;
  const properties = new Map<string, Structural>();
  for (const name of Object.keys(value)) {
    const schema = value[name];
    if (isJsonObject(schema)) properties.set(name, structuralOf(schema));
  }
  return properties;
}

function schemaOrBool(value: JsonValue | undefined): Structural | boolean | undefined {
  if (typeof value === 'boolean') return value;
  return isJsonObject(value) ? structuralOf(value) : undefined;
}

const textOf = (value: JsonValue | undefined): string | undefined => (typeof value === 'string' ? value : undefined);

function textsOf(value: JsonValue | undefined): readonly string[] {
  return isJsonArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** The schema of a property: a declared one, or that of the map's values. */
export function propertyOf(schema: Structural | undefined, key: string): Structural | undefined {
  const declared = schema?.properties.get(key);
  if (declared) return declared;
  return typeof schema?.additional === 'object' ? schema.additional : undefined;
}
