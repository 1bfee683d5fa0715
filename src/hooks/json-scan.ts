// Two things that JSON.parse doesn't tell about a text: where exactly it stops being JSON (V8 gives no position for
// some errors), and which keys are written twice (the last one wins silently). Iterative: depth costs no stack.

/** Sticky: one token of JSON, or white space. Unrolled so that long strings need no backtracking. */
const TOKEN =
  /[ \t\n\r]+|[{}[\],:]|"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

type Expected = 'value' | 'value-or-close' | 'key' | 'key-or-close' | 'colon' | 'comma-or-close' | 'end';

interface Level {
  readonly isObject: boolean;
  readonly keys: Set<string>;
  key: string;
  index: number;
}

export interface KeyAt {
  readonly key: string;
  readonly path: readonly (string | number)[];
  readonly offset: number;
}

/** Where the text stops being JSON, as an offset into it; undefined for valid JSON. Calls back for repeated keys. */
export function scanJson(text: string, onDuplicate?: (key: KeyAt) => void): number | undefined {
  const levels: Level[] = [];
  let expected: Expected = 'value';
  let offset = 0;
  while (offset < text.length) {
    TOKEN.lastIndex = offset;
    const token = TOKEN.exec(text)?.[0];
    if (token === undefined) return offset;
    if (!/^[ \t\n\r]/.test(token)) {
      const next = step({ token, offset, expected, levels, onDuplicate });
      if (next === undefined) return offset;
      expected = next;
    }
    offset += token.length;
  }
  return expected === 'end' ? undefined : offset;
}

interface Step {
  readonly token: string;
  readonly offset: number;
  readonly expected: Expected;
  readonly levels: Level[];
  readonly onDuplicate: ((key: KeyAt) => void) | undefined;
}

/** What may follow the token, or undefined when the token may not stand here. */
function step(at: Step): Expected | undefined {
  const { token, expected, levels } = at;
  const top = levels.at(-1);
  const afterValue: Expected = levels.length > 0 ? 'comma-or-close' : 'end';
  if (expected === 'colon') return token === ':' ? 'value' : undefined;
  if (expected === 'comma-or-close' && token === ',') {
    if (top && !top.isObject) top.index++;
    return top?.isObject ? 'key' : 'value';
  }
  if (expected === 'comma-or-close' || expected.endsWith('-or-close')) {
    if (top && token === (top.isObject ? '}' : ']')) {
      levels.pop();
      return levels.length > 0 ? 'comma-or-close' : 'end';
    }
    if (expected === 'comma-or-close') return undefined;
  }
  if (expected === 'key' || expected === 'key-or-close')
    return top && token.startsWith('"') ? addKey(at, top) : undefined;
  if (expected === 'end') return undefined;
  if (token === '{' || token === '[') {
    levels.push({ isObject: token === '{', keys: new Set(), key: '', index: 0 });
    return token === '{' ? 'key-or-close' : 'value-or-close';
  }
  return /^[\]},:]/.test(token) ? undefined : afterValue;
}

function addKey(at: Step, level: Level): Expected {
  const key = JSON.parse(at.token) as string;
  if (level.keys.has(key)) at.onDuplicate?.({ key, path: placeOf(at.levels, key), offset: at.offset });
  level.keys.add(key);
  level.key = key;
  return 'colon';
}

/** The path of a key of the innermost level: each level above stands at its current key or index. */
function placeOf(levels: readonly Level[], key: string): readonly (string | number)[] {
  return [...levels.slice(0, -1).map((level) => (level.isObject ? level.key : level.index)), key];
}

/** "line 3, column 7", and the line with a caret under the place. */
export function describeOffset(text: string, offset: number): { readonly place: string; readonly excerpt: string } {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const line = text.slice(0, offset).split('\n').length;
  const nextBreak = text.indexOf('\n', offset);
  const lineEnd = nextBreak < 0 ? text.length : nextBreak;
  const from = Math.max(lineStart, offset - 40);
  const shown = text.slice(from, Math.min(lineEnd, offset + 40)).replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, ' ');
  return {
    place: `line ${line}, column ${offset - lineStart + 1}`,
    excerpt: `${shown}\n${' '.repeat(offset - from)}^`,
  };
}
