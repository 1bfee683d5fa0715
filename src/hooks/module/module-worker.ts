// One worker thread for one module, seen from the main thread. It takes one call at a time (caller.ts sees to that).
// A thread that ended, ran over its time or belongs to an older version of its files is never used again.

import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { stringifyJson } from '../../kit/json.ts';
import type { ModuleHook } from '../../model/definition.ts';
import type { HookCall } from '../../model/need.ts';
import { type FailureFacts, HookFailure } from '../failure.ts';
import { outputLabel, type RunnerContext } from '../runner.ts';
import { HookThread, isOutOfMemory } from '../thread.ts';
import { isReply, type WorkerReply, type WorkerRequest, type WorkerSettings } from './protocol.ts';
import { stampOf } from './stamp.ts';
import { userErrorFacts } from './user-error.ts';
import { workerEntry } from './worker-entry.ts';

export class ModuleWorker {
  readonly #path: string;
  readonly #context: RunnerContext;
  readonly #thread: HookThread<WorkerReply>;
  readonly #stamps = new Map<string, string>();
  #label: string;

  constructor(call: HookCall, path: string, context: RunnerContext) {
    this.#path = path;
    this.#label = outputLabel(call);
    this.#context = context;
    const settings: WorkerSettings = { path, compileCache: getCompileCacheDir() };
    // Stamped before it starts: a change while it loads is a change.
    this.#stamps.set(path, stampOf(path));
    this.#thread = new HookThread({
      entry: workerEntry(),
      worker: {
        workerData: settings,
        env: { ...context.environment },
        resourceLimits: { maxOldGenerationSizeMb: context.limits.moduleMemoryMiB },
      },
      onLine: (line) => context.onOutput(this.#label, line),
      isReply,
      crashed: (error) => this.#crash(error),
      exited,
    });
  }

  /** Alive, and none of the files that it loaded has changed since. */
  isCurrent(): boolean {
    if (this.#thread.ended) return false;
    for (const [path, stamp] of this.#stamps) if (stampOf(path) !== stamp) return false;
    return true;
  }

  /** The answer as JSON text. Throws HookFailure or the signal's reason; the latter costs the worker its life. */
  async ask(call: HookCall, hook: ModuleHook, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    this.#label = outputLabel(call);
    const { result, loaded, spent } = await this.#thread.ask(this.#requestOf(call, hook), signal);
    for (const [path, stamp] of loaded) this.#stamps.set(path, stamp);
    if (spent) void this.stop();
    if (!result.ok) throw new HookFailure(result.facts);
    return result.answer;
  }

  stop(): Promise<void> {
    return this.#thread.stop();
  }

  #requestOf({ request, dryRun }: HookCall, hook: ModuleHook): WorkerRequest {
    const now = new Date(this.#context.clock.now()).toISOString();
    return { export: hook.export, request: stringifyJson(request), dryRun, now };
  }

  #crash(error: unknown): FailureFacts {
    if (isOutOfMemory(error))
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

function exited(code: number): FailureFacts {
  return {
    code: 'hook-failed',
    what: `it ended its thread with process.exit(${code}) before it answered`,
    hint: 'return the answer, or throw an Error that says what is wrong',
  };
}
