/** In the order of their keys, by code unit; those of one key as they came. The list itself where it is so already. */
export function sortedBy<T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] {
  const keys = items.map(keyOf);
  if (keys.every((key, index) => index === 0 || (keys[index - 1] ?? '') <= key)) return items;
  const keyed = items.map((item, index) => ({ item, key: keys[index] ?? '' }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ item }) => item);
}
