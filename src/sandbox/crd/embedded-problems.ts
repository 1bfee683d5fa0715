// Objects inside of custom resources (x-kubernetes-embedded-resource): apiVersion and kind are required, metadata is checked.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../kit/json.ts';
import type { ObjectMeta } from '../../model/object.ts';
import { type FieldProblem, invalidValue, propertyOf, required, type Structural } from '../../schema/index.ts';
import { dns1035Problems } from '../meta/names.ts';
import { embeddedMetadataProblems } from '../meta/validate.ts';

export function embeddedProblems(
  schema: Structural | undefined,
  value: JsonValue | undefined,
  path: string,
): FieldProblem[] {
  if (!schema?.has.embedded) return [];
  if (isJsonArray(value)) {
    return value.flatMap((item, index) => embeddedProblems(schema.items, item, `${path}[${index}]`));
  }
  if (!isJsonObject(value)) return [];
  const own = schema.embedded ? embeddedObjectProblems(value, path) : [];
  const inside = Object.keys(value).flatMap((key) => {
    const at = schema.properties.has(key) ? (path === '' ? key : `${path}.${key}`) : `${path}[${key}]`;
    return embeddedProblems(propertyOf(schema, key), value[key], at);
  });
  return [...own, ...inside];
}

function embeddedObjectProblems(object: JsonObject, path: string): FieldProblem[] {
  const problems = ['apiVersion', 'kind']
    .filter((name) => object[name] === undefined)
    .map((name) => required(`${path}.${name}`));
  const { apiVersion, kind, metadata } = object;
  if (apiVersion !== undefined) {
    for (const text of apiVersionProblems(apiVersion))
      problems.push(invalidValue(`${path}.apiVersion`, apiVersion, text));
  }
  if (kind !== undefined) {
    for (const text of kindProblems(kind)) problems.push(invalidValue(`${path}.kind`, kind, text));
  }
  if (isJsonObject(metadata)) problems.push(...embeddedMetadataProblems(metadata as ObjectMeta, `${path}.metadata`));
  return problems;
}

function apiVersionProblems(value: JsonValue): string[] {
  if (typeof value !== 'string') return ['must be a string'];
  if (value === '') return ['must not be empty'];
  return value.split('/').length > 2 ? [`unexpected GroupVersion string: ${value}`] : [];
}

function kindProblems(value: JsonValue): string[] {
  if (typeof value !== 'string') return ['must be a string'];
  if (value === '') return ['must not be empty'];
  const problems = dns1035Problems(value.toLowerCase());
  return problems.length === 0 ? [] : [`may have mixed case, but should otherwise match: ${problems.join(',')}`];
}
