// A value against its schema, in the order, with the words and the quirks of the API server's validator (kube-openapi): every
// error is reported, alternatives (anyOf, oneOf) show the errors of the one that came furthest.

import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  stringifyJson,
} from '../../kit/json.ts';
import { goQuote } from '../field-problem.ts';
import type { Correlated } from './correlate.ts';
import { checkNumber, isInteger, isWhole } from './numbers.ts';
import { failed, general, longText, missing, notInEnum, Result, stated, tooManyOf, typeFailed } from './result.ts';
import type { ValueSchema } from './value-schema.ts';

/** What a value is found in. */
export interface Place {
  readonly path: string;
  /** The nearest value around that has an old state to compare with (see correlate.ts). Absent: nothing is ratcheted. */
  readonly correlated?: Correlated | undefined;
}

export function validateValue(schema: ValueSchema, value: JsonValue, place: Place): Result {
  const result = new Result();
  if (value === null) {
    checkNull(schema, place.path, result);
    return result;
  }
  checkType(schema, value, place.path, result);
  checkAlternatives(schema, value, place, result);
  if (typeof value === 'string') checkText(schema, value, place.path, result);
  else if (typeof value === 'number' || typeof value === 'bigint') {
    if (schema.numbers) checkNumber(value, { ...schema.numbers, format: schema.format }, place.path, result);
    result.matches += 2;
  } else if (isJsonArray(value)) checkList(schema, value, place, result);
  checkEnum(schema, value, place.path, result);
  if (isJsonObject(value)) checkObject(schema, value, place, result);
  result.matches += 1;
  return result;
}

function checkNull(schema: ValueSchema, path: string, result: Result): void {
  const isWrong = schema.types.length > 0 && !schema.nullable;
  if (isWrong) result.add(typeFailed(path, schema.types.join(','), 'null'));
  else result.matches += 1;
  if (schema.enum) result.add(notInEnum(path, null, schema.enum.map(enumText)));
}

/** The JSON type and, for numbers, the format that the server reads the value as. */
function typeOf(value: JsonValue): readonly [type: string, format: string] {
  if (typeof value === 'string') return ['string', ''];
  if (typeof value === 'boolean') return ['boolean', ''];
  if (isJsonArray(value)) return ['array', ''];
  if (typeof value === 'number' || typeof value === 'bigint') {
    return isInteger(value) ? ['integer', 'int64'] : ['number', 'float64'];
  }
  return ['object', ''];
}

function checkType(schema: ValueSchema, value: JsonValue, path: string, result: Result): void {
  const { types, format } = schema;
  if (types.length === 0 && format === '') return;
  result.matches += 1;
  const [type, own] = typeOf(value);
  const isNumber = type === 'integer' || type === 'number';
  const fits =
    types.includes(type) ||
    (type === 'integer' && types.includes('number')) ||
    (type === 'number' && types.includes('integer') && isWhole(Number(value)));
  const isTextLike = type === 'string' || type === 'array';
  if (!isTextLike && format !== '' && !fits && own !== format) {
    result.add(typeFailed(path, format, isNumber ? own : ''));
    return;
  }
  // Text (and, by an oversight of the server, a list) with a format is left to the format's own check.
  const isLeft = format !== '' && isTextLike && !types.includes('number') && !types.includes('integer');
  if (fits || isLeft) result.matches += 1;
  else result.add(typeFailed(path, types.join(','), type));
}

function checkText(schema: ValueSchema, value: string, path: string, result: Result): void {
  result.matches += 1;
  const limits = schema.strings;
  if (limits) checkLength(limits, value, path, result);
  if (!schema.checksFormat) return;
  result.matches += 1;
  if (!schema.checksFormat(value)) result.add(typeFailed(path, schema.format, value));
}

function checkLength(limits: NonNullable<ValueSchema['strings']>, value: string, path: string, result: Result): void {
  const { minimum = 0, maximum, pattern } = limits;
  if (maximum !== undefined && value.length > maximum && characters(value) > maximum) {
    result.add(longText(path, maximum));
  } else if (value.length < minimum * 2 && characters(value) < minimum) {
    result.add(failed(path, value, `should be at least ${minimum} chars long`));
  } else if (pattern && 'problem' in pattern) {
    result.add(failed(path, value, `should match '${pattern.text}, but pattern is invalid: ${pattern.problem}'`));
  } else if (pattern && !pattern.regexp.test(value)) {
    result.add(failed(path, value, `should match '${pattern.text}'`));
  }
}

/** Code points, not UTF-16 units. */
function characters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function checkEnum(schema: ValueSchema, value: JsonValue, path: string, result: Result): void {
  result.matches += 1;
  if (!schema.enum || schema.enum.some((allowed) => equalsEnum(value, allowed))) return;
  result.add(notInEnum(path, value, schema.enum.map(enumText)));
}

function equalsEnum(value: JsonValue, allowed: JsonValue): boolean {
  if (allowed === null) return false;
  // A float is cut to an integer where the schema's value is one.
  if (typeof value === 'number' && typeof allowed === 'number' && isInteger(allowed))
    return Math.trunc(value) === allowed;
  return jsonEqual(value, allowed);
}

const enumText = (value: JsonValue): string => (typeof value === 'string' ? value : stringifyJson(value));

function checkList(schema: ValueSchema, items: readonly JsonValue[], place: Place, result: Result): void {
  result.matches += 2;
  if (schema.items) {
    for (let index = 0; index < items.length; index++) {
      const child = place.correlated?.index(index);
      result.merge(validateChild(schema.items, items[index] as JsonValue, `${place.path}[${index}]`, child));
    }
  }
  const limits = schema.lists;
  if (!limits) return;
  const { minimum, maximum } = limits;
  if (minimum !== undefined && items.length < minimum) {
    result.add(failed(place.path, items.length, `should have at least ${minimum} items`));
  }
  if (maximum !== undefined && items.length > maximum) {
    result.add(tooManyOf(place.path, 'items', { actual: items.length, limit: maximum }));
  }
  if (limits.unique && items.some((item, i) => items.slice(0, i).some((other) => jsonEqual(item, other)))) {
    result.add(failed(place.path, undefined, `shouldn't contain duplicates`));
  }
}

function checkObject(schema: ValueSchema, object: JsonObject, place: Place, result: Result): void {
  result.matches += 1;
  const { path } = place;
  const keys = Object.keys(object);
  const { minimum, maximum } = schema.maps ?? {};
  if (minimum !== undefined && keys.length < minimum) {
    result.add(failed(path, keys.length, `should have at least ${minimum} properties`));
  }
  if (maximum !== undefined && keys.length > maximum) {
    result.add(tooManyOf(path, 'properties', { actual: keys.length, limit: maximum }));
  }
  if (schema.additional !== undefined) checkOthers(schema, object, place, result);
  for (const [name, property] of schema.properties) {
    if (!Object.hasOwn(object, name)) continue;
    const value = object[name];
    if (value === undefined) continue;
    const at = path === '' ? name : `${path}.${name}`;
    result.merge(validateChild(property, value, at, keyOf(place, name)));
  }
  for (const name of schema.required) {
    if (!Object.hasOwn(object, name) || object[name] === undefined) result.add(missing(`${path}.${name}`));
  }
}

/** Properties that are not declared. */
function checkOthers(schema: ValueSchema, object: JsonObject, place: Place, result: Result): void {
  for (const key of Object.keys(object)) {
    const value = object[key];
    if (schema.declared.has(key) || value === undefined) continue;
    const at = `${place.path}.${key}`;
    if (schema.additional === false) result.add(stated(place.path, key, `${at} in body is a forbidden property`));
    else if (schema.additional) {
      result.merge(validateChild(schema.additional, value, at, keyOf(place, key)));
    }
  }
}

function keyOf({ path, correlated }: Place, key: string): Correlated | undefined {
  // apiVersion and kind of the whole object: both states have been converted to the same ones.
  return path === '' && (key === 'apiVersion' || key === 'kind') ? undefined : correlated?.key(key);
}

/** A property or item; its errors do not count when it is what it was before. */
function validateChild(schema: ValueSchema, value: JsonValue, path: string, child: Correlated | undefined): Result {
  const result = validateValue(schema, value, { path, correlated: child });
  return !result.valid && child?.isUnchanged() ? new Result() : result;
}

function checkAlternatives(schema: ValueSchema, value: JsonValue, place: Place, result: Result): void {
  if (schema.anyOf.length > 0) checkAnyOf(schema.anyOf, value, place, result);
  if (schema.oneOf.length > 0) checkOneOf(schema.oneOf, value, place, result);
  if (schema.allOf.length > 0) checkAllOf(schema.allOf, value, place, result);
  if (schema.not && validateValue(schema.not, value, place).valid) {
    result.add(general(`${goQuote(place.path)} must not validate the schema (not)`));
  }
  result.matches += 2;
}

function checkAnyOf(schemas: readonly ValueSchema[], value: JsonValue, place: Place, result: Result): void {
  let best: Result | undefined;
  for (const schema of schemas) {
    const found = validateValue(schema, value, place);
    if (found.valid) {
      result.merge(found);
      return;
    }
    if (!best || found.matches > best.matches) best = found;
  }
  result.add(general(`${goQuote(place.path)} must validate at least one schema (anyOf)`));
  result.merge(best);
}

function checkOneOf(schemas: readonly ValueSchema[], value: JsonValue, place: Place, result: Result): void {
  let best: Result | undefined;
  const fitting: Result[] = [];
  for (const schema of schemas) {
    const found = validateValue(schema, value, place);
    if (found.valid) fitting.push(found);
    else if (fitting.length === 0 && (!best || found.matches > best.matches)) best = found;
  }
  if (fitting.length === 1) {
    result.merge(fitting[0]);
    return;
  }
  const how = fitting.length === 0 ? 'Found none valid' : `Found ${fitting.length} valid alternatives`;
  result.add(general(`${goQuote(place.path)} must validate one and only one schema (oneOf). ${how}`));
  if (fitting.length === 0) result.merge(best);
}

function checkAllOf(schemas: readonly ValueSchema[], value: JsonValue, place: Place, result: Result): void {
  let fitting = 0;
  for (const schema of schemas) {
    const found = validateValue(schema, value, place);
    if (found.valid) fitting++;
    result.merge(found);
  }
  if (fitting === schemas.length) return;
  const how = fitting === 0 ? '. None validated' : '';
  result.add(general(`${goQuote(place.path)} must validate all the schemas (allOf)${how}`));
}
