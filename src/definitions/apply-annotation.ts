// Our field spec.apply where the cluster's CustomResourceDefinition is Metacontroller's: that one prunes fields that it does
// not know. What the field would say stands in an annotation then, as JSON.

import { getOwn, isJsonObject, type JsonObject, parseJson } from '../kit/json.ts';
import type { Problem } from './problem.ts';

export const APPLY_ANNOTATION = 'metactl.dev/apply';

export interface ApplyAnnotationRead {
  /** With spec.apply as the annotation says. */
  readonly object: JsonObject;
  readonly problems: readonly Problem[];
}

/** Problems of what it says are told at spec.apply, as if it stood there. */
export function readApplyAnnotation(object: JsonObject): ApplyAnnotationRead {
  const metadata = getOwn(object, 'metadata');
  const annotations = isJsonObject(metadata) ? getOwn(metadata, 'annotations') : undefined;
  const text = isJsonObject(annotations) ? getOwn(annotations, APPLY_ANNOTATION) : undefined;
  const spec = getOwn(object, 'spec');
  if (typeof text !== 'string' || !isJsonObject(spec)) return { object, problems: [] };
  const path = ['metadata', 'annotations', APPLY_ANNOTATION];
  if (spec['apply'] !== undefined) {
    const summary = `The annotation ${APPLY_ANNOTATION} has no effect: spec.apply wins`;
    return { object, problems: [{ severity: 'warning', code: 'ineffective', path, part: 'key', summary }] };
  }
  const apply = parsed(text);
  if (apply !== undefined) return { object: { ...object, spec: { ...spec, apply } }, problems: [] };
  const summary = `The annotation ${APPLY_ANNOTATION} is not a JSON object`;
  const hint = 'Write what spec.apply would hold, as {"mode": "dynamic", "fieldManager": "metactl"}.';
  return { object, problems: [{ code: 'invalid-value', path, summary, hint }] };
}

/** What is said of how children are written, in the field or in its place; empty: nothing. */
export function givenApply(object: JsonObject): JsonObject {
  const spec = getOwn(readApplyAnnotation(object).object, 'spec');
  const apply = isJsonObject(spec) ? getOwn(spec, 'apply') : undefined;
  return isJsonObject(apply) ? apply : {};
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value = parseJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined; // Told by the caller, as any other text that is no object.
  }
}
