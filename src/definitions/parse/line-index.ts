import type { SourceRange } from '../../model/diagnostic.ts';

/** A longer line (minified JSON) is not quoted in a diagnostic. */
const LONGEST_QUOTED_LINE = 1_000;

/** Offsets of one text as lines and columns. */
export interface LineIndex {
  /** `end` is exclusive; a range over several lines is cut at the end of its first. */
  range(start: number, end?: number): SourceRange;
}

/** Built on first use, so that a text without problems is never scanned for line ends. */
export function createLineIndex(file: string, text: string): LineIndex {
  let starts: number[] | undefined;
  return {
    range(start, end) {
      starts ??= lineStarts(text);
      const offset = Math.max(0, Math.min(start, text.length));
      const line = lineAt(starts, offset);
      const lineStart = starts[line] ?? 0;
      const lineText = text.slice(lineStart, (starts[line + 1] ?? text.length + 1) - 1).replace(/\r$/, '');
      const column = offset - lineStart + 1;
      const endColumn = end === undefined ? undefined : Math.min(end - lineStart, lineText.length) + 1;
      return {
        file,
        line: line + 1,
        column,
        ...(endColumn !== undefined && endColumn > column ? { endColumn } : {}),
        ...(lineText.length <= LONGEST_QUOTED_LINE ? { lineText } : {}),
      };
    },
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** The last line that starts at or before the offset. */
function lineAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
