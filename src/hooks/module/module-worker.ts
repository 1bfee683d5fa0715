// One worker thread for one module, seen from the main thread. It takes one call at a time (caller.ts sees to that).
// A thread that ended, ran over its time or belongs to an older version of its files is never used again.

import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { stringifyJson } from '../../kit/json.ts';
import type { ModuleHook } from '../../model/definition.ts';
import type { HookCall } from '../../model/need.ts';
import { type FailureFacts, HookFailure } from '../failure.ts';
import { LineSplitter } from '../foreign-text.ts';
import { outputLabel, type RunnerContext } from '../runner.ts';
import { isOutput, isReply, type WorkerReply, type WorkerRequest, type WorkerSettings } from './protocol.ts';
import { stampOf } from './stamp.ts';
import { userErrorFacts } from './user-error.ts';
import { workerEntry } from './worker-entry.ts';

interface Waiting {
  readonly resolve: (reply: WorkerReply) => void;
  readonly reject: (reason: unknown) => void;
}

/** Of a worker's own options: Node's remarks about the user's package.json and type stripping are not the hook's words. */
const EXEC_ARGV = ['--disable-warning=ExperimentalWarning', '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'];

export class ModuleWorker {
  #ended = false;
  readonly #path: string;
  readonly #context: RunnerContext;
  readonly #lines = new LineSplitter();
  readonly #worker: Worker;
  readonly #stamps = new Map<string, string>();
  #label: string;
  #waiting: Waiting | undefined;

  constructor(call: HookCall, path: string, context: RunnerContext) {
    this.#path = path;
    this.#label = outputLabel(call);
    this.#context = context;
    const settings: WorkerSettings = { path, compileCache: getCompileCacheDir() };
    // Stamped before it starts: a change while it loads is a change.
    this.#stamps.set(path, stampOf(path));
    this.#worker = new Worker(workerEntry(), {
      workerData: settings,
      env: { ...context.environment },
      argv: [],
      execArgv: EXEC_ARGV,
      // Nothing is written there (see worker.ts); set so that nothing can ever reach our own stdout.
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: context.limits.moduleMemoryMiB },
    });
    this.#listen();
  }

  /** Alive, and none of the files that it loaded has changed since. */
  isCurrent(): boolean {
    if (this.#ended) return false;
    for (const [path, stamp] of this.#stamps) if (stampOf(path) !== stamp) return false;
    return true;
  }

  /** The answer as JSON text. Throws HookFailure or the signal's reason; the latter costs the worker its life. */
  async ask(call: HookCall, hook: ModuleHook, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    this.#label = outputLabel(call);
    const { promise, resolve, reject } = Promise.withResolvers<WorkerReply>();
    this.#waiting = { resolve, reject };
    const onAbort = (): void => {
      void this.stop();
      reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    this.#worker.ref();
    try {
      this.#worker.postMessage(requestOf(call, hook));
      const { result, loaded, spent } = await promise;
      for (const [path, stamp] of loaded) this.#stamps.set(path, stamp);
      if (spent) void this.stop();
      if (!result.ok) throw new HookFailure(result.facts);
      return result.answer;
    } finally {
      // Between calls an idle worker must not keep the program alive.
      this.#worker.unref();
      this.#waiting = undefined;
      signal.removeEventListener('abort', onAbort);
    }
  }

  async stop(): Promise<void> {
    this.#ended = true;
    await this.#worker.terminate();
  }

  #listen(): void {
    // The user's code could post here too: what has not the right shape is not ours, and is passed over.
    this.#worker.on('message', (message: unknown) => {
      if (isOutput(message)) this.#print(this.#lines.push(message.output));
      else if (isReply(message)) this.#waiting?.resolve(message);
    });
    this.#worker.on('messageerror', (error) => this.#fail(this.#crash(error)));
    this.#worker.on('error', (error) => this.#fail(this.#crash(error)));
    this.#worker.on('exit', (code) => this.#fail(exited(code)));
  }

  #print(lines: readonly string[]): void {
    for (const line of lines) this.#context.onOutput(this.#label, line);
  }

  #fail(facts: FailureFacts): void {
    this.#ended = true;
    this.#print(this.#lines.end());
    this.#waiting?.reject(new HookFailure(facts));
  }

  #crash(error: unknown): FailureFacts {
    if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY')
      return {
        code: 'hook-failed',
        what: `it used more than ${this.#context.limits.moduleMemoryMiB} MiB of memory`,
        hint: 'does it loop, or keep every request in a variable of the module?',
      };
    const context = {
      ownUrl: workerEntry().href,
      directory: dirname(this.#path),
      happened: 'it left uncaught',
      loaded: [],
    };
    return userErrorFacts(error, context);
  }
}

function requestOf(call: HookCall, hook: ModuleHook): WorkerRequest {
  return { export: hook.export, request: stringifyJson(call.request), dryRun: call.dryRun };
}

function exited(code: number): FailureFacts {
  return {
    code: 'hook-failed',
    what: `it ended its thread with process.exit(${code}) before it answered`,
    hint: 'return the answer, or throw an Error that says what is wrong',
  };
}
