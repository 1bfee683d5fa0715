// kill -9 after every single write of a map controller, then the same command again: the same outputs with the same keys, none
// twice, none left over, on both servers. Each crash point starts from the phase before it, applied without a crash.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type ClusterClient, createClient } from '../cluster/index.ts';
import { applyUntil } from '../testing/killed-apply.ts';
import { KEEP_UNTIL, MapProject } from '../testing/map-project.ts';
import { CONFIG_MAPS } from '../testing/objects.ts';
import { forEachTarget, type TestTarget } from '../testing/targets.ts';
import { useCases } from '../testing/use-cases.ts';

interface Place {
  readonly project: MapProject;
  readonly namespace: string;
  readonly client: ClusterClient;
  apply(): Promise<void>;
}

async function input({ client, namespace }: Place, name: string, data: Record<string, string>): Promise<void> {
  const live = await client.get(CONFIG_MAPS, name, namespace);
  const metadata = live?.metadata ?? { name, namespace, labels: { app: 'thing' } };
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
  await client.write({ type: CONFIG_MAPS, fieldManager: 'someone', verb: live ? 'update' : 'create', object });
}

async function remove({ client, namespace }: Place, name: string): Promise<void> {
  await client.write({ type: CONFIG_MAPS, fieldManager: 'someone', verb: 'delete', name, namespace });
}

const PHASES: readonly { readonly name: string; readonly change: (place: Place) => Promise<void> }[] = [
  { name: 'creation', change: async () => undefined },
  {
    name: 'an input changes, one goes, one is made anew',
    change: async (place) => {
      await input(place, 'a', { copies: '2', until: '9' });
      for (const name of ['b', 'c']) await remove(place, name);
      await input(place, 'c', { until: '7' });
    },
  },
];

/** In this process: only what is killed needs one of its own. */
const toEnd = ({ choice }: TestTarget, { path }: MapProject) => ({
  apply: async (): Promise<void> => {
    const { status, diagnostics } = await useCases({ cluster: choice, paths: [path] }).apply();
    assert.ok(status === 'settled' || status === 'nothing', JSON.stringify(diagnostics));
  },
});

let places = 0;

/** With everything before the phase in place and the phase's change made. */
async function prepare(target: TestTarget, phase: (typeof PHASES)[number]): Promise<Place> {
  const namespace = await target.namespace();
  const group = `map-crash-${++places}-${target.kind}.example.com`;
  const hooks = { tombstone: KEEP_UNTIL };
  const project = await MapProject.create({ group, namespace, hooks, method: 'Recreate', spec: { now: 5 } });
  after(() => project.remove());
  const place = { project, namespace, client: createClient(target.transport), ...toEnd(target, project) };
  await input(place, 'a', { until: '9' });
  await input(place, 'b', { copies: '2', until: '1' });
  await input(place, 'c', { until: '6' });
  if (phase.name !== 'creation') await place.apply();
  await phase.change(place);
  return place;
}

/** What must not depend on crashes: which outputs there are, of which input, with what in them. */
async function stateOf({ client, namespace }: Place): Promise<unknown> {
  const { items } = await client.list(CONFIG_MAPS, { namespace });
  const uids = new Map(items.map(({ metadata }) => [metadata.uid, metadata.name]));
  const owned = items.filter(({ metadata }) => metadata.ownerReferences?.length === 1);
  const outputs = owned.map(({ metadata: { name, annotations }, ...object }) => {
    const [, , , input = '', uid = ''] = annotations?.['metactl.dev/map-key']?.split('/') ?? [];
    return { name, input, isLive: uids.has(uid), data: object['data'] };
  });
  return outputs.sort((a, b) => ((a.name ?? '') < (b.name ?? '') ? -1 : 1));
}

async function expectedEnd(target: TestTarget, phase: (typeof PHASES)[number]) {
  const place = await prepare(target, phase);
  const { log } = await applyUntil(target.transport, place.project.path);
  return { writes: log.length, state: await stateOf(place) };
}

forEachTarget('a crash at every write of a map controller', (target) => {
  for (const phase of PHASES)
    test(`${target.kind}: ${phase.name}`, async () => {
      const { writes, state } = await expectedEnd(target, phase);
      assert.ok(writes > 1, `only ${writes} writes`);
      for (let point = 1; point <= writes; point++) {
        const place = await prepare(target, phase);
        const { killed } = await applyUntil(target.transport, place.project.path, point);
        // Two runs may need different numbers of status writes, so the last points may lie behind the end of this one.
        if (killed) await place.apply();
        assert.deepEqual(await stateOf(place), state, `${phase.name}, crash after write ${point}`);
      }
    });
});
