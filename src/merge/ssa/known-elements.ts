// The steps of list items by the values of their keys. The same few names come again and again: a text that is made once
// is also hashed once, and found again by itself.

import { getOwn, isJsonObject, type JsonValue } from '../../kit/json.ts';
import type { ListType } from '../../schema/index.ts';
import { compareText } from './go-text.ts';
import { keyElement, type PathElement } from './path-element.ts';

/** By the value of the first key, then of the next one. */
interface Branch extends Map<JsonValue, Branch | PathElement> {}

interface Known {
  /** In the order of the step. */
  readonly names: readonly string[];
  readonly tree: Branch;
  size: number;
}

/** Of one list type. Full, it begins anew. */
const MOST_KNOWN = 2_000;
const byKeys = new WeakMap<readonly string[], Known>();

/** The step of an item that says all its keys in scalars, as most do; undefined: the long way tells. */
export function plainElement({ keys, elementRelationship }: ListType, item: JsonValue): PathElement | undefined {
  if (elementRelationship !== 'associative' || keys.length === 0 || !isJsonObject(item)) return undefined;
  const known = knownOf(keys);
  let at: Branch | PathElement | undefined = known.tree;
  for (const name of known.names) {
    const value = getOwn(item, name);
    if (value === undefined || typeof value === 'object') return undefined;
    if (typeof at === 'object') at = at.get(value);
  }
  return typeof at === 'string' ? at : remember(known, item as Readonly<Record<string, JsonValue>>);
}

function knownOf(keys: readonly string[]): Known {
  const known = byKeys.get(keys);
  if (known !== undefined && known.size < MOST_KNOWN) return known;
  const made: Known = { names: [...keys].sort(compareText), tree: new Map(), size: 0 };
  byKeys.set(keys, made);
  return made;
}

function remember(known: Known, item: Readonly<Record<string, JsonValue>>): PathElement {
  const pairs = known.names.map((name) => [name, item[name] ?? null] as const);
  const element = keyElement(pairs);
  let at = known.tree;
  for (const [index, [, value]] of pairs.entries()) {
    if (index === pairs.length - 1) at.set(value, element);
    else {
      const below = at.get(value);
      const next: Branch = typeof below === 'object' ? below : new Map();
      if (below === undefined) at.set(value, next);
      at = next;
    }
  }
  known.size += 1;
  return element;
}
