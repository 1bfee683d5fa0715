// One step of a field path, kept as FieldsV1 writes it: `f:name`, `k:{"key":value}`, `v:value`, `i:index`. The text is
// canonical (keys sorted, Go's JSON), so that equal steps are equal strings and sets of them are sets of strings.
// The empty text stands for a step that could not be made, as in the reference: an item without a usable key.

import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../kit/json.ts';
import { compareText, elementJson, goQuote } from './go-text.ts';

export type PathElement = string;
export const NO_ELEMENT: PathElement = '';

export const fieldElement = (name: string): PathElement => `f:${name}`;
export const valueElement = (value: JsonValue): PathElement => `v:${elementJson(value)}`;
export const indexElement = (index: number): PathElement => `i:${index}`;

/** `keys` in any order. */
export function keyElement(keys: readonly (readonly [string, JsonValue])[]): PathElement {
  const sorted = keys.length > 1 ? [...keys].sort(([a], [b]) => compareText(a, b)) : keys;
  return `k:{${sorted.map(([name, value]) => `${elementJson(name)}:${elementJson(value)}`).join(',')}}`;
}

/** The name of the field, undefined for steps of other kinds. */
export const fieldName = (element: PathElement): string | undefined =>
  element.startsWith('f:') ? element.slice(2) : undefined;

export const isKeyElement = (element: PathElement): boolean => element.startsWith('k:');

/** The key fields that identify the item; none for steps of other kinds. */
export const keyNames = (element: PathElement): readonly string[] =>
  isKeyElement(element) ? keysOf(element.slice(2)).map(([name]) => name) : [];

/**
 * The canonical form of what somebody wrote. undefined: a kind of step that is not known, to be left out.
 * Throws SyntaxError on anything that the API server can't read either.
 */
export function parsePathElement(text: string): PathElement | undefined {
  if (text.length < 2) throw new SyntaxError('key must be 2 characters long:');
  if (text[1] !== ':') throw new SyntaxError(`missing colon: ${text}`);
  const content = text.slice(2);
  switch (text[0]) {
    case 'f':
      return text;
    case 'v':
      return valueElement(parseJson(content));
    case 'k':
      return keyElement(keysOf(content));
    case 'i':
      if (!/^[+-]?\d+$/.test(content))
        throw new SyntaxError(`strconv.Atoi: parsing ${goQuote(content)}: invalid syntax`);
      return indexElement(Number(content));
    default:
      return undefined;
  }
}

function keysOf(content: string): readonly (readonly [string, JsonValue])[] {
  const keys = parseJson(content);
  if (!isJsonObject(keys)) throw new SyntaxError(`not an object: ${content}`);
  return Object.keys(keys).map((name) => [name, keys[name] ?? null]);
}

/** Fields before keys before values before indexes; inside, names by bytes and values by kind and size. */
export function compareElements(a: PathElement, b: PathElement): number {
  if (a === b) return 0;
  const kind = order(a) - order(b);
  if (kind !== 0) return kind;
  switch (a[0]) {
    case 'f':
      return compareText(a, b);
    case 'k':
      return compareKeys(keysOf(a.slice(2)), keysOf(b.slice(2)));
    case 'v':
      return compareValues(parseJson(a.slice(2)), parseJson(b.slice(2)));
    default:
      return Number(a.slice(2)) - Number(b.slice(2));
  }
}

const order = (element: PathElement): number => (element === NO_ELEMENT ? 4 : 'fkvi'.indexOf(element[0] ?? ''));

type Keys = readonly (readonly [string, JsonValue])[];

function compareKeys(a: Keys, b: Keys): number {
  for (const [index, [name, value]] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    const found = compareText(name, other[0]) || compareValues(value, other[1]);
    if (found !== 0) return found;
  }
  return a.length - b.length;
}

const KINDS = ['number', 'string', 'boolean', 'array', 'object', 'null'] as const;

function kindOf(value: JsonValue): (typeof KINDS)[number] {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'bigint' ? 'number' : (typeof value as 'number' | 'string' | 'boolean' | 'object');
}

export function compareValues(a: JsonValue, b: JsonValue): number {
  const kind = kindOf(a);
  const difference = KINDS.indexOf(kind) - KINDS.indexOf(kindOf(b));
  if (difference !== 0) return difference;
  if (kind === 'string') return compareText(a as string, b as string);
  if (kind === 'array') return compareLists(a as readonly JsonValue[], b as readonly JsonValue[]);
  if (kind === 'object') return compareMaps(a as JsonObject, b as JsonObject);
  return Number((a ?? 0) > (b ?? 0)) - Number((a ?? 0) < (b ?? 0));
}

function compareLists(a: readonly JsonValue[], b: readonly JsonValue[]): number {
  for (const [index, item] of a.entries()) {
    const other = b[index];
    const found = other === undefined ? 1 : compareValues(item, other);
    if (found !== 0) return found;
  }
  return a.length - b.length;
}

const compareMaps = (a: JsonObject, b: JsonObject): number => compareKeys(sortedEntries(a), sortedEntries(b));

const sortedEntries = (map: JsonObject): Keys =>
  Object.keys(map)
    .sort(compareText)
    .map((key) => [key, map[key] ?? null]);

/** As conflicts and validation errors show it: `.name`, `[key="value"]`, `[="value"]`, `[0]`. */
export function showElement(element: PathElement): string {
  const content = element.slice(2);
  switch (element[0]) {
    case 'f':
      return `.${content}`;
    case 'k':
      return `[${keysOf(content)
        .map(([name, value]) => `${name}=${showValue(value)}`)
        .join(',')}]`;
    case 'v':
      return `[=${showValue(parseJson(content))}]`;
    case 'i':
      return `[${content}]`;
    default:
      return '{{invalid path element}}';
  }
}

export const showPath = (path: readonly PathElement[]): string => path.map(showElement).join('');

function showValue(value: JsonValue): string {
  if (typeof value === 'string') return goQuote(value);
  if (Array.isArray(value)) return `[${value.map(showValue).join(',')}]`;
  if (isJsonObject(value))
    return sortedEntries(value)
      .map(([key, item]) => `${key}=${showValue(item)}`)
      .join('');
  return String(value);
}
