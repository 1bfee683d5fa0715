// A hook's request without the values of Secrets, and the way back. Each value is replaced by a keyed placeholder: the
// same value gives the same one within a run, and nobody without the key can check a guess. A placeholder that comes back
// in its own place is the value that stands there; anywhere else it stays, and answers.ts takes it out.
// Invariants (request-mask.property.test.ts): no value of 8 characters or more is in a masked request, names of objects
// aside; what is restored goes nowhere but where it already is.

import { createHmac } from 'node:crypto';
import { bytesOf, isSecret, RECORD_ANNOTATIONS, SecretFinder } from '../../diff/index.ts';
import {
  getOwn,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  parseJson,
  setOwn,
  stringifyJson,
} from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';

export const PLACEHOLDER_PREFIX = 'metactl-masked-';

/** What makes an object the one that it is: an answer could not be matched with it otherwise. */
const IDENTITY_FIELDS = ['name', 'namespace', 'uid', 'resourceVersion', 'creationTimestamp', 'ownerReferences'];
const base64 = (text: string): string => Buffer.from(text).toString('base64');

export class RequestMask {
  readonly #finder = new SecretFinder();
  readonly #key: string;
  readonly #objects: readonly KubeObject[];
  /** False: there is no Secret in the request, and masking would change nothing. */
  readonly needed: boolean;

  /** `key` is random, made for this run, and kept from the hooks. */
  constructor(request: JsonObject, key: string) {
    this.#key = key;
    this.#objects = objectsOf(request);
    for (const object of this.#objects) this.#finder.learn(object);
    for (const object of this.#objects) for (const name of namesOf(object)) this.#finder.forget(name);
    this.needed = this.#objects.some(isSecret);
  }

  request(request: JsonObject): JsonObject {
    const masked: MutableJsonObject = {};
    for (const [field, value] of Object.entries(request))
      setOwn(masked, field, isGroups(field, value) ? this.#groups(value) : this.value(value ?? null));
    return masked;
  }

  /** Any value of a request, objects of Kubernetes among them. */
  value(value: JsonValue): JsonValue {
    if (typeof value === 'string') return this.#text(value);
    if (isJsonArray(value)) return value.map((item) => this.value(item));
    if (!isJsonObject(value)) return value;
    return isKubeObject(value) ? this.object(value) : this.#map(value, (inner) => this.value(inner));
  }

  object(object: KubeObject): JsonObject {
    const secret = isSecret(object);
    const masked: MutableJsonObject = {};
    for (const [field, value] of Object.entries(object)) {
      const place = this.#keyText(field);
      if (value === undefined) continue;
      if (field === 'apiVersion' || field === 'kind') setOwn(masked, field, value);
      else if (field === 'metadata') setOwn(masked, field, this.#metadata(object, secret));
      else if (secret && (field === 'data' || field === 'stringData'))
        setOwn(masked, field, this.#values(value, field === 'data'));
      else setOwn(masked, place, this.value(value));
    }
    return masked;
  }

  /**
   * The answer with every text that stands unchanged in its own place (same object, same path) put back to what is
   * there in truth.
   */
  restore(answer: JsonValue, request: JsonObject): JsonValue {
    if (!isJsonObject(answer)) return answer;
    const parent = request['parent'] ?? request['object'];
    const observed = new Map(this.#objects.map((object) => [identity(object, parent), object]));
    const restored: MutableJsonObject = {};
    for (const [field, value] of Object.entries(answer)) {
      if (LISTS.includes(field) && isJsonArray(value))
        restored[field] = value.map((child) => this.#restoreChild(child, observed.get(identity(child, parent))));
      else if (field === 'status' && value !== undefined && isJsonObject(parent))
        restored[field] = this.#restoreAt(value, parent['status'], (inner) => this.value(inner));
      else if ((field === 'labels' || field === 'annotations') && value !== undefined && isJsonObject(parent))
        restored[field] = this.#restoreAt(value, fieldOf(parent['metadata'], field), (inner) => this.value(inner));
      else setOwn(restored, field, value);
    }
    return restored;
  }

  #restoreChild(child: JsonValue, observed: KubeObject | undefined): JsonValue {
    return observed ? this.#restoreAt(child, observed, () => this.object(observed)) : child;
  }

  /** `mask` gives what the hook was shown of `original`. */
  #restoreAt(answer: JsonValue, original: JsonValue | undefined, mask: (value: JsonValue) => JsonValue): JsonValue {
    return original === undefined ? answer : this.#putBack(answer, mask(original), original);
  }

  #putBack(answer: JsonValue, shown: JsonValue | undefined, original: JsonValue | undefined): JsonValue {
    if (shown === undefined || original === undefined) return answer;
    if (typeof answer === 'string') return answer === shown ? original : answer;
    if (isJsonArray(answer) && isJsonArray(shown) && isJsonArray(original))
      return answer.map((item, index) => this.#putBack(item, shown[index], original[index]));
    if (!isJsonObject(answer) || !isJsonObject(shown) || !isJsonObject(original)) return answer;
    const keys = new Map(Object.keys(original).map((key) => [this.#keyText(key), key]));
    const restored: MutableJsonObject = {};
    for (const [key, value] of Object.entries(answer)) {
      const was = getOwn(original, key) !== undefined && getOwn(shown, key) !== undefined ? key : keys.get(key);
      if (value === undefined) continue;
      if (was === undefined) setOwn(restored, key, value);
      else setOwn(restored, was, this.#putBack(value, getOwn(shown, key), getOwn(original, was)));
    }
    return restored;
  }

  #groups(groups: JsonObject): JsonObject {
    const masked: MutableJsonObject = {};
    for (const [group, objects] of Object.entries(groups)) {
      const map: MutableJsonObject = {};
      if (!isJsonObject(objects)) continue;
      for (const [name, object] of Object.entries(objects)) setOwn(map, name, this.value(object ?? null));
      setOwn(masked, group, map);
    }
    return masked;
  }

  #metadata({ metadata }: KubeObject, secret: boolean): JsonObject {
    const masked: MutableJsonObject = {};
    for (const [field, value] of Object.entries(metadata)) {
      if (value === undefined) continue;
      if (IDENTITY_FIELDS.includes(field)) setOwn(masked, field, value);
      else if (secret && field === 'annotations' && isJsonObject(value))
        setOwn(masked, field, this.#annotations(value));
      else setOwn(masked, this.#keyText(field), this.value(value));
    }
    return masked;
  }

  /** Of a Secret: the last-applied ones hold the values once more. */
  #annotations(annotations: JsonObject): JsonObject {
    return this.#map(annotations, (value, key) =>
      RECORD_ANNOTATIONS.includes(key) ? this.#record(value) : this.value(value),
    );
  }

  #record(value: JsonValue): JsonValue {
    const record = typeof value === 'string' ? parsed(value) : undefined;
    if (isJsonObject(record) && isKubeObject(record)) return stringifyJson(this.object(record));
    return this.#placeholder(Buffer.from(stringifyJson(value)));
  }

  #values(values: JsonValue, encoded: boolean): JsonValue {
    const mask = (value: JsonValue): JsonValue => {
      if (value === null) return null;
      // By its bytes: the same value has the same placeholder in data and in stringData.
      const plain = typeof value === 'string' ? value : stringifyJson(value);
      const placeholder = this.#placeholder(bytesOf(plain, encoded));
      return encoded ? base64(placeholder) : placeholder;
    };
    return isJsonObject(values) ? this.#map(values, mask) : mask(values);
  }

  #map(map: JsonObject, mask: (value: JsonValue, key: string) => JsonValue): JsonObject {
    const masked: MutableJsonObject = {};
    for (const [key, value] of Object.entries(map))
      if (value !== undefined) setOwn(masked, this.#keyText(key), mask(value, key));
    return masked;
  }

  #text(text: string): string {
    return this.#finder.replace(text, (value) => this.#placeholder(Buffer.from(value, 'base64')));
  }

  #keyText(key: string): string {
    return this.#text(key);
  }

  #placeholder(value: Buffer): string {
    return `${PLACEHOLDER_PREFIX}${createHmac('sha256', this.#key).update(value).digest('hex').slice(0, 32)}`;
  }
}

/** What a controller's children are called: groups in a request, a list in an answer. */
const LISTS: readonly string[] = ['children', 'attachments', 'outputs'];

const isGroups = (field: string, value: JsonValue | undefined): value is JsonObject =>
  (field === 'related' || LISTS.includes(field)) && isJsonObject(value);

const isKubeObject = (value: JsonObject): value is KubeObject =>
  typeof value['apiVersion'] === 'string' && typeof value['kind'] === 'string' && isJsonObject(value['metadata']);

const fieldOf = (value: JsonValue | undefined, field: string): JsonValue | undefined =>
  isJsonObject(value) ? value[field] : undefined;

function objectsOf(request: JsonObject): KubeObject[] {
  const groups = Object.entries(request).flatMap(([field, value]) =>
    isGroups(field, value) ? Object.values(value).filter(isJsonObject) : [],
  );
  const single = [request['parent'], request['object'], request['input']];
  const objects = [...single, ...groups.flatMap((group) => Object.values(group))];
  return objects.filter((object) => isJsonObject(object)).filter(isKubeObject);
}

/** A value that is also a name (the namespace in a service account's token) is no secret outside of its Secret. */
function namesOf({ apiVersion, kind, metadata }: KubeObject): string[] {
  const { name, namespace } = metadata;
  return [apiVersion, kind, name, namespace].filter((text) => text !== undefined);
}

/** As an answer names an object: without a namespace it is the parent's. */
function identity(object: JsonValue | undefined, parent: JsonValue | undefined): string | undefined {
  if (!isJsonObject(object) || !isKubeObject(object)) return undefined;
  const { name, namespace } = object.metadata;
  const home = isJsonObject(parent) && isKubeObject(parent) ? parent.metadata.namespace : undefined;
  return JSON.stringify([object.apiVersion, object.kind, namespace || home, name]);
}

function parsed(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined; // not JSON: masked whole
  }
}
