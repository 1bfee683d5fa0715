// What changed, as the server shows it in a message: the lines of two indented JSON texts, with three lines around each change.

import type { JsonObject } from '../../kit/json.ts';

const CONTEXT = 3;

interface Line {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
}

/** Ends with a line break; "" when nothing differs. */
export function goDiff(before: JsonObject, after: JsonObject): string {
  const lines = compare(JSON.stringify(before, null, 1).split('\n'), JSON.stringify(after, null, 1).split('\n'));
  return hunks(lines)
    .map(([start, end]) => hunkText(lines, start, end))
    .join('');
}

/** By the longest common subsequence of what is between the equal beginning and the equal end. */
function compare(a: readonly string[], b: readonly string[]): Line[] {
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  const same = (texts: readonly string[]): Line[] => texts.map((text) => ({ mark: ' ', text }));
  const middle = changed(a.slice(head, a.length - tail), b.slice(head, b.length - tail));
  return [...same(a.slice(0, head)), ...middle, ...same(a.slice(a.length - tail))];
}

function changed(a: readonly string[], b: readonly string[]): Line[] {
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]];
    if (left !== undefined && left === right) {
      lines.push({ mark: ' ', text: left });
      [i, j] = [i + 1, j + 1];
    } else if (left !== undefined && (right === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ mark: '-', text: left });
      i++;
    } else {
      lines.push({ mark: '+', text: right ?? '' });
      j++;
    }
  }
  return lines;
}

/** Ranges of lines to show: [start, end). */
function hunks(lines: readonly Line[]): [number, number][] {
  const ranges: [number, number][] = [];
  for (const [index, { mark }] of lines.entries()) {
    if (mark === ' ') continue;
    const last = ranges.at(-1);
    const start = Math.max(0, index - CONTEXT);
    if (last && start <= last[1]) last[1] = Math.min(lines.length, index + 1 + CONTEXT);
    else ranges.push([start, Math.min(lines.length, index + 1 + CONTEXT)]);
  }
  return ranges;
}

function hunkText(lines: readonly Line[], start: number, end: number): string {
  const count = (part: readonly Line[], other: '-' | '+'): number => part.filter(({ mark }) => mark !== other).length;
  const before = lines.slice(0, start);
  const part = lines.slice(start, end);
  const range = (other: '-' | '+'): string => {
    const length = count(part, other);
    return `${count(before, other) + 1}${length === 1 ? '' : `,${length}`}`;
  };
  const body = part.map(({ mark, text }) => `${mark}${text}\n`).join('');
  return `@@ -${range('+')} +${range('-')} @@\n${body}`;
}
