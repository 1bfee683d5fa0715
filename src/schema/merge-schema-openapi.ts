// OpenAPI v3 component schemas → the schema of server-side apply. A type is converted when it is first asked for: one
// apply touches about forty of the hundreds of types of a group.

import { getOwn, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../kit/json.ts';
import {
  type Atom,
  type ElementRelationship,
  type ListType,
  lazyMergeSchema,
  type MapType,
  type MergeSchema,
  type StructField,
  structField,
  type TypeRef,
  UNTYPED_ATOMIC,
  UNTYPED_DEDUCED,
} from './merge-schema.ts';

/** Compared as amounts: "1000m" is "1". */
export const QUANTITY = 'io.k8s.apimachinery.pkg.api.resource.Quantity';
const RAW_EXTENSION = 'io.k8s.apimachinery.pkg.runtime.RawExtension';
const DEDUCED: TypeRef = { named: UNTYPED_DEDUCED };

/** `find` gives a component by its full name (what follows the last slash of a $ref); undefined: there is none. */
export function mergeSchemaFromComponents(find: (name: string) => JsonObject | undefined): MergeSchema {
  const schema: MergeSchema = lazyMergeSchema((name) => {
    if (name === QUANTITY) return { scalar: 'untyped' };
    if (name === RAW_EXTENSION) return schema.resolve({ named: UNTYPED_ATOMIC });
    const component = find(name);
    return component === undefined || component['$ref'] !== undefined ? undefined : atomOf(component, false);
  });
  return schema;
}

/** The same from a document's `components.schemas`. */
export function schemaFromOpenApi(components: JsonObject): MergeSchema {
  return mergeSchemaFromComponents((name) => {
    const component = getOwn(components, name);
    return isJsonObject(component) ? component : undefined;
  });
}

/** The atom of one schema. `preserve`: keys that are not declared are allowed, of whatever type they turn out to be. */
export function atomOf(schema: JsonObject, preserve: boolean): Atom {
  const keeps = preserve || schema['x-kubernetes-preserve-unknown-fields'] === true;
  switch (schema['type']) {
    case undefined:
    case '':
      return { scalar: 'untyped', list: listType(schema, keeps), map: mapType(schema, keeps) };
    case 'object':
      return { map: mapType(schema, keeps) };
    case 'array':
      return { list: listType(schema, keeps) };
    case 'integer':
    case 'number':
      return { scalar: 'numeric' };
    case 'boolean':
      return { scalar: 'boolean' };
    case 'string':
      return { scalar: isPlainString(schema['format']) ? 'string' : 'untyped' };
    default:
      return { scalar: 'untyped' };
  }
}

// A format may allow numbers too (int-or-string); byte slices are always written as strings.
const isPlainString = (format: JsonValue | undefined): boolean =>
  format === undefined || format === '' || format === 'byte';

function typeRef(schema: JsonObject, preserve: boolean): TypeRef {
  const named = refName(schema);
  if (named === undefined) return { inlined: atomOf(schema, preserve) };
  const elementRelationship = mapRelationship(schema);
  return elementRelationship === undefined ? { named } : { named, elementRelationship };
}

/** A reference stands alone, or as the only member of allOf where it has a description or a default beside it. */
function refName(schema: JsonObject): string | undefined {
  const only = isJsonArray(schema['allOf']) && schema['allOf'].length === 1 ? schema['allOf'][0] : undefined;
  const ref = schema['$ref'] ?? (isJsonObject(only) ? only['$ref'] : undefined);
  if (typeof ref !== 'string') return undefined;
  return ref.slice(ref.lastIndexOf('/') + 1) || undefined;
}

function mapType(schema: JsonObject, preserve: boolean): MapType {
  const fields = new Map<string, StructField>();
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  for (const [name, property] of Object.entries(properties))
    if (isJsonObject(property)) fields.set(name, structField(name, typeRef(property, preserve), property['default']));
  const elementType = restType(schema['additionalProperties'], preserve || fields.size === 0, preserve);
  const elementRelationship = mapRelationship(schema);
  return { fields, ...(elementType && { elementType }), ...(elementRelationship && { elementRelationship }) };
}

/** `open`: a schema that says nothing of further keys allows them. */
function restType(rest: JsonValue | undefined, open: boolean, preserve: boolean): TypeRef | undefined {
  if (isJsonObject(rest)) return typeRef(rest, preserve);
  return rest === true || (rest === undefined && open) ? DEDUCED : undefined;
}

function listType(schema: JsonObject, preserve: boolean): ListType {
  const items = schema['items'];
  const elementType = isJsonObject(items) ? typeRef(items, preserve) : { named: UNTYPED_ATOMIC };
  return { elementType, ...listRelationship(schema) };
}

/** What x-kubernetes-list-type says; else what the patch strategy says; else atomic. */
function listRelationship(schema: JsonObject): Pick<ListType, 'keys'> & { elementRelationship: ElementRelationship } {
  const declared = schema['x-kubernetes-list-type'];
  if (declared !== undefined) {
    const keys = declared === 'map' ? schema['x-kubernetes-list-map-keys'] : undefined;
    const names = isJsonArray(keys) ? keys.filter((key) => typeof key === 'string') : [];
    return { elementRelationship: declared === 'map' || declared === 'set' ? 'associative' : 'atomic', keys: names };
  }
  const strategy = schema['x-kubernetes-patch-strategy'];
  if (strategy !== 'merge' && strategy !== 'merge,retainKeys') return { elementRelationship: 'atomic', keys: [] };
  const key = schema['x-kubernetes-patch-merge-key'];
  return { elementRelationship: 'associative', keys: typeof key === 'string' ? [key] : [] };
}

function mapRelationship(schema: JsonObject): ElementRelationship | undefined {
  const declared = schema['x-kubernetes-map-type'];
  if (declared === 'atomic') return 'atomic';
  return declared === 'granular' ? 'separable' : undefined;
}
