import type { JsonValue } from '../../kit/json.ts';
import type { Diagnostic, SourceRange } from '../../model/diagnostic.ts';

/** Keys and indexes from the document's root. */
export type DocumentPath = readonly (string | number)[];

/** One YAML or JSON document as kubectl understands it, with the way back into the text. */
export interface ParsedDocument {
  readonly value: JsonValue;
  /**
   * The place of a value (or of its key) in the file, worked out when asked. A map or list is shown by its key; a path
   * that is not in the document by its nearest ancestor.
   */
  locate(path: DocumentPath, part?: 'key' | 'value'): SourceRange;
}

export interface ParsedText {
  readonly documents: readonly ParsedDocument[];
  readonly diagnostics: readonly Diagnostic[];
}
