// Structural schemas → interfaces. Each object with properties becomes an interface, named by the way to it (WebSpecPortsItem), and
// written after the one that refers to it. What a schema says of values beyond their type (patterns, bounds, allOf, rules) is not said.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../kit/json.ts';
import { docComment, literalType, pascalCase, propertyName, shownValue } from './text.ts';

/** What is deeper is `unknown`. */
const MOST_DEPTH = 64;
const WIDTH = 110;

/** A property that is no schema's to say: apiVersion. */
export interface GivenProperty {
  readonly name: string;
  readonly type: string;
}

export interface ObjectDeclaration {
  readonly name: string;
  readonly schema: JsonObject;
  readonly doc: readonly string[];
  /** In the place of the schema's own of these names. */
  readonly given?: readonly GivenProperty[];
}

export class Declarations {
  readonly #names = new Set<string>();
  readonly #written: string[] = [];
  /** Whether a KubeObject is referred to. */
  embeds = false;

  /** `reserved`: names that are taken. */
  constructor(reserved: readonly string[]) {
    for (const name of reserved) this.#names.add(name);
  }

  /** The name itself, or with a number where it is taken. */
  claim(name: string): string {
    let free = name;
    for (let number = 2; this.#names.has(free); number++) free = `${name}${number}`;
    this.#names.add(free);
    return free;
  }

  addAlias(name: string, type: string): void {
    this.#written.push(`export type ${name} = ${type};\n`);
  }

  /** The name must have been claimed. */
  addObject(declaration: ObjectDeclaration, depth = 0): void {
    const { name, schema, doc, given = [] } = declaration;
    // Its place is before those that it refers to.
    const place = this.#written.push('') - 1;
    const lines = given.map((one) => `  ${one.name}: ${one.type};`);
    const required = isJsonArray(schema['required']) ? schema['required'] : [];
    for (const [property, inner] of Object.entries(propertiesOf(schema))) {
      if (given.some((one) => one.name === property) || !isJsonObject(inner)) continue;
      const type = this.#typeOf(inner, `${name}${pascalCase(property)}`, depth + 1);
      const mark = required.includes(property) ? '' : '?';
      lines.push(...docComment(docOf(inner), '  '), `  ${propertyName(property)}${mark}: ${type};`);
    }
    if (schema['x-kubernetes-preserve-unknown-fields'] === true) lines.push('  [field: string]: unknown;');
    this.#written[place] = [...docComment(doc, ''), `export interface ${name} {`, ...lines, '}', ''].join('\n');
  }

  text(): string {
    return this.#written.join('\n');
  }

  #typeOf(schema: JsonObject, name: string, depth: number): string {
    if (depth > MOST_DEPTH) return 'unknown';
    const type = this.#typeWithoutNull(schema, name, depth);
    const mayBeNull = schema['nullable'] === true && type !== 'unknown' && !/(^| )null$/.test(type);
    return mayBeNull ? `${type} | null` : type;
  }

  #typeWithoutNull(schema: JsonObject, name: string, depth: number): string {
    if (schema['x-kubernetes-int-or-string'] === true) return 'number | string';
    if (schema['x-kubernetes-embedded-resource'] === true) {
      this.embeds = true;
      return 'KubeObject';
    }
    return enumType(schema['enum']) ?? this.#typeByName(schema, name, depth);
  }

  #typeByName(schema: JsonObject, name: string, depth: number): string {
    const isObject = schema['type'] === 'object' || isJsonObject(schema['properties']);
    if (isObject) return this.#objectType(schema, name, depth);
    switch (schema['type']) {
      case 'array':
        return this.#arrayType(schema, name, depth);
      case 'integer':
      case 'number':
        return 'number';
      case 'string':
      case 'boolean':
        return schema['type'];
      default:
        return 'unknown';
    }
  }

  #arrayType({ items }: JsonObject, name: string, depth: number): string {
    const item = isJsonObject(items) ? this.#typeOf(items, `${name}Item`, depth + 1) : 'unknown';
    return item.includes(' | ') ? `(${item})[]` : `${item}[]`;
  }

  #objectType(schema: JsonObject, name: string, depth: number): string {
    const { additionalProperties: others } = schema;
    if (Object.keys(propertiesOf(schema)).length > 0) {
      const own = this.claim(name);
      this.addObject({ name: own, schema, doc: textOf(schema['description']) ?? [] }, depth);
      return own;
    }
    const value = isJsonObject(others) ? this.#typeOf(others, `${name}Value`, depth + 1) : 'unknown';
    return `{ [key: string]: ${value} }`;
  }
}

function propertiesOf({ properties }: JsonObject): JsonObject {
  return isJsonObject(properties) ? properties : {};
}

/** "'a' | 'b'"; undefined where it is none, or has what can't be said. */
function enumType(values: JsonValue | undefined): string | undefined {
  if (!isJsonArray(values) || values.length === 0) return undefined;
  const literals = values.map(literalType);
  if (literals.includes(undefined)) return undefined;
  const members = [...new Set(literals)];
  const line = members.join(' | ');
  return line.length <= WIDTH ? line : members.map((member) => `\n    | ${member}`).join('');
}

function docOf(schema: JsonObject): string[] {
  const { description, default: usual } = schema;
  return [...(textOf(description) ?? []), ...(usual === undefined ? [] : [`@default ${shownValue(usual)}`])];
}

function textOf(value: JsonValue | undefined): string[] | undefined {
  return typeof value === 'string' && value.trim() !== '' ? [value] : undefined;
}
