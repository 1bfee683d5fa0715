// A JSON parser that knows where everything stands: JSON.parse keeps the last of two equal keys, rounds long integers,
// and tells no positions. It takes one value from a text that may hold several (kubectl reads concatenated objects).

import { type JsonValue, type MutableJsonObject, setOwn } from '../../kit/json.ts';
import { decimalInteger } from './kubectl-scalar.ts';

export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
  readonly offset: number;
  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** What the parser tells beside the value: offsets into the text, ends exclusive. */
export interface JsonObserver {
  duplicateKey?(key: string, start: number, end: number): void;
  inexactInteger?(start: number, end: number): void;
  /** Called for each value, outermost first; `key` is the range of the property's name. */
  value?(path: readonly (string | number)[], range: readonly [number, number], key?: readonly [number, number]): void;
}

const DEEPEST = 500;
const SPACE = /[ \t\r\n]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const WORD = /true|false|null/y;

/** Parses the value that starts at `offset`; `end` is where the white space after it ends. */
export function parseJsonAt(text: string, offset: number, observer: JsonObserver): { value: JsonValue; end: number } {
  const parser = new JsonParser(text, observer);
  const start = parser.skipSpace(offset);
  const { value, end } = parser.parse(start, []);
  return { value, end: parser.skipSpace(end) };
}

type Parsed = { value: JsonValue; end: number };
type Key = readonly [number, number];

class JsonParser {
  readonly #text: string;
  readonly #observer: JsonObserver;

  constructor(text: string, observer: JsonObserver) {
    this.#text = text;
    this.#observer = observer;
  }

  skipSpace(offset: number): number {
    return offset + (this.#match(SPACE, offset)?.length ?? 0);
  }

  parse(start: number, path: (string | number)[], key?: Key): Parsed {
    if (path.length > DEEPEST) throw new JsonSyntaxError(`more than ${DEEPEST} levels of nesting`, start);
    const first = this.#text.charAt(start);
    if (first === '{') return this.#object(start, path, key);
    if (first === '[') return this.#array(start, path, key);
    const { value, end } = this.#scalar(start);
    this.#observer.value?.(path, [start, end], key);
    return { value, end };
  }

  #object(start: number, path: (string | number)[], key?: Key): Parsed {
    this.#observer.value?.(path, [start, start + 1], key);
    const value: MutableJsonObject = {};
    let at = this.skipSpace(start + 1);
    if (this.#text[at] === '}') return { value, end: at + 1 };
    for (;;) {
      const name = this.#string(at, 'a property name in double quotes');
      if (Object.hasOwn(value, name.value)) this.#observer.duplicateKey?.(name.value, at, name.end);
      const colon = this.skipSpace(name.end);
      if (this.#text[colon] !== ':') throw this.#unexpected(colon, '":"');
      path.push(name.value);
      const child = this.parse(this.skipSpace(colon + 1), path, [at, name.end]);
      path.pop();
      setOwn(value, name.value, child.value);
      at = this.skipSpace(child.end);
      if (this.#text[at] === '}') return { value, end: at + 1 };
      if (this.#text[at] !== ',') throw this.#unexpected(at, '"," or "}"');
      at = this.skipSpace(at + 1);
    }
  }

  #array(start: number, path: (string | number)[], key?: Key): Parsed {
    this.#observer.value?.(path, [start, start + 1], key);
    const value: JsonValue[] = [];
    let at = this.skipSpace(start + 1);
    if (this.#text[at] === ']') return { value, end: at + 1 };
    for (;;) {
      path.push(value.length);
      const child = this.parse(at, path);
      path.pop();
      value.push(child.value);
      at = this.skipSpace(child.end);
      if (this.#text[at] === ']') return { value, end: at + 1 };
      if (this.#text[at] !== ',') throw this.#unexpected(at, '"," or "]"');
      at = this.skipSpace(at + 1);
    }
  }

  #scalar(start: number): Parsed {
    if (this.#text[start] === '"') return this.#string(start, 'a string');
    const number = this.#match(NUMBER, start);
    if (number) return { value: this.#number(number, start), end: start + number.length };
    const word = this.#match(WORD, start);
    if (word) return { value: JSON.parse(word) as JsonValue, end: start + word.length };
    throw this.#unexpected(start, 'a value');
  }

  #number(text: string, start: number): JsonValue {
    if (/[.eE]/.test(text)) {
      const value = Number(text);
      if (!Number.isFinite(value)) throw new JsonSyntaxError(`the number ${text} is too large`, start);
      return value === 0 ? 0 : value;
    }
    const { value, inexact } = decimalInteger(text);
    if (inexact) this.#observer.inexactInteger?.(start, start + text.length);
    return value;
  }

  #string(start: number, wanted: string): { value: string; end: number } {
    const text = this.#match(STRING, start);
    if (text !== undefined) return { value: JSON.parse(text) as string, end: start + text.length };
    if (this.#text[start] === '"') throw new JsonSyntaxError('the string is not closed or holds a bad escape', start);
    throw this.#unexpected(start, wanted);
  }

  #match(pattern: RegExp, at: number): string | undefined {
    pattern.lastIndex = at;
    return pattern.exec(this.#text)?.[0];
  }

  #unexpected(at: number, wanted: string): JsonSyntaxError {
    const found = at < this.#text.length ? `"${this.#text.charAt(at)}"` : 'the end of the text';
    return new JsonSyntaxError(`expected ${wanted}, found ${found}`, at);
  }
}
