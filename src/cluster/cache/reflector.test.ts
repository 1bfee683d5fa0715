import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sleep } from '../../kit/clock.ts';
import { ApiError } from '../../ports/errors.ts';
import type { Reader } from '../../ports/read.ts';
import type { WatchEvent, Watcher } from '../../ports/watch.ts';
import { SCOPE } from '../../testing/cache-bench.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { followScope } from './reflector.ts';

const MINUTE = 60_000;

/** It needs so long for a list, and has forgotten the list's version when that is watched from. */
class ForgetfulServer implements Reader, Watcher {
  lists = 0;
  readonly #clock: FakeClock;
  readonly #listMs: number;

  constructor(clock: FakeClock, listMs: number) {
    this.#clock = clock;
    this.#listMs = listMs;
  }

  async get(): Promise<undefined> {}

  async list() {
    this.lists++;
    await sleep(this.#clock, this.#listMs);
    return { items: [], resourceVersion: '5' };
  }

  async *watch(_type: unknown, { resourceVersion }: Parameters<Watcher['watch']>[1]): AsyncGenerator<WatchEvent> {
    if (resourceVersion === undefined) {
      await this.list();
      yield { type: 'BOOKMARK', resourceVersion: '5', initialEnd: true };
    }
    throw new ApiError({ code: 410, reason: 'Expired', message: 'too old' }, 'WATCH');
  }
}

describe('reflector', () => {
  for (const served of [false, true])
    for (const listMs of [1_000, 6_000])
      it(`a list of ${listMs} ms is no watch that worked: pauses grow (${served ? 'streamed' : 'in pages'})`, async () => {
        const clock = new FakeClock();
        const stop = new AbortController();
        const client = new ForgetfulServer(clock, listMs);
        const { listed, ended } = followScope({
          ...{ client, scope: SCOPE, clock, signal: stop.signal, streamingLists: { served }, inactivityMs: 90_000 },
          trim: (object) => object,
          onList: async () => undefined,
          onEvent: () => undefined,
          onError: () => undefined,
        });
        await clock.advanceAsync(10 * MINUTE, 500);
        await listed;
        assert.ok(client.lists > 10 && client.lists < 30, `${client.lists} lists in ten minutes`);
        stop.abort(new Error('the test is over'));
        await ended;
      });
});
