// The entry of a worker thread that runs one module of the user's. It loads the module once, answers one request at a
// time, and reports which local files it loaded so that the main thread can replace it when one of them changes.

import { enableCompileCache, registerHooks } from 'node:module';
import { dirname, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { parseJson, stringifyJson } from '../../kit/json.ts';
import { nearest } from '../../kit/suggest.ts';
import type { FailureFacts } from '../failure.ts';
import type { ThreadOutput } from '../thread.ts';
import { findNotPlain } from './plain-json.ts';
import type { WorkerReply, WorkerRequest, WorkerSettings } from './protocol.ts';
import { stampOf } from './stamp.ts';
import { userErrorFacts } from './user-error.ts';

Error.stackTraceLimit = 40;

const { path, compileCache } = workerData as WorkerSettings;
// A thread has to ask for itself. The cache goes by the text of a file: a changed one is compiled anew.
if (compileCache !== undefined) enableCompileCache(dirname(compileCache));
const loadedFiles: [path: string, stamp: string][] = [];
let told = 0;
// A report of Node's would list the variables of the process, not those of this thread. (Newer than the types.)
if (process.report) Object.assign(process.report, { excludeEnv: true });
let spent = false;

// Node's own way (reading worker.stdout) keeps the program alive for as long as the worker lives, and gives no order:
// this way everything that a call printed is there before its answer.
for (const stream of [process.stdout, process.stderr]) {
  stream.write = (chunk: Uint8Array | string, encoding?: unknown, done?: unknown): boolean => {
    const output: ThreadOutput = { output: typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk) };
    parentPort?.postMessage(output);
    const callback = typeof encoding === 'function' ? encoding : done;
    if (typeof callback === 'function') queueMicrotask(() => callback());
    return true;
  };
}

// In a hook `metactl` is the SDK, of this version: wherever the file is, and whether or not the package is installed there. (The
// library's face would be half a second to load.)
const SDK = new URL(import.meta.url.endsWith('.ts') ? '../../sdk/index.ts' : '../src/sdk/index.js', import.meta.url)
  .href;
const SDK_NAMES = ['metactl', 'metactl/sdk'];

registerHooks({
  resolve(specifier, context, nextResolve) {
    if (SDK_NAMES.includes(specifier)) return { url: SDK, shortCircuit: true };
    return nextResolve(specifier, context);
  },
  load(url, context, nextLoad) {
    const file = url.startsWith('file:') ? fileURLToPath(url) : undefined;
    // Packages don't change under a running program; what the user writes does.
    if (file && url !== SDK && !file.includes(`${sep}node_modules${sep}`)) loadedFiles.push([file, stampOf(file)]);
    return nextLoad(url, context);
  },
});

type Loaded = { readonly exports: Record<string, unknown> } | { readonly facts: FailureFacts };
const loading: Promise<Loaded> = load();

parentPort?.on('message', (message: WorkerRequest) => {
  void answer(message).then((result) => {
    const reply: WorkerReply = { result, loaded: loadedFiles.slice(told), spent };
    told = loadedFiles.length;
    parentPort?.postMessage(reply);
  });
});

async function load(): Promise<Loaded> {
  try {
    return { exports: (await import(pathToFileURL(path).href)) as Record<string, unknown> };
  } catch (error) {
    spent = (error as NodeJS.ErrnoException | undefined)?.code === 'ERR_MODULE_NOT_FOUND';
    return { facts: factsOf(error, 'it could not be loaded:') };
  }
}

async function answer(message: WorkerRequest): Promise<WorkerReply['result']> {
  const module = await loading;
  if ('facts' in module) return { ok: false, facts: module.facts };
  const { request, dryRun, now } = message;
  const hook = module.exports[message.export];
  if (typeof hook !== 'function') return { ok: false, facts: missingExport(message.export, module.exports) };
  try {
    const value: unknown = await hook(parseJson(request), { dryRun, now });
    return toText(value);
  } catch (error) {
    return { ok: false, facts: factsOf(error, 'it threw') };
  }
}

function toText(value: unknown): WorkerReply['result'] {
  if (value === undefined)
    return invalid({ what: 'the answer is empty: it returned nothing', hint: 'return {status, children}' });
  const found = findNotPlain(value);
  if (found === undefined) return { ok: true, answer: stringifyJson(value as object) };
  const { path: place, what, hint } = found;
  return invalid({ what: `the answer is not plain JSON: ${place || 'the answer itself'} ${what}`, hint, path: place });
}

function invalid(facts: Omit<FailureFacts, 'code'>): WorkerReply['result'] {
  return { ok: false, facts: { code: 'answer-invalid', ...facts } };
}

function missingExport(name: string, exports: Record<string, unknown>): FailureFacts {
  const functions = Object.keys(exports).filter((key) => typeof exports[key] === 'function');
  const near = nearest(name, functions);
  const there = functions.length === 0 ? 'It exports no function.' : `It exports: ${functions.join(', ')}.`;
  const kind = exports[name] === undefined ? 'no export' : 'no function';
  return {
    code: 'hook-failed',
    what: `${path} has ${kind} named ${name}`,
    why: there,
    hint: near ? `did you mean ${near}?` : `write: export function ${name}(request) { … }`,
  };
}

function factsOf(error: unknown, happened: string): FailureFacts {
  const loaded = loadedFiles.map(([file]) => file);
  return userErrorFacts(error, { ownUrl: import.meta.url, directory: dirname(path), happened, loaded });
}
