// Reading, checking and printing documents in kubectl's YAML, for the configuration. The room that can is loaded when used.

import type { CheckedDocument, DocumentShape, FieldSchema } from '../definitions/index.ts';
import type { JsonObject, JsonValue } from '../kit/json.ts';

export type { CheckedDocument, DocumentShape, FieldSchema };

/** `at`: only what stands below this path is meant. Undefined: nothing stands there. */
export async function readDocument(
  text: string,
  options: { readonly file: string; readonly shape: DocumentShape; readonly at?: readonly string[] },
): Promise<CheckedDocument | undefined> {
  const definitions = await import('../definitions/index.ts');
  return definitions.readDocument(text, options);
}

/** The same for a value that has no text: every problem is at the start of the file. */
export async function checkDocument(value: JsonValue, file: string, shape: DocumentShape): Promise<CheckedDocument> {
  const definitions = await import('../definitions/index.ts');
  return definitions.checkDocument({ value, locate: () => ({ file, line: 1, column: 1 }) }, shape);
}

export async function printYaml(document: JsonObject): Promise<string> {
  const { toKubectlYaml } = await import('../definitions/index.ts');
  return toKubectlYaml(document);
}
