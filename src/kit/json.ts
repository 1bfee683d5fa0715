// JSON that survives a round trip. Kubernetes objects may hold integers above 2^53 (int64 fields); a PUT of the whole
// object must not damage them. Such integers are kept as `bigint`; every other number stays a `number`.
// Everything that reads or writes a document of somebody else goes through parseJson / stringifyJson.

export type JsonPrimitive = null | boolean | number | bigint | string;
export type JsonValue = JsonPrimitive | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}
/** The same shapes, open for writing: for code that builds an object before it hands it out. */
export interface MutableJsonObject {
  [key: string]: JsonValue | undefined;
}

// Only a document with a run of 16 digits where a number may begin can hold an unsafe integer, and the reviver costs about
// 5x: look first. Digits inside of words (hashes, ids) do not count.
const LONG_NUMBER = /(?:^|[:,[\s])-?\d{16}/;
const INTEGER = /^-?\d+$/;

/** Parses JSON text. Integers that a double can't hold become bigint. Throws SyntaxError as JSON.parse does. */
export function parseJson(text: string): JsonValue {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text) as JsonValue;
  const reviver = (_key: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' && !Number.isSafeInteger(value) && INTEGER.test(context?.source ?? '')
      ? BigInt(context?.source as string)
      : value;
  return JSON.parse(text, reviver as (key: string, value: unknown) => unknown) as JsonValue;
}

const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON;
const bigintReplacer = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? rawJson(value.toString()) : value;

/** The inverse of parseJson. `indent` as in JSON.stringify. Undefined properties are left out. */
export function stringifyJson(value: JsonValue | object, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch (error) {
    // It holds a bigint, which is rare; asking each value with a replacer makes every document five times slower.
    if (error instanceof TypeError) return JSON.stringify(value, bigintReplacer, indent);
    throw error;
  }
}

/** JSON with keys sorted by code unit at every level, without white space: equal values give equal text. */
export function canonicalJson(value: JsonValue | undefined): string {
  if (typeof value === 'string') return quoted(value);
  if (isJsonArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (isJsonObject(value)) return canonicalObject(value);
  return typeof value === 'bigint' ? value.toString() : JSON.stringify(value ?? null);
}

/** The same of an object of which some properties' texts are known already. */
export function canonicalObject(
  object: JsonObject,
  knownText: (value: JsonValue) => string | undefined = () => undefined,
): string {
  let text = '';
  for (const key of sortKeys(Object.keys(object))) {
    const value = object[key];
    if (value === undefined) continue;
    text += `${text === '' ? '' : ','}${quoted(key)}:${knownText(value) ?? canonicalJson(value)}`;
  }
  return `{${text}}`;
}

/** More than these are left to the sort of the language, which makes more of each list than a short one is. */
const FEW = 32;

/** Sorts in place, by code unit. Mostly they are in order already. */
export function sortKeys(keys: string[]): readonly string[] {
  if (keys.length > FEW) return keys.sort();
  for (let i = 1; i < keys.length; i++) {
    const key = keys[i] ?? '';
    let place = i;
    for (; place > 0 && (keys[place - 1] ?? '') > key; place--) keys[place] = keys[place - 1] ?? '';
    keys[place] = key;
  }
  return keys;
}

// What JSON escapes; lone surrogates among it, so whatever may be one goes the long way.
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

const quoted = (text: string): string => (ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`);

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isJsonArray(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Deep equality of JSON values: property order does not matter, an undefined property equals an absent one, 1n equals 1. */
export function jsonEqual(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (isJsonArray(a)) return isJsonArray(b) && a.length === b.length && a.every((item, i) => jsonEqual(item, b[i]));
  if (isJsonObject(a)) return isJsonObject(b) && objectsEqual(a, b);
  // 1n equals 1: a bigint only ever stands for an integer that a number could not hold exactly.
  if (typeof a === 'bigint' || typeof b === 'bigint') return isNumeric(a) && isNumeric(b) && String(a) === String(b);
  return false;
}

const isNumeric = (value: JsonValue | undefined): boolean => typeof value === 'number' || typeof value === 'bigint';

function objectsEqual(a: JsonObject, b: JsonObject): boolean {
  for (const key of Object.keys(a)) if (!jsonEqual(a[key], getOwn(b, key))) return false;
  for (const key of Object.keys(b)) if (b[key] !== undefined && getOwn(a, key) === undefined) return false;
  return true;
}

/** A deep copy that may be written to. `__proto__` keys stay plain data. */
export function cloneJson<T extends JsonValue | undefined>(value: T): T {
  if (isJsonArray(value)) return value.map(cloneJson) as unknown as T;
  if (!isJsonObject(value)) return value;
  const copy: MutableJsonObject = {};
  for (const key of Object.keys(value)) setOwn(copy, key, cloneJson(value[key]));
  return copy as T;
}

/** Reads a property of the object itself: for keys of others, which may be called `constructor` or `__proto__`. */
export function getOwn(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets a property even when it is called `__proto__`, where plain assignment would change the prototype instead. */
export function setOwn(target: MutableJsonObject, key: string, value: JsonValue | undefined): void {
  if (key !== '__proto__') target[key] = value;
  else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}
