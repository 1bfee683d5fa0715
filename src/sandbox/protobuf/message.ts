// A protobuf message of a built-in type → the JSON that says the same, by the numbers in the type table. kubectl's
// generators (`kubectl create deployment`) and Go's typed clients send protobuf and do not fall back to JSON.

import { type JsonValue, type MutableJsonObject, parseJson, setOwn } from '../../kit/json.ts';
import { structFields } from '../typed/types.ts';
import { ProtobufError, packedVarints, type WireValue, wireFields } from './wire.ts';

interface Slot {
  readonly name: string;
  readonly type: string;
}
/** Of a struct that is embedded: a message of its own here, part of the outer one in JSON. */
type Slots = Map<number, Slot | Slots>;

const slotsOf = new Map<string, Slots>();

/** The message as a JSON object. Throws ProtobufError. Numbers that the type does not have are skipped. */
export function decodeMessage(type: string, bytes: Uint8Array): MutableJsonObject {
  const result: MutableJsonObject = {};
  readInto(result, slots(type), bytes);
  return result;
}

function slots(type: string): Slots {
  const known = slotsOf.get(type);
  if (known) return known;
  const made: Slots = new Map();
  for (const { name, type: fieldType, number } of structFields(type) ?? []) {
    const path = number.split('.').map(Number);
    const last = path.pop() ?? 0;
    let place = made;
    for (const step of path) {
      const inner = place.get(step);
      const next: Slots = inner instanceof Map ? inner : new Map();
      place.set(step, next);
      place = next;
    }
    place.set(last, { name, type: fieldType });
  }
  slotsOf.set(type, made);
  return made;
}

function readInto(result: MutableJsonObject, known: Slots, bytes: Uint8Array): void {
  for (const { number, value } of wireFields(bytes)) {
    const slot = known.get(number);
    if (slot instanceof Map) readInto(result, slot, asBytes(value));
    else if (slot) readField(result, slot, value);
  }
}

function readField(result: MutableJsonObject, { name, type }: Slot, value: WireValue): void {
  if (type.startsWith('{}')) {
    const map = (result[name] ?? {}) as MutableJsonObject;
    readEntry(map, type.slice(2), asBytes(value));
    result[name] = map;
  } else if (type.startsWith('[]')) {
    const item = type.slice(2);
    const packed = /^(int32|int64)$/.test(item) && typeof value !== 'bigint';
    const items = packed ? packedVarints(value).map((one) => decodeValue(item, one)) : [decodeValue(item, value)];
    result[name] = [...((result[name] ?? []) as JsonValue[]), ...items];
  } else result[name] = decodeValue(type, value);
}

function readEntry(map: MutableJsonObject, type: string, bytes: Uint8Array): void {
  let key = '';
  let item: JsonValue | undefined;
  for (const { number, value } of wireFields(bytes)) {
    if (number === 1) key = asText(value);
    // A list as the value of a map is a message with one repeated field (authorization's ExtraValue).
    if (number === 2) item = type === '[]string' ? texts(asBytes(value)) : decodeValue(type, value);
  }
  setOwn(map, key, item ?? (type === 'string' || type === 'bytes' ? '' : null));
}

const texts = (bytes: Uint8Array): string[] => Array.from(wireFields(bytes), ({ value }) => asText(value));

function decodeValue(type: string, value: WireValue): JsonValue {
  switch (type) {
    case 'string':
      return asText(value);
    case 'bytes':
      return Buffer.from(asBytes(value)).toString('base64');
    case 'bool':
      return asNumber(value) !== 0n;
    case 'int32':
    case 'int64':
      return integer(asNumber(value));
    case 'float64':
      return new Float64Array(new BigUint64Array([asNumber(value)]).buffer)[0] ?? 0;
    case 'quantity':
      return wholeFields(asBytes(value)).text(1);
    case 'time':
      return time(asBytes(value));
    case 'intOrString':
      return intOrString(asBytes(value));
    case 'any':
      return parsedField(asBytes(value));
    case 'schemaOrArray':
    case 'schemaOrBool':
    case 'schemaOrStrings':
      return schemaOr(type, asBytes(value));
    default:
      return decodeMessage(type, asBytes(value));
  }
}

function asBytes(value: WireValue): Uint8Array {
  if (typeof value === 'bigint') throw new ProtobufError('wrong wireType');
  return value;
}

function asNumber(value: WireValue): bigint {
  if (typeof value !== 'bigint') throw new ProtobufError('wrong wireType');
  return value;
}

const asText = (value: WireValue): string => Buffer.from(asBytes(value)).toString();

function integer(value: bigint): number | bigint {
  const signed = BigInt.asIntN(64, value);
  return Number.isSafeInteger(Number(signed)) ? Number(signed) : signed;
}

/** The last value of each number of a small message. */
function wholeFields(bytes: Uint8Array): {
  number(n: number): bigint;
  text(n: number): string;
  get(n: number): WireValue | undefined;
} {
  const fields = new Map(Array.from(wireFields(bytes), ({ number, value }) => [number, value]));
  return {
    get: (n) => fields.get(n),
    number: (n) => asNumber(fields.get(n) ?? 0n),
    text: (n) => (fields.has(n) ? asText(fields.get(n) ?? 0n) : ''),
  };
}

/** Seconds and nanoseconds. The zero time, which is null in JSON, is an empty message. */
function time(bytes: Uint8Array): string | null {
  if (bytes.length === 0) return null;
  const fields = wholeFields(bytes);
  const seconds = new Date(Number(BigInt.asIntN(64, fields.number(1))) * 1000).toISOString().slice(0, 19);
  const nanos = fields.number(2);
  return nanos === 0n ? `${seconds}Z` : `${seconds}.${String(nanos / 1000n).padStart(6, '0')}Z`;
}

function intOrString(bytes: Uint8Array): JsonValue {
  const fields = wholeFields(bytes);
  return fields.number(1) === 0n ? integer(fields.number(2)) : fields.text(3);
}

/** Values that are JSON in Go, too: their text is the only field. */
function parsedField(bytes: Uint8Array): JsonValue {
  const text = wholeFields(bytes).text(1);
  if (text === '') return null;
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new ProtobufError(`not JSON: ${error.message}`);
    throw error;
  }
}

const SCHEMA = 'apiextensions.v1.JSONSchemaProps';

/** What the schema of a CRD may have in place of a schema: a list of them, true or false, a list of names. */
function schemaOr(type: string, bytes: Uint8Array): JsonValue {
  const fields = wholeFields(bytes);
  const schema = fields.get(type === 'schemaOrBool' ? 2 : 1);
  if (schema !== undefined) return decodeMessage(SCHEMA, asBytes(schema));
  if (type === 'schemaOrBool') return fields.number(1) !== 0n;
  const others = Array.from(wireFields(bytes), ({ value }) => value);
  return others.map((value) => (type === 'schemaOrArray' ? decodeMessage(SCHEMA, asBytes(value)) : asText(value)));
}
