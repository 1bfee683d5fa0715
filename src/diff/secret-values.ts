// The values of Secrets, and the number under which each is shown. Equal values have one number, given in the order in
// which they are asked for: output that is made in the same order is the same, and nothing printed is derived from a
// value but its length.

import type { KubeObject } from '../model/object.ts';
import { SecretFinder } from './secret-forms.ts';

export class SecretValues {
  readonly #numbers = new Map<string, number>();
  readonly #finder = new SecretFinder();

  /** Learns the values of a Secret, also the earlier ones that its last-applied annotations hold. */
  learn(object: KubeObject): void {
    this.#finder.learn(object);
  }

  /** The number of a value, given now if it has none. */
  numberOf(bytes: Buffer): number {
    return this.#number(bytes.toString('base64'));
  }

  /** The text with every known value in it replaced by "(value #n)". */
  mask(text: string): string {
    return this.#finder.replace(text, (value) => `(value #${this.#number(value)})`);
  }

  #number(value: string): number {
    const known = this.#numbers.get(value);
    if (known !== undefined) return known;
    this.#numbers.set(value, this.#numbers.size + 1);
    return this.#numbers.size;
  }
}
