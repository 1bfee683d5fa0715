import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { createHookCaller, type HookCallerOptions, type HookLimits } from '../hooks/index.ts';
import type { JsonValue } from '../kit/json.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { HookAnswer, HookCall } from '../model/need.ts';
import type { HookCaller } from '../ports/hook.ts';
import { FakeClock } from './fake-clock.ts';

/** The real hook caller on a clock that only the test moves, with what hooks print kept in `output`. */
export class HookBench {
  readonly clock = new FakeClock();
  readonly output: string[] = [];
  readonly caller: HookCaller;
  readonly #printed: { readonly text: string; readonly resolve: () => void }[] = [];

  constructor(t: TestContext, limits: Partial<HookLimits> = {}, more: Partial<HookCallerOptions> = {}) {
    this.caller = createHookCaller({
      environment: process.env,
      clock: this.clock,
      limits,
      ...more,
      onOutput: (line) => {
        this.output.push(line);
        for (const { text, resolve } of this.#printed) if (line.includes(text)) resolve();
      },
    });
    t.after(() => this.caller.close());
  }

  call(call: HookCall, signal: AbortSignal = new AbortController().signal): Promise<HookAnswer> {
    return this.caller.call(call, signal);
  }

  /** The body of an answer that must be good. */
  async body(call: HookCall): Promise<JsonValue> {
    const answer = await this.call(call);
    assert.ok(answer.ok, answer.ok ? '' : JSON.stringify(answer.diagnostic));
    return answer.body;
  }

  /** The diagnostic of an answer that must be a failure. */
  async failure(call: HookCall): Promise<Diagnostic> {
    const answer = await this.call(call);
    assert.ok(!answer.ok, answer.ok ? `expected a failure, got ${JSON.stringify(answer.body)}` : '');
    return answer.diagnostic;
  }

  /** Resolves when a hook has printed a line with this text: now it runs. */
  printed(text: string): Promise<void> {
    if (this.output.some((line) => line.includes(text))) return Promise.resolve();
    return new Promise((resolve) => this.#printed.push({ text, resolve }));
  }
}
