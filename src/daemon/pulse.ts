// Whether work goes on: hook calls and requests that begin and end, rounds that end. A loop in which parents wait, nothing is
// under way and nothing ends is stuck, which no deadline of a call would find. What is under way has deadlines of its own,
// however long they are.

import type { Clock } from '../kit/clock.ts';
import type { HookCaller } from '../ports/hook.ts';
import type { Transport } from '../ports/transport.ts';

export class Pulse {
  readonly #clock: Pick<Clock, 'steady'>;
  #underWay = 0;
  #lastAt: number;

  constructor(clock: Pick<Clock, 'steady'>) {
    this.#clock = clock;
    this.#lastAt = clock.steady();
  }

  /** Something has come to its end. */
  beat(): void {
    this.#lastAt = this.#clock.steady();
  }

  /** Milliseconds for which nothing has been under way and nothing has ended. */
  quietMs(): number {
    return this.#underWay > 0 ? 0 : this.#clock.steady() - this.#lastAt;
  }

  aroundHooks(caller: HookCaller): HookCaller {
    return { call: (call, signal) => this.#during(caller.call(call, signal)), close: () => caller.close() };
  }

  /** Without watches, which are always under way. */
  aroundRequests(transport: Transport): Transport {
    return {
      request: (request) =>
        request.longLived === true ? transport.request(request) : this.#during(transport.request(request)),
      close: () => transport.close(),
    };
  }

  async #during<T>(work: Promise<T>): Promise<T> {
    this.#underWay++;
    try {
      return await work;
    } finally {
      this.#underWay--;
      this.beat();
    }
  }
}
