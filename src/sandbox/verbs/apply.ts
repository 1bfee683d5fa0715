// PATCH with application/apply-patch+yaml: server-side apply. Creates what is not there.

import { formatTime } from '../../kit/clock.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../kit/json.ts';
import { applyPatch } from '../../merge/index.ts';
import type { KubeObject } from '../../model/object.ts';
import type { Core } from '../core.ts';
import { inVersion, readCustom } from '../crd/custom.ts';
import { type DecodeTarget, decodePatched } from '../http/decode.ts';
import { parseJsonText } from '../http/json-text.ts';
import { badRequest, conflict, internal, StatusError } from '../http/status-error.ts';
import { endpointOf } from '../managed/endpoints.ts';
import { cleanMetadata } from '../meta/metadata.ts';
import { jsonType } from '../meta/shape.ts';
import type { ObjectTarget } from './target.ts';
import { type UpdateOptions, type UpdateResult, updateObject } from './update.ts';

export interface ApplyOptions extends UpdateOptions {
  /** JSON; YAML has been converted before. */
  readonly text: string;
  readonly manager: string;
  readonly force: boolean;
  readonly fields?: NonNullable<DecodeTarget['fields']>;
}

export function applyObject(core: Core, target: ObjectTarget, options: ApplyOptions): UpdateResult {
  // Who owns what is settled by the apply itself, not by a comparison afterwards.
  const { manager: _, ...update } = options;
  const config = readConfig(options.text);
  const produce = (current: KubeObject | undefined): KubeObject => {
    const live = current && inVersion(target.kind, target.version, current);
    const applied = appliedObject(core, target, { live, config, options });
    if (live === undefined) checkNewUid(target, applied);
    const object = target.kind.custom
      ? defaultedCustom(target, applied)
      : decodePatched({ ...target, ...(options.fields && { fields: options.fields }) }, applied);
    checkName(target, object.metadata.name ?? '');
    return live === undefined ? withoutVersion(object) : object;
  };
  return updateObject(core, target, produce, { ...update, createMissing: true });
}

/** Of what there was to change: an apply may name one all the same, and what it makes is new. */
function withoutVersion(object: KubeObject): KubeObject {
  const { resourceVersion: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function checkName(target: ObjectTarget, name: string): void {
  if (name === target.name) return;
  const why =
    name === ''
      ? `(${target.name} based on URL) was undeterminable: name must be provided`
      : `(${name}) does not match the name on the URL (${target.name})`;
  throw badRequest(`the name of the object ${why}`);
}

/** Only defaulted: a null that the apply left, or asked for, is judged by the schema, where other writes drop it on reading. */
function defaultedCustom({ kind, version }: ObjectTarget, applied: JsonObject): KubeObject {
  const { object } = readCustom(kind, version, applied, 'keep');
  const metadata = isJsonObject(object['metadata']) ? object['metadata'] : {};
  return { ...object, metadata: cleanMetadata(metadata) } as KubeObject;
}

interface Applying {
  readonly live: KubeObject | undefined;
  readonly config: JsonObject;
  readonly options: ApplyOptions;
}

/** With its managedFields; not defaulted yet. */
function appliedObject(core: Core, { kind, version }: ObjectTarget, { live, config, options }: Applying): JsonObject {
  const { manager, force, subresource } = options;
  const time = formatTime(core.clock.now());
  const answer = applyPatch({ live, config, manager, force, time }, endpointOf(kind, version, subresource));
  switch (answer.kind) {
    case 'applied':
      return answer.object;
    case 'conflicts':
      throw new StatusError(409, answer.message, { reason: 'Conflict', details: { causes: answer.causes } });
    case 'refused':
      throw answer.code === 400 ? badRequest(answer.message) : internal(answer.message);
  }
}

/** A uid asks for the one object that has it: it must not be made anew. */
function checkNewUid({ kind, name }: ObjectTarget, object: JsonObject): void {
  const uid = isJsonObject(object['metadata']) ? object['metadata']['uid'] : undefined;
  if (typeof uid !== 'string' || uid === '') return;
  const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
  throw conflict(kind, name, why);
}

/** Of an apply request: JSON; YAML has been converted before. */
export function readConfig(text: string): JsonObject {
  let config: JsonValue;
  try {
    config = parseJsonText(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const tooDeep = error.message.endsWith('exceeded max depth');
    const why = tooDeep ? 'error converting YAML to JSON: yaml: exceeded max depth of 10000' : error.message;
    throw badRequest(`error decoding YAML: ${why}`);
  }
  if (isJsonObject(config)) return config;
  if (config === null) return {};
  const why = `json: cannot unmarshal ${jsonType(config)} into Go value of type map[string]interface {}`;
  throw badRequest(`error decoding YAML: error unmarshaling JSON: while decoding JSON: ${why}`);
}
