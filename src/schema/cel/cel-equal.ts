/** Equality of values as rules see them: numbers across types, lists in order, maps by key. */
export function celEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (isNumber(a) && isNumber(b)) return a === b || Number(a) === Number(b);
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => celEqual(item, b[i]));
  if (a instanceof Map) {
    return (
      b instanceof Map && a.size === b.size && [...a].every(([key, value]) => b.has(key) && celEqual(value, b.get(key)))
    );
  }
  // biome-ignore lint/style/noRestrictedGlobals: the evaluator's type of timestamps; no clock is read
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime();
  return false;
}

const isNumber = (value: unknown): value is number | bigint => typeof value === 'number' || typeof value === 'bigint';
