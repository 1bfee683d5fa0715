// Some messages of the server show a value of its own types, which have other names and no omitempty: {"Type":"RollingUpdate",
// "RollingUpdate":null}. This makes such a value of what was sent.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, type MutableJsonObject } from '../../kit/json.ts';
import { INTERNAL_TYPES } from '../generated/internal-types.ts';

interface Field {
  /** "" for an embedded struct, whose fields stand beside the others. */
  readonly name: string;
  /** undefined: an empty struct of the type. */
  readonly zero: JsonValue | undefined;
  readonly type?: string;
}

const ZERO: Readonly<Record<string, JsonValue>> = { n: null, s: '', b: false, i: 0, q: '0' };
/** Fields of a pod's spec that the server keeps in its security context. */
const OF_SECURITY_CONTEXT = ['hostNetwork', 'hostPID', 'hostIPC', 'shareProcessNamespace', 'hostUsers'];

function fieldsOf(type: string): readonly Field[] {
  const text = INTERNAL_TYPES[type] ?? '';
  if (text === '') return [];
  return text.split(' ').map((field) => {
    const [name = '', zero = '', inner] = field.split(':');
    return { name, zero: ZERO[zero], ...(inner === undefined ? {} : { type: inner }) };
  });
}

/** `type` as in the generated table: "core.PodSpec". */
export function goStruct(type: string, given: JsonObject): JsonObject {
  const result: MutableJsonObject = {};
  const sent = type === 'core.PodSpec' ? withSecurityContext(given) : given;
  const byName = new Map(Object.keys(sent).map((key) => [key.toLowerCase(), sent[key]]));
  for (const { name, zero, type: inner } of fieldsOf(type)) {
    if (name === '') Object.assign(result, embedded(inner, sent));
    else result[name] = shown(inner, byName.get(name.toLowerCase()), zero);
  }
  return result;
}

function embedded(type: string | undefined, sent: JsonObject): JsonObject {
  if (type !== undefined) return goStruct(type, sent);
  // metav1.ObjectMeta, which has JSON names.
  return isJsonObject(sent['metadata']) ? sent['metadata'] : {};
}

function shown(type: string | undefined, value: JsonValue | undefined, zero: JsonValue | undefined): JsonValue {
  if (value === undefined || value === null) {
    return zero === undefined ? goStruct(type ?? '', {}) : zero;
  }
  if (type === undefined) return value;
  if (isJsonArray(value)) return value.map((item) => (isJsonObject(item) ? goStruct(type, item) : item));
  return isJsonObject(value) ? goStruct(type, value) : value;
}

function withSecurityContext(spec: JsonObject): JsonObject {
  const moved = Object.fromEntries(
    OF_SECURITY_CONTEXT.filter((name) => spec[name] !== undefined).map((name) => [name, spec[name]]),
  ) as JsonObject;
  const given = isJsonObject(spec['securityContext']) ? spec['securityContext'] : {};
  return { ...spec, securityContext: { ...given, ...moved } };
}
