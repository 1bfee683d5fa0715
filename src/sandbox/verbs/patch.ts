// PATCH: JSON patch, merge patch and, for built-in kinds, strategic merge patch.
// Server-side apply has a file of its own (apply.ts).

import type { KubeObject } from '../../model/object.ts';
import type { Core } from '../core.ts';
import { inVersion } from '../crd/custom.ts';
import { type DecodeTarget, decodePatched } from '../http/decode.ts';
import { badRequest, StatusError, unsupportedMediaType } from '../http/status-error.ts';
import { jsonPatch, mergePatch, type PatchFunction, strategicPatch } from './patch-functions.ts';
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
  const read = patchReader(target, request.contentType);
  const produce = (current: KubeObject | undefined): KubeObject => {
    const patch = read(request.text);
    const patched = patch.apply(inVersion(target.kind, target.version, current as KubeObject));
    const fields = request.fields && { fields: { ...request.fields, problems: patch.problems } };
    const object = decodePatched({ ...target, ...fields }, patched, patch.shown);
    checkName(target, object);
    return object;
  };
  return updateObject(core, target, produce, request);
}

function checkName(target: ObjectTarget, object: KubeObject): void {
  const { name = '' } = object.metadata;
  if (name === target.name) return;
  throw badRequest(`the name of the object (${name}) does not match the name on the URL (${target.name})`);
}

/** What reads a body of this type; it is called when the object is there. */
function patchReader(target: ObjectTarget, contentType: string): (text: string) => PatchFunction {
  if (contentType === JSON_PATCH) return jsonPatch;
  if (contentType === MERGE_PATCH) return mergePatch;
  const { custom } = target.kind;
  if (contentType === STRATEGIC_PATCH && !custom) return (text) => strategicPatch(target, text);
  if (custom) {
    const accepted = [JSON_PATCH, MERGE_PATCH, APPLY_PATCH].join(', ');
    throw unsupportedMediaType(
      `the body of the request was in an unknown format - accepted media types include: ${accepted}`,
    );
  }
  throw new StatusError(415, '415: Unsupported Media Type', { reason: 'UnsupportedMediaType', details: {} });
}
