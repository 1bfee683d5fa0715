// Which old value a value of an update is compared with: properties by name, items of list-type map by their keys, nothing
// inside of other lists. The API server lets an invalid value pass that is what it was before ("ratcheting").

import {
  canonicalJson,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
} from '../../kit/json.ts';
import { propertyOf, type Structural } from '../structural/structural.ts';

export class Correlated {
  readonly value: JsonValue;
  readonly old: JsonValue;
  readonly #schema: Structural;
  #unchanged: boolean | undefined;
  #oldItems: Map<string, JsonValue> | undefined;

  constructor(schema: Structural, value: JsonValue, old: JsonValue) {
    this.#schema = schema;
    this.value = value;
    this.old = old;
  }

  /** Undefined where one of the two states, or the schema, does not have it. */
  key(name: string): Correlated | undefined {
    const { value, old } = this;
    if (!isJsonObject(value) || !isJsonObject(old)) return undefined;
    const schema = propertyOf(this.#schema, name);
    if (!schema || !Object.hasOwn(value, name) || !Object.hasOwn(old, name)) return undefined;
    const [now, before] = [value[name], old[name]];
    return now === undefined || before === undefined ? undefined : new Correlated(schema, now, before);
  }

  index(index: number): Correlated | undefined {
    const { listType, items } = this.#schema;
    if (listType !== 'map' || !items || !isJsonArray(this.value)) return undefined;
    const item = this.value[index];
    const old = item === undefined ? undefined : this.oldItem(item);
    return item === undefined || old === undefined || old === null ? undefined : new Correlated(items, item, old);
  }

  /** The old item with the same keys, in a list of list-type map. */
  oldItem(item: JsonValue): JsonValue | undefined {
    if (this.#schema.listType !== 'map' || !isJsonArray(this.old) || !isJsonObject(item)) return undefined;
    this.#oldItems ??= byKeys(this.#schema.listMapKeys, this.old);
    return this.#oldItems.get(keyText(this.#schema.listMapKeys, item));
  }

  /** Nothing is known to be unchanged where the schema does not say what it is. */
  isUnchanged(): boolean {
    this.#unchanged ??= this.#compare();
    return this.#unchanged;
  }

  #compare(): boolean {
    const { value, old } = this;
    if (value === null || old === null) return value === old;
    if (isJsonArray(value)) {
      if (!isJsonArray(old) || old.length !== value.length) return false;
      if (this.#schema.listType !== 'map' || !this.#schema.items) return jsonEqual(value, old);
      return value.every((_, index) => this.index(index)?.isUnchanged() === true);
    }
    if (!isJsonObject(value)) return jsonEqual(value, old);
    if (!isJsonObject(old)) return false;
    const keys = ownKeys(value);
    return keys.length === ownKeys(old).length && keys.every((key) => this.key(key)?.isUnchanged() === true);
  }
}

const ownKeys = (object: JsonObject): string[] => Object.keys(object).filter((key) => object[key] !== undefined);

const keyText = (keys: readonly string[], item: JsonObject): string =>
  canonicalJson(keys.map((key) => (Object.hasOwn(item, key) ? (item[key] ?? null) : null)));

function byKeys(keys: readonly string[], items: readonly JsonValue[]): Map<string, JsonValue> {
  const found = new Map<string, JsonValue>();
  for (const item of items) {
    if (!isJsonObject(item)) continue;
    const text = keyText(keys, item);
    if (!found.has(text)) found.set(text, item);
  }
  return found;
}
