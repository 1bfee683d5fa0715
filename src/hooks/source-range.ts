// A place in a file of the user's, with the line itself for the diagnostic.

import { readFileSync } from 'node:fs';
import type { SourceRange } from '../model/diagnostic.ts';

export function rangeAt(at: { file: string; line: number; column: number; endColumn?: number }): SourceRange {
  const { file, line, column, endColumn } = at;
  const lineText = readText(file)?.split('\n')[line - 1]?.replace(/\r$/, '');
  return {
    file,
    line,
    column,
    ...(endColumn === undefined ? {} : { endColumn }),
    ...(lineText === undefined ? {} : { lineText }),
  };
}

export function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // The file is gone since; the error is told without its line.
    return undefined;
  }
}
