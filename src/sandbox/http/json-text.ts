// JSON as the server's decoder reads it, in its words where it does not: which byte is wrong and where it stands, and no
// more than 10,000 levels (the rest of the sandbox walks objects by recursion).

import { type JsonValue, parseJson } from '../../kit/json.ts';

const MOST_LEVELS = 10_000;

/** Throws SyntaxError with the decoder's message. */
export function parseJsonText(text: string): JsonValue {
  if (mayBeTooDeep(text)) refuse(text);
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) refuse(text);
    throw error;
  }
}

function refuse(text: string): void {
  const problem = jsonProblem(text);
  if (problem !== undefined) throw new SyntaxError(problem);
}

function mayBeTooDeep(text: string): boolean {
  if (text.length <= MOST_LEVELS) return false;
  let opened = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if ((code === 0x5b || code === 0x7b) && ++opened > MOST_LEVELS) return true;
  }
  return false;
}

/** A number that no float can hold, as it is written. */
export function hugeNumber(text: string): string | undefined {
  if (!/\d[eE]\+?\d{3}/.test(text)) return undefined;
  let found: string | undefined;
  const look = (_key: string, value: unknown, context?: { readonly source?: string }): unknown => {
    if (typeof value === 'number' && !Number.isFinite(value)) found ??= context?.source;
    return value;
  };
  JSON.parse(text, look as (key: string, value: unknown) => unknown);
  return found;
}

/** What the decoder says of the text; undefined: nothing is wrong with it. */
export function jsonProblem(text: string | Buffer): string | undefined {
  return new Scanner(Buffer.from(text as string)).problem();
}

/** A byte as the messages show it: one that is no ASCII stands for the character of its number. */
function shown(byte: number): string {
  const character = String.fromCharCode(byte);
  if (character === "'") return "'\\''";
  if (character === '"') return "'\"'";
  const quoted = JSON.stringify(character).slice(1, -1);
  return `'${byte < 0x20 || byte === 0x7f ? quoted.replace(/^\\u00/, '\\x') : quoted}'`;
}

const END = -1;
const code = (character: string): number => character.charCodeAt(0);
const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
const isHex = (byte: number): boolean => /[0-9a-fA-F]/.test(String.fromCharCode(byte));

class Problem extends Error {}

class Scanner {
  readonly #bytes: Buffer;
  readonly #open: ('[' | '{')[] = [];
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  problem(): string | undefined {
    try {
      this.#values();
      this.#spaces();
      if (this.#peek() !== END) this.#fail('after top-level value');
      return undefined;
    } catch (error) {
      if (error instanceof Problem) return error.message;
      throw error;
    }
  }

  #peek(): number {
    return this.#bytes[this.#at] ?? END;
  }

  #fail(where: string): never {
    const byte = this.#peek();
    throw new Problem(byte === END ? 'unexpected end of JSON input' : `invalid character ${shown(byte)} ${where}`);
  }

  #take(character: string): boolean {
    if (this.#peek() !== code(character)) return false;
    this.#at += 1;
    return true;
  }

  #spaces(): void {
    while (isSpace(this.#peek())) this.#at += 1;
  }

  /** One value and all that is inside of it, without recursion. */
  #values(): void {
    do {
      this.#spaces();
      if (this.#enters()) continue;
      while (this.#open.length > 0 && this.#ends());
    } while (this.#open.length > 0);
  }

  /** true: what follows is the first value of an object or list. false: a value has been read to its end. */
  #enters(): boolean {
    const start = this.#peek();
    const isMap = start === code('{');
    if (!isMap && start !== code('[')) {
      this.#scalar();
      return false;
    }
    if (this.#open.length >= MOST_LEVELS) this.#fail('exceeded max depth');
    this.#at += 1;
    this.#spaces();
    if (this.#take(isMap ? '}' : ']')) return false;
    this.#open.push(isMap ? '{' : '[');
    if (isMap) this.#key();
    return true;
  }

  #key(): void {
    this.#spaces();
    if (this.#peek() !== code('"')) this.#fail('looking for beginning of object key string');
    this.#string();
    this.#spaces();
    if (!this.#take(':')) this.#fail('after object key');
  }

  /** After a value: true where it was the last one of what holds it, which is a value that has ended itself. */
  #ends(): boolean {
    const holder = this.#open.at(-1);
    this.#spaces();
    if (this.#take(',')) {
      if (holder === '{') this.#key();
      return false;
    }
    if (!this.#take(holder === '{' ? '}' : ']'))
      this.#fail(holder === '{' ? 'after object key:value pair' : 'after array element');
    this.#open.pop();
    return true;
  }

  #scalar(): void {
    const start = this.#peek();
    if (start === code('"')) this.#string();
    else if (start === code('-') || isDigit(start)) this.#number();
    else this.#word(['true', 'false', 'null'].find((one) => code(one) === start));
  }

  #word(word: string | undefined): void {
    if (word === undefined) this.#fail('looking for beginning of value');
    for (const character of word)
      if (!this.#take(character)) this.#fail(`in literal ${word} (expecting '${character}')`);
  }

  #string(): void {
    this.#at += 1;
    while (!this.#take('"')) {
      const byte = this.#peek();
      if (byte < 0x20) this.#fail('in string literal');
      this.#at += 1;
      if (byte === code('\\')) this.#escape();
    }
  }

  #escape(): void {
    const byte = this.#peek();
    if (byte === END || !'bfnrt\\/"u'.includes(String.fromCharCode(byte))) this.#fail('in string escape code');
    this.#at += 1;
    if (byte !== code('u')) return;
    for (let digit = 0; digit < 4; digit++) {
      if (this.#peek() === END || !isHex(this.#peek())) this.#fail('in \\u hexadecimal character escape');
      this.#at += 1;
    }
  }

  #number(): void {
    this.#take('-');
    if (!this.#take('0')) this.#digits('in numeric literal');
    if (this.#take('.')) this.#digits('after decimal point in numeric literal');
    if (!this.#take('e') && !this.#take('E')) return;
    if (!this.#take('+')) this.#take('-');
    this.#digits('in exponent of numeric literal');
  }

  #digits(where: string): void {
    if (!isDigit(this.#peek())) this.#fail(where);
    while (isDigit(this.#peek())) this.#at += 1;
  }
}
