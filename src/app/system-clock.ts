import type { Clock } from '../kit/clock.ts';

/** The one place that reads the machine's time. Timers keep the process alive until they fire or are cancelled. */
export const systemClock: Clock = {
  now: () => Date.now(),
  steady: () => performance.now(),
  schedule(ms, callback) {
    // setTimeout takes 0 to 2^31-1 ms; a longer wait would fire at once, a negative one prints a warning.
    const timer = setTimeout(callback, Math.min(Math.max(ms, 0), 2_147_483_647));
    return () => clearTimeout(timer);
  },
};
