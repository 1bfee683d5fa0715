// Errors that reach a use case, as diagnostics. Anything that is not one of the known failures is a defect of ours and
// goes on as an exception.

import { stringifyJson } from '../kit/json.ts';
import { type Diagnostic, DiagnosticError } from '../model/diagnostic.ts';
import { ApiError, ConnectionError } from '../ports/errors.ts';
import { missingPermission } from '../ports/permission.ts';

export function diagnosticsOf(error: unknown): readonly Diagnostic[] {
  if (error instanceof DiagnosticError) return error.diagnostics;
  if (error instanceof ConnectionError)
    return [{ severity: 'error', code: 'connection-failed', summary: error.message, detail: error.request }];
  if (error instanceof ApiError) return [missingPermission(error) ?? apiDiagnostic(error)];
  throw error;
}

function apiDiagnostic({ status, request }: ApiError): Diagnostic {
  const forbidden = status.code === 403;
  return {
    severity: 'error',
    code: forbidden ? 'forbidden' : 'api-error',
    summary: `the API server says: ${status.message}`,
    detail: `${request}: ${status.code}${status.reason ? ` ${status.reason}` : ''}`,
    ...(status.code === 401 ? { hint: 'The credentials of the context are missing, wrong or expired.' } : {}),
  };
}

/** Each said once: a permission that a thousand requests lack is one problem. */
export function distinct(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const byText = new Map(diagnostics.map((diagnostic) => [stringifyJson(diagnostic), diagnostic]));
  return byText.size === diagnostics.length ? diagnostics : [...byText.values()];
}
