import { isJsonArray, isJsonObject, type JsonValue } from '../../kit/json.ts';
import type { DiagnosticCode } from '../../model/diagnostic.ts';

/** Notes one problem of an answer: `path` inside the answer ("" for the whole), the problem as the end of a sentence. */
export type Report = (code: DiagnosticCode, path: string, problem: string, hint?: string) => void;

/** "null", "a list", "the string …" for messages. Values are not shown: they may be secret. */
export function nameOf(value: JsonValue | undefined): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (isJsonArray(value)) return 'a list';
  if (isJsonObject(value)) return 'an object';
  return `a ${typeof value === 'bigint' ? 'number' : typeof value}`;
}
