import type { KubeObject } from '../../model/object.ts';

/** Objects by key, handed out in the order of their keys: the same state gives the same lists in every run. */
export class Bucket {
  readonly #objects = new Map<string, KubeObject>();
  /** Made when asked for; dropped by each change. */
  #sorted: readonly KubeObject[] | undefined;

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): KubeObject | undefined {
    return this.#objects.get(key);
  }

  set(key: string, object: KubeObject): void {
    this.#objects.set(key, object);
    this.#sorted = undefined;
  }

  delete(key: string): void {
    if (this.#objects.delete(key)) this.#sorted = undefined;
  }

  keys(): Iterable<string> {
    return this.#objects.keys();
  }

  sorted(): readonly KubeObject[] {
    this.#sorted ??= [...this.#objects].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
    return this.#sorted;
  }
}
