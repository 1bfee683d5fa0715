// The decorator that keeps Secret values from hooks: src/plan/secrets says what is replaced and what may be used of the
// answers; here the hook is asked, twice, with one of two keys each time.

import type { Hook } from '../model/definition.ts';
import type { HookAnswer, HookCall } from '../model/need.ts';
import { formatRef } from '../model/ref.ts';
import { RequestMask, usableAnswer } from '../plan/index.ts';
import type { HookCaller } from '../ports/hook.ts';

/** `key`: random, for this run. A request without Secrets goes through as it is, once. */
export function maskSecrets(caller: HookCaller, key: string): HookCaller {
  return {
    call: async (call, signal) => {
      const masks = ['first', 'second'].map((which) => new RequestMask(call.request, `${key} ${which}`));
      if (!masks.some(({ needed }) => needed)) return caller.call(call, signal);
      const hook = withoutEtag(call.hook);
      const bodies = [];
      for (const mask of masks) {
        const answer = await caller.call({ ...call, hook, request: mask.request(call.request) }, signal);
        if (!answer.ok) return withRemark(answer);
        bodies.push(mask.restore(answer.body, call.request));
      }
      const [first = null, second = null] = bodies;
      const usable = usableAnswer(first, second);
      if ('body' in usable) return { kind: 'hook', id: call.id, ok: true, body: usable.body };
      return unusable(call, usable.unusableAt);
    },
    close: () => caller.close(),
  };
}

/** An answer that was kept holds the placeholders of another question. */
function withoutEtag(hook: Hook): Hook {
  if (hook.kind !== 'webhook') return hook;
  const { etag: _, ...rest } = hook;
  return rest;
}

const REMARK = 'The values of Secrets were replaced by placeholders in its request.';

function withRemark(answer: Extract<HookAnswer, { ok: false }>): HookAnswer {
  const { detail } = answer.diagnostic;
  return { ...answer, diagnostic: { ...answer.diagnostic, detail: detail ? `${detail}\n${REMARK}` : REMARK } };
}

function unusable(call: HookCall, place: string): HookAnswer {
  return {
    kind: 'hook',
    id: call.id,
    ok: false,
    diagnostic: {
      severity: 'error',
      code: 'unknown-dependency',
      summary: `${call.controller}: the ${call.hookName} hook's answer for ${formatRef(call.parent)}: ${place === '' ? 'it' : place} depends on masked Secret values`,
      detail: `${REMARK} Asked twice with other placeholders it answered differently there (or it never answers the same).`,
      hint: 'Without --mask-hook-secrets the hook is shown the values; on a pull request of a fork they are always masked.',
      subject: call.parent,
      ...(place === '' ? {} : { path: place }),
    },
  };
}
