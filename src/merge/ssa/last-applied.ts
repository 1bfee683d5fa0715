// From kubectl's client-side apply to its server-side apply: what the annotation says kubectl applied before, and what the
// object still has so, is kubectl's already; and the annotation goes on telling what kubectl applied last.

import { goJson } from '../../kit/go-json.ts';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../kit/json.ts';
import { compareTyped } from './compare-typed.ts';
import type { Endpoint } from './endpoint.ts';
import { difference, EMPTY_SET, type FieldSet } from './field-set.ts';
import { toFieldSet } from './to-field-set.ts';
import { validateTyped } from './validate.ts';

const ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';
/** The one manager for which all this holds. */
export const KUBECTL = 'kubectl';
const MOST_ANNOTATION_BYTES = 256 * 1024;

function annotationsOf(object: JsonObject): JsonObject | undefined {
  const metadata = object['metadata'];
  const annotations = isJsonObject(metadata) ? metadata['annotations'] : undefined;
  return isJsonObject(annotations) ? annotations : undefined;
}

const lastApplied = (object: JsonObject): string => {
  const value = annotationsOf(object)?.[ANNOTATION];
  return typeof value === 'string' ? value : '';
};

/** The fields of last-applied that the live object has with the same value; empty where that can't be told. */
export function clientSideFields(live: JsonObject, endpoint: Endpoint): FieldSet {
  const text = lastApplied(live);
  if (text === '') return EMPTY_SET;
  const applied = parsed(text);
  if (!isJsonObject(applied) || applied['apiVersion'] !== endpoint.apiVersion) return EMPTY_SET;
  const then = endpoint.at(applied, endpoint.apiVersion);
  const now = endpoint.at(live, endpoint.apiVersion);
  if (then === undefined || now === undefined || validateTyped(then.value, then).length > 0) return EMPTY_SET;
  const { modified, added, removed } = compareTyped(then.value, now.value, then);
  const fields = toFieldSet(then.value, then.schema, then.type);
  return difference(difference(difference(fields, modified), added), removed);
}

function parsed(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    // Somebody's annotation: one that is no JSON tells nothing.
    return undefined;
  }
}

/** The annotation brought up to date; the object itself where there is none. Dropped where annotations get too large. */
export function withLastAppliedUpdated(object: JsonObject, config: JsonObject): JsonObject {
  if (lastApplied(object) === '') return object;
  const own = annotationsOf(config);
  const { [ANNOTATION]: _, ...rest } = own ?? {};
  const metadata = isJsonObject(config['metadata']) ? config['metadata'] : {};
  const plain = own === undefined ? config : { ...config, metadata: { ...metadata, annotations: rest } };
  const annotations: JsonObject = { ...annotationsOf(object), [ANNOTATION]: `${goJson(plain)}\n` };
  const isTooLarge = bytesOf(annotations) > MOST_ANNOTATION_BYTES;
  const { [ANNOTATION]: __, ...others } = annotations;
  const objectMetadata = isJsonObject(object['metadata']) ? object['metadata'] : {};
  return { ...object, metadata: { ...objectMetadata, annotations: isTooLarge ? others : annotations } };
}

const bytesOf = (annotations: JsonObject): number =>
  Object.entries(annotations).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(String(value)),
    0,
  );
