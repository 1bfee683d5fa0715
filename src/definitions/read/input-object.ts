import { isJsonObject, type JsonObject } from '../../kit/json.ts';
import type { Diagnostic, SourceRange } from '../../model/diagnostic.ts';
import type { KubeObject } from '../../model/object.ts';
import { type Problem, toDiagnostic } from '../problem.ts';
import type { FoundObject } from './found-object.ts';

/** What is not a controller definition: a CRD, a namespace, a parent, configuration. Applied before parents are planned. */
export interface InputObject {
  readonly object: KubeObject;
  readonly source: SourceRange;
}

/** Checks what every object needs before it can be applied: a name that can be found again, metadata of strings. */
export function readInput({ object, source, place }: FoundObject): { input?: InputObject; diagnostics: Diagnostic[] } {
  const problems = [...metadataProblems(object)];
  if (problems.length > 0) return { diagnostics: problems.map((problem) => toDiagnostic(problem, place)) };
  return { input: { object: object as unknown as KubeObject, source }, diagnostics: [] };
}

function* metadataProblems(object: JsonObject): Generator<Problem> {
  const metadata = object['metadata'];
  if (metadata !== undefined && metadata !== null && !isJsonObject(metadata)) {
    yield wrongType(['metadata'], 'metadata must be a map of fields', 'Write "metadata: {name: ...}".');
    return;
  }
  yield* nameProblems(metadata ?? {});
  for (const field of ['labels', 'annotations']) yield* textMapProblems(field, metadata?.[field]);
}

function* nameProblems(metadata: JsonObject): Generator<Problem> {
  for (const field of ['name', 'namespace']) {
    const value = metadata[field];
    if (value === undefined || value === null || typeof value === 'string') continue;
    const hint = typeof value === 'object' ? 'Write a text.' : `Put it in quotes: ${field}: "${String(value)}".`;
    yield wrongType(['metadata', field], `metadata.${field} must be a text`, hint);
  }
  if (metadata['name'] !== undefined && metadata['name'] !== null && metadata['name'] !== '') return;
  if (metadata['generateName']) {
    yield {
      code: 'unsupported',
      path: ['metadata', 'generateName'],
      part: 'key',
      summary: 'An object with generateName instead of a name can not be applied twice',
      detail: 'Each run would create one more: there is no name to find the last one by.',
      hint: 'Give it a name.',
    };
    return;
  }
  const summary = 'The object has no metadata.name';
  yield { code: 'missing-field', path: ['metadata'], part: 'key', summary, hint: 'Add "metadata: {name: ...}".' };
}

function* textMapProblems(field: string, map: JsonObject[string]): Generator<Problem> {
  if (map === undefined || map === null) return;
  if (!isJsonObject(map)) {
    yield wrongType(['metadata', field], `metadata.${field} must be a map`, 'Write "key: value" lines below it.');
    return;
  }
  for (const [key, value] of Object.entries(map)) {
    if (typeof value === 'string' || value === null) continue;
    const hint = typeof value === 'object' ? 'Write a text.' : `Put it in quotes: "${String(value)}".`;
    yield wrongType(['metadata', field, key], `The value of ${key} in metadata.${field} must be a text`, hint);
  }
}

function wrongType(path: string[], summary: string, hint: string): Problem {
  return { code: 'wrong-type', path, summary, hint };
}
