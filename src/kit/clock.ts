/** Time as an argument. The program passes the system clock (src/app), the sandbox and simulations a virtual one. */
export interface Clock {
  /** Milliseconds since the Unix epoch: for what people and other programs read. It jumps when the machine's time is set. */
  now(): number;
  /** Milliseconds since some moment, whatever the machine's time is set to: for durations, deadlines and what is kept for a while. */
  steady(): number;
  /** Calls back once, no earlier than `ms` milliseconds from now. The returned function cancels. */
  schedule(ms: number, callback: () => void): () => void;
}

/** Resolves after `ms` on the given clock; rejects with the signal's reason when it is aborted first. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = (): void => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = clock.schedule(ms, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** Kubernetes' timestamp: RFC 3339 in UTC with seconds. */
export function formatTime(epochMs: number): string {
  // biome-ignore lint/style/noRestrictedGlobals: formats the time it is given, reads no clock
  return `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
}
