// Watches files for real (chokidar). An event is news only if the content is another than before: editors, mounts of config
// maps and tools that touch files say more than that. What is not source text of a kind that we know is no news either, or
// a hook that writes a log beside itself would be asked again for ever.

import { readFileSync, statSync } from 'node:fs';
import { basename, extname } from 'node:path';
import type { Clock } from '../kit/clock.ts';
import { digestOf } from '../kit/hash.ts';
import type { FileWatch, FileWatchOptions } from '../ports/file-watch.ts';

/** So long without another event, and what came is told. */
const SETTLED_MS = 120;
/** Of a larger file the time and the size stand for the content. */
const READ_BYTES = 4 * 2 ** 20;
const SOURCES: ReadonlySet<string> = new Set(
  '.yaml .yml .json .ts .mts .cts .js .mjs .cjs .jsonnet .libsonnet .py .rb .sh .go .tpl'.split(' '),
);

export async function watchNodeFiles(options: FileWatchOptions, clock: Clock): Promise<FileWatch> {
  const { watch } = await import('chokidar');
  const roots = new Set(options.roots);
  const isMeant = (path: string): boolean =>
    roots.has(path) || (SOURCES.has(extname(path).toLowerCase()) && !MOUNT_PARTS.test(path));
  const known = new Map<string, string>();
  const changed = new Set<string>();
  let cancel: (() => void) | undefined;
  let told = false;
  const watcher = watch([...roots], {
    ignored: (path) => !roots.has(path) && isLeftOut(basename(path)),
    // A directory that can't be read is no reason to end.
    ignorePermissionErrors: true,
  });
  const tell = (): void => {
    cancel = undefined;
    const files = [...changed].sort();
    changed.clear();
    if (files.length > 0) options.onChange(files);
  };
  const look = (path: string): void => {
    if (!isMeant(path)) return;
    const now = contentOf(path);
    if (known.get(path) === now) return;
    known.set(path, now);
    if (!told) return;
    changed.add(path);
    cancel?.();
    cancel = clock.schedule(SETTLED_MS, tell);
  };
  watcher.on('all', (_event, path) => {
    // A mount has flipped: every file of it may be another.
    if (told && MOUNT_PARTS.test(path)) for (const file of [...known.keys()]) look(file);
    else look(path);
  });
  watcher.on('error', () => undefined); // what can't be watched is told by whoever reads it
  await new Promise<void>((resolve) => watcher.on('ready', () => resolve()));
  told = true;
  return {
    close: async () => {
      cancel?.();
      await watcher.close();
    },
  };
}

/** Hidden ones are; those with two dots are what mounted config maps are made of, whose flip is to be seen. */
const isLeftOut = (name: string): boolean => name === 'node_modules' || /^\.[^.]/.test(name);
/** What is behind the files of a mount: the files themselves are told. */
const MOUNT_PARTS = /[\\/]\.\.[^\\/]/;

function contentOf(path: string): string {
  try {
    const { size, mtimeMs } = statSync(path);
    return size > READ_BYTES ? `${size} ${mtimeMs}` : digestOf(readFileSync(path, 'utf8'));
  } catch {
    return 'absent';
  }
}
