// The hook as a program. caller.ts sees to it that a stream process has one call at a time.

import { canonicalJson, type JsonValue } from '../../kit/json.ts';
import type { ExecHook } from '../../model/definition.ts';
import type { HookCall } from '../../model/need.ts';
import type { HookRunner, RunnerContext } from '../runner.ts';
import type { HookProcess } from './hook-process.ts';
import { runOnce } from './once.ts';
import { StreamProcess } from './stream.ts';

export function createExecRunner(context: RunnerContext): HookRunner {
  return new ExecRunner(context);
}

class ExecRunner implements HookRunner {
  readonly #context: RunnerContext;
  readonly #running = new Set<HookProcess>();
  readonly #streams = new Map<string, StreamProcess>();

  constructor(context: RunnerContext) {
    this.#context = context;
  }

  run(call: HookCall, signal: AbortSignal): Promise<JsonValue> {
    const { hook } = call;
    if (hook.kind !== 'exec') throw new TypeError(`not an exec hook: ${hook.kind}`);
    if (hook.mode === 'stream') return this.#stream(call, hook, signal);
    return runOnce(call, hook, { context: this.#context, signal, onStart: (process) => this.#track(process) });
  }

  async close(): Promise<void> {
    this.#streams.clear();
    await Promise.all([...this.#running].map((process) => process.stop()));
  }

  async #stream(call: HookCall, hook: ExecHook, signal: AbortSignal): Promise<JsonValue> {
    const key = canonicalJson([hook.directory, hook.command, hook.env, call.dryRun]);
    let stream = this.#streams.get(key);
    if (!stream?.usable) {
      stream = new StreamProcess(call, hook, this.#context);
      this.#track(stream.process);
      this.#streams.set(key, stream);
    }
    return stream.ask(call, signal);
  }

  #track(process: HookProcess): void {
    this.#running.add(process);
    void process.closed.then(() => this.#running.delete(process));
  }
}
