// Documents → objects: lists are unrolled as kubectl does, anything that is not a Kubernetes object is refused.

import { isJsonObject, type JsonObject, type JsonValue } from '../../kit/json.ts';
import type { Diagnostic, SourceRange } from '../../model/diagnostic.ts';
import type { DocumentPath, ParsedDocument } from '../parse/document.ts';
import { type ObjectPlace, toDiagnostic } from '../problem.ts';

/** An object with apiVersion and kind, and where it stands. */
export interface FoundObject {
  readonly object: JsonObject & { readonly apiVersion: string; readonly kind: string };
  readonly source: SourceRange;
  readonly place: ObjectPlace;
}

export interface FoundObjects {
  readonly objects: readonly FoundObject[];
  readonly diagnostics: readonly Diagnostic[];
}

export function findObjects(document: ParsedDocument): FoundObjects {
  const objects: FoundObject[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const [path, value] of unroll(document.value, [])) {
    const place: ObjectPlace = { locate: (inside, part) => document.locate([...path, ...inside], part) };
    const problem = problemOf(value);
    if (problem) diagnostics.push(toDiagnostic(problem, place));
    else objects.push({ object: value as FoundObject['object'], source: place.locate([]), place });
  }
  return { objects, diagnostics };
}

/** The items of `kind: List` and of typed lists such as PodList, which lend their items apiVersion and kind. */
function* unroll(value: JsonValue, path: DocumentPath): Generator<[DocumentPath, JsonValue]> {
  const kind = isJsonObject(value) ? value['kind'] : undefined;
  const items = isJsonObject(value) ? value['items'] : undefined;
  if (!isJsonObject(value) || typeof kind !== 'string' || !kind.endsWith('List') || !isList(items)) {
    yield [path, value];
    return;
  }
  const lent = kind === 'List' ? {} : { apiVersion: value['apiVersion'], kind: kind.slice(0, -'List'.length) };
  for (const [index, item] of (items ?? []).entries()) {
    yield* unroll(isJsonObject(item) ? { ...lent, ...item } : item, [...path, 'items', index]);
  }
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] | null {
  return value === null || Array.isArray(value);
}

function problemOf(value: JsonValue) {
  if (!isJsonObject(value)) {
    return {
      code: 'not-an-object',
      path: [],
      summary: `A document must be a Kubernetes object; this is ${Array.isArray(value) ? 'a list' : `"${clip(value)}"`}`,
      hint: Array.isArray(value)
        ? 'Separate the objects by "---", or use "kind: List" with items.'
        : 'Is it a manifest?',
    } as const;
  }
  for (const field of ['apiVersion', 'kind'] as const) {
    const given = value[field];
    if (typeof given === 'string' && given !== '') continue;
    const isAbsent = given === undefined || given === null || given === '';
    return {
      code: isAbsent ? 'missing-kind' : 'wrong-type',
      path: isAbsent ? [] : [field],
      summary: isAbsent ? `An object without ${field}` : `${field} must be a text`,
      hint: HINTS[field],
    } as const;
  }
  return undefined;
}

const HINTS = {
  apiVersion: 'Add "apiVersion: v1" or the <group>/<version> of the object.',
  kind: 'Add "kind: ConfigMap" or whatever kind it is. Pass only manifests, not other YAML or JSON files.',
} as const;

function clip(value: JsonValue): string {
  const text = String(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
