// A kind as server-side apply sees it, out of what the server says of its fields.

import { isJsonObject, type JsonObject } from '../../kit/json.ts';
import { type Endpoint, setOfPaths } from '../../merge/index.ts';
import { apiVersionOf, type KindSchema, type ResourceType } from '../../model/resource.ts';
import { deducedKind, type KindType, type MergeSchema, mergeSchemaFromComponents } from '../../schema/index.ts';

// One conversion a document, which all kinds of a group and version share.
const converted = new WeakMap<JsonObject, MergeSchema>();

/** Without a schema everything is deduced from the values: lists are one value then. */
export function kindTypeOf(schema: KindSchema | undefined): KindType {
  if (!schema) return deducedKind;
  const known = converted.get(schema.components);
  const made = known ?? mergeSchemaFromComponents((name) => componentOf(schema.components, name));
  if (!known) converted.set(schema.components, made);
  return { schema: made, type: { named: schema.name } };
}

function componentOf(components: JsonObject, name: string): JsonObject | undefined {
  const component = Object.hasOwn(components, name) ? components[name] : undefined;
  return isJsonObject(component) ? component : undefined;
}

const STATUS = setOfPaths([['f:status']]);

/** Where an apply of the object as a whole goes. Other versions of the kind are not known here. */
export function endpointOf(type: ResourceType, kind: KindType): Endpoint {
  const apiVersion = apiVersionOf(type);
  return {
    apiVersion,
    kind: type.kind,
    at: (object, version) => (version === apiVersion ? { ...kind, apiVersion, value: object } : undefined),
    ...(type.subresources.includes('status') ? { reset: new Map([[apiVersion, STATUS]]) } : {}),
    empty: { apiVersion, kind: type.kind, metadata: {} },
  };
}
