import type { Clock } from '../kit/clock.ts';
import { HookFailure } from './failure.ts';

/**
 * Runs work under a signal that is aborted with the caller's reason, or with a `hook-timeout` failure when the time is
 * up: either way `signal.reason` is what the work should reject with.
 */
export async function withDeadline<T>(
  at: { readonly clock: Clock; readonly timeoutMs: number; readonly signal: AbortSignal },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(at.signal.reason);
  if (at.signal.aborted) onAbort();
  at.signal.addEventListener('abort', onAbort, { once: true });
  const cancel = at.clock.schedule(at.timeoutMs, () => controller.abort(timeout(at.timeoutMs)));
  try {
    return await work(controller.signal);
  } finally {
    cancel();
    at.signal.removeEventListener('abort', onAbort);
  }
}

function timeout(timeoutMs: number): HookFailure {
  return new HookFailure({
    code: 'hook-timeout',
    what: `no answer within ${timeoutMs / 1000}s`,
    hint: 'make the hook quicker, or raise its timeout in the definition (timeout: 30s)',
  });
}

/** For work that knows nothing of signals: it goes on, and nobody waits for it any more. */
export function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    const done = (): void => signal.removeEventListener('abort', onAbort);
    work.then(resolve, reject).finally(done);
  });
}
