/** So that a printed command can be pasted into a POSIX shell. */
export function quoteForShell(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
