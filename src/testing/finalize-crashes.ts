// kill -9 after every single write of a parent's way out, then the same command again: the same end, children torn down in
// their order, none of them twice, nobody kept by a finalizer. A file of tests for each kind, as each takes its time.

import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type ClusterClient, createClient } from '../cluster/index.ts';
import type { KubeObject } from '../model/object.ts';
import { applyUntil } from './killed-apply.ts';
import { CONFIG_MAPS } from './objects.ts';
import { ProjectDirectory, type ProjectKind } from './project-directory.ts';
import type { TestTarget } from './targets.ts';
import { useCases } from './use-cases.ts';

const MAPS = `const maps = (count) => Array.from({ length: count }, (_, index) => ({
  apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm-' + index, labels: { app: 'thing' } },
}));`;
const SYNC = `${MAPS}\nreturn { status: {}, children: maps(2) };`;
const FINALIZE = `${MAPS}
const left = Object.keys(request.children['ConfigMap.v1']).length;
return { status: { left }, children: maps(Math.max(0, left - 1)), finalized: left === 0 };`;

interface Stage {
  readonly directory: string;
  readonly namespace: string;
  readonly client: ClusterClient;
  readonly type: typeof CONFIG_MAPS;
}

/** A parent with its finalizer and two children, and a directory with its controller alone. */
async function stage(target: TestTarget, kind: ProjectKind): Promise<Stage> {
  const namespace = await target.namespace();
  const group = `finalize-crash-${kind.toLowerCase()}-${target.kind}.example.com`;
  const parentResource = { labelSelector: { matchExpressions: [{ key: 'left', operator: 'DoesNotExist' }] } };
  const options = { kind, group, namespace, hook: SYNC, moreHooks: { finalize: FINALIZE }, parentResource };
  const project = await ProjectDirectory.create(options);
  after(() => project.remove());
  const applied = await useCases({ cluster: target.choice, paths: [project.path] }).apply();
  assert.equal(applied.status, 'settled', JSON.stringify(applied.diagnostics));
  await rm(join(project.path, 'parent.json'));
  const type = { ...CONFIG_MAPS, group, version: 'v1', kind: 'Thing', resource: 'things' };
  return { directory: project.path, namespace, client: createClient(target.transport), type };
}

const parentOf = ({ client, type, namespace }: Stage): Promise<KubeObject | undefined> =>
  client.get(type, 'one', namespace);

const ways: readonly { readonly name: string; readonly start: (stage: Stage) => Promise<void> }[] = [
  {
    name: 'a deletion',
    start: async ({ client, type, namespace }) => {
      await client.write({ verb: 'delete', type, fieldManager: 'someone', name: 'one', namespace });
    },
  },
  {
    name: 'labels that the controller does not select',
    start: async (at) => {
      const live = await parentOf(at);
      assert.ok(live);
      const object = { ...live, metadata: { ...live.metadata, labels: { left: 'yes' } } };
      await at.client.write({ verb: 'update', type: at.type, fieldManager: 'someone', object });
    },
  },
];

async function stateOf(at: Stage): Promise<unknown> {
  const parent = await parentOf(at);
  const maps = await at.client.list(CONFIG_MAPS, { namespace: at.namespace });
  return {
    parent: parent && { finalizers: parent.metadata.finalizers ?? [], status: parent['status'] },
    maps: maps.items.map(({ metadata }) => metadata.name).filter((name) => name !== 'kube-root-ca.crt'),
  };
}

const deletesIn = (log: readonly string[]): string[] =>
  log.filter((line) => line.startsWith('DELETE ')).map((line) => line.slice(line.lastIndexOf('/') + 1));

/** Registers the tests of one kind on one server. */
export function finalizeCrashes(target: TestTarget, kind: ProjectKind): void {
  // Being deleted, a parent is the same to all kinds.
  for (const way of kind === 'CompositeController' ? ways : ways.slice(1))
    test(`${target.kind}: ${way.name}`, async () => {
      const whole = await stage(target, kind);
      await way.start(whole);
      const { log } = await applyUntil(target.transport, whole.directory);
      const want = await stateOf(whole);
      assert.deepEqual(deletesIn(log), ['m-1', 'm-0']);
      for (let point = 1; point <= log.length; point++) {
        const at = await stage(target, kind);
        await way.start(at);
        const first = await applyUntil(target.transport, at.directory, point);
        const second = first.killed ? await applyUntil(target.transport, at.directory) : { log: [] };
        const why = `crash after write ${point}: ${[...first.log, '|', ...second.log].join(', ')}`;
        assert.deepEqual(await stateOf(at), want, why);
        assert.deepEqual(deletesIn([...first.log, ...second.log]), ['m-1', 'm-0'], why);
      }
    });
}
