// Texts of several lines (files in a ConfigMap) as the lines that differ, with two lines around them.

import { structuredPatch } from 'diff';
import { type Line, segment } from './line.ts';

const CONTEXT = 2;
/** More differing lines than this: the work grows with the square, and nobody reads it. No time limit: the same on every machine. */
const MAX_EDITS = 400;
const MAX_SHOWN = 30;

export function lineDiff(before: string, after: string, indent: number): Line[] {
  const start = ' '.repeat(indent);
  const patch = structuredPatch('', '', before, after, '', '', { context: CONTEXT, maxEditLength: MAX_EDITS });
  if (!patch) return [[segment(`${start}(too different to show by line)`, 'dim')]];
  const lines = patch.hunks.flatMap((hunk, index) => [...(index > 0 ? ['⋯'] : []), ...hunk.lines]);
  const shown = lines.slice(0, MAX_SHOWN).map((line): Line => [segment(`${start}${show(line)}`, styleOf(line))]);
  if (lines.length <= MAX_SHOWN) return shown;
  return [...shown, [segment(`${start}(${lines.length - MAX_SHOWN} more lines)`, 'dim')]];
}

function show(line: string): string {
  if (line === '⋯') return '…';
  if (line.startsWith('\\')) return '  (no line end at the end)';
  return `${line[0]} ${line.slice(1).replaceAll('\t', '    ')}`;
}

const styleOf = (line: string): 'green' | 'red' | 'dim' =>
  line.startsWith('+') ? 'green' : line.startsWith('-') ? 'red' : 'dim';

export function lineCount(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}
