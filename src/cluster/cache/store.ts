// The objects of one scope as its users see them (overlay included), indexed by the UID of the controller owner and, for
// objects without one, by namespace. Every object is in exactly one of the two indexes.

import { controllerOf, type KubeObject } from '../../model/object.ts';
import { Bucket } from './bucket.ts';

/** Identity inside one resource: "namespace/name", "/name" where there is no namespace. Sorts by namespace, then name. */
export function keyOf(name: string, namespace: string | undefined): string {
  return `${namespace ?? ''}/${name}`;
}

export function keyOfObject({ metadata }: KubeObject): string {
  return keyOf(metadata.name ?? '', metadata.namespace);
}

export class Store {
  readonly #all = new Bucket();
  readonly #byNamespace = new Map<string, Bucket>();
  readonly #byOwner = new Map<string, Bucket>();
  readonly #orphans = new Map<string, Bucket>();

  get(key: string): KubeObject | undefined {
    return this.#all.get(key);
  }

  /** `undefined`: no such object any more. The key says the namespace; the owner may change. */
  put(key: string, object: KubeObject | undefined): void {
    const before = this.#all.get(key);
    if (before !== undefined && (object === undefined || ownerUidOf(before) !== ownerUidOf(object)))
      this.#drop(key, before);
    if (object === undefined) return;
    this.#all.set(key, object);
    bucketOf(this.#byNamespace, namespaceOf(object)).set(key, object);
    const [index, value] = this.#ownersOf(object);
    bucketOf(index, value).set(key, object);
  }

  #drop(key: string, object: KubeObject): void {
    this.#all.delete(key);
    take(this.#byNamespace, namespaceOf(object), key);
    const [index, value] = this.#ownersOf(object);
    take(index, value, key);
  }

  get size(): number {
    return this.#all.size;
  }

  keys(): Iterable<string> {
    return this.#all.keys();
  }

  list(namespace?: string): readonly KubeObject[] {
    return namespace === undefined ? this.#all.sorted() : sortedOf(this.#byNamespace.get(namespace));
  }

  ownedBy(uid: string): readonly KubeObject[] {
    return sortedOf(this.#byOwner.get(uid));
  }

  orphans(namespace?: string): readonly KubeObject[] {
    if (namespace !== undefined) return sortedOf(this.#orphans.get(namespace));
    return [...this.#orphans].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, bucket]) => bucket.sorted());
  }

  #ownersOf(object: KubeObject): [Map<string, Bucket>, string] {
    const owner = ownerUidOf(object);
    return owner === undefined ? [this.#orphans, namespaceOf(object)] : [this.#byOwner, owner];
  }
}

const namespaceOf = ({ metadata }: KubeObject): string => metadata.namespace ?? '';
const ownerUidOf = (object: KubeObject): string | undefined => controllerOf(object)?.uid;

function bucketOf(index: Map<string, Bucket>, value: string): Bucket {
  const known = index.get(value);
  if (known !== undefined) return known;
  const bucket = new Bucket();
  index.set(value, bucket);
  return bucket;
}

function take(index: Map<string, Bucket>, value: string, key: string): void {
  const bucket = index.get(value);
  bucket?.delete(key);
  if (bucket?.size === 0) index.delete(value);
}

function sortedOf(bucket: Bucket | undefined): readonly KubeObject[] {
  return bucket?.sorted() ?? [];
}
