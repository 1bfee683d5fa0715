// Shape of a definition against the schema. Answers with problems in our words and with a copy of the definition in
// which everything broken is cut out, so that the rules can look at the rest.

import type { ErrorObject } from 'ajv';
import { cloneJson, type JsonObject, type JsonValue, type MutableJsonObject } from '../../kit/json.ts';
import type { DocumentPath } from '../parse/document.ts';
import type { Problem } from '../problem.ts';
import type { Check } from './check.ts';
import { explain } from './explain.ts';
import { schemaAt } from './misplaced.ts';
import { refine } from './refine.ts';
import type { FieldSchema } from './types.ts';
import type { Violation } from './violation.ts';

export interface Validated {
  readonly problems: readonly Problem[];
  /** The definition without what is wrong; absent fields are undefined, list items keep their index. */
  readonly sound: JsonObject;
}

export type Validator = (object: JsonObject) => Validated;

export function createValidator(schema: FieldSchema, check: Check): Validator {
  return (object) => {
    check(object);
    const errors = (check.errors ?? []).filter((error) => !isBranchOfOneOf(error));
    const violations = refine(errors.map((error) => toViolation(error, object, schema)));
    return {
      problems: violations.map((violation) => explain(violation, schema)),
      sound: cutOut(object, violations),
    };
  };
}

function toViolation(error: ErrorObject, object: JsonObject, schema: FieldSchema): Violation {
  const { path, value } = follow(error.instancePath, object);
  return {
    keyword: error.keyword,
    path,
    params: error.params as Record<string, unknown>,
    // By the value's path: in the schema's own path a part that stands in several places begins anew.
    schema: schemaAt(schema, path) ?? schema,
    value,
  };
}

/** ajv also reports each branch of a oneOf: `required` of a field that the object as such does not require. */
const isBranchOfOneOf = ({ schemaPath }: ErrorObject): boolean => /\/oneOf\/\d+\/required$/.test(schemaPath);

/** Where a JSON pointer leads, with its parts as keys and indexes: "/a/0" is a[0] in a list and a["0"] in a map. */
function follow(pointer: string, root: JsonObject): { path: DocumentPath; value: JsonValue | undefined } {
  let value: JsonValue | undefined = root;
  const path = pointer
    .split('/')
    .slice(1)
    .map((part) => {
      const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
      const element = Array.isArray(value) ? Number(key) : key;
      value = (value as MutableJsonObject | undefined)?.[element as string];
      return element;
    });
  return { path, value };
}

function cutOut(object: JsonObject, violations: readonly Violation[]): JsonObject {
  const copy = cloneJson(object) as MutableJsonObject;
  for (const { keyword, path, params } of violations) {
    if (keyword === 'required' || keyword === 'x-metactl-unsupported-values') continue;
    const target = keyword === 'additionalProperties' ? [...path, params['additionalProperty'] as string] : path;
    unset(copy, target);
  }
  return copy;
}

function unset(root: MutableJsonObject, path: DocumentPath): void {
  let parent: MutableJsonObject | undefined = root;
  for (const element of path.slice(0, -1)) parent = parent?.[element] as MutableJsonObject | undefined;
  const last = path.at(-1);
  if (parent && last !== undefined && Object.hasOwn(parent, last)) parent[last] = undefined;
}
