// The entry of a worker thread that evaluates Jsonnet programs, one request at a time.

import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadOutput } from '../thread.ts';
import { Engine } from './engine.ts';
import { ImportFiles } from './import-files.ts';
import type { JsonnetFiles, JsonnetReply, JsonnetRequest, JsonnetSettings } from './protocol.ts';

const settings = workerData as JsonnetSettings;
/** By path of the program: the files that the engine has parsed for it, and where it was to look for them. */
const known = new Map<string, { readonly places: string; readonly files: ImportFiles }>();
let current: ImportFiles | undefined;

const host = {
  find: (from: string, wanted: string) => current?.find(from, wanted) ?? 'no program is running',
  trace: (output: string): void => parentPort?.postMessage({ output } satisfies ThreadOutput),
};
let engine: Engine | undefined;

parentPort?.on('message', (message: JsonnetRequest) => parentPort?.postMessage(answer(message)));

function answer(message: JsonnetRequest): JsonnetReply {
  try {
    const changed = choose(message);
    engine ??= new Engine(settings.engine, host, settings.softMemoryMiB);
    const { ok, text } = engine.evaluate(message.path, message.request, changed);
    return { outcome: ok ? 'answer' : 'error', text };
  } catch (error) {
    return endedBy(error);
  }
}

/** True: the engine must forget what it has parsed for this program. */
function choose({ path, directory, importPaths }: JsonnetFiles): boolean {
  // Two hooks may use one program with other import paths.
  const places = JSON.stringify([directory, ...importPaths]);
  const before = known.get(path);
  const keep = before?.places === places && before.files.isCurrent();
  current = keep ? before.files : new ImportFiles({ path, directory, importPaths });
  known.set(path, { places, files: current });
  return !keep;
}

function endedBy(error: unknown): JsonnetReply {
  const lastWords = engine?.lastWords ?? '';
  // What Go's runtime says when it has no memory or stack left; the exception that follows says nothing.
  if (/out of memory|stack overflow/.test(lastWords)) return { outcome: 'memory', text: lastWords };
  if (error instanceof RangeError) return { outcome: 'depth', text: error.message };
  return { outcome: 'broken', text: `${error instanceof Error ? error.message : String(error)}\n${lastWords}` };
}
