// PUT and PATCH of the scale subresource: a Scale is changed, the workload gets its replicas and the owners of them.

import { formatTime } from '../../kit/clock.ts';
import { isJsonObject, type JsonObject, type JsonValue, jsonEqual } from '../../kit/json.ts';
import {
  applyPatch,
  managedFieldsOf,
  parentEntries,
  type ReplicasPaths,
  scaleEntries,
  trackUpdate,
  withManagedFields,
} from '../../merge/index.ts';
import type { KubeObject, ManagedFieldsEntry } from '../../model/object.ts';
import type { Core } from '../core.ts';
import { readCustom } from '../crd/custom.ts';
import { parseJsonText } from '../http/json-text.ts';
import { badRequest, internal, StatusError } from '../http/status-error.ts';
import { scaleEndpoint } from '../managed/endpoints.ts';
import { cleanMetadata } from '../meta/metadata.ts';
import { apiVersionOf, type ResourceKind, type ScalePaths } from '../registry/resource-kind.ts';
import { DecodeError, normalizeBuiltIn } from '../typed/normalize.ts';
import { readConfig } from './apply.ts';
import { APPLY_PATCH, JSON_PATCH } from './patch.ts';
import { jsonPatch, mergePatch } from './patch-functions.ts';
import { scaleOf, withScale } from './scale.ts';
import type { ObjectTarget } from './target.ts';
import { type UpdateResult, updateObject } from './update.ts';

export interface ScaleRequest {
  readonly paths: ScalePaths;
  /** JSON. */
  readonly text: string;
  /** Of a PATCH; undefined: the body is the Scale itself (PUT). */
  readonly patchType?: string | undefined;
  readonly manager: string;
  readonly force: boolean;
  readonly dryRun: boolean;
}

export function writeScale(core: Core, target: ObjectTarget, request: ScaleRequest): UpdateResult {
  const time = formatTime(core.clock.now());
  const produce = (current: KubeObject | undefined): KubeObject => {
    const object = current as KubeObject;
    const before = shownScale(target, object, request.paths);
    const scale = changedScale(before, { ...request, custom: target.kind.custom }, time);
    const managedFields = parentEntries({
      parent: object.metadata.managedFields,
      scale: managedFieldsOf(scale),
      paths: replicasPaths(target.kind),
      apiVersion: apiVersionOf(target.kind, target.version),
    }) as readonly ManagedFieldsEntry[] | undefined;
    const scaled = defaulted(target, withScale(object, request.paths, scale));
    const { managedFields: _, ...metadata } = scaled.metadata;
    return { ...scaled, metadata: { ...metadata, ...(managedFields && { managedFields }) } };
  };
  return updateObject(core, target, produce, { dryRun: request.dryRun });
}

/** A spec that came with the replicas has its defaults from then on. */
function defaulted({ kind, version }: ObjectTarget, object: KubeObject): KubeObject {
  return kind.custom ? (readCustom(kind, version, object).object as KubeObject) : object;
}

/** Where each version keeps its replicas: undefined where it has no scale. */
function replicasPaths(kind: ResourceKind): ReplicasPaths {
  const steps = (path: readonly string[]): readonly string[] => path.map((name) => `f:${name}`);
  return new Map(kind.versions.map(({ name, scale }) => [apiVersionOf(kind, name), scale && steps(scale.spec)]));
}

function shownScale({ kind }: ObjectTarget, object: KubeObject, paths: ScalePaths): JsonObject {
  const entries = scaleEntries(object.metadata.managedFields, replicasPaths(kind));
  return withManagedFields(scaleOf(object, paths), entries);
}

const UNCONVERTIBLE = 'to proper version: request to convert CR to an invalid group/version: autoscaling/v1';

/** The server's own limit: an apply to the Scale of a custom resource that nobody owns fails … */
function checkOwned(before: JsonObject): void {
  if (managedFieldsOf(before) !== undefined) return;
  const step = 'failed to create manager for existing fields: failed to convert live object';
  throw internal(`${step} (/; autoscaling/v1, Kind=Scale) ${UNCONVERTIBLE}`);
}

/** … and so does one that would change anything. */
function checkUnchanged(before: JsonObject, after: JsonObject, { text }: ScaleRequest): void {
  if (jsonEqual(withManagedFields(before, undefined), withManagedFields(after, undefined))) return;
  const metadata = readConfig(text)['metadata'];
  const { namespace = '', name = '' } = isJsonObject(metadata) ? metadata : {};
  throw internal(`failed to convert new object (${namespace}/${name}; autoscaling/v1, Kind=Scale) ${UNCONVERTIBLE}`);
}

interface ChangeRequest extends ScaleRequest {
  readonly custom: boolean;
}

function changedScale(before: JsonObject, request: ChangeRequest, time: string): JsonObject {
  const { patchType, text, manager } = request;
  if (patchType === APPLY_PATCH) return appliedScale(before, request, time);
  const given = patchType === undefined ? parsedScale(text) : patchFunction(patchType)(text).apply(before);
  return trackUpdate({ live: before, object: readScale(given), manager, time }, scaleEndpoint);
}

// A Scale has no lists: a strategic merge patch of it is a merge patch.
const patchFunction = (type: string): typeof mergePatch => (type === JSON_PATCH ? jsonPatch : mergePatch);

function appliedScale(live: JsonObject, request: ChangeRequest, time: string): JsonObject {
  const { text, manager, force } = request;
  if (request.custom) checkOwned(live);
  const answer = applyPatch({ live, config: readConfig(text), manager, force, time }, scaleEndpoint);
  switch (answer.kind) {
    case 'applied':
      if (request.custom) checkUnchanged(live, answer.object, request);
      return readScale(answer.object);
    case 'conflicts':
      throw new StatusError(409, answer.message, { reason: 'Conflict', details: { causes: answer.causes } });
    case 'refused':
      throw answer.code === 400 ? badRequest(answer.message) : internal(answer.message);
  }
}

function parsedScale(text: string): JsonObject {
  let value: JsonValue;
  try {
    value = parseJsonText(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw badRequest(`couldn't get version/kind; json parse error: ${error.message}`);
    throw error;
  }
  return isJsonObject(value) ? value : {};
}

function readScale(scale: JsonObject): JsonObject {
  try {
    const metadata = isJsonObject(scale['metadata']) ? cleanMetadata(scale['metadata']) : {};
    const read = normalizeBuiltIn('autoscaling/v1', 'Scale', scale)?.object ?? scale;
    return { ...read, metadata };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw badRequest(`Scale in version "v1" cannot be handled as a Scale: ${error.message}`);
  }
}
