// The items of two associative lists in one order: shared items in the order of the configuration, items that only the
// live list has keep their place before the shared item that follows them.

import type { JsonValue } from '../../kit/json.ts';
import type { ListType, MergeSchema } from '../../schema/index.ts';
import { plainElement } from './known-elements.ts';
import { explainItem } from './list-item.ts';
import { type PathElement, showElement } from './path-element.ts';

interface Side {
  readonly items: readonly JsonValue[];
  readonly elements: readonly PathElement[];
  readonly byElement: ReadonlyMap<PathElement, JsonValue>;
}

/** Problems come out with the path from where they were found. */
export interface MergeWalk {
  readonly schema: MergeSchema;
  readonly problems: { path: string; readonly message: string }[];
}

/** What becomes of an item that one or both sides have; undefined: it goes. */
export type MergeItem = (live: JsonValue | undefined, config: JsonValue | undefined) => JsonValue | undefined;

export interface TwoLists {
  readonly live: readonly JsonValue[];
  readonly config: readonly JsonValue[];
}

/** undefined: nothing is left. */
export function mergeLists(
  walk: MergeWalk,
  type: ListType,
  { live, config }: TwoLists,
  mergeItem: MergeItem,
): readonly JsonValue[] | undefined {
  const problems = walk.problems.length;
  const right = indexItems(walk, type, config, false);
  const left = indexItems(walk, type, live, true);
  if (walk.problems.length > problems) return undefined;
  const out = new Interleaving(left, right, mergeItem).run();
  return out.length > 0 ? out : undefined;
}

/** A live item that is there twice can't be merged: it stands as null, so that the configuration's counts. */
function indexItems(walk: MergeWalk, type: ListType, items: readonly JsonValue[], allowDuplicates: boolean): Side {
  const elements: PathElement[] = [];
  const byElement = new Map<PathElement, JsonValue>();
  for (const [index, item] of items.entries()) {
    const plain = plainElement(type, item);
    const found = plain === undefined ? explainItem(walk.schema, type, item) : { element: plain };
    if ('problem' in found) {
      walk.problems.push({ path: '', message: `element ${index}: ${found.problem}` });
      continue;
    }
    const { element } = found;
    const isTwice = byElement.has(element);
    if (isTwice && !allowDuplicates) {
      walk.problems.push({ path: '', message: `duplicate entries for key ${showElement(element)}` });
      continue;
    }
    byElement.set(element, isTwice ? null : item);
    elements.push(element);
  }
  return { items, elements, byElement };
}

class Interleaving {
  readonly #left: Side;
  readonly #right: Side;
  readonly #merge: MergeItem;
  /** Items of both sides that are still to come, in the order of the right. */
  readonly #shared: readonly PathElement[];
  readonly #taken = new Set<PathElement>();
  readonly #out: JsonValue[] = [];
  #atLeft = 0;
  #atRight = 0;
  #atShared = 0;

  constructor(left: Side, right: Side, merge: MergeItem) {
    this.#left = left;
    this.#right = right;
    this.#merge = merge;
    this.#shared = right.elements.filter((element) => left.byElement.has(element));
  }

  run(): readonly JsonValue[] {
    const lefts = this.#left.elements.length;
    const rights = this.#right.elements.length;
    while (this.#atLeft < lefts || this.#atRight < rights) this.#step();
    return this.#out;
  }

  #step(): void {
    const left = this.#left.elements[this.#atLeft];
    const right = this.#right.elements[this.#atRight];
    if (left !== undefined && right !== undefined) {
      if (left === right) {
        this.#takeRight(right);
        this.#atLeft += 1;
        this.#atShared += 1;
        return;
      }
      const next = this.#shared[this.#atShared];
      if (next !== undefined && next !== left && this.#right.byElement.has(left)) {
        this.#atLeft += 1;
        return;
      }
    }
    if (left !== undefined) {
      if (!this.#right.byElement.has(left)) {
        this.#push(this.#left.items[this.#atLeft]);
        this.#atLeft += 1;
        return;
      }
      if (this.#taken.has(left)) this.#atLeft += 1;
    }
    if (right === undefined) return;
    this.#takeRight(right);
    if (this.#shared[this.#atShared] === right) this.#atShared += 1;
  }

  #takeRight(element: PathElement): void {
    this.#taken.add(element);
    this.#push(this.#merge(this.#left.byElement.get(element), this.#right.byElement.get(element)));
    this.#atRight += 1;
  }

  #push(item: JsonValue | undefined): void {
    if (item !== undefined) this.#out.push(item);
  }
}
