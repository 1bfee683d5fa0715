// How default functions reach into an object that decoding has just made (nobody else holds it, so it may be changed).

import { isJsonArray, isJsonObject, type JsonValue, type MutableJsonObject } from '../../../kit/json.ts';

export type Fields = MutableJsonObject;

/** Adds to an object of one type what the server adds when it reads it. */
export type Default = (object: Fields) => void;

/** Sets a field that is absent (null: a pointer without omitempty). */
export function orElse(object: Fields, name: string, value: JsonValue): void {
  if (object[name] === undefined || object[name] === null) object[name] = value;
}

/** Sets a field that is absent or empty text. */
export function orElseText(object: Fields, name: string, value: string): void {
  if (object[name] === undefined || object[name] === '') object[name] = value;
}

/** The object in a field, made if it is not there. */
export function fieldsAt(object: Fields, name: string): Fields {
  const value = object[name];
  if (isJsonObject(value)) return value as Fields;
  const made: Fields = {};
  object[name] = made;
  return made;
}

export function optionalFields(value: JsonValue | undefined): Fields | undefined {
  return isJsonObject(value) ? (value as Fields) : undefined;
}

export function fieldsIn(value: JsonValue | undefined): readonly Fields[] {
  return isJsonArray(value) ? value.filter(isJsonObject).map((item) => item as Fields) : [];
}

export function isFilled(value: JsonValue | undefined): boolean {
  if (isJsonArray(value)) return value.length > 0;
  return isJsonObject(value) && Object.keys(value).length > 0;
}
