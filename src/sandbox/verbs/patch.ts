// PATCH: JSON patch, merge patch, and strategic merge patch as far as it equals a merge patch.
// Not here yet: server-side apply, and strategic merge of lists that have a merge key; both are refused with 415.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../kit/json.ts';
import { applyJsonPatch, applyMergePatch, JsonPatchError } from '../../merge/index.ts';
import type { KubeObject } from '../../model/object.ts';
import type { Core } from '../core.ts';
import { inVersion } from '../crd/custom.ts';
import { type DecodeTarget, decodePatched, jsonProblem } from '../http/decode.ts';
import { badRequest, StatusError, unsupportedMediaType } from '../http/status-error.ts';
import { jsonType } from '../meta/shape.ts';
import type { ResourceKind } from '../registry/resource-kind.ts';
import type { ObjectTarget } from './target.ts';
import { type UpdateOptions, type UpdateResult, updateObject } from './update.ts';

export const JSON_PATCH = 'application/json-patch+json';
export const MERGE_PATCH = 'application/merge-patch+json';
export const STRATEGIC_PATCH = 'application/strategic-merge-patch+json';
export const APPLY_PATCH = 'application/apply-patch+yaml';

export interface PatchRequest extends UpdateOptions {
  readonly contentType: string;
  readonly text: string;
  readonly fields?: NonNullable<DecodeTarget['fields']>;
}

export function patchObject(core: Core, target: ObjectTarget, request: PatchRequest): UpdateResult {
  const apply = patchFunction(target.kind, request);
  return updateObject(
    core,
    target,
    (current) => {
      const before = inVersion(target.kind, target.version, current as KubeObject);
      const patched = apply(before) as JsonObject;
      const object = decodePatched({ ...target, ...(request.fields ? { fields: request.fields } : {}) }, patched);
      checkName(target, object);
      return object;
    },
    request,
  );
}

function checkName(target: ObjectTarget, object: KubeObject): void {
  const { name = '' } = object.metadata;
  if (name === target.name) return;
  throw badRequest(`the name of the object (${name}) does not match the name on the URL (${target.name})`);
}

function patchFunction(kind: ResourceKind, { contentType, text }: PatchRequest): (before: JsonValue) => JsonValue {
  if (contentType === JSON_PATCH) return jsonPatch(text);
  if (contentType === MERGE_PATCH) {
    const patch = objectPatch(text);
    return (before) => applyMergePatch(before, patch);
  }
  if (contentType === STRATEGIC_PATCH && !kind.custom) return strategicPatch(objectPatch(text));
  if (contentType === APPLY_PATCH) {
    throw unsupportedMediaType('server-side apply (application/apply-patch+yaml) is not supported by the sandbox yet');
  }
  if (kind.custom) {
    const accepted = [JSON_PATCH, MERGE_PATCH, APPLY_PATCH].join(', ');
    throw unsupportedMediaType(
      `the body of the request was in an unknown format - accepted media types include: ${accepted}`,
    );
  }
  throw new StatusError(415, '415: Unsupported Media Type', { reason: 'UnsupportedMediaType', details: {} });
}

function parsePatch(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw badRequest(`error decoding patch: ${jsonProblem(text)}`);
  }
}

function objectPatch(text: string): JsonObject {
  const patch = parsePatch(text);
  if (isJsonObject(patch)) return patch;
  const type = jsonType(patch);
  throw badRequest(
    `error decoding patch: json: cannot unmarshal ${type} into Go value of type map[string]interface {}`,
  );
}

function jsonPatch(text: string): (before: JsonValue) => JsonValue {
  const operations = parsePatch(text);
  if (!isJsonArray(operations)) {
    const type = jsonType(operations);
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${type} into Go value of type []handlers.jsonPatchOp`,
    );
  }
  return (before) => {
    try {
      const patched = applyJsonPatch(before, operations);
      if (isJsonObject(patched)) return patched;
    } catch (error) {
      if (!(error instanceof JsonPatchError)) throw error;
    }
    const message = 'the server rejected our request due to an error in our request';
    throw new StatusError(422, message, { reason: 'Invalid', details: {} });
  };
}

/**
 * Maps are merged as by a merge patch, finalizers as a set, other lists of plain values are replaced. Lists of objects
 * need the merge keys of the kind's schema, and directives ($patch …) more than that: refused.
 */
function strategicPatch(patch: JsonObject): (before: JsonValue) => JsonValue {
  const reason = notMergeable(patch);
  if (reason) {
    throw unsupportedMediaType(
      `strategic merge patch of ${reason} is not supported by the sandbox yet; use a merge patch`,
    );
  }
  return (before) => {
    const merged = applyMergePatch(before, patch) as JsonObject;
    const added = finalizersOf(patch);
    if (added.length === 0) return merged;
    const finalizers = [...new Set([...finalizersOf(before), ...added])];
    return { ...merged, metadata: { ...(merged['metadata'] as JsonObject), finalizers } };
  };
}

function finalizersOf(object: JsonValue): readonly JsonValue[] {
  const metadata = isJsonObject(object) ? object['metadata'] : undefined;
  const finalizers = isJsonObject(metadata) ? metadata['finalizers'] : undefined;
  return isJsonArray(finalizers) ? finalizers : [];
}

function notMergeable(value: JsonValue | undefined): string | undefined {
  if (isJsonArray(value))
    return value.some((item) => typeof item === 'object' && item !== null) ? 'lists of objects' : undefined;
  if (!isJsonObject(value)) return undefined;
  for (const key of Object.keys(value)) {
    if (key.startsWith('$')) return `the directive ${key.split('/')[0]}`;
    const inside = notMergeable(value[key]);
    if (inside) return inside;
  }
  return undefined;
}
