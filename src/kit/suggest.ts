/** The candidate nearest to what was typed, for "did you mean": undefined when none is near enough to be a typo. */
export function nearest(typed: string, candidates: Iterable<string>): string | undefined {
  const limit = Math.max(1, Math.floor(typed.length / 3));
  let best: { word: string; distance: number } | undefined;
  for (const word of candidates) {
    const distance = editDistance(typed.toLowerCase(), word.toLowerCase());
    if (distance <= limit && (!best || distance < best.distance)) best = { word, distance };
  }
  return best?.word;
}

/** Damerau-Levenshtein with adjacent transpositions (optimal string alignment). */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) row.push(cell(rows, row, { a, b, i, j }));
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? 0;
}

function cell(rows: number[][], row: number[], at: { a: string; b: string; i: number; j: number }): number {
  const { a, b, i, j } = at;
  const above = rows[i - 1] ?? [];
  const swap = a[i - 1] !== b[j - 1] ? 1 : 0;
  const simple = Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + swap);
  const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
  return swapped ? Math.min(simple, (rows[i - 2]?.[j - 2] ?? 0) + 1) : simple;
}
