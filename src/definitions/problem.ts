import { formatPath } from '../kit/path.ts';
import type { Diagnostic, DiagnosticCode, SourceRange } from '../model/diagnostic.ts';
import type { Ref } from '../model/ref.ts';
import type { DocumentPath, ParsedDocument } from './parse/document.ts';

/** A problem of one object, before it knows file and line. */
export interface Problem {
  readonly severity?: 'warning';
  readonly code: DiagnosticCode;
  /** From the object's root. */
  readonly path: DocumentPath;
  /** Which part of the path's place is meant; the value unless said. */
  readonly part?: 'key';
  readonly summary: string;
  readonly detail?: string;
  readonly hint?: string;
}

/** Where an object came from; absent for an object that was read from a cluster. */
export interface ObjectPlace {
  readonly locate: ParsedDocument['locate'];
}

export function toDiagnostic(problem: Problem, place: ObjectPlace | undefined, subject?: Ref): Diagnostic {
  const { severity = 'error', code, path, part, summary, detail, hint } = problem;
  const source: SourceRange | undefined = place?.locate(path, part);
  return {
    severity,
    code,
    summary,
    ...(detail ? { detail } : {}),
    ...(hint ? { hint } : {}),
    ...(subject ? { subject } : {}),
    ...(path.length > 0 ? { path: formatPath(path) } : {}),
    ...(source ? { source } : {}),
  };
}
