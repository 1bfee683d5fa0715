// An error that the user's code threw, or that loading it gave, as facts for a diagnostic: which file, line and column
// of theirs, and the stack without our frames and Node's.

import { stripTypeScriptTypes } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import type { SourceRange } from '../../model/diagnostic.ts';
import type { FailureFacts } from '../failure.ts';
import { rangeAt, readText } from '../source-range.ts';

export interface ErrorContext {
  /** Of the worker itself: its frames are not shown. */
  readonly ownUrl: string;
  readonly directory: string;
  /** What follows: "it threw" or "it could not be loaded". */
  readonly happened: string;
  /** Files that were being loaded, in order: a syntax error in plain JavaScript doesn't say where it is. */
  readonly loaded: readonly string[];
}

interface Frame {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export function userErrorFacts(error: unknown, context: ErrorContext): FailureFacts {
  if (!(error instanceof Error))
    return { code: 'hook-failed', what: `${context.happened} ${inspect(error, { depth: 2 })}` };
  const frames = framesOf(error, context.ownUrl);
  const first = frames[0];
  const source = first ? rangeAt(first) : (headRange(error.stack ?? '') ?? syntaxRange(error, context.loaded));
  const stack = frames.map((frame) => `    at ${formatFrame(frame, context.directory)}`).join('\n');
  const cause =
    error.cause === undefined
      ? ''
      : `Caused by: ${error.cause instanceof Error ? error.cause.message : inspect(error.cause, { depth: 1 })}`;
  return {
    code: 'hook-failed',
    what: `${context.happened} ${error.name}: ${error.message}`,
    why: [stack, cause, source ? '' : whereabouts(context)].filter((part) => part !== '').join('\n'),
    hint: hintFor(error),
    source,
  };
}

/** Node gives no place for some early errors (a name declared twice): then at least the files. */
function whereabouts(context: ErrorContext): string {
  const files = context.loaded.map((file) => relative(context.directory, file));
  return files.length === 0 ? '' : `Files loaded: ${files.join(', ')}`;
}

function framesOf(error: Error, ownUrl: string): Frame[] {
  const frames: Frame[] = [];
  for (const line of (error.stack ?? '').split('\n')) {
    const match = /^\s+at (?:(.*) \()?(file:\/\/.*?):(\d+):(\d+)\)?$/.exec(line);
    if (!match?.[2] || match[2] === ownUrl) continue;
    const name = (match[1] ?? '').replace(/^(async )?(Module\.)?/, '');
    frames.push({ name, file: fileURLToPath(match[2]), line: Number(match[3]), column: Number(match[4]) });
  }
  return frames;
}

function formatFrame(frame: Frame, directory: string): string {
  const place = `${relative(directory, frame.file)}:${frame.line}:${frame.column}`;
  return frame.name === '' ? place : `${frame.name} (${place})`;
}

/** Syntax and link errors begin their stack with "file:line", the line itself and carets under the place. */
function headRange(stack: string): SourceRange | undefined {
  const lines = stack.split('\n');
  const head = /^(\/.*|[A-Za-z]:\\.*|file:\/\/.*?):(\d+)$/.exec(lines[0] ?? '');
  const carets = lines.find((line) => /^\s*\^+\s*$/.test(line));
  if (!head?.[1] || carets === undefined) return undefined;
  const file = head[1].startsWith('file:') ? fileURLToPath(head[1]) : head[1];
  const column = carets.indexOf('^') + 1;
  return rangeAt({ file, line: Number(head[2]), column, endColumn: column + carets.trim().length });
}

/** Node's TypeScript parser reads JavaScript too, and says where it stopped. */
function syntaxRange(error: Error, loaded: readonly string[]): SourceRange | undefined {
  if (error.name !== 'SyntaxError') return undefined;
  for (const file of loaded.toReversed()) {
    const text = readText(file);
    if (text === undefined) continue;
    try {
      stripTypeScriptTypes(text, { sourceUrl: pathToFileURL(file).href });
    } catch (parseError) {
      return headRange(parseError instanceof Error ? (parseError.stack ?? '') : '');
    }
  }
  return undefined;
}

function hintFor(error: Error): string | undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX')
    return 'types are stripped, not compiled: write a const object instead of an enum, plain fields, no namespaces';
  if (code === 'ERR_MODULE_NOT_FOUND')
    return 'imports name the file with its extension (./other.ts); packages must be installed beside the hook';
  return undefined;
}
