// The Files port over a map, with POSIX paths below "/work". A text may be an error instead: reading it then fails.

import { matchesGlob, posix } from 'node:path';
import { type Files, FileTooLarge } from '../ports/files.ts';

export interface MemoryFilesOptions {
  readonly stdin?: string;
  readonly workingDirectory?: string;
}

/** `contents`: path, relative to the working directory or absolute → text, or the error that reading it throws. */
export function createMemoryFiles(
  contents: Readonly<Record<string, string | Error>>,
  { stdin = '', workingDirectory = '/work' }: MemoryFilesOptions = {},
): Files {
  const resolve = (...parts: string[]): string => posix.resolve(workingDirectory, ...parts);
  const texts = new Map(Object.entries(contents).map(([path, text]) => [resolve(path), text]));
  const under = (directory: string): string[] => {
    const prefix = posix.join(resolve(directory), '/');
    return [...texts.keys()].filter((path) => path.startsWith(prefix)).sort();
  };
  /** As the caller wrote the directory or pattern: relative stays relative. */
  const shown = (path: string, like: string): string =>
    posix.isAbsolute(like) ? path : posix.relative(workingDirectory, path);
  const limited = (text: string, maxBytes: number): string => {
    const size = Buffer.byteLength(text);
    if (size > maxBytes) throw new FileTooLarge(`${size} bytes; the limit is ${maxBytes}`);
    return text;
  };
  return {
    resolve,
    readText: async (path, maxBytes) => {
      const text = texts.get(resolve(path));
      if (text === undefined) throw Object.assign(new Error(`no such file: ${path}`), { code: 'ENOENT' });
      if (text instanceof Error) throw text;
      return limited(text, maxBytes);
    },
    readStdin: async (maxBytes) => limited(stdin, maxBytes),
    kind: async (path) => (texts.has(resolve(path)) ? 'file' : under(path).length > 0 ? 'directory' : 'missing'),
    walk: async (directory) =>
      under(directory)
        .filter((path) => !isLeftOut(posix.relative(resolve(directory), path)))
        .map((path) => shown(path, directory)),
    glob: async (pattern) =>
      [...texts.keys()]
        .filter((path) => matchesGlob(path, resolve(pattern)))
        .sort()
        .map((path) => shown(path, pattern)),
  };
}

function isLeftOut(path: string): boolean {
  return path.split('/').some((part) => part.startsWith('.') || part === 'node_modules');
}
