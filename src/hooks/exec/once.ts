// Mode once: a process a call; the request on its stdin, the answer is all of its stdout, exit code 0.

import { type JsonValue, stringifyJson } from '../../kit/json.ts';
import type { ExecHook } from '../../model/definition.ts';
import type { HookCall } from '../../model/need.ts';
import { parseAnswer, tooLarge } from '../answer-text.ts';
import { outputLabel, type RunnerContext } from '../runner.ts';
import { HookProcess } from './hook-process.ts';

/** `onStart` gets the process, so that closing the caller can end it. */
export async function runOnce(
  call: HookCall,
  hook: ExecHook,
  at: { context: RunnerContext; signal: AbortSignal; onStart: (process: HookProcess) => void },
): Promise<JsonValue> {
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
    running.child.stdin.end(stringifyJson(call.request));
    const ending = await Promise.race([running.closed, rejection(stopped.signal)]);
    if (ending.code !== 0) throw running.failure(ending);
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
