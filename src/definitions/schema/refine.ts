// From all that ajv complains about to one complaint a problem.

import { nearest } from '../../kit/suggest.ts';
import type { DocumentPath } from '../parse/document.ts';
import type { Violation } from './violation.ts';

/** Keywords that a rule in rules/ reports in better words. */
const LEFT_TO_RULES: ReadonlySet<string> = new Set(['oneOf']);

export function refine(violations: readonly Violation[]): Violation[] {
  const told = violations.filter(({ keyword }) => !LEFT_TO_RULES.has(keyword));
  return told.filter(
    (violation) => !isBelowUnsupported(violation, told) && !isTypo(violation, told) && !isSecond(violation, told),
  );
}

/** What stands inside an unsupported field is of no interest. */
function isBelowUnsupported(violation: Violation, all: readonly Violation[]): boolean {
  return all.some(
    (other) =>
      other !== violation && other.keyword === 'x-metactl-unsupported' && startsWith(violation.path, other.path),
  );
}

/** `resourse: pods`: the unknown field is told, the missing one beside it is the same mistake. */
function isTypo({ keyword, path, params }: Violation, all: readonly Violation[]): boolean {
  if (keyword !== 'required') return false;
  const missing = params['missingProperty'] as string;
  return all.some(
    (other) =>
      other.keyword === 'additionalProperties' &&
      samePath(other.path, path) &&
      nearest(other.params['additionalProperty'] as string, [missing]) !== undefined,
  );
}

/** An empty string that must be one of a list is told once. */
function isSecond({ keyword, path }: Violation, all: readonly Violation[]): boolean {
  return keyword === 'minLength' && all.some((other) => other.keyword === 'enum' && samePath(other.path, path));
}

function startsWith(path: DocumentPath, prefix: DocumentPath): boolean {
  return path.length >= prefix.length && prefix.every((element, index) => path[index] === element);
}

function samePath(a: DocumentPath, b: DocumentPath): boolean {
  return a.length === b.length && startsWith(a, b);
}
