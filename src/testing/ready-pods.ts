// In the place of scheduler and kubelet, for pods that no other has a part in: each of a namespace is made Ready as soon as it is seen.
// It asks again and again, so that whatever befalls the server it goes on.

import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterClient } from '../cluster/index.ts';
import { ApiError, ConnectionError } from '../ports/errors.ts';
import { PODS } from './objects.ts';

const EVERY_MS = 50;
const STATUS = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };

/** Until `signal`. */
export async function makePodsReady(client: ClusterClient, namespace: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await readyOnce(client, namespace);
    } catch (error) {
      // It went meanwhile, or the server is away.
      if (!(error instanceof ApiError) && !(error instanceof ConnectionError)) throw error;
    }
    await sleep(EVERY_MS);
  }
}

async function readyOnce(client: ClusterClient, namespace: string): Promise<void> {
  const { items } = await client.list(PODS, { namespace });
  for (const { metadata, status } of items) {
    if (metadata.name === undefined || (status as { phase?: string } | undefined)?.phase === 'Running') continue;
    await client.write({
      ...{ verb: 'patch', type: PODS, name: metadata.name, namespace, subresource: 'status', fieldManager: 'kubelet' },
      contentType: 'application/merge-patch+json',
      patch: { status: STATUS },
    });
  }
}
