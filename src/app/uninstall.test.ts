// Controllers that go: their finalizers come off all parents, and nothing else is touched. On both servers.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type ClusterClient, createClient } from '../cluster/index.ts';
import type { KubeObject } from '../model/object.ts';
import { changesOf, type Plan } from '../model/plan.ts';
import { countingFront } from '../testing/counting-front.ts';
import { CONFIG_MAPS } from '../testing/objects.ts';
import { PROJECT_KINDS, ProjectDirectory, type ProjectOptions } from '../testing/project-directory.ts';
import { forEachTarget, type TestTarget } from '../testing/targets.ts';
import { testEnvironment, useCases } from '../testing/use-cases.ts';
import { runUninstall } from './index.ts';
import type { ApplyOutcome, UninstallOptions } from './options.ts';

const FINALIZER = 'metacontroller.io/compositecontroller-things';
const HOOK = `return { children: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: request.parent.metadata.name, labels: { app: 'thing' } } }] };`;
const NEVER = 'return { children: Object.values(request.children["ConfigMap.v1"]), finalized: false };';

interface Stage {
  readonly client: ClusterClient;
  readonly writes: () => readonly string[];
  uninstall(more?: Partial<UninstallOptions>): Promise<ApplyOutcome>;
  parents(): Promise<readonly KubeObject[]>;
  remove(name: string): Promise<void>;
  readonly project: ProjectDirectory;
}

let stages = 0;

/** Two parents with a child each; one of them is being deleted, and its hook never done. */
async function stage(target: TestTarget, kind: ProjectOptions['kind'] = 'CompositeController'): Promise<Stage> {
  const namespace = await target.namespace();
  const group = `uninstall-${++stages}-${target.kind}.example.com`;
  const project = await ProjectDirectory.create({ kind, group, namespace, hook: HOOK, moreHooks: { finalize: NEVER } });
  after(() => project.remove());
  const two = JSON.parse(await readFile(join(project.path, 'parent.json'), 'utf8'));
  await project.write('two.json', {
    ...two,
    metadata: { ...two.metadata, name: 'two', finalizers: ['example.com/other'] },
  });
  const kubeconfig = join(project.path, 'kubeconfig');
  const front = await countingFront(target.transport, kubeconfig, () => undefined);
  after(() => front.close());
  const cluster = { kubeconfig };
  const applied = await useCases({ cluster, paths: [project.path], namespace }).apply();
  assert.equal(applied.status, 'settled', JSON.stringify(applied.diagnostics));
  const client = createClient(target.transport);
  const type = { ...CONFIG_MAPS, group, version: 'v1', kind: 'Thing', resource: 'things' };
  const before = front.writes();
  return {
    client,
    project,
    writes: () => front.log.slice(before),
    uninstall: (more = {}) =>
      runUninstall(
        { cluster, paths: [project.path], names: [], namespace, concurrency: 4, confirm: async () => 'yes', ...more },
        testEnvironment,
      ),
    parents: async () => (await client.list(type, { namespace })).items,
    remove: async (name) => {
      await client.write({ verb: 'delete', type, fieldManager: 'someone', name, namespace, propagation: 'Background' });
    },
  };
}

const outline = (plan: Plan | undefined): string[] =>
  plan ? changesOf(plan).map(({ wave, action, object }) => `${wave} ${action} ${object.name}`) : [];

forEachTarget('uninstall', (target) => {
  for (const kind of PROJECT_KINDS)
    test(`${kind}: a warning that says for how many, the question, one write each, and no second time`, async () => {
      const { uninstall, parents, remove, writes } = await stage(target, kind);
      await remove('one');
      const planned: Plan[] = [];
      const declined = await uninstall({
        confirm: async (plan) => {
          planned.push(plan);
          return 'no';
        },
      });
      assert.deepEqual([declined.status, writes()], ['declined', []]);
      assert.deepEqual(outline(planned[0]), ['finalizer-remove update one', 'finalizer-remove update two']);
      const [warning] = declined.diagnostics;
      assert.equal(warning?.code, 'finalize-skipped');
      assert.match(`${warning?.summary} ${warning?.detail}`, /2 parents will be let go.* 1 of them is being deleted/);

      const outcome = await uninstall();
      assert.equal(outcome.status, 'settled', JSON.stringify(outcome.diagnostics));
      assert.equal(writes().filter((write) => write.startsWith('PUT ')).length, 2);
      assert.deepEqual(
        (await parents()).map(({ metadata }) => [metadata.name, metadata.finalizers]),
        [['two', ['example.com/other']]],
      );
      assert.deepEqual((await uninstall()).status, 'nothing');
    });

  test('by the name in the cluster; a name that is not there, and files without it', async () => {
    const { uninstall, client, project, parents } = await stage(target);
    const missing = await uninstall({ paths: [], names: ['nobody'] });
    assert.deepEqual([missing.status, missing.diagnostics[0]?.code], ['failed', 'usage']);
    assert.match(missing.diagnostics[0]?.hint ?? '', /-f FILE/);
    const other = await uninstall({ names: ['nobody'] });
    assert.deepEqual([other.status, other.diagnostics[0]?.code], ['failed', 'no-input']);
    void client;
    void project;
    assert.equal((await parents()).filter(({ metadata }) => metadata.finalizers?.includes(FINALIZER)).length, 2);
  });
});
