import { Ajv, type AnySchemaObject, type CodeOptions } from 'ajv';
import type { DocumentShape } from '../../app/index.ts';
import { configSchema } from './schema.ts';

/** The schema as a function. The build prints it (tools/compiled-checks.ts), so that no started program holds ajv. */
export function compileConfigCheck(code: CodeOptions = {}): { ajv: Ajv; check: DocumentShape['check'] } {
  const ajv = new Ajv({ allErrors: true, strict: true, messages: false, ownProperties: true, code });
  return { ajv, check: ajv.compile(configSchema as AnySchemaObject) as DocumentShape['check'] };
}
