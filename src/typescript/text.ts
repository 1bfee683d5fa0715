// Pieces of TypeScript from texts of strangers: names, literals, comments. Whatever a schema says, what comes out is one name, one
// literal, one comment.

import { type JsonValue, stringifyJson } from '../kit/json.ts';

/** "my-field" → "MyField". Letters and digits of ASCII only; never empty, never with a digit first. */
export function pascalCase(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const name = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('');
  return /^[A-Za-z]/.test(name) ? name : `_${name}`;
}

/** A property's name, in quotes where it must have them. */
export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : stringLiteral(name);
}

export function stringLiteral(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escapeSeparators(inner)}'`;
}

/** The type that has this value alone; undefined for what can't be written so (lists, objects, integers beyond 2^53). */
export function literalType(value: JsonValue): string | undefined {
  if (typeof value === 'string') return stringLiteral(value);
  if (value === null || typeof value === 'boolean') return String(value);
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined;
}

/** Lines of a doc comment, indented; none where there is nothing to say. */
export function docComment(lines: readonly string[], indent: string): string[] {
  const shown = lines.flatMap((line) => line.split(/\r\n|[\r\n\u2028\u2029]/)).map(harmless);
  while (shown.at(-1) === '') shown.pop();
  while (shown[0] === '') shown.shift();
  if (shown.length === 0) return [];
  if (shown.length === 1) return [`${indent}/** ${shown[0]} */`];
  return [`${indent}/**`, ...shown.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`];
}

/** For a comment of one line. */
export function lineComment(text: string): string {
  return `// ${harmless(text.replaceAll(/[\r\n\u2028\u2029]+/g, ' '))}`;
}

/** A default, for a comment. */
export function shownValue(value: JsonValue): string {
  const text = stringifyJson(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

const harmless = (line: string): string =>
  line
    .replaceAll('*/', '*\\/')
    .replaceAll(/[\x00-\x08\x0b-\x1f\x7f]/g, ' ')
    .trimEnd();

const escapeSeparators = (text: string): string => text.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
