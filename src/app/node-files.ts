// The file system for real. Order is by code unit, so that plans do not depend on the file system or the locale.

import type { Stats } from 'node:fs';
import { glob, open, readdir, realpath, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { type Files, FileTooLarge } from '../ports/files.ts';

/** Where standard input comes from; process.stdin in the program. */
export interface NodeFilesOptions {
  readonly stdin: AsyncIterable<Uint8Array | string>;
  /** Relative paths start here. */
  readonly workingDirectory: string;
}

export function createNodeFiles({ stdin, workingDirectory }: NodeFilesOptions): Files {
  const at = (path: string): string => resolve(workingDirectory, path);
  return {
    readText: (path, maxBytes) => readText(at(path), maxBytes),
    readStdin: (maxBytes) => collect(stdin, maxBytes, 'standard input'),
    kind: (path) => kindOf(at(path)),
    walk: async (directory) => {
      const found: string[] = [];
      await walk(directory, { at, found, visited: new Set() });
      return found.sort(byCodeUnit);
    },
    glob: async (pattern) => {
      const found: string[] = [];
      const wantsAll = pattern.includes('node_modules');
      const exclude = (name: string): boolean => !wantsAll && name === 'node_modules';
      for await (const path of glob(pattern, { cwd: workingDirectory, exclude })) {
        // `exclude` prunes the search of "**" only; a "*" that matches node_modules gets past it.
        if (wantsAll || !path.split(sep).includes('node_modules')) found.push(path);
      }
      return found.sort(byCodeUnit);
    },
    resolve: (...parts) => resolve(workingDirectory, ...parts),
  };
}

async function readText(path: string, maxBytes: number): Promise<string> {
  await using file = await open(path);
  const info = await file.stat();
  if (info.isDirectory()) throw Object.assign(new Error(`${path} is a directory`), { code: 'EISDIR' });
  if (info.size > maxBytes) throw new FileTooLarge(`${path} has ${info.size} bytes; the limit is ${maxBytes}`);
  // The size of a pipe or of a file in /proc is 0, and a file may grow: the stream is counted too.
  return await collect(file.createReadStream({ autoClose: false }), maxBytes, path);
}

async function collect(stream: AsyncIterable<Uint8Array | string>, maxBytes: number, name: string): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk as Uint8Array);
    size += bytes.length;
    if (size > maxBytes) throw new FileTooLarge(`${name} has more than ${maxBytes} bytes`);
    chunks.push(bytes);
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
}

async function kindOf(path: string): Promise<'file' | 'directory' | 'missing'> {
  const info = await statOrMissing(path);
  if (!info) return 'missing';
  return info.isDirectory() ? 'directory' : 'file';
}

interface Walk {
  readonly at: (path: string) => string;
  readonly found: string[];
  /** Real paths: each directory is walked once, however many links lead to it. */
  readonly visited: Set<string>;
}

async function walk(directory: string, context: Walk): Promise<void> {
  const { at, found, visited } = context;
  const real = await realpath(at(directory));
  if (visited.has(real)) return;
  visited.add(real);
  for (const name of (await readdir(real)).sort(byCodeUnit)) {
    if (isLeftOut(name)) continue;
    const path = join(directory, name);
    const info = await statOrMissing(at(path));
    // A link that leads nowhere is as good as absent; sockets and pipes are not manifests.
    if (info?.isFile()) found.push(path);
    else if (info?.isDirectory()) await walk(path, context);
  }
}

async function statOrMissing(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isLeftOut(name: string): boolean {
  return name === 'node_modules' || (name.startsWith('.') && name !== '.' && name !== '..');
}

function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP' || code === 'ENAMETOOLONG';
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
