// Where objects are, and what is in their way: children beyond the namespace of -n, namespaces that mean nothing, inputs
// that are on their way out. In the sandbox, through the use cases.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type ClusterClient, createClient } from '../cluster/index.ts';
import type { JsonObject } from '../kit/json.ts';
import { changesOf, type Plan } from '../model/plan.ts';
import { openSandboxDirectory } from '../sandbox/index.ts';
import { CONFIG_MAPS, configMap } from '../testing/objects.ts';
import { ProjectDirectory } from '../testing/project-directory.ts';
import { type UseCases, useCases } from '../testing/use-cases.ts';
import { systemClock } from './index.ts';

interface Stage extends UseCases {
  readonly project: ProjectDirectory;
  /** The sandbox between two runs. */
  inside<T>(act: (client: ClusterClient) => Promise<T>): Promise<T>;
}

async function stage(hook: string): Promise<Stage> {
  const project = await ProjectDirectory.create({ group: GROUP, namespace: 'default', hook });
  const directory = await mkdtemp(join(tmpdir(), 'metactl-scopes-'));
  after(async () => {
    await project.remove();
    await rm(directory, { recursive: true, force: true });
  });
  const cases = useCases({ cluster: { sandboxDirectory: directory }, paths: [project.path] });
  const inside: Stage['inside'] = async (act) => {
    const sandbox = await openSandboxDirectory(directory, { clock: systemClock });
    try {
      return await act(createClient(sandbox.transport));
    } finally {
      await sandbox.close();
    }
  };
  return { ...cases, project, inside };
}

const GROUP = 'scopes.example.com';
const OPEN = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const CLUSTER_SCOPED = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `things.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Cluster',
    names: { kind: 'Thing', plural: 'things' },
    versions: [
      { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: OPEN }, subresources: { status: {} } },
    ],
  },
};
const PARENT = {
  apiVersion: `${GROUP}/v1`,
  kind: 'Thing',
  metadata: { name: 'one' },
  spec: { selector: { matchLabels: { app: 'thing' } } },
};

const outline = (plan: Plan | undefined): string[] =>
  plan ? changesOf(plan).map(({ action, object }) => `${action} ${object.kind} ${object.name}`) : ['no plan'];

test('-n leaves out no child of a cluster-scoped parent: they are not created again', async () => {
  const child = (namespace: string): string =>
    `{apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'of-${namespace}', namespace: '${namespace}', labels: {app: 'thing'}}}`;
  const { project, plan, apply } = await stage(`
    const children = [${child('default')}, ${child('kube-system')}];
    return { status: { seen: Object.keys(request.children['ConfigMap.v1']) }, children };`);
  await project.write('crd.json', CLUSTER_SCOPED);
  await project.write('parent.json', PARENT);
  assert.equal((await apply()).status, 'settled');
  assert.deepEqual(outline((await plan({ namespace: 'default' })).plan), []);
});

test('a namespace on a cluster-scoped input is dropped as the server drops it: the next plan is empty', async () => {
  const { project, plan, apply } = await stage('return {};');
  const metadata: JsonObject = { name: 'reader', namespace: 'default' };
  await project.write('role.json', {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata,
    rules: [],
  });
  assert.equal((await apply()).status, 'settled');
  assert.deepEqual(outline((await plan()).plan), []);
});

test('an input that is being deleted is an error, not "nothing to do"', async () => {
  const { project, plan, apply, inside } = await stage('return {};');
  const held = configMap('held', { k: '1' }, { finalizers: ['example.com/hold'] });
  await project.write('held.json', held);
  await apply();
  const gone = { verb: 'delete', type: CONFIG_MAPS, fieldManager: 'test', name: 'held', namespace: 'default' } as const;
  await inside((client) => client.write(gone));
  await project.write('held.json', { ...held, data: { k: '2' } });
  const planned = await plan();
  assert.deepEqual(outline(planned.plan), ['blocked ConfigMap held']);
  assert.deepEqual(
    planned.diagnostics.map(({ code }) => code),
    ['conflict'],
  );
  const applied = await apply();
  assert.deepEqual([applied.status, applied.applied.length], ['failed', 0]);
});
