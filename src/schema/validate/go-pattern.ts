// Regular expressions of schemas are Go's (RE2). They are run by the engine at hand, after what it writes differently has
// been rewritten; what RE2 has not (lookaround, back references) is refused in RE2's words.
// Not the same: RE2 takes linear time, this may take longer on patterns made for that.

export type GoPattern = { readonly regexp: RegExp } | { readonly problem: string };

const POSIX: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7F',
  blank: '\\t ',
  cntrl: '\\x00-\\x1F\\x7F',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`\\{-~',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};

/** `problem` begins as Go's error does: "error parsing regexp: …". */
export function goPattern(pattern: string): GoPattern {
  try {
    const { source, flags } = translate(pattern);
    return { regexp: new RegExp(source, `u${flags}`) };
  } catch (error) {
    if (error instanceof PatternError) return { problem: `error parsing regexp: ${error.message}` };
    if (error instanceof SyntaxError)
      return { problem: `error parsing regexp: ${plainProblem(pattern, error.message)}` };
    throw error;
  }
}

class PatternError extends Error {}

/** What the engine complains of, in RE2's words as far as they are known. */
function plainProblem(pattern: string, message: string): string {
  if (/Unterminated group/.test(message)) return `missing closing ): \`${pattern}\``;
  if (/Unmatched '\)'/.test(message)) return `unexpected ): \`${pattern}\``;
  if (/Unterminated character class/.test(message))
    return `missing closing ]: \`${pattern.slice(openClass(pattern))}\``;
  if (/Nothing to repeat/.test(message)) return `missing argument to repetition operator: \`${loneRepeat(pattern)}\``;
  if (/Range out of order/.test(message)) {
    return `invalid character class range: \`${/\[.*?([^[\]]-[^[\]])/u.exec(pattern)?.[1] ?? pattern}\``;
  }
  return `invalid regular expression: \`${pattern}\` (${message})`;
}

const openClass = (pattern: string): number => Math.max(pattern.lastIndexOf('['), 0);

const loneRepeat = (pattern: string): string => /(?:^|[(|])([*+?])/.exec(pattern)?.[1] ?? pattern;

function translate(pattern: string): { source: string; flags: string } {
  const leading = /^\(\?([imsU]+)\)/.exec(pattern);
  const flags = (leading?.[1] ?? '').replace('U', '');
  let source = '';
  let index = leading?.[0].length ?? 0;
  while (index < pattern.length) {
    const piece = nextPiece(pattern, index);
    source += piece.text;
    index += piece.length;
  }
  return { source, flags };
}

interface Piece {
  readonly text: string;
  /** Characters of the pattern that it stands for. */
  readonly length: number;
}

function nextPiece(pattern: string, index: number): Piece {
  const rest = pattern.slice(index, index + 16);
  const char = rest[0] ?? '';
  if (char === '\\') return escaped(pattern, index);
  if (char === '[') return characterClass(pattern, index);
  if (rest.startsWith('(?P<')) return { text: '(?<', length: 4 };
  const look = /^\(\?(?:[=!]|<[=!])/.exec(rest);
  if (look) throw new PatternError(`invalid or unsupported Perl syntax: \`${look[0].slice(0, 3)}\``);
  const repeat = /^\{(?:(\d+)(,(\d*))?)?\}?/.exec(rest);
  if (char === '{' && repeat) return braces(repeat);
  // A brace or bracket that closes nothing is an ordinary character.
  return { text: char === '}' || char === ']' ? `\\${char}` : char, length: 1 };
}

function braces([text, min, , max]: RegExpExecArray): Piece {
  if (min === undefined || !text.endsWith('}')) return { text: '\\{', length: 1 };
  const isTooBig = Number(min) > 1000 || Number(max ?? 0) > 1000 || (max ? Number(max) < Number(min) : false);
  if (isTooBig) throw new PatternError(`invalid repeat count: \`${text}\``);
  return { text, length: text.length };
}

function escaped(pattern: string, index: number): Piece {
  const char = pattern[index + 1];
  if (char === undefined) throw new PatternError('trailing backslash at end of expression: ``');
  const length = 2;
  if (char === 'A') return { text: '(?<![\\s\\S])', length };
  if (char === 'z') return { text: '(?![\\s\\S])', length };
  if (char === 'a') return { text: '\\x07', length };
  if (char === 'Q') return literal(pattern, index);
  if (char === 'p' || char === 'P') return unicodeClass(pattern, index, char);
  if (char === 'x' && pattern[index + 2] === '{') {
    const digits = /^\{([0-9A-Fa-f]+)\}/.exec(pattern.slice(index + 2, index + 14));
    if (digits) return { text: `\\u{${digits[1]}}`, length: length + digits[0].length };
  }
  if (/[dDsSwWbBnrtfvx]/.test(char)) return { text: spaceOf(char), length };
  if (/[A-Za-z0-9]/.test(char)) throw new PatternError(`invalid escape sequence: \`\\${char}\``);
  return { text: /[\^$\\.*+?()[\]{}|/]/.test(char) ? `\\${char}` : char, length };
}

/** Go's \s has neither \v nor anything outside of ASCII. */
const spaceOf = (char: string): string =>
  char === 's' ? '[\\t\\n\\f\\r ]' : char === 'S' ? '[^\\t\\n\\f\\r ]' : `\\${char}`;

function literal(pattern: string, index: number): Piece {
  const end = pattern.indexOf('\\E', index + 2);
  const text = pattern.slice(index + 2, end < 0 ? pattern.length : end);
  return {
    text: text.replaceAll(/[\^$\\.*+?()[\]{}|/]/g, '\\$&'),
    length: text.length + (end < 0 ? 2 : 4),
  };
}

function unicodeClass(pattern: string, index: number, char: string): Piece {
  const match = /^\{?(\^?\w+)\}?/.exec(pattern.slice(index + 2, index + 40));
  const isBraced = pattern[index + 2] === '{';
  const name = isBraced ? (match?.[1] ?? '') : (pattern[index + 2] ?? '');
  const length = 2 + (isBraced ? (match?.[0].length ?? 0) : 1);
  const isScript = name.length > 2;
  return { text: `\\${char}{${isScript ? 'Script=' : ''}${name}}`, length };
}

function characterClass(pattern: string, start: number): Piece {
  let index = start + 1;
  let text = '[';
  if (pattern[index] === '^') {
    text += '^';
    index++;
  }
  for (let first = true; index < pattern.length; first = false) {
    const char = pattern[index] as string;
    if (char === ']' && !first) return { text: `${text}]`, length: index + 1 - start };
    const piece = classPiece(pattern, index, char);
    text += piece.text;
    index += piece.length;
  }
  throw new PatternError(`missing closing ]: \`${pattern.slice(start)}\``);
}

function classPiece(pattern: string, index: number, char: string): Piece {
  const posix = /^\[:(\^?)(\w+):\]/.exec(pattern.slice(index, index + 14));
  if (posix) {
    const inside = POSIX[posix[2] ?? ''];
    if (inside === undefined || posix[1]) throw new PatternError(`invalid character class range: \`${posix[0]}\``);
    return { text: inside, length: posix[0].length };
  }
  if (char === '\\') {
    const piece = escaped(pattern, index);
    if (/^\[/.test(piece.text)) return { text: piece.text.slice(1, -1), length: piece.length };
    return pattern[index + 1] === '-' ? { text: '\\-', length: 2 } : piece;
  }
  return { text: /[[\]/(){}|]/.test(char) ? `\\${char}` : char, length: 1 };
}
