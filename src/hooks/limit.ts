import type { Limiter } from '../kit/concurrency.ts';
import type { HookCaller } from '../ports/hook.ts';

/** With so many calls in flight as the limiter lets: a map controller has one for each of its inputs, all at once. */
export function limitHooks(caller: HookCaller, limit: Limiter): HookCaller {
  return {
    call: (call, signal) => limit(() => caller.call(call, signal)),
    close: () => caller.close(),
  };
}
