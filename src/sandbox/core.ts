// What every part of the server works on. One object, handed down as an argument; no module keeps state of its own.

import type { Clock } from '../kit/clock.ts';
import type { RandomSource } from './random.ts';
import type { Registry } from './registry/registry.ts';
import type { Store } from './store/store.ts';

export interface Core {
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly registry: Registry;
  readonly store: Store;
}
