// What the server's strict decoder finds in a JSON text that is otherwise fine: keys that stand twice in an object, and
// fields that the Go type does not have. JSON.parse keeps no copies, so the text itself is walked; only where it may matter.

import { type JsonValue, stringifyJson } from '../../kit/json.ts';
import { structFields } from '../typed/types.ts';

const LIMIT = 100;
/** Types with a decoder of their own are not looked into; neither is the value of an unknown field. */
const OPAQUE = 'any';
const OPAQUE_TYPES = new Set([OPAQUE, 'schemaOrArray', 'schemaOrBool', 'schemaOrStrings']);
/** Plain JSON: copies of keys count, at any depth. */
const UNTYPED = '';

/** The operations of a JSON patch, as the server's Go type for them. */
export const PATCH_OPERATIONS = '[]jsonPatchOp';
const OPERATION_FIELDS: ReadonlyMap<string, string> = new Map([
  ['op', 'string'],
  ['path', 'string'],
  ['from', 'string'],
  ['value', UNTYPED],
]);

/**
 * `type`: of the type table, or nothing for plain JSON. Problems as the server words them, in the order of the text:
 * `unknown field "spec.foo"`, `duplicate field "metadata.name"`. The text must be valid JSON.
 */
export function strictProblems(text: string, type: string = UNTYPED): readonly string[] {
  const scan = new Scan(text);
  scan.value(type, '');
  return [...scan.problems].slice(0, LIMIT);
}

/** False: no object of the text has a key twice. A copy makes the text longer than what was read of it. */
export function mayHaveCopies(text: string, value: JsonValue): boolean {
  return text.trim().length > stringifyJson(value).length;
}

class Scan {
  readonly problems = new Set<string>();
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(given: string, path: string): void {
    const type = OPAQUE_TYPES.has(given) ? OPAQUE : given;
    const first = this.#next();
    if (first === '{') this.#object(type, path);
    else if (first === '[') this.#list(type, path);
    else if (first === '"') this.#string();
    else this.#at = this.#end(/[,\]}\s]/g);
  }

  #object(type: string, path: string): void {
    const seen = new Set<string>();
    const fields = type === OPAQUE ? undefined : fieldsOf(type);
    this.#at++;
    while (this.#next() !== '}') {
      const key = this.#string();
      const at = path === '' ? key : `${path}.${key}`;
      const known = fields === undefined || fields.has(key);
      if (!known) this.problems.add(`unknown field ${JSON.stringify(at)}`);
      else if (type !== OPAQUE && seen.has(key)) this.problems.add(`duplicate field ${JSON.stringify(at)}`);
      seen.add(key);
      this.#next();
      this.#at++; // the colon
      this.value(known ? valueType(type, fields, key) : OPAQUE, at);
      if (this.#next() === ',') this.#at++;
    }
    this.#at++;
  }

  #list(type: string, path: string): void {
    const item = type.startsWith('[]') ? type.slice(2) : type === OPAQUE ? OPAQUE : UNTYPED;
    this.#at++;
    for (let index = 0; this.#next() !== ']'; index++) {
      this.value(item, `${path}[${index}]`);
      if (this.#next() === ',') this.#at++;
    }
    this.#at++;
  }

  #string(): string {
    const start = this.#at++;
    for (; this.#text[this.#at] !== '"'; this.#at++) if (this.#text[this.#at] === '\\') this.#at++;
    return JSON.parse(this.#text.slice(start, ++this.#at)) as string;
  }

  /** The next character that is no white space, which is not passed. */
  #next(): string | undefined {
    this.#at = this.#end(/[^\s]/g);
    return this.#text[this.#at];
  }

  #end(pattern: RegExp): number {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text)?.index ?? this.#text.length;
  }
}

/** undefined: not a struct, every key may be there. */
function fieldsOf(type: string): ReadonlyMap<string, string> | undefined {
  if (type === PATCH_OPERATIONS.slice(2)) return OPERATION_FIELDS;
  const fields = structFields(type);
  return fields && new Map(fields.map((field) => [field.name, field.type]));
}

function valueType(type: string, fields: ReadonlyMap<string, string> | undefined, key: string): string {
  if (fields) return fields.get(key) ?? OPAQUE;
  if (type === OPAQUE) return OPAQUE;
  return type.startsWith('{}') ? type.slice(2) : UNTYPED;
}
