// Waiting for what a server or another program brings about: looks again and again, and says what did not come.

import { setTimeout as sleep } from 'node:timers/promises';

const EVERY_MS = 25;

/**
 * What the garbage collector of a real control plane may need. It looks for new kinds every 30 s, and until it knows an
 * owner's kind it tries again with pauses that double: when the kind came late, as much time again may pass.
 */
export const COLLECTED_WITHIN_MS = 180_000;

/** What `look` finds, once that is neither false nor undefined. `look` may throw where it is clear that it never will be. */
export async function until<T>(
  what: string,
  look: () => Promise<T> | T,
  withinMs = 60_000,
): Promise<Exclude<T, false | undefined>> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== false && found !== undefined) return found as Exclude<T, false | undefined>;
    if (performance.now() > deadline) throw new Error(`it did not come to it: ${what}`);
    await sleep(EVERY_MS);
  }
}
