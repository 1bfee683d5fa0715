// Every problem with a kubeconfig is one diagnostic that names the file. None quotes the file's content: it holds credentials.

import { type Diagnostic, DiagnosticError } from '../../model/diagnostic.ts';

export function kubeconfigProblem(
  summary: string,
  more: Pick<Diagnostic, 'detail' | 'hint' | 'source'> = {},
): DiagnosticError {
  return new DiagnosticError([{ severity: 'error', code: 'kubeconfig-invalid', summary, ...more }]);
}

export function unsupportedProblem(summary: string, hint: string): DiagnosticError {
  return new DiagnosticError([{ severity: 'error', code: 'unsupported', summary, hint }]);
}
