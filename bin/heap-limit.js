// How much heap a process may have that a memory limit of a container holds down. V8 is told of no such limit: its own default
// is a part of what it takes for the machine's memory, and a heap that may grow past the limit ends in a kill without a
// word, where a garbage collection would have done. The limit is that of the cgroup, or of any that it lies in.
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';

/** What is not in the heap: code, buffers, the runtime itself. */
const OUTSIDE_MB = 64;
/**
 * Of the young generation, which holds three of them. With 4 a daemon at work collects four times as often, which costs it 5
 * to 10 % more CPU; it is the old generation that takes the memory.
 */
const LARGEST_SEMI_SPACE_MB = 16;
/** Where there is no limit. From 2,048 on V8 lets a heap grow to four times what is alive before it collects, below that to twice. */
const UNLIMITED_HEAP_MB = 2_000;

/**
 * V8's flags for a daemon: for the limit, where there is one. `root`: where proc and sys are, for tests.
 * @param {string} root
 * @returns {string[]}
 */
export function heapFlags(root) {
  const limit = memoryLimit(root);
  if (limit === undefined) return [heapFlag(UNLIMITED_HEAP_MB), semiSpaceFlag(LARGEST_SEMI_SPACE_MB)];
  const all = Math.floor(limit / 2 ** 20);
  const semiSpace = Math.max(1, Math.min(LARGEST_SEMI_SPACE_MB, Math.floor(all / 64)));
  const left = all - 3 * semiSpace - OUTSIDE_MB;
  const heap = Math.floor(Math.max(all / 2, Math.min(left, (all * 3) / 4)));
  return [heapFlag(heap), semiSpaceFlag(semiSpace)];
}

/** @param {number} size */
const heapFlag = (size) => `--max-old-space-size=${size}`;

/** @param {number} size */
const semiSpaceFlag = (size) => `--max-semi-space-size=${size}`;

/**
 * Bytes; undefined: none.
 * @param {string} root
 * @returns {number | undefined}
 */
function memoryLimit(root) {
  const found = placesOf(readIn(root, 'proc/self/cgroup') ?? '').flatMap(({ tree, file, path }) =>
    withParents(path).map((directory) => Number(readIn(root, posix.join('sys/fs/cgroup', tree, directory, file)))),
  );
  // "max" is not a number. The old form says "none" by the largest one that there is.
  const limits = found.filter((limit) => limit > 0 && limit < 2 ** 60);
  return limits.length === 0 ? undefined : Math.min(...limits);
}

/**
 * Where the limits of a process are, by what /proc/self/cgroup says: "0::/path", or of old "4:memory:/path".
 * @param {string} text
 */
function placesOf(text) {
  return text.split('\n').flatMap((line) => {
    const [, controllers = '', path = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    if (path === '') return [];
    if (controllers === '') return [{ tree: '', file: 'memory.max', path }];
    return controllers.split(',').includes('memory') ? [{ tree: 'memory', file: 'memory.limit_in_bytes', path }] : [];
  });
}

/**
 * A limit of a directory holds for all that are in it. In a container the path may be the host's, and only the root is there.
 * @param {string} path
 * @returns {string[]}
 */
function withParents(path) {
  const clean = posix.normalize(path);
  return clean === '/' || clean === '.' || clean.startsWith('/..')
    ? ['/']
    : [clean, ...withParents(posix.dirname(clean))];
}

/**
 * @param {string} root
 * @param {string} path
 * @returns {string | undefined}
 */
function readIn(root, path) {
  try {
    return readFileSync(posix.join(root, path), 'utf8').trim();
  } catch {
    return undefined; // Not there, or not to be read: no limit that we know of.
  }
}
