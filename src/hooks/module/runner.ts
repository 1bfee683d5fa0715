// The hook as a function in a file: one worker thread a file, replaced when the file or what it imports was changed.

import type { JsonValue } from '../../kit/json.ts';
import type { HookCall } from '../../model/need.ts';
import { parseAnswer, tooLarge } from '../answer-text.ts';
import type { HookRunner, RunnerContext } from '../runner.ts';
import { ModuleWorker } from './module-worker.ts';

export function createModuleRunner(context: RunnerContext): HookRunner {
  return new ModuleRunner(context);
}

class ModuleRunner implements HookRunner {
  readonly #context: RunnerContext;
  readonly #workers = new Map<string, ModuleWorker>();

  constructor(context: RunnerContext) {
    this.#context = context;
  }

  async run(call: HookCall, signal: AbortSignal): Promise<JsonValue> {
    const { hook } = call;
    if (hook.kind !== 'module') throw new TypeError(`not a module hook: ${hook.kind}`);
    const answer = await this.#workerFor(call, hook.path).ask(call, hook, signal);
    const { answerBytes } = this.#context.limits;
    if (Buffer.byteLength(answer) > answerBytes) throw tooLarge(answerBytes, 'the answer');
    return parseAnswer(answer, { where: 'the answer', strict: hook.strict });
  }

  async close(): Promise<void> {
    const workers = [...this.#workers.values()];
    this.#workers.clear();
    await Promise.all(workers.map((worker) => worker.stop()));
  }

  #workerFor(call: HookCall, path: string): ModuleWorker {
    const known = this.#workers.get(path);
    if (known?.isCurrent()) return known;
    void known?.stop();
    const worker = new ModuleWorker(call, path, this.#context);
    this.#workers.set(path, worker);
    return worker;
  }
}
