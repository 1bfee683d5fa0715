// What a validation found. Texts are unique, as in the server's validator; `matches` counts the checks that were made, by
// which it chooses whose errors to show when no alternative of an anyOf or oneOf fits.

import type { FieldProblem } from '../field-problem.ts';
import { invalidValue, required, tooLong, tooMany, unsupportedValue, wrongType } from '../field-problem.ts';

export interface SchemaError {
  /** Unique in a result. */
  readonly text: string;
  /** For the field at `base`: "" the value that was validated, else the path under it. */
  readonly problem: (base: string) => FieldProblem;
}

export class Result {
  readonly errors: SchemaError[] = [];
  matches = 0;

  get valid(): boolean {
    return this.errors.length === 0;
  }

  add(error: SchemaError | undefined): void {
    if (error && !this.errors.some(({ text }) => text === error.text)) this.errors.push(error);
  }

  merge(other: Result | undefined): void {
    if (!other) return;
    for (const error of other.errors) this.add(error);
    this.matches += other.matches;
  }
}

/** A field's name under the base: "" and "" is what the server calls "<nil>". */
function at(base: string, path: string): string {
  const name = path.startsWith('.') ? path.slice(1) : path;
  if (name === '') return base === '' ? '<nil>' : base;
  return base === '' ? name : `${base}.${name}`;
}

/** "spec.x in body should be …", with the value beside it. */
export function failed(path: string, value: unknown, what: string): SchemaError {
  return stated(path, value, `${path} in body ${what}`);
}

/** The same where the text has another form. */
export function stated(path: string, value: unknown, text: string): SchemaError {
  return { text, problem: (base) => invalidValue(at(base, path), value ?? '', text) };
}

/** `given` is the JSON type that was found, or the text that does not have the wanted format. */
export function typeFailed(path: string, wanted: string, given: string): SchemaError {
  const text = `${path} in body must be of type ${wanted}: ${JSON.stringify(given)}`;
  return { text, problem: (base) => wrongType(at(base, path), given, text) };
}

export function missing(path: string): SchemaError {
  return { text: `${path} in body is required`, problem: (base) => required(at(base, path)) };
}

export function notInEnum(path: string, value: unknown, allowed: readonly string[]): SchemaError {
  return {
    text: `${path} in body should be one of [${allowed.join(' ')}]`,
    problem: (base) => unsupportedValue(at(base, path), value, allowed),
  };
}

export function longText(path: string, limit: number): SchemaError {
  return {
    text: `${path} in body should be at most ${limit} chars long`,
    problem: (base) => tooLong(at(base, path), limit),
  };
}

export function tooManyOf(
  path: string,
  what: 'items' | 'properties',
  counts: { actual: number; limit: number },
): SchemaError {
  return {
    text: `${path} in body should have at most ${counts.limit} ${what}`,
    problem: (base) => tooMany(at(base, path), counts.actual, counts.limit),
  };
}

/** What the server's validator says without a field of its own ("must validate one and only one schema"). */
export function general(text: string): SchemaError {
  return { text, problem: (base) => invalidValue(at(base, ''), '', text) };
}
