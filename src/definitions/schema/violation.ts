import type { JsonValue } from '../../kit/json.ts';
import type { DocumentPath } from '../parse/document.ts';
import type { FieldSchema } from './types.ts';

/** One complaint of ajv, with the path as keys and indexes. */
export interface Violation {
  readonly keyword: string;
  readonly path: DocumentPath;
  readonly params: Readonly<Record<string, unknown>>;
  readonly schema: FieldSchema;
  readonly value: JsonValue | undefined;
}
