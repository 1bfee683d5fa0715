// Errors that reach a use case, as diagnostics. Anything that is not one of the known failures is a defect of ours and
// goes on as an exception.

import { type Diagnostic, DiagnosticError } from '../model/diagnostic.ts';
import { ApiError, ConnectionError } from '../ports/errors.ts';

export function diagnosticsOf(error: unknown): readonly Diagnostic[] {
  if (error instanceof DiagnosticError) return error.diagnostics;
  if (error instanceof ConnectionError)
    return [{ severity: 'error', code: 'connection-failed', summary: error.message, detail: error.request }];
  if (error instanceof ApiError) return [apiDiagnostic(error)];
  throw error;
}

function apiDiagnostic({ status, request }: ApiError): Diagnostic {
  const forbidden = status.code === 403;
  return {
    severity: 'error',
    code: forbidden ? 'forbidden' : 'api-error',
    summary: `the API server says: ${status.message}`,
    detail: `${request}: ${status.code}${status.reason ? ` ${status.reason}` : ''}`,
    ...(forbidden ? { hint: 'With rights in one namespace only, say which: -n NAMESPACE.' } : {}),
    ...(status.code === 401 ? { hint: 'The credentials of the context are missing, wrong or expired.' } : {}),
  };
}
