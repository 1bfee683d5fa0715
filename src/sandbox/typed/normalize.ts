// A built-in object as the server's Go types keep it: unknown fields gone (and told), nulls gone, zero values left out or
// written as the struct says, wrong types refused in the decoder's words. Not done: canonical quantities and times.

import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  setOwn,
} from '../../kit/json.ts';
import { jsonType } from '../meta/shape.ts';
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
  const walk = new Walk();
  const { apiVersion: _a, kind: _k, ...fields } = object;
  const normalized = walk.struct(type, fields, '');
  return { object: { ...normalized, apiVersion, kind }, unknownFields: walk.unknownFields };
}

/** The status of a new object of a kind: {} or what its struct always writes. */
export function zeroStatus(apiVersion: string, kind: string): JsonValue | undefined {
  const fields = structFields(kindType(apiVersion, kind) ?? '');
  const status = fields?.find((field) => field.name === 'status');
  return status && new Walk().zero(status.type);
}

const INTEGER = /^int(32|64)$/;

class Walk {
  readonly unknownFields: string[] = [];

  struct(type: string, given: JsonObject, path: string): MutableJsonObject {
    const fields = structFields(type) ?? [];
    const result: MutableJsonObject = {};
    const known = new Set<string>();
    for (const field of fields) {
      known.add(field.name);
      const value = this.field(field, given[field.name], { struct: type, path: join(path, field.name) });
      if (value !== undefined) result[field.name] = value;
    }
    for (const key of Object.keys(given)) {
      if (!known.has(key) && !(path === '' && (key === 'apiVersion' || key === 'kind')))
        this.unknownFields.push(join(path, key));
    }
    return result;
  }

  field(field: FieldType, given: JsonValue | undefined, at: Place): JsonValue | undefined {
    if (given === undefined || given === null) {
      if (field.pointer) return field.omit ? undefined : null;
      if (field.omitZero || (field.omit && !structFields(field.type))) return undefined;
      return this.zero(field.type);
    }
    const value = this.value(field.type, given, at);
    return field.omit && !field.pointer && isZero(value) && !structFields(field.type) ? undefined : value;
  }

  value(type: string, given: JsonValue, at: Place): JsonValue {
    if (type.startsWith('[]')) return this.list(type.slice(2), given, at);
    if (type.startsWith('{}')) return this.map(type.slice(2), given, at);
    if (structFields(type)) {
      if (!isJsonObject(given)) throw mismatch(given, type.split('.').slice(-2).join('.'), at);
      return this.struct(type, given, at.path);
    }
    return scalar(type, given, at);
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
      setOwn(result, key, item === null || item === undefined ? this.zero(type) : this.value(type, item, at));
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
      return given;
    case 'intOrString':
      return typeof given === 'string' ? given : numeric('int32', given, at);
    case 'quantity':
      if (typeof given !== 'string' && typeof given !== 'number') throw mismatch(given, 'string', at);
      return String(given);
    default:
      return given;
  }
}

function numeric(type: string, given: JsonValue, at: Place): JsonValue {
  if (typeof given === 'bigint') return given;
  if (typeof given !== 'number') throw mismatch(given, type, at);
  if (type !== 'float64' && !Number.isInteger(given)) throw mismatch(given, type, at, ` ${given}`);
  return given;
}

function checkBase64(text: string): void {
  const bad = [...text].findIndex((character) => !/[A-Za-z0-9+/=\n\r]/.test(character));
  const at = bad >= 0 ? bad : text.length % 4 === 0 ? -1 : Math.floor(text.length / 4) * 4;
  if (at >= 0) throw new DecodeError(`illegal base64 data at input byte ${at}`);
}

function mismatch(given: JsonValue, type: string, at: Place, detail = ''): DecodeError {
  const path = at.path.replaceAll(/\[\d+\]/g, '');
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
