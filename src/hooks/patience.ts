// A hook that is busy (429, 503) is asked again when it says so, for as long as whoever asks has patience. For those who
// plan once; a loop that comes back by itself has no need of it.

import { type Clock, sleep } from '../kit/clock.ts';
import type { HookAnswer, HookCall } from '../model/need.ts';
import type { HookCaller } from '../ports/hook.ts';

export interface Patience {
  readonly clock: Clock;
  /** Milliseconds from now on, over all calls. Absent: each call may wait as long as its hook's timeout. */
  readonly totalMs?: number | undefined;
  /** Told before each pause; milliseconds. */
  readonly onWait?: (call: HookCall, pause: { readonly ms: number; readonly waitedMs: number }) => void;
}

export function patientHooks(caller: HookCaller, { clock, totalMs, onWait }: Patience): HookCaller {
  const deadline = totalMs === undefined ? undefined : clock.steady() + totalMs;
  return {
    call: async (call, signal) => {
      const started = clock.steady();
      const until = deadline ?? started + call.hook.timeoutMs;
      for (let asked = 1; ; asked++) {
        const answer = await caller.call(call, signal);
        if (answer.ok || answer.retryAfterSeconds === undefined) return answer;
        const ms = answer.retryAfterSeconds * 1_000;
        const now = clock.steady();
        if (now + ms > until) return impatient(answer, { asked, waitedMs: now - started });
        onWait?.(call, { ms, waitedMs: now - started });
        await sleep(clock, ms, signal);
      }
    },
    close: () => caller.close(),
  };
}

type Failed = Extract<HookAnswer, { ok: false }>;

function impatient(answer: Failed, { asked, waitedMs }: { readonly asked: number; readonly waitedMs: number }): Failed {
  const { diagnostic, retryAfterSeconds = 0 } = answer;
  const seconds = (value: number): string => `${Math.round(value * 10) / 10} s`;
  const tries = asked === 1 ? 'It was asked once' : `It was asked ${asked} times in ${seconds(waitedMs / 1_000)}`;
  const told = `${tries}, and is to be left alone for another ${seconds(retryAfterSeconds)}.`;
  return {
    ...answer,
    diagnostic: {
      ...diagnostic,
      detail: diagnostic.detail === undefined ? told : `${diagnostic.detail}\n${told}`,
      hint: 'Run it again later, or give the hook more capacity.',
    },
  };
}
