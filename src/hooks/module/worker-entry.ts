// Where the worker's own file is. From source it stands beside this one; in the released bundle this code is part of
// some chunk, and the build puts `hook-worker.js` into the directory of the chunks.

export function workerEntry(here: string = import.meta.url): URL {
  return new URL(here.endsWith('.ts') ? './worker.ts' : './hook-worker.js', here);
}
