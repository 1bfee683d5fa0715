import type { Diagnostic } from '../model/diagnostic.ts';

/** The diagnostic with every text in it that may quote somebody's data replaced. Names of objects stay. */
export function mapDiagnosticText(diagnostic: Diagnostic, mask: (text: string) => string): Diagnostic {
  const { summary, detail, hint, path, source } = diagnostic;
  return {
    ...diagnostic,
    summary: mask(summary),
    ...(detail === undefined ? {} : { detail: mask(detail) }),
    ...(hint === undefined ? {} : { hint: mask(hint) }),
    ...(path === undefined ? {} : { path: mask(path) }),
    ...(source?.lineText === undefined ? {} : { source: { ...source, lineText: mask(source.lineText) } }),
  };
}
