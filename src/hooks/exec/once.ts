// Mode once: a process a call; the request on its stdin, the answer is all of its stdout, exit code 0.

import { type JsonValue, stringifyJson } from '../../kit/json.ts';
import type { ExecHook } from '../../model/definition.ts';
import type { HookCall } from '../../model/need.ts';
import { parseAnswer, tooLarge } from '../answer-text.ts';
import type { HookFailure } from '../failure.ts';
import { outputLabel, type RunnerContext } from '../runner.ts';
import { HookProcess } from './hook-process.ts';

export interface OnceOptions {
  readonly context: RunnerContext;
  readonly signal: AbortSignal;
  /** Gets the process, so that closing the caller can end it. */
  readonly onStart: (process: HookProcess) => void;
  /** What it reads, if that is not the request. */
  readonly input?: string;
  /** Makes more of what a program that failed wrote to stderr. */
  readonly failure?: (stderr: string) => HookFailure | undefined;
}

export async function runOnce(call: HookCall, hook: ExecHook, at: OnceOptions): Promise<JsonValue> {
  const { context, signal } = at;
  signal.throwIfAborted();
  const running = new HookProcess(hook, {
    context,
    label: outputLabel(call),
    ...(call.dryRun ? { extraEnv: { METACTL_DRY_RUN: '1' } } : {}),
  });
  at.onStart(running);
  const stopped = new AbortController();
  const onAbort = (): void => stopped.abort(running.explain(signal.reason));
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const stdout = collect(running, context.limits.answerBytes, stopped);
    running.child.stdin.end(at.input ?? stringifyJson(call.request));
    const ending = await Promise.race([running.closed, rejection(stopped.signal)]);
    if (ending.code !== 0) throw at.failure?.(running.stderr) ?? running.failure(ending);
    return parseAnswer(Buffer.concat(stdout), { where: 'stdout', strict: hook.strict });
  } finally {
    signal.removeEventListener('abort', onAbort);
    void running.stop();
  }
}

/** Reads stdout into the returned list; aborts when there is too much of it. */
function collect(running: HookProcess, limitBytes: number, stopped: AbortController): Buffer[] {
  const chunks: Buffer[] = [];
  let size = 0;
  running.child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= limitBytes) chunks.push(chunk);
    else stopped.abort(tooLarge(limitBytes, 'stdout'));
  });
  return chunks;
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
