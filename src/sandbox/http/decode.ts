// A request body → the object that a verb works on. Refusals in the words of the server's decoders: built-ins are read
// through Go types (kind and apiVersion may be left out), custom resources as unstructured objects (they may not).

import {
  canonicalJson,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  stringifyJson,
} from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import { readCustom } from '../crd/custom.ts';
import { cleanMetadata } from '../meta/metadata.ts';
import { jsonType, metadataShapeProblem } from '../meta/shape.ts';
import { apiVersionOf, type ResourceKind } from '../registry/resource-kind.ts';
import { DecodeError, normalizeBuiltIn } from '../typed/normalize.ts';
import { kindType } from '../typed/types.ts';
import { conversionProblem } from './conversion-problem.ts';
import { hugeNumber, parseJsonText } from './json-text.ts';
import type { FieldValidation } from './query.ts';
import { badRequest, invalid, invalidValue } from './status-error.ts';
import { mayHaveCopies, strictProblems } from './strict-json.ts';

export interface DecodeTarget {
  readonly kind: ResourceKind;
  readonly version: string;
  /** How fields that the kind does not have are met; warnings are added to. Absent: they are dropped in silence. */
  readonly fields?: {
    readonly validation: FieldValidation;
    readonly warnings: string[];
    /** Found before: in the patch, or in the YAML that the body was. */
    readonly problems?: readonly string[];
  };
}

function unrecognized(target: DecodeTarget, why: string, text: string): Error {
  const start = summary(Buffer.from(text));
  return badRequest(`the object provided is unrecognized (must be of type ${target.kind.kind}): ${why} (${start})`);
}

const SHOWN_BYTES = 30;

/** How the text begins; what does not look like JSON as bytes. */
function summary(bytes: Buffer): string {
  if (bytes.length === 0) return '<empty>';
  const start = bytes.subarray(0, SHOWN_BYTES).toString(bytes[0] === 0x7b ? 'utf8' : 'hex');
  return bytes.length > SHOWN_BYTES ? `${start} ...` : start;
}

/** Parses a body; `undefined` text (no body) is refused as an empty one. */
export function parseBody(target: DecodeTarget, text: string | undefined): JsonObject {
  let value: JsonValue;
  try {
    value = parseJsonText(text ?? '');
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw unrecognized(target, `couldn't get version/kind; json parse error: ${error.message}`, text ?? '');
  }
  if (isJsonObject(value)) return value;
  if (value === null) return {};
  const struct =
    'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
  const why = `couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonType(value)} into Go value of type ${struct}`;
  throw unrecognized(target, why, text ?? '');
}

/** Checks apiVersion, kind and the types of fields; fills in the first two where the server does. */
export function decodeObject(target: DecodeTarget, body: JsonObject, text = ''): KubeObject {
  if (target.kind.custom) checkCustomType(target, body, text);
  else checkBuiltInType(target, body);
  try {
    const huge = target.kind.custom ? hugeNumber(text) : undefined;
    if (huge !== undefined)
      throw new DecodeError(`json: cannot unmarshal number ${huge} into Go value of type float64`);
    return readFields(target, body, text);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const { kind, version } = target;
    throw badRequest(`${kind.kind} in version "${version}" cannot be handled as a ${kind.kind}: ${error.message}`);
  }
}

/** Throws DecodeError, and for unknown fields where the request is strict about them. */
function readFields(target: DecodeTarget, body: JsonObject, text?: string): KubeObject {
  const { kind, version, fields } = target;
  const apiVersion = apiVersionOf(kind, version);
  if (kind.custom && isJsonObject(body['metadata'])) {
    const problem = metadataShapeProblem(body['metadata']);
    if (problem) throw new DecodeError(problem);
  }
  const { object, unknownFields, problem } = kind.custom
    ? readCustom(kind, version, body)
    : { problem: undefined, ...(normalizeBuiltIn(apiVersion, kind.kind, body) ?? { object: body, unknownFields: [] }) };
  if (problem !== undefined) throw new DecodeError(problem);
  const problems = fields && fields.validation !== 'Ignore' ? fieldProblems(target, { body, unknownFields, text }) : [];
  if (problems.length > 0 && fields?.validation === 'Strict') {
    throw new DecodeError(`strict decoding error: ${problems.join(', ')}`);
  }
  fields?.warnings.push(...problems.flatMap(warningLines));
  const metadata = object['metadata'] ?? {};
  if (!isJsonObject(metadata)) {
    const type = jsonType(metadata);
    throw new DecodeError(
      `json: cannot unmarshal ${type} into Go struct field ${kind.kind}.metadata of type v1.ObjectMeta`,
    );
  }
  return {
    ...object,
    apiVersion,
    kind: kind.kind,
    metadata: cleanMetadata(withEmptyOwners(kind, metadata, body['metadata'])),
  };
}

/**
 * An empty list of owners says that owners are to be forgotten. Built-ins: the server's types know empty from absent here;
 * of custom resources it is lost on reading.
 */
function withEmptyOwners(kind: ResourceKind, metadata: JsonObject, given: JsonValue | undefined): JsonObject {
  const owners = isJsonObject(given) ? given['managedFields'] : undefined;
  if (!isJsonArray(owners) || owners.length > 0) return metadata;
  return { ...metadata, managedFields: kind.custom ? undefined : owners };
}

const unknownField = (path: string): string => `unknown field ${JSON.stringify(path)}`;

/** Unknown fields and copies of keys. `text`: the body as it came; a patched object has none. */
function fieldProblems(
  { kind, version, fields }: DecodeTarget,
  { body, unknownFields, text }: { body: JsonObject; unknownFields: readonly string[]; text: string | undefined },
): readonly string[] {
  const before = fields?.problems ?? [];
  const unknown = unknownFields.map(unknownField);
  if (text === undefined) return [...before, ...(kind.custom ? unknown : unknown.sort())];
  const copies = mayHaveCopies(text, body);
  if (kind.custom) return [...before, ...(copies ? strictProblems(text) : []), ...unknown];
  if (!copies && unknown.length === 0) return before;
  return [...before, ...strictProblems(text, kindType(apiVersionOf(kind, version), kind.kind))];
}

const YAML_PROBLEMS = 'yaml: unmarshal errors:\n';

/** What YAML complains of comes in one piece, a line each. */
const warningLines = (problem: string): string[] =>
  problem.startsWith(YAML_PROBLEMS)
    ? problem
        .slice(YAML_PROBLEMS.length)
        .split('\n')
        .map((line) => line.trim())
    : [problem];

function checkBuiltInType(target: DecodeTarget, body: JsonObject): void {
  const { kind, version } = target;
  const given = { apiVersion: body['apiVersion'], kind: body['kind'] };
  const expected = apiVersionOf(kind, version);
  if (given.apiVersion === undefined && given.kind === undefined) return;
  const givenVersion = String(given.apiVersion ?? expected);
  const givenKind = String(given.kind ?? kind.kind);
  const short = givenVersion.slice(givenVersion.indexOf('/') + 1);
  if (givenKind !== kind.kind) {
    const why = `converting (${short}.${givenKind}) to (${internalGroup(kind)}.${kind.kind}): unknown conversion`;
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

/**
 * After a patch: the object must still be of its kind and version, and readable. `shown`: the text of a strategic patch,
 * which the server does not lay over JSON but over values, and refuses in the words of another decoder.
 */
export function decodePatched(target: DecodeTarget, patched: JsonObject, shown?: string): KubeObject {
  const { kind, version } = target;
  const { apiVersion, kind: givenKind } = patched;
  if (kind.custom) {
    if (givenKind !== kind.kind) throw wrongKind(target, patched);
    if (apiVersion !== apiVersionOf(kind, version)) throw wrongVersion(target, patched);
  }
  try {
    if (givenKind !== kind.kind) {
      throw new DecodeError(
        `converting (${version}.${String(givenKind)}) to (${internalGroup(kind)}.${kind.kind}): unknown conversion`,
      );
    }
    if (apiVersion !== apiVersionOf(kind, version)) {
      throw new DecodeError(
        `no kind "${kind.kind}" is registered for version "${String(apiVersion)}" in scheme "pkg/runtime/scheme.go:111"`,
      );
    }
    return readFields(target, patched);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const problem =
      shown === undefined
        ? invalidValue('patch', kind.custom ? canonicalJson(patched) : stringifyJson(patched), error.message)
        : invalidValue('patch', shown, conversionProblem(error.message));
    throw invalid({ group: '', kind: '' }, '', [problem]);
  }
}

function wrongVersion({ kind, version }: DecodeTarget, patched: JsonObject): Error {
  const name = isJsonObject(patched['metadata']) ? String(patched['metadata']['name'] ?? '') : '';
  const problem = invalidValue('apiVersion', patched['apiVersion'], `must be ${apiVersionOf(kind, version)}`);
  return invalid({ group: kind.group, kind: kind.kind }, name, [problem]);
}

/** The name that the server's conversions have for a group. */
const internalGroup = (kind: ResourceKind): string => kind.group.split('.')[0] || 'core';
