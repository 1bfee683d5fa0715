// An apply that can't settle until it is let go: a config map of the name that a hook wants is being deleted, and held by
// a finalizer. Meanwhile a test changes something and looks at what apply makes of it.

import type { ClusterClient } from '../cluster/index.ts';
import { CONFIG_MAPS } from './objects.ts';
import { until } from './until.ts';
import type { UseCases } from './use-cases.ts';

/** The child that every hook of such a test must return, by this name. */
export const HELD = 'held';
const HOLD = 'example.com/hold';

export interface HeldApply {
  /** Waits until apply has brought it about. */
  until(what: string, holds: () => Promise<boolean>): Promise<void>;
  /** Lets apply go on to its end. */
  release(): Promise<Awaited<ReturnType<UseCases['apply']>>>;
}

export async function startHeldApply(
  apply: () => ReturnType<UseCases['apply']>,
  client: ClusterClient,
  namespace: string,
): Promise<HeldApply> {
  const metadata = { name: HELD, namespace, finalizers: [HOLD] };
  const write = { type: CONFIG_MAPS, fieldManager: 'someone' };
  await client.write({ ...write, verb: 'create', object: { apiVersion: 'v1', kind: 'ConfigMap', metadata } });
  await client.write({ ...write, verb: 'delete', name: HELD, namespace });
  let ended = false;
  const running = apply().finally(() => {
    ended = true;
  });
  return {
    until: async (what, holds) => {
      await until(what, async () => {
        if (await holds()) return true;
        if (ended) throw new Error(`apply ended before ${what}: ${JSON.stringify(await running)}`);
        return false;
      });
    },
    release: async () => {
      const live = await client.get(CONFIG_MAPS, HELD, namespace);
      if (live) {
        const { finalizers: _held, ...rest } = live.metadata;
        await client.write({ ...write, verb: 'update', object: { ...live, metadata: rest } });
      }
      return running;
    },
  };
}
