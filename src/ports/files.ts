/** The file system as far as the program reads it. Paths are as the user wrote them or absolute. */
export interface Files {
  /** UTF-8 text. Throws with `code` ENOENT, EACCES, EISDIR … like node:fs. `maxBytes`: throws FileTooLarge beyond it. */
  readText(path: string, maxBytes: number): Promise<string>;
  kind(path: string): Promise<'file' | 'directory' | 'missing'>;
  /** Files below a directory, recursively, sorted by name; hidden entries and node_modules left out. */
  walk(directory: string): Promise<readonly string[]>;
  /** Paths that match a glob, sorted. */
  glob(pattern: string): Promise<readonly string[]>;
  readStdin(maxBytes: number): Promise<string>;
  resolve(...parts: string[]): string;
}

export class FileTooLarge extends Error {
  override readonly name = 'FileTooLarge';
}
