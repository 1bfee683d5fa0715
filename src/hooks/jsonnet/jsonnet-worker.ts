// One worker thread with one engine, seen from the main thread. It takes one call at a time (caller.ts sees to that).

import { dirname } from 'node:path';
import { stringifyJson } from '../../kit/json.ts';
import type { JsonnetHook } from '../../model/definition.ts';
import type { HookCall } from '../../model/need.ts';
import { type FailureFacts, HookFailure } from '../failure.ts';
import { excerptStart } from '../foreign-text.ts';
import { outputLabel, type RunnerContext } from '../runner.ts';
import { HookThread } from '../thread.ts';
import { jsonnetErrorFacts } from './jsonnet-error.ts';
import { isReply, type JsonnetReply, type JsonnetRequest, type JsonnetSettings } from './protocol.ts';
import type { WasmModule } from './webassembly.ts';
import { workerEntry } from './worker-entry.ts';

/** Of WebAssembly's own stack: what the engine's limit of 500 frames of Jsonnet needs, several times. */
const STACK_MIB = 32;

export class JsonnetWorker {
  readonly #context: RunnerContext;
  readonly #thread: HookThread<JsonnetReply>;
  #label = '';

  constructor(engine: WasmModule, context: RunnerContext) {
    this.#context = context;
    const softMemoryMiB = Math.ceil(context.limits.moduleMemoryMiB * 0.8);
    this.#thread = new HookThread({
      entry: workerEntry(),
      worker: {
        workerData: { engine, softMemoryMiB } satisfies JsonnetSettings,
        env: {},
        resourceLimits: { stackSizeMb: STACK_MIB },
      },
      onLine: (line) => context.onOutput(this.#label, line),
      isReply,
      crashed: (error) => broken(error instanceof Error ? (error.stack ?? error.message) : String(error)),
      exited: (code) => broken(`its thread ended with ${code}`),
    });
  }

  get usable(): boolean {
    return !this.#thread.ended;
  }

  /** The answer as JSON text. Throws HookFailure or the signal's reason; the latter costs the worker its life. */
  async ask(call: HookCall, hook: JsonnetHook, signal: AbortSignal): Promise<string> {
    this.#label = outputLabel(call);
    const { path, directory, importPaths } = hook;
    const request: JsonnetRequest = { path, directory, importPaths, request: stringifyJson(call.request) };
    const { outcome, text } = await this.#thread.ask(request, signal);
    if (outcome === 'answer') return text;
    if (outcome === 'error') throw new HookFailure(jsonnetErrorFacts(text, dirname(path)));
    // What has run out of something in the middle of its work is in no known state.
    void this.stop();
    throw new HookFailure(this.#ended(outcome, text));
  }

  stop(): Promise<void> {
    return this.#thread.stop();
  }

  #ended(outcome: 'memory' | 'depth' | 'broken', text: string): FailureFacts {
    const hint = 'does a function call itself without end, or build a list that never ends?';
    const { moduleMemoryMiB } = this.#context.limits;
    if (outcome === 'memory')
      return { code: 'hook-failed', what: `it used more than ${moduleMemoryMiB} MiB of memory`, hint };
    if (outcome === 'depth') return { code: 'hook-failed', what: 'it is nested too deeply', hint };
    return broken(text);
  }
}

function broken(text: string): FailureFacts {
  return { code: 'hook-failed', what: 'the Jsonnet engine ended without an answer', why: excerptStart(text) };
}
