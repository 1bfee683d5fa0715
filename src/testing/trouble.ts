// Random trouble for a faulty front, from a seed: delays, some errors of every kind, watches that drop, a server that
// freezes. It goes on until it is stopped.

import type { ApiRequest } from '../ports/transport.ts';
import type { Fault } from '../sandbox/index.ts';
import type { FaultyFront } from './faulty-front.ts';
import { pick } from './random-json.ts';

const ERRORS: readonly Fault[] = [
  { kind: 'status', code: 500 },
  { kind: 'status', code: 503, text: 'upstream connect error' },
  { kind: 'status', code: 429 },
  { kind: 'status', code: 429, retryAfter: 0 },
  { kind: 'reset' },
  { kind: 'lost' },
  { kind: 'cut' },
  { kind: 'half' },
];
const OF_WATCHES: readonly Fault[] = [
  { kind: 'status', code: 410 },
  { kind: 'status', code: 500 },
  { kind: 'reset' },
  { kind: 'cut' },
];
const ERROR_SHARE = 0.05;
const DELAY_SHARE = 0.3;
const LONGEST_DELAY_MS = 40;
const LONGEST_PAUSE_MS = 1_500;
const FREEZE_SHARE = 0.3;
const LONGEST_FREEZE_MS = 1_000;

export interface Trouble {
  /** Everything goes through again when this has resolved. */
  stop(): Promise<void>;
}

export function makeTrouble(front: FaultyFront, random: () => number): Trouble {
  const stopped = new AbortController();
  front.setPlan((request) => faultFor(request, random));
  const running = (async () => {
    while (!stopped.signal.aborted) {
      await pause(random() * LONGEST_PAUSE_MS);
      front.dropWatches();
      if (random() >= FREEZE_SHARE) continue;
      front.freeze();
      await pause(random() * LONGEST_FREEZE_MS);
      front.thaw();
    }
  })();
  return {
    stop: async () => {
      stopped.abort();
      await running;
      front.setPlan(undefined);
    },
  };
}

function faultFor({ longLived }: ApiRequest, random: () => number): Fault | undefined {
  const chance = random();
  if (chance < ERROR_SHARE) return pick(random, longLived === true ? OF_WATCHES : ERRORS);
  return chance < ERROR_SHARE + DELAY_SHARE ? { kind: 'delay', ms: random() * LONGEST_DELAY_MS } : undefined;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
