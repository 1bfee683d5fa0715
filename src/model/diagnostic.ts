// Problems are data until the edge. Code branches on `code`, never on text. Throw only for bugs (BugError) and for
// transport failures (ports/errors.ts).

import type { Ref } from './ref.ts';

/** A place in a file, for the caret excerpt. Lines and columns count from 1; `endColumn` is exclusive. */
export interface SourceRange {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endColumn?: number;
  /** The text of the line, so that a renderer needs no file. */
  readonly lineText?: string;
}

/** Every code there is; docs/reference/diagnostics.md says cause and fix of each (a test compares the two). */
export const DIAGNOSTIC_CODES = [
  // reading files
  'file-unreadable',
  'file-too-large',
  'no-input',
  'yaml-syntax',
  'yaml-alias-limit',
  'yaml-duplicate-key',
  'yaml-precision',
  'not-an-object',
  'missing-kind',
  'duplicate-object',
  // definitions
  'unknown-field',
  'missing-field',
  'wrong-type',
  'invalid-value',
  'unsupported',
  'conflicting-fields',
  'duplicate-definition',
  'conflicting-controllers',
  'unknown-resource',
  'field-conflict',
  'no-status-subresource',
  'ineffective',
  // hooks and their answers
  'hook-failed',
  'hook-timeout',
  'hook-refused',
  'hook-overridden',
  'hook-not-asked',
  'answer-invalid',
  'answer-undeclared-kind',
  'answer-duplicate',
  'answer-too-large',
  'answer-selector-mismatch',
  // planning
  'parent-selector-invalid',
  'child-not-owned',
  'unknown-dependency',
  'guard-max-deletes',
  'guard-allow-empty',
  'not-settled',
  'not-stable',
  'finalize-skipped',
  // the cluster
  'connection-failed',
  'api-error',
  'forbidden',
  'kubeconfig-invalid',
  'conflict',
  // the command line
  'usage',
  'confirmation-needed',
  'interrupted',
  'internal',
] as const;
export type DiagnosticCode = (typeof DIAGNOSTIC_CODES)[number];

export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  readonly code: DiagnosticCode;
  /** One sentence: what happened, to what. No final full stop needed; no newline. */
  readonly summary: string;
  /** Why, in more words; may have several lines. */
  readonly detail?: string;
  /** What to do or to write instead. */
  readonly hint?: string;
  /** The object that it is about: a parent, a child, a controller definition. */
  readonly subject?: Ref;
  /** The place inside the subject, the hook's answer or the document: "children[2].metadata.name". */
  readonly path?: string;
  readonly source?: SourceRange;
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === 'error');
}

/** A defect of ours, not of the input: the only thing that pure rooms throw. */
export class BugError extends Error {
  override readonly name = 'BugError';
}

/** Carries diagnostics through code that can only throw (a port's implementation, a use case that can't go on). */
export class DiagnosticError extends Error {
  override readonly name = 'DiagnosticError';
  readonly diagnostics: readonly Diagnostic[];
  constructor(diagnostics: readonly Diagnostic[], options?: ErrorOptions) {
    super(diagnostics.map((diagnostic) => diagnostic.summary).join('; '), options);
    this.diagnostics = diagnostics;
  }
}
