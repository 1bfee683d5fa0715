// The problems that both readers (YAML, JSON) find in a text.

import type { Diagnostic, SourceRange } from '../../model/diagnostic.ts';

export function syntaxProblem(summary: string, source: SourceRange, hint?: string): Diagnostic {
  const advice = adviceForLine(source.lineText ?? '') ?? hint;
  return { severity: 'error', code: 'yaml-syntax', summary, ...(advice ? { hint: advice } : {}), source };
}

/** What the line as a whole gives away explains more than the place where the parser stumbled. */
function adviceForLine(line: string): string | undefined {
  if (line.includes('{{')) return 'This looks like a template: render it first, then pass the result.';
  if (/^(<<<<<<<|=======|>>>>>>>)/.test(line)) return 'Resolve the merge conflict in this file.';
  return undefined;
}

export function duplicateKey(key: string, source: SourceRange, first?: SourceRange): Diagnostic {
  return {
    severity: 'error',
    code: 'yaml-duplicate-key',
    summary: `The key "${key}" stands twice in one map`,
    ...(first ? { detail: `First at line ${first.line}, column ${first.column}.` } : {}),
    hint: 'Keep one of the two; kubectl would silently use the last.',
    source,
  };
}

export function inexactInteger(text: string, source: SourceRange): Diagnostic {
  return {
    severity: 'warning',
    code: 'yaml-precision',
    summary: `The integer ${text} does not fit in 64 bits and loses digits`,
    detail: 'Kubernetes reads it as a floating point number.',
    hint: `Write "${text}" in quotes if it is a text.`,
    source,
  };
}
