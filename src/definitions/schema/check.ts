// The schemas as functions. ajv takes 40 to 300 ms to make them, so a built program does not hold ajv at all: tools/build.ts
// runs it and puts the functions' text in the place of definition-checks.ts (tools/compiled-checks.ts). Hence own keywords
// are written as code, which can be printed, and not as closures.

import { Ajv, type AnySchemaObject, type CodeOptions, _ as code, type ErrorObject, type KeywordCxt } from 'ajv';
import type { JsonObject, JsonValue } from '../../kit/json.ts';
import { isJsonArray, isJsonObject } from '../../kit/json.ts';
import type { FieldSchema } from './types.ts';

/** True: nothing is wrong. Else `errors` holds everything that is, until the next call. */
export interface Check {
  (object: JsonObject): unknown;
  errors?: null | ErrorObject[];
}

export interface CompiledChecks {
  readonly ajv: Ajv;
  checkOf(name: string): Check;
}

const SHARED = 'shared';

/** One function a schema, by its name. What stands in several places of the schemas is made once. */
export function compileChecks(
  schemas: Readonly<Record<string, FieldSchema>>,
  options: CodeOptions = {},
): CompiledChecks {
  const ajv = new Ajv({
    allErrors: true,
    strict: true,
    strictRequired: false,
    // Neither texts nor schemas in the errors (validate.ts finds them by their path): a third less code.
    messages: false,
    ownProperties: true,
    inlineRefs: false,
    code: options,
  });
  ajv.addKeyword({ keyword: 'x-metactl-unsupported', code: (context: KeywordCxt) => context.fail(code`true`) });
  ajv.addKeyword({ keyword: 'x-metactl-unused', code: (context: KeywordCxt) => context.fail(code`true`) });
  ajv.addKeyword({
    keyword: 'x-metactl-unsupported-values',
    code: (context: KeywordCxt) => context.fail(code`${context.schemaValue}.includes(${context.data})`),
  });
  const { definitions, roots } = withReferences(schemas as unknown as Readonly<Record<string, JsonObject>>);
  ajv.addSchema({ $id: SHARED, definitions } as AnySchemaObject);
  for (const [name, root] of Object.entries(roots)) ajv.addSchema({ $id: name, ...root } as AnySchemaObject);
  return { ajv, checkOf: (name) => ajv.getSchema(name) as Check };
}

interface Referenced {
  readonly definitions: Record<string, JsonObject>;
  readonly roots: Record<string, JsonObject>;
}

/** An object of fields that is part of the schemas more than once becomes a definition. */
function withReferences(schemas: Readonly<Record<string, JsonObject>>): Referenced {
  const seen = new Set<JsonObject>();
  const names = new Map<JsonObject, string>();
  const count = (value: JsonValue | undefined): void => {
    if (isJsonArray(value)) for (const item of value) count(item);
    if (!isJsonObject(value)) return;
    if (seen.has(value)) {
      if (isJsonObject(value['properties']) && !names.has(value)) names.set(value, String(names.size));
      return;
    }
    seen.add(value);
    for (const inside of Object.values(value)) count(inside);
  };
  const refer = (value: JsonValue | undefined): JsonValue | undefined => {
    if (isJsonArray(value)) return value.map((item) => refer(item) ?? null);
    if (!isJsonObject(value)) return value;
    const name = names.get(value);
    return name === undefined ? inner(value) : { $ref: `${SHARED}#/definitions/${name}` };
  };
  const inner = (value: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(value).map(([key, field]) => [key, refer(field)]));
  for (const schema of Object.values(schemas)) count(schema);
  return {
    definitions: Object.fromEntries([...names].map(([schema, name]) => [name, inner(schema)])),
    roots: Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, inner(schema)])),
  };
}
