// What a strategic merge patch has to know of a type: its fields, and for a field how a patch of it is meant. Read from
// OpenAPI component schemas (x-kubernetes-patch-strategy, x-kubernetes-patch-merge-key) while walking along the values.

import { getOwn, isJsonArray, isJsonObject, type JsonObject } from '../../kit/json.ts';
import { StrategicPatchError } from './errors.ts';

export type ComponentSchemas = Readonly<Record<string, JsonObject>>;

export interface FieldPatch {
  /** Of the field's value; of its items where it is looked up as a list. */
  readonly type: PatchType;
  readonly strategy: '' | 'merge' | 'replace';
  /** A patch names the keys that stay: unions such as the sources of a volume. */
  readonly retainKeys: boolean;
  /** '' for lists of plain values. */
  readonly mergeKey: string;
}

const REF = '#/components/schemas/';
const NOTHING: JsonObject = {};

export class PatchType {
  readonly #schema: JsonObject;
  readonly #schemas: ComponentSchemas;
  readonly #name: string;

  /** Throws when the schema is not there. */
  static of(name: string, schemas: ComponentSchemas): PatchType {
    const schema = getOwn(schemas, name);
    if (!isJsonObject(schema)) throw new Error(`no schema ${name}`);
    return new PatchType(schema, schemas, name);
  }

  private constructor(schema: JsonObject, schemas: ComponentSchemas, name: string) {
    this.#schema = schema;
    this.#schemas = schemas;
    this.#name = name;
  }

  /** Throws StrategicPatchError for a field that the type does not have. */
  mapField(key: string): FieldPatch {
    const properties = this.#schema['properties'];
    if (!isJsonObject(properties) && this.#kind() !== 'struct') {
      const why = `merging an object in json but data type is not struct, instead is: ${this.#kind()}`;
      throw new StrategicPatchError(why);
    }
    const field = isJsonObject(properties) ? getOwn(properties, key) : undefined;
    if (!isJsonObject(field)) {
      const struct = this.#name.slice(this.#name.lastIndexOf('.') + 1);
      throw new StrategicPatchError(
        `unable to find api field in struct ${struct} for the json field ${JSON.stringify(key)}`,
      );
    }
    const strategies = String(field['x-kubernetes-patch-strategy'] ?? '').split(',');
    const strategy = strategies.find((one) => one === 'merge' || one === 'replace') ?? '';
    const mergeKey = String(field['x-kubernetes-patch-merge-key'] ?? '');
    return { type: this.#resolved(field), strategy, retainKeys: strategies.includes('retainKeys'), mergeKey };
  }

  /** The same for a field whose value is a list: the type is that of its items. */
  listField(key: string): FieldPatch {
    const field = this.mapField(key);
    const { items } = field.type.#schema;
    if (!isJsonObject(items)) {
      throw new StrategicPatchError(`expected slice or array type, but got: ${this.#kind()}`);
    }
    return { ...field, type: this.#resolved(items) };
  }

  /** The word that Go has for it. */
  #kind(): string {
    const { type, additionalProperties, items } = this.#schema;
    if (isJsonObject(additionalProperties)) return 'map';
    if (isJsonObject(items)) return 'slice';
    if (type === 'string' || type === 'boolean') return type === 'boolean' ? 'bool' : type;
    return type === 'integer' ? 'int64' : 'struct';
  }

  #resolved(schema: JsonObject): PatchType {
    const { allOf } = schema;
    const first = isJsonArray(allOf) && isJsonObject(allOf[0]) ? allOf[0] : schema;
    const { $ref } = first;
    if (typeof $ref !== 'string') return new PatchType(first, this.#schemas, '');
    const name = $ref.slice(REF.length);
    const target = getOwn(this.#schemas, name);
    return new PatchType(isJsonObject(target) ? target : NOTHING, this.#schemas, name);
  }
}
