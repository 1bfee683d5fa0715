// A schema as the server's own type prints it in a message: every field, by its Go name, in the type's order.

import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  setOwn,
} from '../../kit/json.ts';
import { entriesAt } from './schema-parts.ts';

type Kind = 'text' | 'flag' | 'value' | 'schema' | 'schemas' | 'map' | 'items' | 'orBool' | 'rules';

const FIELDS: readonly (readonly [goName: string, name: string, kind: Kind])[] = [
  ['ID', 'id', 'text'],
  ['Schema', '$schema', 'text'],
  ['Ref', '$ref', 'value'],
  ['Description', 'description', 'text'],
  ['Type', 'type', 'text'],
  ['Nullable', 'nullable', 'flag'],
  ['Format', 'format', 'text'],
  ['Title', 'title', 'text'],
  ['Default', 'default', 'value'],
  ['Maximum', 'maximum', 'value'],
  ['ExclusiveMaximum', 'exclusiveMaximum', 'flag'],
  ['Minimum', 'minimum', 'value'],
  ['ExclusiveMinimum', 'exclusiveMinimum', 'flag'],
  ['MaxLength', 'maxLength', 'value'],
  ['MinLength', 'minLength', 'value'],
  ['Pattern', 'pattern', 'text'],
  ['MaxItems', 'maxItems', 'value'],
  ['MinItems', 'minItems', 'value'],
  ['UniqueItems', 'uniqueItems', 'flag'],
  ['MultipleOf', 'multipleOf', 'value'],
  ['Enum', 'enum', 'value'],
  ['MaxProperties', 'maxProperties', 'value'],
  ['MinProperties', 'minProperties', 'value'],
  ['Required', 'required', 'value'],
  ['Items', 'items', 'items'],
  ['AllOf', 'allOf', 'schemas'],
  ['OneOf', 'oneOf', 'schemas'],
  ['AnyOf', 'anyOf', 'schemas'],
  ['Not', 'not', 'schema'],
  ['Properties', 'properties', 'map'],
  ['AdditionalProperties', 'additionalProperties', 'orBool'],
  ['PatternProperties', 'patternProperties', 'map'],
  ['Dependencies', 'dependencies', 'value'],
  ['AdditionalItems', 'additionalItems', 'orBool'],
  ['Definitions', 'definitions', 'map'],
  ['ExternalDocs', 'externalDocs', 'value'],
  ['Example', 'example', 'value'],
  ['XPreserveUnknownFields', 'x-kubernetes-preserve-unknown-fields', 'value'],
  ['XEmbeddedResource', 'x-kubernetes-embedded-resource', 'flag'],
  ['XIntOrString', 'x-kubernetes-int-or-string', 'flag'],
  ['XListMapKeys', 'x-kubernetes-list-map-keys', 'value'],
  ['XListType', 'x-kubernetes-list-type', 'value'],
  ['XMapType', 'x-kubernetes-map-type', 'value'],
  ['XValidations', 'x-kubernetes-validations', 'rules'],
];

/** Keys in the order of the type. */
export function internalSchema(schema: JsonObject): JsonObject {
  const shown: MutableJsonObject = {};
  for (const [goName, name, kind] of FIELDS) shown[goName] = fieldValue(schema[name], kind);
  return shown;
}

/** Go names of the fields that are set, in the order of the type. */
export function givenFields(schema: JsonObject): readonly string[] {
  return FIELDS.filter(([, name]) => {
    const value = schema[name];
    return value !== undefined && value !== null && value !== '' && value !== false;
  }).map(([goName]) => goName);
}

function fieldValue(value: JsonValue | undefined, kind: Kind): JsonValue {
  switch (kind) {
    case 'text':
      return typeof value === 'string' ? value : '';
    case 'flag':
      return value === true;
    case 'schema':
      return isJsonObject(value) ? internalSchema(value) : null;
    case 'schemas':
      return isJsonArray(value) ? value.filter(isJsonObject).map(internalSchema) : null;
    case 'map':
      return isJsonObject(value) ? internalMap(value) : null;
    case 'items':
      return isJsonObject(value) ? { Schema: internalSchema(value), JSONSchemas: null } : null;
    case 'orBool':
      if (isJsonObject(value)) return { Allows: true, Schema: internalSchema(value) };
      return typeof value === 'boolean' ? { Allows: value, Schema: null } : null;
    case 'rules':
      return isJsonArray(value) ? value.filter(isJsonObject).map(internalRule) : null;
    case 'value':
      return value ?? null;
  }
}

function internalMap(value: JsonObject): JsonObject {
  const shown: MutableJsonObject = {};
  const entries = [...entriesAt(value)].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, schema] of entries) setOwn(shown, name, internalSchema(schema));
  return shown;
}

/** A rule as the type prints it. */
export function internalRule(rule: JsonObject): JsonObject {
  return {
    Rule: rule['rule'] ?? '',
    Message: rule['message'] ?? '',
    MessageExpression: rule['messageExpression'] ?? '',
    Reason: rule['reason'] ?? null,
    FieldPath: rule['fieldPath'] ?? '',
    OptionalOldSelf: rule['optionalOldSelf'] ?? null,
  };
}
