// What Jsonnet says when a program fails → facts for a diagnostic: message, place, stack. The engine and the commands (the
// one in Go and the one in C++) all write the message first and then one line a frame, the innermost first.

import { relative } from 'node:path';
import { formatPath } from '../../kit/path.ts';
import type { SourceRange } from '../../model/diagnostic.ts';
import type { FailureFacts } from '../failure.ts';
import { excerptStart } from '../foreign-text.ts';
import { rangeAt } from '../source-range.ts';

interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Exclusive; only where it ends on the same line. */
  readonly endColumn?: number;
}

/** Ends of one line: `3:5`, `3:5-9`. Over several lines: `(3:5)-(4:2)`. */
const PLACE = /^(.+?):(?:(\d+):(\d+)(?:-(\d+))?|\((\d+):(\d+)\)-\(\d+:\d+\))/;
const KIND = /^(?:RUNTIME|STATIC|INTERNAL) ERROR: /;
/** What go-jsonnet adds to every error of an importer: its authors have no part in a file that is missing. */
const APPEAL = /\nPlease report a bug here: .*$/;

/** `ours`: names of files that are not the user's (the program that calls theirs). */
export function jsonnetErrorFacts(text: string, directory: string, ours: readonly string[] = []): FailureFacts {
  const lines = text.trimEnd().replace(APPEAL, '').split('\n');
  const firstFrame = lines.findIndex((line, index) => index > 0 && line.startsWith('\t'));
  const head = (firstFrame < 0 ? lines : lines.slice(0, firstFrame)).join('\n').replace(KIND, '').trim();
  const frames = firstFrame < 0 ? [] : lines.slice(firstFrame).map((line) => line.trim());
  const { place: own, message } = splitPlace(head);
  const placed = frames.map((frame) => ({ frame, place: splitPlace(frame).place }));
  const mine = placed.filter(({ place }) => place !== undefined && isUsers(place.file, ours));
  const place = own ?? mine[0]?.place;
  return {
    code: 'hook-failed',
    what: excerptStart(message, { characters: 600, lines: 6 }),
    path: placeInAnswer(frames),
    why: mine.map(({ frame }) => `    at ${shortened(frame, directory)}`).join('\n'),
    hint: hintFor(message),
    source: place && sourceOf(place),
  };
}

/** Where in the answer it happened, if Jsonnet was making JSON of it by then. */
function placeInAnswer(frames: readonly string[]): string | undefined {
  if (frames.at(-1) !== 'During manifestation') return undefined;
  const steps = frames.flatMap((frame): (string | number)[] => {
    const [, field, index] = /^(?:Field "(.*)"|Array element (\d+))$/.exec(frame) ?? [];
    return field !== undefined ? [field] : index !== undefined ? [Number(index)] : [];
  });
  return steps.length === 0 ? undefined : formatPath(steps.reverse());
}

function splitPlace(text: string): { readonly place?: Place; readonly message: string } {
  const match = PLACE.exec(text);
  if (!match?.[1]) return { message: text };
  const [whole, file, line = match[5], column = match[6], endColumn] = match;
  return {
    place: {
      file,
      line: Number(line),
      column: Number(column),
      ...(endColumn === undefined ? {} : { endColumn: Number(endColumn) }),
    },
    message:
      text
        .slice(whole.length)
        .replace(/^:?\s*/, '')
        .split('\n\n')[0] ?? '',
  };
}

/** Of Jsonnet's own library: `<std>` in Go, `std.jsonnet` in C++. */
function isUsers(file: string, ours: readonly string[]): boolean {
  return !file.startsWith('<') && file !== 'std.jsonnet' && !ours.includes(file);
}

function shortened(frame: string, directory: string): string {
  const { place } = splitPlace(frame);
  const [where = '', name = ''] = frame.split('\t');
  const short = place ? relative(directory, place.file) + where.slice(place.file.length) : where;
  return name === '' || name === '$' ? short : `${name} (${short})`;
}

function sourceOf(place: Place): SourceRange | undefined {
  const range = rangeAt(place);
  // Jsonnet ends a range at its last column, or for an empty one before it.
  const { endColumn, ...start } = range;
  return endColumn !== undefined && endColumn > range.column ? range : start;
}

function hintFor(message: string): string | undefined {
  if (/^(function has no parameter request|Missing argument: )/.test(message))
    return 'the program is a function of one parameter with this name: function(request) { status: {}, children: [] }';
  if (/^max stack frames exceeded/i.test(message)) return 'does a function call itself without end?';
  if (/can not hold it exactly/.test(message))
    return 'Jsonnet has doubles only: leave the field to its owner, or write this hook in another language';
  if (/^import of .* is outside of/.test(message)) return 'name its directory in importPaths';
  return undefined;
}
