// Finds and reads what a Jsonnet program imports. Beside the program's own directory only those that its definition names
// are read: the definition's own and its import paths, links followed first. Only plain files, up to a size.

import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { stampOf } from '../module/stamp.ts';
import type { JsonnetFiles } from './protocol.ts';

export interface FoundImport {
  readonly path: string;
  readonly contents: Uint8Array;
}

const MAX_BYTES = 16 * 1024 * 1024;

export class ImportFiles {
  readonly #files: JsonnetFiles;
  /** Every file that was looked for, there or not: if one of them changes, another file may be meant. */
  readonly #stamps = new Map<string, string>();

  constructor(files: JsonnetFiles) {
    this.#files = files;
  }

  /** No file that was read or looked for has changed since. */
  isCurrent(): boolean {
    for (const [path, stamp] of this.#stamps) if (stampOf(path) !== stamp) return false;
    return true;
  }

  /** `from`: the file with the import; "" for the program itself. A text is why there is nothing. */
  find(from: string, wanted: string): FoundImport | string {
    const { path, directory, importPaths } = this.#files;
    if (from === '') return this.#read(path, wanted);
    const places = isAbsolute(wanted) ? [''] : [dirname(from), directory, ...importPaths];
    const candidates = [...new Set(places.map((place) => (place === '' ? wanted : join(place, wanted))))];
    for (const candidate of candidates) {
      if (this.#look(candidate) !== 'absent') return this.#read(candidate, wanted);
    }
    return `import of ${wanted}: there is no ${candidates.join(', ')}`;
  }

  #look(path: string): string {
    const known = this.#stamps.get(path);
    if (known !== undefined) return known;
    const stamp = stampOf(path);
    this.#stamps.set(path, stamp);
    return stamp;
  }

  #read(path: string, wanted: string): FoundImport | string {
    this.#look(path);
    try {
      const real = realpathSync(path);
      if (!this.#mayRead(real))
        return `import of ${wanted}: ${real} is outside of the definition's directory and of importPaths`;
      return readPlainFile(real, path);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      return code === 'ENOENT' ? `${path} does not exist` : message;
    }
  }

  #mayRead(real: string): boolean {
    const { path, directory, importPaths } = this.#files;
    return [dirname(path), directory, ...importPaths].some((root) => isBelow(real, root));
  }
}

function readPlainFile(real: string, shown: string): FoundImport | string {
  const stat = statSync(real);
  if (stat.isDirectory()) return `${shown} is a directory`;
  if (!stat.isFile()) return `${shown} is not a plain file`;
  if (stat.size > MAX_BYTES) return `${shown} is larger than ${MAX_BYTES / 1024 / 1024} MiB`;
  return { path: shown, contents: readFileSync(real) };
}

function isBelow(real: string, root: string): boolean {
  const way = relative(realRoot(root), real);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function realRoot(root: string): string {
  try {
    return realpathSync(root);
  } catch {
    return resolve(root); // An import path that is not there holds no file.
  }
}
