// A sequence that shows a difference → a shorter one that still does: fewer steps first, then smaller bodies.

import { isJsonArray, isJsonObject, type JsonValue } from '../../kit/json.ts';
import type { Operation } from './operations.ts';

export type Fails = (sequence: readonly Operation[]) => Promise<boolean>;

/** `tries`: how often `fails` may be asked in all. */
export async function shrink(sequence: readonly Operation[], fails: Fails, tries = 250): Promise<readonly Operation[]> {
  let best = sequence;
  let left = tries;
  const better = async (candidate: readonly Operation[]): Promise<boolean> => {
    if (left <= 0) return false;
    left -= 1;
    if (!(await fails(candidate))) return false;
    best = candidate;
    return true;
  };
  for (let again = true; again && left > 0; ) {
    again = false;
    for (let index = best.length - 1; index >= 0 && left > 0; index -= 1)
      if (await better(best.filter((_, at) => at !== index))) again = true;
    for (let index = 0; index < best.length && left > 0; index += 1)
      if (await smallerBody(best, index, better)) again = true;
  }
  return best;
}

async function smallerBody(
  sequence: readonly Operation[],
  index: number,
  better: (candidate: readonly Operation[]) => Promise<boolean>,
): Promise<boolean> {
  const operation = sequence[index];
  if (operation?.body === undefined) return false;
  for (const body of smaller(operation.body)) {
    const candidate = sequence.map((item, at) => (at === index ? { ...operation, body } : item));
    if (await better(candidate)) return true;
  }
  return false;
}

/** The value with one key or item less, anywhere. */
function* smaller(value: JsonValue, depth = 0): Generator<JsonValue> {
  if (isJsonArray(value)) {
    for (const index of value.keys()) yield value.filter((_, at) => at !== index);
    for (const [index, item] of value.entries())
      for (const less of smaller(item, depth + 1)) yield value.map((other, at) => (at === index ? less : other));
  }
  if (!isJsonObject(value)) return;
  const keys = Object.keys(value).filter((key) => depth > 0 || !['apiVersion', 'kind'].includes(key));
  for (const key of keys)
    yield Object.fromEntries(Object.entries(value).filter(([other]) => other !== key)) as JsonValue;
  for (const key of keys) for (const less of smaller(value[key] ?? null, depth + 1)) yield { ...value, [key]: less };
}
