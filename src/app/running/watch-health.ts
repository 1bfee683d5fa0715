// Which watches are lost: they have failed for a while and go on failing. One that works again says so by what it tells, or
// by failing no longer: watches of quiet resources tell nothing for long.

import type { Clock } from '../../kit/clock.ts';
import { groupResourceOf } from '../../model/resource.ts';
import type { ObjectCache } from '../../ports/cache.ts';

interface Trouble {
  readonly since: number;
  readonly last: number;
  readonly error: string;
}

/** So long trouble is ordinary: a server that restarts, a watch that is too old. */
const LOST_AFTER_MS = 60_000;
/** A watch that fails is opened again after half a minute at the latest, and a request that hangs ends after 65 s. */
const OVER_AFTER_MS = 120_000;

export class WatchHealth {
  readonly #clock: Pick<Clock, 'steady'>;
  readonly #troubles = new Map<string, Trouble>();
  readonly #offs: readonly (() => void)[];

  constructor(cache: Pick<ObjectCache, 'onError' | 'onChange'>, clock: Pick<Clock, 'steady'>) {
    this.#clock = clock;
    this.#offs = [
      cache.onError((error, { type }) => this.#failed(groupResourceOf(type), error)),
      cache.onChange(({ type }) => this.#troubles.delete(groupResourceOf(type))),
    ];
  }

  /** "pods (for 75 s: connection refused)", for each that is lost. */
  lost(): readonly string[] {
    const now = this.#clock.steady();
    return [...this.#troubles]
      .filter(([, { since, last }]) => now - since >= LOST_AFTER_MS && now - last < OVER_AFTER_MS)
      .map(([resource, { since, error }]) => `${resource} (for ${Math.round((now - since) / 1_000)} s: ${error})`);
  }

  close(): void {
    for (const off of this.#offs) off();
  }

  #failed(resource: string, { message }: Error): void {
    const now = this.#clock.steady();
    const before = this.#troubles.get(resource);
    const goesOn = before !== undefined && now - before.last < OVER_AFTER_MS;
    this.#troubles.set(resource, { since: goesOn ? before.since : now, last: now, error: message });
  }
}
