// A document that is no Kubernetes object (the configuration) read and checked as definitions are: the same dialect, the
// same words for what is wrong, every problem at its place.

import { isJsonObject, type JsonObject } from '../kit/json.ts';
import { type Diagnostic, hasErrors } from '../model/diagnostic.ts';
import type { DocumentPath, ParsedDocument } from './parse/document.ts';
import { readText } from './parse/read-text.ts';
import { toDiagnostic } from './problem.ts';
import type { Check } from './schema/check.ts';
import type { FieldSchema } from './schema/types.ts';
import { createValidator } from './schema/validate.ts';

/** What a document may look like: a schema of the dialect of types.ts, and the same schema as a function. */
export interface DocumentShape {
  readonly schema: FieldSchema;
  readonly check: Check;
}

export interface CheckedDocument {
  /** Without what is wrong. */
  readonly value: JsonObject;
  readonly locate: ParsedDocument['locate'];
  readonly diagnostics: readonly Diagnostic[];
}

export interface ReadDocumentOptions {
  /** As it is to be named in diagnostics. */
  readonly file: string;
  readonly shape: DocumentShape;
  /** Only what stands below this path is meant: the key in a package.json. */
  readonly at?: readonly string[];
}

/** Undefined: nothing stands there. */
export function readDocument(text: string, options: ReadDocumentOptions): CheckedDocument | undefined {
  const { documents, diagnostics } = readText(text, options.file);
  const [document, second] = documents;
  if (hasErrors(diagnostics))
    return { value: {}, locate: () => ({ file: options.file, line: 1, column: 1 }), diagnostics };
  if (!document) return undefined;
  const inner = below(document, options.at ?? []);
  if (!inner) return undefined;
  const checked = checkDocument(inner, options.shape);
  const tooMany = second ? [severalDocuments(second.locate([]))] : [];
  return { ...checked, diagnostics: [...diagnostics, ...tooMany, ...checked.diagnostics] };
}

export function checkDocument(document: ParsedDocument, { schema, check }: DocumentShape): CheckedDocument {
  const { value, locate } = document;
  if (value === null) return { value: {}, locate, diagnostics: [] };
  if (!isJsonObject(value)) return { value: {}, locate, diagnostics: [notAMap(locate([]))] };
  const { problems, sound } = createValidator(schema, check)(value);
  return { value: sound, locate, diagnostics: problems.map((problem) => toDiagnostic(problem, { locate })) };
}

function below(document: ParsedDocument, at: readonly string[]): ParsedDocument | undefined {
  let { value } = document;
  for (const key of at) {
    const inner = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    if (inner === undefined) return undefined;
    value = inner;
  }
  return { value, locate: (path: DocumentPath, part) => document.locate([...at, ...path], part) };
}

function severalDocuments(source: ReturnType<ParsedDocument['locate']>): Diagnostic {
  const summary = 'The file holds several documents';
  return { severity: 'error', code: 'invalid-value', summary, hint: 'Keep one; remove the "---" before it.', source };
}

function notAMap(source: ReturnType<ParsedDocument['locate']>): Diagnostic {
  return { severity: 'error', code: 'wrong-type', summary: 'The document must be a map of fields', source };
}
