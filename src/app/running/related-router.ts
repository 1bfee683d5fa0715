// Related objects where controllers come and go: each controller has a reader of its own, whose scopes end with it.

import { BugError } from '../../model/diagnostic.ts';
import type { RelatedAnswer, RelatedNeed } from '../../model/need.ts';
import type { Ref } from '../../model/ref.ts';
import type { CacheChange } from '../../ports/cache.ts';
import type { ConcernedParent, RelatedObjects, RelatedReader } from '../../reconcile/index.ts';

export class RelatedRouter implements RelatedReader {
  /** By definition: "CompositeController/catset". */
  readonly #readers = new Map<string, RelatedObjects>();

  set(definition: string, reader: RelatedObjects): void {
    this.#readers.set(definition, reader);
  }

  /** No round of its controller is under way. */
  delete(definition: string): void {
    this.#readers.get(definition)?.close();
    this.#readers.delete(definition);
  }

  /** No round is under way. */
  close(): void {
    for (const reader of this.#readers.values()) reader.close();
  }

  read(need: RelatedNeed): Promise<RelatedAnswer> {
    const reader = this.#readers.get(need.controller);
    if (!reader) throw new BugError(`${need.controller} asks for related objects, and does not run`);
    return reader.read(need);
  }

  used(controller: string, parent: Ref, needs: readonly RelatedNeed[]): void {
    this.#readers.get(controller)?.used(controller, parent, needs);
  }

  concernedBy(change: CacheChange): readonly ConcernedParent[] {
    return [...this.#readers.values()].flatMap((reader) => reader.concernedBy(change));
  }
}
