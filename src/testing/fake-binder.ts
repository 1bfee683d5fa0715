// What binds claims on the test bed's real server, where no volume controller runs: each claim of a namespace gets a volume
// of its own and is Bound. The sandbox binds its claims itself.

import { type ClusterClient, createClient } from '../cluster/index.ts';
import type { JsonObject } from '../kit/json.ts';
import type { KubeObject } from '../model/object.ts';
import { CONFIG_MAPS } from './objects.ts';
import type { TestTarget } from './targets.ts';

const POLL_MS = 100;
const MERGE = { verb: 'patch', fieldManager: 'binder', contentType: 'application/merge-patch+json' } as const;

export const CLAIMS = { ...CONFIG_MAPS, kind: 'PersistentVolumeClaim', resource: 'persistentvolumeclaims' };
const VOLUMES = { ...CONFIG_MAPS, kind: 'PersistentVolume', resource: 'persistentvolumes', namespaced: false };

export interface FakeBinder {
  close(): Promise<void>;
}

export function bindClaims(target: TestTarget, namespace: string): FakeBinder {
  const client = createClient(target.transport);
  let open = target.kind === 'real';
  const running = (async (): Promise<void> => {
    while (open) {
      const { items } = await client.list(CLAIMS, { namespace });
      for (const claim of items.filter(isUnbound)) await bind(client, claim);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  })();
  return {
    close: () => {
      open = false;
      return running;
    },
  };
}

const isUnbound = (claim: KubeObject): boolean => (claim['status'] as JsonObject | undefined)?.['phase'] !== 'Bound';

async function bind(client: ClusterClient, { metadata, spec }: KubeObject): Promise<void> {
  const { name = '', namespace = '', uid = '' } = metadata;
  const { accessModes, resources } = spec as { accessModes: string[]; resources: { requests: JsonObject } };
  const volumeName = `${namespace}-${name}`;
  const volume = {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: volumeName },
    spec: {
      accessModes,
      capacity: resources.requests,
      hostPath: { path: '/nowhere' },
      claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid },
    },
  };
  await client.write({ verb: 'create', type: VOLUMES, fieldManager: 'binder', object: volume });
  const annotations = { 'pv.kubernetes.io/bind-completed': 'yes' };
  const at = { type: CLAIMS, name, namespace };
  await client.write({ ...MERGE, ...at, patch: { metadata: { annotations }, spec: { volumeName } } });
  await client.write({ ...MERGE, ...at, patch: { status: { phase: 'Bound' } }, subresource: 'status' });
}
