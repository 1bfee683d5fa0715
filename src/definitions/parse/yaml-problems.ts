// Syntax errors in our words: the parser's message says what it expected, the hint what was probably meant.

import type { YAMLError } from 'yaml';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { LineIndex } from './line-index.ts';
import { syntaxProblem } from './problems.ts';

/** More are consequences of the first ones. */
const MOST_SYNTAX_PROBLEMS = 10;

const SUMMARIES: Partial<Record<YAMLError['code'], string>> = {
  TAB_AS_INDENT: 'A tab indents this line; YAML allows spaces only',
  BAD_INDENT: 'The indentation of this line does not fit the lines before it',
  BAD_SCALAR_START: 'A plain value can not start with this character',
  BAD_ALIAS: 'The alias names an anchor that does not exist before it',
  BAD_DQ_ESCAPE: 'Unknown escape in a double-quoted string',
  MULTILINE_IMPLICIT_KEY: 'A key must stand on one line and be followed by ":"',
  BLOCK_AS_IMPLICIT_KEY: 'A value on the line of its key can not be a map or list of its own',
  RESOURCE_EXHAUSTION: 'YAML is nested too deeply',
};

/** One problem a line: the parser's later complaints about the same line are noise. */
export function syntaxProblems(errors: readonly YAMLError[], lines: LineIndex): Diagnostic[] {
  const byLine = new Map<number, Diagnostic>();
  for (const error of errors) {
    const source = lines.range(error.pos[0], error.pos[1]);
    if (byLine.has(source.line)) continue;
    const summary = SUMMARIES[error.code] ?? `YAML syntax: ${firstLine(error.message)}`;
    byLine.set(source.line, syntaxProblem(summary, source, hintFor(error)));
  }
  return [...byLine.values()].slice(0, MOST_SYNTAX_PROBLEMS);
}

function hintFor({ code, message }: YAMLError): string | undefined {
  if (code === 'TAB_AS_INDENT') return 'Replace the tab by spaces.';
  if (code === 'BAD_INDENT') return 'Align it with the keys of the same map.';
  if (code === 'BAD_SCALAR_START') return 'Put the value in quotes.';
  if (code === 'BAD_DQ_ESCAPE') return 'Double the backslash, or use single quotes.';
  if (code === 'BLOCK_AS_IMPLICIT_KEY') return 'Put the value in quotes if it holds ": ", or start it on a new line.';
  if (code === 'MULTILINE_IMPLICIT_KEY') return 'Is a ":" missing after a key, or a quote not closed?';
  if (code === 'MISSING_CHAR' && /quote/.test(message)) return 'A quote that is opened above is not closed.';
  return undefined;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? text;
}
