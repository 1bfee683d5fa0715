// A worker thread that answers one call at a time, seen from the main thread. It is killed when a call runs over its time
// or is called off, and a thread that has ended is never used again.

import { Worker, type WorkerOptions } from 'node:worker_threads';
import { type FailureFacts, HookFailure } from './failure.ts';
import { LineSplitter } from './foreign-text.ts';

/** What a hook printed, as it comes: whole lines or not. */
export interface ThreadOutput {
  readonly output: string;
}

export interface HookThreadOptions<Reply> {
  readonly entry: URL;
  readonly worker: WorkerOptions;
  /** A line that the hook printed. */
  readonly onLine: (line: string) => void;
  /** Foreign code could post messages too: what has not the right shape is passed over. */
  readonly isReply: (message: unknown) => message is Reply;
  readonly crashed: (error: unknown) => FailureFacts;
  readonly exited: (code: number) => FailureFacts;
}

interface Waiting<Reply> {
  readonly resolve: (reply: Reply) => void;
  readonly reject: (reason: unknown) => void;
}

/** Of a worker's own options: Node's remarks about the user's package.json, type stripping and WASI are not the hook's words. */
const EXEC_ARGV = ['--disable-warning=ExperimentalWarning', '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'];

export class HookThread<Reply> {
  #ended = false;
  readonly #options: HookThreadOptions<Reply>;
  readonly #lines = new LineSplitter();
  readonly #worker: Worker;
  #waiting: Waiting<Reply> | undefined;

  constructor(options: HookThreadOptions<Reply>) {
    this.#options = options;
    // Nothing is written to the thread's streams; set so that nothing can ever reach our own stdout.
    const quiet = { argv: [], execArgv: EXEC_ARGV, stdout: true, stderr: true };
    this.#worker = new Worker(options.entry, { ...quiet, ...options.worker });
    this.#listen();
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Throws HookFailure when the thread ends, or the signal's reason, which costs the thread its life. */
  async ask(request: unknown, signal: AbortSignal): Promise<Reply> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    this.#waiting = { resolve, reject };
    const onAbort = (): void => {
      void this.stop();
      reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    this.#worker.ref();
    try {
      this.#worker.postMessage(request);
      return await promise;
    } finally {
      // Between calls an idle thread must not keep the program alive.
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
    const { isReply, crashed, exited } = this.#options;
    this.#worker.on('message', (message: unknown) => {
      if (isOutput(message)) this.#print(this.#lines.push(message.output));
      else if (isReply(message)) this.#waiting?.resolve(message);
    });
    this.#worker.on('messageerror', (error) => this.#fail(crashed(error)));
    this.#worker.on('error', (error) => this.#fail(crashed(error)));
    this.#worker.on('exit', (code) => this.#fail(exited(code)));
  }

  #print(lines: readonly string[]): void {
    for (const line of lines) this.#options.onLine(line);
  }

  #fail(facts: FailureFacts): void {
    this.#ended = true;
    this.#print(this.#lines.end());
    this.#waiting?.reject(new HookFailure(facts));
  }
}

/** The thread used more memory than its limits say. */
export function isOutOfMemory(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

function isOutput(message: unknown): message is ThreadOutput {
  return isRecord(message) && typeof message['output'] === 'string';
}

const TEXTS = ['why', 'hint', 'path'];

export function isFacts(facts: unknown): facts is FailureFacts {
  if (!isRecord(facts) || typeof facts['code'] !== 'string' || typeof facts['what'] !== 'string') return false;
  return TEXTS.every((name) => facts[name] === undefined || typeof facts[name] === 'string');
}
