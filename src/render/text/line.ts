// Lines of styled text that are laid out first and coloured last: widths are counted on what is seen, and nothing is
// ever cut inside an ANSI code. Text of others (names, values, messages) can't smuggle in control characters.

import { styleText } from 'node:util';

export type Style = 'plain' | 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan' | 'magenta';

export interface Segment {
  readonly text: string;
  readonly style: Style;
}
export type Line = readonly Segment[];

export interface TextOptions {
  readonly color: boolean;
  /** Only ASCII characters: everything else is escaped. */
  readonly ascii: boolean;
  /** Columns; lines are cut there. */
  readonly width: number;
}

export const segment = (text: string, style: Style = 'plain'): Segment => ({ text, style });

// Control characters, and those that turn the direction of the text around them.
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g;
const NOT_ASCII = /[^\u0020-\u007e]/gu;
const OWN_SIGNS: Readonly<Record<string, string>> = { '→': '->', '…': '...' };

/** Text that a terminal shows as it is; `ascii` also spells our own signs in ASCII. */
export function safeText(text: string, ascii: boolean): string {
  const safe = text.replace(UNSAFE, escapeCharacter);
  if (!ascii) return safe;
  return safe.replace(/[→…]/g, (sign) => OWN_SIGNS[sign] ?? sign).replace(NOT_ASCII, escapeCharacter);
}

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

/** Columns that a character takes. */
function columnsOf(character: string): number {
  if (character <= '~') return 1;
  if (/[\p{M}\u200b-\u200d]/u.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

export function visibleWidth(text: string): number {
  let width = 0;
  for (const character of text) width += columnsOf(character);
  return width;
}

export const lineWidth = (line: Line): number => line.reduce((sum, { text }) => sum + visibleWidth(text), 0);

/** The text's beginning, at most `width` columns of it. */
export function takeColumns(text: string, width: number): string {
  let [used, end] = [0, 0];
  for (const character of text) {
    used += columnsOf(character);
    if (used > width) break;
    end += character.length;
  }
  return text.slice(0, end);
}

/** The text's end, at most `width` columns of it. */
export function takeLastColumns(text: string, width: number): string {
  let [used, start] = [0, text.length];
  for (const character of [...text].reverse()) {
    used += columnsOf(character);
    if (used > width) break;
    start -= character.length;
  }
  return text.slice(start);
}

/** All lines as one text with a line end behind each. */
export function printLines(lines: readonly Line[], options: TextOptions): string {
  return lines.map((line) => `${printLine(line, options)}\n`).join('');
}

function printLine(line: Line, options: TextOptions): string {
  const safe = line.map(({ text, style }) => segment(safeText(text, options.ascii), style));
  const cut = lineWidth(safe) <= options.width ? safe : cutLine(safe, options);
  const end = cut.findLastIndex(({ text }) => text.trim() !== '');
  const trimmed = cut
    .slice(0, end + 1)
    .map((part, index) => (index === end ? segment(part.text.trimEnd(), part.style) : part));
  return trimmed.map((part) => paint(part, options.color)).join('');
}

function cutLine(line: Line, { ascii, width }: TextOptions): Segment[] {
  const mark = ascii ? '...' : '…';
  let room = width - mark.length;
  const kept: Segment[] = [];
  for (const { text, style } of line) {
    const part = takeColumns(text, room);
    kept.push(segment(part, style));
    room -= visibleWidth(part);
    if (part.length < text.length) break;
  }
  return [...kept, segment(mark, 'dim')];
}

function paint({ text, style }: Segment, color: boolean): string {
  if (!color || style === 'plain' || text === '') return text;
  return styleText(style, text, { validateStream: false });
}

/** Words in lines of at most `width` columns; a word that is longer is broken. */
export function wrapWords(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (let word of text.split(/\s+/).filter((part) => part !== '')) {
    if (line !== '' && visibleWidth(line) + 1 + visibleWidth(word) <= width) {
      line += ` ${word}`;
      continue;
    }
    if (line !== '') lines.push(line);
    while (visibleWidth(word) > width) {
      const head = takeColumns(word, Math.max(2, width));
      lines.push(head);
      word = word.slice(head.length);
    }
    line = word;
  }
  return line === '' ? lines : [...lines, line];
}

/** `text` wrapped, every line indented by `indent` spaces; the first one begins with `lead` instead. */
export function paragraph(
  text: string,
  { indent, lead, width, style = 'plain' }: { indent: number; lead?: Line; width: number; style?: Style },
): Line[] {
  const start = lead ?? [segment(' '.repeat(indent))];
  const room = Math.max(20, width - Math.max(indent, lineWidth(start)));
  const lines = wrapWords(text, room);
  if (lines.length === 0) return lead ? [lead] : [];
  return lines.map((words, index) => [...(index === 0 ? start : [segment(' '.repeat(indent))]), segment(words, style)]);
}
