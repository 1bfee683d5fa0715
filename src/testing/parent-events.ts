// What a daemon tells of a parent by Events.

import type { KubeObject } from '../model/object.ts';
import type { ResourceType } from '../model/resource.ts';
import type { DaemonBed } from './daemon-bed.ts';
import { CONFIG_MAPS } from './objects.ts';
import { until } from './until.ts';

const EVENTS: ResourceType = { ...CONFIG_MAPS, kind: 'Event', resource: 'events' };

export interface ToldEvent {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
}

type Place = Pick<DaemonBed, 'client' | 'namespace'>;

/** Events about the parent. */
export async function told({ client, namespace }: Place, parent: string): Promise<readonly ToldEvent[]> {
  const { items } = await client.list(EVENTS, { namespace });
  const about = (event: KubeObject): boolean => (event['involvedObject'] as { name?: string }).name === parent;
  return items.filter(about).map((event) => event as unknown as ToldEvent);
}

export async function untilTold(
  place: Place,
  parent: string,
  { reason, words }: { reason: string; words: RegExp },
): Promise<void> {
  await until(
    `an Event ${reason} about ${parent}: ${words}`,
    async () => (await told(place, parent)).some((event) => event.reason === reason && words.test(event.message)),
    60_000,
  );
}
