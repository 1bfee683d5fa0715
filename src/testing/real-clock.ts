// The clock of the machine, for tests that talk to other processes. Its timers never keep a test process alive.

import type { Clock } from '../kit/clock.ts';

export const realClock: Clock = {
  now: () => Date.now(),
  steady: () => performance.now(),
  schedule(ms, callback) {
    const timer = setTimeout(callback, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
