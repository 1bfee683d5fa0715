// What a PATCH body does to an object: JSON patch, merge patch and strategic merge patch. Refusals in the server's words.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../kit/json.ts';
import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicPatch,
  goText,
  JsonPatchError,
  PatchType,
  StrategicPatchError,
} from '../../merge/index.ts';
import { parseJsonText } from '../http/json-text.ts';
import { badRequest, internal, StatusError } from '../http/status-error.ts';
import { mayHaveCopies, PATCH_OPERATIONS, strictProblems } from '../http/strict-json.ts';
import { allSchemas, schemaName } from '../kube-data/index.ts';
import { jsonType } from '../meta/shape.ts';
import type { Target } from './target.ts';

export interface PatchFunction {
  /** Throws StatusError. */
  apply(before: JsonObject): JsonObject;
  /** Of the patch itself: keys that stand twice in it. */
  readonly problems: readonly string[];
  /** How a refusal of the patched object shows the patch, where not the object is shown. */
  readonly shown?: string;
}

function parsePatch(text: string, prefix = 'error decoding patch: '): JsonValue {
  try {
    return parseJsonText(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw badRequest(`${prefix}${error.message}`);
  }
}

function notAnObject(patch: JsonValue, prefix: string): StatusError {
  const type = jsonType(patch);
  return badRequest(`${prefix}json: cannot unmarshal ${type} into Go value of type map[string]interface {}`);
}

const copies = (text: string, value: JsonValue, type?: string): readonly string[] =>
  type !== undefined || mayHaveCopies(text, value) ? strictProblems(text, type) : [];

export function mergePatch(text: string): PatchFunction {
  const patch = parsePatch(text);
  if (patch === null) throw badRequest('Invalid JSON Patch');
  if (!isJsonObject(patch)) throw notAnObject(patch, 'error decoding patch: ');
  return { apply: (before) => applyMergePatch(before, patch) as JsonObject, problems: copies(text, patch) };
}

export function jsonPatch(text: string): PatchFunction {
  const operations = parsePatch(text) ?? [];
  if (!isJsonArray(operations)) {
    const type = jsonType(operations);
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${type} into Go value of type []handlers.jsonPatchOp`,
    );
  }
  for (const operation of operations) checkOperation(operation);
  const problems = copies(text, operations, PATCH_OPERATIONS).map((problem) => `json patch ${problem}`);
  return { apply: (before) => patchedBy(operations, before), problems };
}

function checkOperation(operation: JsonValue): void {
  if (operation === null) return;
  const into = 'error decoding patch: json: cannot unmarshal';
  if (!isJsonObject(operation)) {
    throw badRequest(`${into} ${jsonType(operation)} into Go value of type handlers.jsonPatchOp`);
  }
  for (const field of ['op', 'path', 'from']) {
    const value = operation[field] ?? '';
    if (typeof value === 'string') continue;
    throw badRequest(`${into} ${jsonType(value)} into Go struct field jsonPatchOp.${field} of type string`);
  }
}

function patchedBy(operations: readonly JsonValue[], before: JsonObject): JsonObject {
  try {
    const patched = applyJsonPatch(before, operations);
    if (isJsonObject(patched)) return patched;
  } catch (error) {
    if (!(error instanceof JsonPatchError)) throw error;
  }
  throw rejected();
}

function rejected(): StatusError {
  const message = 'the server rejected our request due to an error in our request';
  return new StatusError(422, message, { reason: 'Invalid', details: {} });
}

/** Of a built-in kind. */
export function strategicPatch({ kind, version }: Target, text: string): PatchFunction {
  const patch = parsePatch(text, '') ?? {};
  if (!isJsonObject(patch)) throw notAnObject(patch, '');
  const name = schemaName({ group: kind.group, version, kind: kind.kind });
  if (name === undefined) throw internal(`no schema of ${kind.kind}`);
  const type = PatchType.of(name, allSchemas());
  return {
    apply: (before) => strategicallyPatched(before, patch, type),
    problems: copies(text, patch),
    shown: goText(patch),
  };
}

function strategicallyPatched(before: JsonObject, patch: JsonObject, type: PatchType): JsonObject {
  try {
    return applyStrategicPatch(before, patch, type);
  } catch (error) {
    if (!(error instanceof StrategicPatchError)) throw error;
    if (error.problem === 'format') throw badRequest(error.message);
    throw error.problem === 'unprocessable' ? rejected() : internal(error.message);
  }
}
