// Mode stream: one long-lived process a hook. A line of JSON for each request, a line for each answer, in order, one
// request in flight. There are no ids in the protocol, so a process that says a line too many is out of step and can't
// be trusted with the next answer: it is ended and the call fails. Whether a call is a dry run is said in the environment,
// which is set once: runner.ts keeps one process for dry runs and one for the others.

import { type JsonValue, stringifyJson } from '../../kit/json.ts';
import type { ExecHook } from '../../model/definition.ts';
import type { HookCall } from '../../model/need.ts';
import { parseAnswer, tooLarge } from '../answer-text.ts';
import { HookFailure } from '../failure.ts';
import { outputLabel, type RunnerContext } from '../runner.ts';
import { commandText, HookProcess } from './hook-process.ts';

const NEWLINE = 0x0a;
/** Legal inside JSON strings, and a line's end for some readers (Node's readline among them): sent as escapes. */
const OTHER_LINE_ENDS = /[\u0085\u2028\u2029]/g;

interface Waiting {
  readonly resolve: (line: Uint8Array) => void;
  readonly reject: (reason: unknown) => void;
}

export class StreamProcess {
  /** False once it has ended or can't be trusted: the next call needs a new one. */
  usable = true;
  readonly #hook: ExecHook;
  readonly #limitBytes: number;
  readonly process: HookProcess;
  #waiting: Waiting | undefined;
  #chunks: Buffer[] = [];
  #size = 0;
  /** Set when it spoke without being asked: the next call tells. */
  #outOfStep = false;

  /** `call` is the first one: its names are used, and whether it is a dry run. */
  constructor(call: HookCall, hook: ExecHook, context: RunnerContext) {
    this.#hook = hook;
    this.#limitBytes = context.limits.answerBytes;
    const extraEnv = call.dryRun ? { METACTL_DRY_RUN: '1' } : {};
    this.process = new HookProcess(hook, { context, label: outputLabel(call), extraEnv });
    this.process.child.stdout.on('data', (chunk: Buffer) => this.#read(chunk));
    void this.process.closed.then((ending) => {
      this.usable = false;
      this.#waiting?.reject(this.process.failure(ending));
    });
  }

  /** One request, one answer. Throws HookFailure or the signal's reason; after either the process may be unusable. */
  async ask(call: HookCall, signal: AbortSignal): Promise<JsonValue> {
    signal.throwIfAborted();
    if (this.#outOfStep) {
      void this.stop();
      throw outOfStep(this.#hook);
    }
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
    this.#waiting = { resolve, reject };
    const onAbort = (): void => reject(this.process.explain(signal.reason));
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      this.process.child.stdin.write(requestLine(call));
      return parseAnswer(await promise, { where: 'its line on stdout', strict: this.#hook.strict });
    } catch (error) {
      // A failed answer leaves open what the next line belongs to.
      void this.stop();
      throw error;
    } finally {
      this.#waiting = undefined;
      signal.removeEventListener('abort', onAbort);
    }
  }

  stop(): Promise<void> {
    this.usable = false;
    return this.process.stop();
  }

  #read(chunk: Buffer): void {
    if (!this.usable) return;
    const waiting = this.#waiting;
    if (waiting === undefined) {
      this.#outOfStep = true;
      return;
    }
    this.#size += chunk.length;
    this.#chunks.push(chunk);
    const end = chunk.indexOf(NEWLINE);
    if (end >= 0) this.#answer(waiting, chunk.length - end - 1);
    else if (this.#size > this.#limitBytes) waiting.reject(tooLarge(this.#limitBytes, 'its line on stdout'));
  }

  /** `extra` is how many bytes came behind the line's end. */
  #answer(waiting: Waiting, extra: number): void {
    const all = Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#size = 0;
    this.#waiting = undefined;
    const line = all.subarray(0, all.length - extra - 1);
    if (extra > 0) waiting.reject(outOfStep(this.#hook));
    else if (line.length > this.#limitBytes) waiting.reject(tooLarge(this.#limitBytes, 'its line on stdout'));
    else waiting.resolve(line);
  }
}

function requestLine(call: HookCall): string {
  const text = stringifyJson(call.request);
  return `${text.replaceAll(OTHER_LINE_ENDS, (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;
}

function outOfStep(hook: ExecHook): HookFailure {
  return new HookFailure({
    code: 'answer-invalid',
    what: `${commandText(hook)} wrote more than one line to stdout for one request`,
    hint: 'in mode stream every request is answered by exactly one line of JSON; messages belong on stderr',
  });
}
