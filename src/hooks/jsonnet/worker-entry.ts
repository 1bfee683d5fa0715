// Where the worker's own file is: as ../module/worker-entry.ts; and where the engine is, in the package as in the sources.

export function workerEntry(here: string = import.meta.url): URL {
  return new URL(here.endsWith('.ts') ? './worker.ts' : './jsonnet-worker.js', here);
}

/** `dist/chunks/x.js` and `src/hooks/jsonnet/x.ts` are at different depths. */
export function engineFile(here: string = import.meta.url): URL {
  return new URL(here.endsWith('.ts') ? '../../../engines/jsonnet.wasm.br' : '../../engines/jsonnet.wasm.br', here);
}
