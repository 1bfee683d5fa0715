// A function may return what JSON can't hold. JSON.stringify would drop most of it without a word; here each gets an
// error with its path. A property that is undefined counts as left out, as with JSON.stringify.

import { formatPath } from '../../kit/path.ts';

export interface NotPlain {
  readonly path: string;
  /** "is a function" … */
  readonly what: string;
  readonly hint?: string;
}

type Place = readonly (string | number)[];

/** The first thing in the value that is not JSON. */
export function findNotPlain(value: unknown, place: Place = [], above: readonly object[] = []): NotPlain | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint')
    return undefined;
  if (typeof value === 'number')
    return Number.isFinite(value) ? undefined : notPlain(place, `is ${value}, which JSON does not have`);
  if (typeof value !== 'object')
    return notPlain(place, `is ${value === undefined ? 'undefined' : `a ${typeof value}`}`);
  if (above.includes(value)) return notPlain(place, 'refers back to an object that it is part of');
  return checkClass(value, place) ?? checkItems(value, place, [...above, value]);
}

function checkItems(value: object, place: Place, above: readonly object[]): NotPlain | undefined {
  // By index: the callbacks of array methods skip holes.
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const found = findNotPlain(value[index], [...place, index], above);
      if (found) return found;
    }
    return undefined;
  }
  for (const [key, item] of Object.entries(value)) {
    const found = item === undefined ? undefined : findNotPlain(item, [...place, key], above);
    if (found) return found;
  }
  return undefined;
}

function checkClass(value: object, place: Place): NotPlain | undefined {
  if (value instanceof Promise) return notPlain(place, 'is a Promise', 'is there an await missing?');
  if (value instanceof Date) return notPlain(place, 'is a Date', 'write date.toISOString()');
  if (value instanceof Map) return notPlain(place, 'is a Map', 'write Object.fromEntries(map)');
  if (value instanceof Set) return notPlain(place, 'is a Set', 'write [...set]');
  if (value instanceof RegExp || value instanceof Error || ArrayBuffer.isView(value))
    return notPlain(place, `is a ${value.constructor.name}`);
  return undefined;
}

function notPlain(place: Place, what: string, hint?: string): NotPlain {
  return { path: formatPath(place), what, ...(hint ? { hint } : {}) };
}
