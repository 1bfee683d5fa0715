// Paths like ".spec.a" and ".spec['a-b'].c" that rules and selectable fields point with.

import type { JsonObject } from '../../kit/json.ts';
import { entriesAt, isGiven, schemaAt } from './schema-parts.ts';

export type FoundPath =
  | {
      /** As problems name it: "spec.a", "spec.map[key]". */
      readonly text: string;
      readonly root: string;
      /** Undefined: inside of a map without a schema. */
      readonly schema: JsonObject | undefined;
    }
  | { readonly problem: string };

const TOKEN = /'(?:[^'\\]|\\.)*'|[.[\]]|[^.[\]']+|'/g;

export function findFieldPath(path: string, schema: JsonObject, options: { readonly brackets: boolean }): FoundPath {
  const walk = new Walk(schema);
  const tokens = path.match(TOKEN) ?? [];
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index];
    if (token === '[') {
      if (!options.brackets) return { problem: 'array notation is not allowed' };
      const name = tokens[++index];
      if (name === undefined) return { problem: 'unexpected end of JSON path' };
      if (!/^'.*'$/s.test(name) || name.length < 2) return { problem: `expected single quoted string but got ${name}` };
      const problem = walk.step(name.slice(1, -1).replaceAll(/\\(.)/gs, '$1'));
      if (problem) return { problem };
      const end = tokens[++index];
      if (end === undefined) return { problem: 'unexpected end of JSON path' };
      if (end !== ']') return { problem: `expected ] but got ${end}` };
    } else if (token === '.') {
      const name = tokens[++index];
      if (name === undefined) return { problem: 'unexpected end of JSON path' };
      const problem = walk.step(name);
      if (problem) return { problem };
    } else return { problem: `expected [ or . but got: ${token}` };
  }
  return walk.found();
}

class Walk {
  #schema: JsonObject | undefined;
  #text = '';
  #root = '';

  constructor(schema: JsonObject) {
    this.#schema = schema;
  }

  step(name: string): string | undefined {
    const schema = this.#schema ?? {};
    if (entriesAt(schema['properties']).length > 0) {
      const property = entriesAt(schema['properties']).find(([key]) => key === name)?.[1];
      if (!property) return 'does not refer to a valid field';
      this.#text = this.#text === '' ? name : `${this.#text}.${name}`;
      this.#schema = property;
    } else if (isGiven(schema['additionalProperties'])) {
      this.#text = `${this.#text}[${name}]`;
      this.#schema = schemaAt(schema['additionalProperties']);
    } else return 'does not refer to a valid field';
    if (this.#root === '') this.#root = name;
    return undefined;
  }

  found(): FoundPath {
    return { text: this.#text, root: this.#root, schema: this.#schema };
  }
}
