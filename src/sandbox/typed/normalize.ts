// A built-in object as the server's Go types keep it: unknown fields gone (and told), nulls gone, zero values left out or
// written as the struct says, amounts and times in canonical form, defaults filled in (defaults/), wrong types refused in
// the decoder's words.

import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  setOwn,
  stringifyJson,
} from '../../kit/json.ts';
import { jsonType } from '../meta/shape.ts';
import { withDefaults } from './defaults/index.ts';
import { decoderPath } from './embedded.ts';
import { parseQuantity, QuantityError, resourceAmount } from './quantity.ts';
import { canonicalMicroTime, canonicalTime, TimeError } from './time.ts';
import { type FieldType, kindType, structFields } from './types.ts';

/** The body can't be read into the kind's type. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
}

export interface Normalized {
  readonly object: JsonObject;
  /** Paths of fields that the type does not have. */
  readonly unknownFields: readonly string[];
}

/** undefined when the kind's types are not known (a kind that is not in the table). Throws DecodeError. */
export function normalizeBuiltIn(apiVersion: string, kind: string, object: JsonObject): Normalized | undefined {
  const type = kindType(apiVersion, kind);
  if (type === undefined) return undefined;
  const walk = new Walk(type);
  const { apiVersion: _a, kind: _k, ...fields } = object;
  const normalized = withDefaults(type, walk.struct(type, fields, ''));
  return { object: { ...normalized, apiVersion, kind }, unknownFields: walk.unknownFields };
}

/** The status of a new object of a kind: {} or what its struct always writes. */
export function zeroStatus(apiVersion: string, kind: string): JsonValue | undefined {
  const fields = structFields(kindType(apiVersion, kind) ?? '');
  const status = fields?.find((field) => field.name === 'status');
  return status && new Walk('').zero(status.type);
}

const INTEGER = /^int(32|64)$/;
const MAX_INT32 = 2n ** 31n - 1n;
const MAX_INT64 = 2n ** 63n - 1n;
/** Fields whose times have six digits behind the seconds. */
const MICRO_TIMES = new Set(['spec.acquireTime', 'spec.renewTime', 'eventTime', 'series.lastObservedTime']);

class Walk {
  readonly unknownFields: string[] = [];
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  struct(type: string, given: JsonObject, path: string): MutableJsonObject {
    const fields = structFields(type) ?? [];
    const result: MutableJsonObject = {};
    const known = new Set<string>();
    for (const field of fields) {
      known.add(field.name);
      const item = given[field.name];
      const value =
        item === undefined || item === null
          ? this.absent(field)
          : this.field(field, item, { root: this.#root, struct: type, path: join(path, field.name) });
      if (value !== undefined) result[field.name] = value;
    }
    for (const key of Object.keys(given)) {
      if (!known.has(key) && !(path === '' && (key === 'apiVersion' || key === 'kind')))
        this.unknownFields.push(join(path, key));
    }
    return result;
  }

  absent(field: FieldType): JsonValue | undefined {
    if (field.pointer) return field.omit ? undefined : null;
    // Quantities and times are structs to the encoder, and those are never empty.
    const isStruct = structFields(field.type) !== undefined || field.type === 'quantity' || field.type === 'time';
    if (field.omitZero || (field.omit && !isStruct)) return undefined;
    return this.zero(field.type);
  }

  field(field: FieldType, given: JsonValue, at: Place): JsonValue | undefined {
    const value = this.value(field.type, given, at);
    // On their way to the store objects are protobuf, which does not tell an empty list from none.
    // Definitions stay JSON.
    const isEmpty = !field.omit && isJsonArray(value) && value.length === 0;
    if (isEmpty && !at.struct.startsWith('apiextensions.')) return null;
    return field.omit && !field.pointer && isZero(value) && !structFields(field.type) ? undefined : value;
  }

  value(type: string, given: JsonValue, at: Place): JsonValue {
    if (type.startsWith('[]')) return this.list(type.slice(2), given, at);
    if (type.startsWith('{}')) return this.map(type.slice(2), given, at);
    if (structFields(type)) {
      if (!isJsonObject(given)) throw mismatch(given, type.split('.').slice(-2).join('.'), at);
      return this.struct(type, given, at.path);
    }
    return this.scalar(type, given, at);
  }

  scalar(type: string, given: JsonValue, at: Place): JsonValue {
    try {
      return scalar(type, given, at);
    } catch (error) {
      if (error instanceof QuantityError || error instanceof TimeError) throw new DecodeError(error.message);
      throw error;
    }
  }

  list(type: string, given: JsonValue, at: Place): JsonValue {
    if (!isJsonArray(given)) throw mismatch(given, `[]${goName(type)}`, at);
    return given.map((item, index) =>
      item === null ? this.zero(type) : this.value(type, item, { ...at, path: `${at.path}[${index}]` }),
    );
  }

  map(type: string, given: JsonValue, at: Place): JsonValue {
    if (!isJsonObject(given)) throw mismatch(given, `map[string]${goName(type)}`, at);
    const result: MutableJsonObject = {};
    for (const key of Object.keys(given)) {
      const item = given[key];
      const value = item === null || item === undefined ? this.zero(type) : this.value(type, item, at);
      setOwn(result, key, type === 'quantity' ? resourceAmount(String(value)) : value);
    }
    return result;
  }

  zero(type: string): JsonValue {
    if (type.startsWith('[]') || type.startsWith('{}')) return null;
    if (structFields(type)) return this.struct(type, {}, '');
    if (type === 'string') return '';
    if (type === 'bool') return false;
    if (type === 'quantity') return '0';
    return INTEGER.test(type) || type === 'float64' || type === 'intOrString' ? 0 : null;
  }
}

interface Place {
  /** The type of the whole object. */
  readonly root: string;
  /** The struct that holds the field: decoders name it. */
  readonly struct: string;
  readonly path: string;
}

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);
const goName = (type: string): string =>
  type === 'bytes' ? '[]uint8' : structFields(type) ? type.split('.').slice(-2).join('.') : type;

function scalar(type: string, given: JsonValue, at: Place): JsonValue {
  switch (type) {
    case 'string':
    case 'bool':
      if (typeof given !== (type === 'bool' ? 'boolean' : 'string')) throw mismatch(given, type, at);
      return given;
    case 'bytes':
      if (typeof given !== 'string') throw mismatch(given, '[]uint8', at);
      checkBase64(given);
      return given;
    case 'int32':
    case 'int64':
    case 'float64':
      return numeric(type, given, at);
    case 'time':
      if (typeof given !== 'string') throw mismatch(given, 'string', at);
      return MICRO_TIMES.has(at.path) ? canonicalMicroTime(given) : canonicalTime(given);
    case 'intOrString':
      return typeof given === 'string' ? given : numeric('int32', given, at);
    case 'quantity':
      return parseQuantity(typeof given === 'string' ? given : stringifyJson(given)).text;
    default:
      return given;
  }
}

function numeric(type: string, given: JsonValue, at: Place): JsonValue {
  if (typeof given !== 'number' && typeof given !== 'bigint') throw mismatch(given, type, at);
  if (type === 'float64') return given;
  const limit = type === 'int32' ? MAX_INT32 : MAX_INT64;
  const whole = typeof given === 'bigint' || Number.isInteger(given);
  if (!whole || given > limit || given < -limit - 1n) throw mismatch(given, type, at, ` ${given}`);
  return given;
}

function checkBase64(text: string): void {
  const bad = [...text].findIndex((character) => !/[A-Za-z0-9+/=\n\r]/.test(character));
  const at = bad >= 0 ? bad : text.length % 4 === 0 ? -1 : Math.floor(text.length / 4) * 4;
  if (at >= 0) throw new DecodeError(`illegal base64 data at input byte ${at}`);
}

function mismatch(given: JsonValue, type: string, at: Place, detail = ''): DecodeError {
  const path = decoderPath(at.root, at.path);
  const struct = at.struct.split('.').at(-1);
  return new DecodeError(
    `json: cannot unmarshal ${jsonType(given)}${detail} into Go struct field ${struct}.${path} of type ${type}`,
  );
}

function isZero(value: JsonValue): boolean {
  if (value === '' || value === 0 || value === false || value === null) return true;
  if (isJsonArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}
