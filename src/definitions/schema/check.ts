// The schema as a function. ajv takes 40 to 300 ms to make one, so a built program does not hold ajv at all: tools/build.ts
// runs it and puts the functions' text in the place of definition-checks.ts (tools/compiled-checks.ts). Hence own keywords
// are written as code, which can be printed, and not as closures.

import { Ajv, type AnySchemaObject, type CodeOptions, _ as code, type ErrorObject, type KeywordCxt } from 'ajv';
import type { JsonObject } from '../../kit/json.ts';
import type { FieldSchema } from './types.ts';

/** True: nothing is wrong. Else `errors` holds everything that is, until the next call. */
export interface Check {
  (object: JsonObject): unknown;
  errors?: null | ErrorObject[];
}

export interface Compiled {
  readonly ajv: Ajv;
  readonly check: Check;
}

export function compileCheck(schema: FieldSchema, options: CodeOptions = {}): Compiled {
  const ajv = new Ajv({
    allErrors: true,
    strict: true,
    strictRequired: false,
    // Neither texts nor schemas in the errors (validate.ts finds them by their path): a third less code.
    messages: false,
    ownProperties: true,
    code: options,
  });
  ajv.addKeyword({ keyword: 'x-metactl-unsupported', code: (context: KeywordCxt) => context.fail(code`true`) });
  ajv.addKeyword({ keyword: 'x-metactl-unused', code: (context: KeywordCxt) => context.fail(code`true`) });
  ajv.addKeyword({
    keyword: 'x-metactl-unsupported-values',
    code: (context: KeywordCxt) => context.fail(code`${context.schemaValue}.includes(${context.data})`),
  });
  return { ajv, check: ajv.compile(schema as AnySchemaObject) as Check };
}
