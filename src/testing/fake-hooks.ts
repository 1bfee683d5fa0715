import type { JsonObject, JsonValue } from '../kit/json.ts';
import type { HookAnswer, HookCall } from '../model/need.ts';
import { formatRef } from '../model/ref.ts';
import type { HookCaller } from '../ports/hook.ts';

type Respond = (request: JsonObject, call: HookCall) => JsonValue | Promise<JsonValue>;

/**
 * Hooks as functions: one for all, or a map from "sync" or "CompositeController/catset sync" to a function. Every call
 * is kept in `calls`. A function that throws makes a failed answer, as a real hook's would be.
 */
export class FakeHooks implements HookCaller {
  readonly calls: HookCall[] = [];
  closed = false;
  readonly #respond: Respond | Readonly<Record<string, Respond>>;
  readonly #failures: { readonly message: string; readonly retryAfterSeconds?: number }[] = [];

  constructor(respond: Respond | Readonly<Record<string, Respond>>) {
    this.#respond = respond;
  }

  /** The next call fails with this message; more than once: one call each. */
  failNext(message: string, retryAfterSeconds?: number): void {
    this.#failures.push({ message, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) });
  }

  /** How many calls there were, of one hook ("sync") or of all. */
  count(hookName?: string): number {
    return this.calls.filter((call) => hookName === undefined || call.hookName === hookName).length;
  }

  async call(call: HookCall, signal: AbortSignal): Promise<HookAnswer> {
    signal.throwIfAborted();
    this.calls.push(call);
    const failure = this.#failures.shift();
    if (failure) return failed(call, failure.message, failure.retryAfterSeconds);
    const respond = this.#find(call);
    if (!respond) return failed(call, `the fake has no ${call.hookName} hook for ${call.controller}`);
    try {
      return { kind: 'hook', id: call.id, ok: true, body: await respond(call.request, call) };
    } catch (error) {
      return failed(call, error instanceof Error ? error.message : String(error));
    }
  }

  async close(): Promise<void> {
    this.closed = true;
  }

  #find(call: HookCall): Respond | undefined {
    if (typeof this.#respond === 'function') return this.#respond;
    return this.#respond[`${call.controller} ${call.hookName}`] ?? this.#respond[call.hookName];
  }
}

function failed(call: HookCall, message: string, retryAfterSeconds?: number): HookAnswer {
  return {
    kind: 'hook',
    id: call.id,
    ok: false,
    diagnostic: {
      severity: 'error',
      code: 'hook-failed',
      summary: `${call.controller}: ${call.hookName} hook failed for ${formatRef(call.parent)}: ${message}`,
      subject: call.parent,
    },
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}
