// The hook as a Jsonnet program: a few worker threads with the engine, or a process a call where the configuration names a
// command.

import { isJsonArray, isJsonObject, type JsonValue } from '../../kit/json.ts';
import { formatPath } from '../../kit/path.ts';
import type { JsonnetHook } from '../../model/definition.ts';
import type { HookCall } from '../../model/need.ts';
import { parseAnswer, tooLarge } from '../answer-text.ts';
import type { HookProcess } from '../exec/hook-process.ts';
import { runOnce } from '../exec/once.ts';
import { HookFailure } from '../failure.ts';
import type { HookRunner, RunnerContext } from '../runner.ts';
import { binaryFailure, binaryHook, programFor } from './binary.ts';
import { JsonnetWorker } from './jsonnet-worker.ts';
import type { WasmModule } from './webassembly.ts';

/** `binary`: a command to run instead of the engine. */
export function createJsonnetRunner(context: RunnerContext, binary: string | undefined): HookRunner {
  return new JsonnetRunner(context, binary);
}

class JsonnetRunner implements HookRunner {
  readonly #context: RunnerContext;
  readonly #binary: string | undefined;
  readonly #idle: JsonnetWorker[] = [];
  readonly #running = new Set<JsonnetWorker | HookProcess>();
  #engine: Promise<WasmModule> | undefined;

  constructor(context: RunnerContext, binary: string | undefined) {
    this.#context = context;
    this.#binary = binary;
  }

  async run(call: HookCall, signal: AbortSignal): Promise<JsonValue> {
    const { hook } = call;
    if (hook.kind !== 'jsonnet') throw new TypeError(`not a jsonnet hook: ${hook.kind}`);
    const answer = await (this.#binary === undefined
      ? this.#evaluate(call, hook, signal)
      : this.#runBinary(this.#binary, { call, hook, signal }));
    refuseRounded(answer);
    return answer;
  }

  async close(): Promise<void> {
    const all = [...this.#idle.splice(0), ...this.#running];
    await Promise.all(all.map((worker) => worker.stop()));
  }

  async #evaluate(call: HookCall, hook: JsonnetHook, signal: AbortSignal): Promise<JsonValue> {
    const engine = await this.#loadedEngine();
    signal.throwIfAborted();
    const worker = this.#idle.pop() ?? new JsonnetWorker(engine, this.#context);
    this.#running.add(worker);
    try {
      const answer = await worker.ask(call, hook, signal);
      const { answerBytes } = this.#context.limits;
      if (Buffer.byteLength(answer) > answerBytes) throw tooLarge(answerBytes, 'the answer');
      return parseAnswer(answer, { where: 'the answer', strict: hook.strict });
    } finally {
      this.#running.delete(worker);
      if (worker.usable) this.#idle.push(worker);
    }
  }

  async #loadedEngine(): Promise<WasmModule> {
    const { loadEngine } = await import('./load-engine.ts');
    this.#engine ??= loadEngine(this.#context.limits.moduleMemoryMiB);
    return this.#engine;
  }

  #runBinary(
    binary: string,
    { call, hook, signal }: { call: HookCall; hook: JsonnetHook; signal: AbortSignal },
  ): Promise<JsonValue> {
    return runOnce(call, binaryHook(hook, binary), {
      context: this.#context,
      signal,
      onStart: (process) => this.#track(process),
      input: programFor(hook, call.request),
      failure: (stderr) => binaryFailure(hook, stderr),
    });
  }

  #track(process: HookProcess): void {
    this.#running.add(process);
    void process.closed.then(() => this.#running.delete(process));
  }
}

/** Several integers of that size are one double: which one was meant is lost, so it is not written. */
function refuseRounded(answer: JsonValue): void {
  const path = firstUnsafe(answer, []);
  if (path === undefined) return;
  throw new HookFailure({
    code: 'answer-invalid',
    what: `the answer has an integer beyond 2^53 at ${formatPath(path)}, which a number of Jsonnet can not hold exactly`,
    path: formatPath(path),
    hint: 'leave the field to its owner, or write this hook in another language',
  });
}

type Place = readonly (string | number)[];

function firstUnsafe(value: JsonValue | undefined, place: Place): Place | undefined {
  if (typeof value === 'bigint') return place;
  if (!isJsonArray(value) && !isJsonObject(value)) return undefined;
  const isList = isJsonArray(value);
  for (const [key, item] of Object.entries(value)) {
    const found = firstUnsafe(item as JsonValue | undefined, [...place, isList ? Number(key) : key]);
    if (found) return found;
  }
  return undefined;
}
