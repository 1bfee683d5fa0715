// A request body → the object that a verb works on. Refusals in the words of the server's decoders: built-ins are read
// through Go types (kind and apiVersion may be left out), custom resources as unstructured objects (they may not).

import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import { cleanMetadata } from '../meta/metadata.ts';
import { jsonType, metadataShapeProblem } from '../meta/shape.ts';
import { apiVersionOf, type ResourceKind } from '../registry/resource-kind.ts';
import { badRequest, invalid, invalidValue } from './status-error.ts';

export interface DecodeTarget {
  readonly kind: ResourceKind;
  readonly version: string;
}

/** The message that Go's decoder has for text that is no JSON, as near as JSON.parse tells. */
export function jsonProblem(text: string): string {
  if (text.trim() === '') return 'unexpected end of JSON input';
  const match = /^\s*\{\s*([^"}\s])/.exec(text);
  if (match) return `invalid character '${match[1]}' looking for beginning of object key string`;
  const start = /^\s*(\S)/.exec(text)?.[1] ?? '';
  return /["[{\d-]/.test(start)
    ? 'unexpected end of JSON input'
    : `invalid character '${start}' looking for beginning of value`;
}

function unrecognized(target: DecodeTarget, why: string, text: string): Error {
  const shown =
    text.length > 1024 ? `${text.slice(0, 1024)} [truncated ${text.length - 1024} chars]` : text || '<empty>';
  return badRequest(`the object provided is unrecognized (must be of type ${target.kind.kind}): ${why} (${shown})`);
}

/** Parses a body; `undefined` text (no body) is refused as an empty one. */
export function parseBody(target: DecodeTarget, text: string | undefined): JsonObject {
  let value: JsonValue;
  try {
    value = parseJson(text ?? '');
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const why = `couldn't get version/kind; json parse error: ${jsonProblem(text ?? '')}`;
    throw unrecognized(target, why, text ?? '');
  }
  if (isJsonObject(value)) return value;
  if (value === null) return {};
  const struct =
    'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
  const why = `couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonType(value)} into Go value of type ${struct}`;
  throw unrecognized(target, why, Buffer.from(text ?? '').toString('hex'));
}

/** Checks apiVersion, kind and the types of metadata; fills in the first two where the server does. */
export function decodeObject(target: DecodeTarget, body: JsonObject, text = ''): KubeObject {
  const { kind, version } = target;
  const apiVersion = apiVersionOf(kind, version);
  if (kind.custom) checkCustomType(target, body, text);
  else checkBuiltInType(target, body);
  const metadata = body['metadata'] ?? {};
  if (!isJsonObject(metadata)) {
    throw cannotBeHandled(
      target,
      `json: cannot unmarshal ${jsonType(metadata)} into Go struct field ${kind.kind}.metadata of type v1.ObjectMeta`,
    );
  }
  const problem = metadataShapeProblem(metadata);
  if (problem) throw cannotBeHandled(target, kind.custom ? problem.replace('.metadata.', '.') : problem);
  return { ...body, apiVersion, kind: kind.kind, metadata: cleanMetadata(metadata) };
}

function cannotBeHandled({ kind, version }: DecodeTarget, why: string): Error {
  return badRequest(`${kind.kind} in version "${version}" cannot be handled as a ${kind.kind}: ${why}`);
}

function checkBuiltInType(target: DecodeTarget, body: JsonObject): void {
  const { kind, version } = target;
  const given = { apiVersion: body['apiVersion'], kind: body['kind'] };
  const expected = apiVersionOf(kind, version);
  if (given.apiVersion === undefined && given.kind === undefined) return;
  const givenVersion = String(given.apiVersion ?? expected);
  const givenKind = String(given.kind ?? kind.kind);
  const short = givenVersion.slice(givenVersion.indexOf('/') + 1);
  if (givenKind !== kind.kind) {
    const why = `converting (${short}.${givenKind}) to (${kind.group.split('.')[0] || 'core'}.${kind.kind}): unknown conversion`;
    throw badRequest(`${givenKind} in version "${short}" cannot be handled as a ${kind.kind}: ${why}`);
  }
  if (kind.versions.some((v) => apiVersionOf(kind, v.name) === givenVersion)) return;
  const why = `no kind "${givenKind}" is registered for version "${givenVersion}" in scheme "pkg/runtime/scheme.go:111"`;
  throw badRequest(`${givenKind} in version "${short}" cannot be handled as a ${kind.kind}: ${why}`);
}

function checkCustomType(target: DecodeTarget, body: JsonObject, text: string): void {
  const { kind, version } = target;
  const expected = apiVersionOf(kind, version);
  const apiVersion = body['apiVersion'];
  if (typeof body['kind'] !== 'string' || body['kind'] === '') {
    throw unrecognized(target, `Object 'Kind' is missing in '${text}'`, text);
  }
  if (apiVersion === undefined || apiVersion === '')
    throw unrecognized(target, `Object 'apiVersion' is missing in '${text}'`, text);
  if (apiVersion !== expected) {
    throw badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`,
    );
  }
  if (body['kind'] !== kind.kind) throw wrongKind(target, body);
}

/** A custom resource of another kind than the URL's. */
function wrongKind({ kind }: DecodeTarget, body: JsonObject): Error {
  const given = String(body['kind']);
  const metadata = isJsonObject(body['metadata']) ? body['metadata'] : {};
  const problem = invalidValue('kind', given, `must be ${kind.kind}`);
  return invalid({ group: kind.group, kind: given }, String(metadata['name'] ?? ''), [problem]);
}

/** After a patch: the object must still be of its kind and version. */
export function checkPatchedType(target: DecodeTarget, patched: JsonObject): void {
  const { kind, version } = target;
  const expected = apiVersionOf(kind, version);
  const { apiVersion, kind: givenKind } = patched;
  if (apiVersion === expected && givenKind === kind.kind) return;
  if (kind.custom) {
    if (givenKind !== kind.kind) throw wrongKind(target, patched);
    const name = isJsonObject(patched['metadata']) ? String(patched['metadata']['name'] ?? '') : '';
    const problem = invalidValue('apiVersion', apiVersion, `must be ${expected}`);
    throw invalid({ group: kind.group, kind: kind.kind }, name, [problem]);
  }
  const why =
    givenKind !== kind.kind
      ? `converting (${version}.${String(givenKind)}) to (${kind.group.split('.')[0] || 'core'}.${kind.kind}): unknown conversion`
      : `no kind "${kind.kind}" is registered for version "${String(apiVersion)}" in scheme "pkg/runtime/scheme.go:111"`;
  throw invalid({ group: '', kind: '' }, '', [invalidValue('patch', JSON.stringify(patched), why)]);
}
