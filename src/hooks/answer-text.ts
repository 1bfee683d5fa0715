// From the bytes that a hook answered with to a JSON value: size, encoding, silence, syntax, keys written twice.
// What the answer means is not looked at here.

import { type JsonValue, parseJson } from '../kit/json.ts';
import { formatPath } from '../kit/path.ts';
import { HookFailure } from './failure.ts';
import { excerptStart } from './foreign-text.ts';
import { describeOffset, type KeyAt, scanJson } from './json-scan.ts';

/** Go's decoder stops at 10000; recursion over objects here must not run out of stack long before. */
const MAX_DEPTH = 500;

export interface AnswerSource {
  /** Where it was read from: "the response body", "stdout". */
  readonly where: string;
  /** Keys written twice, at the top or inside `status`, are errors. */
  readonly strict: boolean;
}

/** Throws HookFailure with code answer-invalid. */
export function parseAnswer(answer: Uint8Array | string, source: AnswerSource): JsonValue {
  const text = typeof answer === 'string' ? answer : decode(answer, source.where);
  if (text.trim() === '') throw silence(source.where);
  const value = parse(text, source.where);
  if (!shallowerThan(value, MAX_DEPTH)) throw tooDeep();
  if (source.strict) refuseDuplicateKeys(text);
  return value;
}

export function tooLarge(limitBytes: number, where: string): HookFailure {
  return new HookFailure({
    code: 'answer-too-large',
    what: `${where} is larger than ${formatBytes(limitBytes)}`,
    hint: 'return desired children only, without data that the server adds',
  });
}

function invalid(what: string, more: { why?: string; hint?: string; path?: string } = {}): HookFailure {
  return new HookFailure({ code: 'answer-invalid', what, ...more });
}

function tooDeep(): HookFailure {
  return invalid(`the answer is nested deeper than ${MAX_DEPTH} levels`);
}

function silence(where: string): HookFailure {
  return invalid(`the answer is empty: nothing but white space in ${where}`, {
    hint: 'answer a JSON object; for no children and no status: {"status": {}, "children": []}',
  });
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Uint8Array, where: string): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    const shown = excerptStart(new TextDecoder().decode(bytes.subarray(0, 200)), { characters: 100, lines: 2 });
    throw invalid(`the answer is not UTF-8 text`, {
      why: `${where} begins with: ${shown}`,
      hint: 'write JSON encoded as UTF-8, uncompressed',
    });
  }
}

function parse(text: string, where: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    const offset = scanJson(text);
    // Valid, and still not parsed: the parser ran out of stack.
    if (offset === undefined) throw tooDeep();
    const { place, excerpt } = describeOffset(text, offset);
    throw invalid(`the answer is not JSON: ${complaint(text, offset)} at ${place} of ${where}`, {
      why: `${excerpt}\n${error instanceof Error ? excerptStart(error.message, { characters: 200, lines: 2 }) : ''}`,
      hint: syntaxHint(text, offset),
    });
  }
}

function complaint(text: string, offset: number): string {
  const character = String.fromCodePoint(text.codePointAt(offset) ?? 0);
  if (offset >= text.length) return 'it breaks off';
  return /[\u0000-\u001f\u007f-\u009f]/.test(character) ? 'control character' : `unexpected ${character}`;
}

function syntaxHint(text: string, offset: number): string {
  const start = text.trimStart();
  const here = text.slice(offset, offset + 10);
  if (start.startsWith('<')) return 'this looks like an HTML page: is the URL that of the hook?';
  if (/^['TFN]/.test(here) && /^[[{]/.test(start) && !/^NaN/.test(here))
    return 'this looks like Python printing a dict: write json.dumps(answer)';
  if (/^(NaN|-?Infinity)/.test(here)) return 'JSON has no NaN and no Infinity: leave the field out or write null';
  if (!/^[[{]/.test(start)) return 'write nothing but the JSON answer here; messages belong on stderr';
  return 'use a JSON library to write the answer; messages belong on stderr';
}

function refuseDuplicateKeys(text: string): void {
  let first: KeyAt | undefined;
  scanJson(text, (key) => {
    if (key.path.length === 1 || key.path[0] === 'status') first ??= key;
  });
  if (first === undefined) return;
  const path = formatPath(first.path);
  throw invalid(`the answer has the field ${path} twice, at ${describeOffset(text, first.offset).place}`, {
    path,
    hint: 'write it once, or set responseUnMarshallMode: loose (then the last one counts)',
  });
}

function shallowerThan(value: JsonValue | undefined, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0) return false;
  for (const item of Object.values(value)) if (!shallowerThan(item, depth - 1)) return false;
  return true;
}

function formatBytes(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${Math.round(bytes / 1024 / 1024)} MiB` : `${bytes} bytes`;
}
