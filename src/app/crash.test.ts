// kill -9 after every single write of CatSet's life, then the same command again: the same end state, nothing doubled,
// nothing orphaned, on both servers. Each crash point starts from the phase before it, applied without a crash.

import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createClient } from '../cluster/index.ts';
import { applyUntil } from '../testing/killed-apply.ts';
import { CONFIG_MAPS, PODS } from '../testing/objects.ts';
import { forEachTarget, type TestTarget } from '../testing/targets.ts';

const EXAMPLE = join(import.meta.dirname, '../../examples/catset');

type Edit = (yaml: string) => string;
const phases: readonly { readonly name: string; readonly edit: Edit }[] = [
  { name: 'creation', edit: (yaml) => yaml },
  { name: 'scaling up', edit: (yaml) => yaml.replace('replicas: 2', 'replicas: 3') },
  { name: 'scaling down', edit: (yaml) => yaml.replace('replicas: 2', 'replicas: 1') },
  { name: 'a changed template', edit: (yaml) => yaml.replace('nginx:1.29', 'nginx:1.30') },
];

/** The example in a directory of its own: its API group, its namespace, two pods, no grace, pods replaced when they change. */
async function copyOf(target: TestTarget, namespace: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'metactl-crash-'));
  after(() => rm(directory, { recursive: true, force: true }));
  await cp(EXAMPLE, directory, { recursive: true });
  for (const file of await readdir(directory)) {
    if (!file.endsWith('.yaml')) continue;
    const text = await readFile(join(directory, file), 'utf8');
    const edited = text
      .replaceAll('ctl.enisoc.com', `crash-${target.kind}.example.com`)
      .replaceAll('namespace: default', `namespace: ${namespace}`)
      .replace('method: RollingRecreate', 'method: Recreate')
      .replace('terminationGracePeriodSeconds: 1', 'terminationGracePeriodSeconds: 0')
      .replace('replicas: 3', 'replicas: 2');
    await writeFile(join(directory, file), edited);
  }
  return directory;
}

async function editParent(directory: string, edit: Edit): Promise<void> {
  const file = join(directory, 'nginx-backend.yaml');
  await writeFile(file, edit(await readFile(file, 'utf8')));
}

/** The state that must not depend on crashes: each pod's image and owner, whether it is Ready; nothing else of ours. */
async function stateOf(target: TestTarget, namespace: string): Promise<unknown> {
  const client = createClient(target.transport);
  const pods = await client.list(PODS, { namespace });
  const maps = await client.list(CONFIG_MAPS, { namespace });
  return {
    pods: pods.items
      .map((pod) => ({
        name: pod.metadata.name,
        owners: pod.metadata.ownerReferences?.map(({ kind, name }) => `${kind}/${name}`),
        image: JSON.stringify(pod['spec']).match(/nginx:[\d.]+/)?.[0],
        phase: (pod['status'] as { phase?: string } | undefined)?.phase,
      }))
      .sort((a, b) => ((a.name ?? '') < (b.name ?? '') ? -1 : 1)),
    others: maps.items.map(({ metadata }) => metadata.name).filter((name) => name !== 'kube-root-ca.crt'),
  };
}

interface Prepared {
  readonly namespace: string;
  readonly directory: string;
}

/** A namespace of its own, with everything before the phase in place and the phase's edit made. */
async function prepare(target: TestTarget, phase: (typeof phases)[number]): Promise<Prepared> {
  const namespace = await target.namespace();
  const directory = await copyOf(target, namespace);
  if (phase.name !== 'creation') await applyUntil(target.transport, directory);
  await editParent(directory, phase.edit);
  return { namespace, directory };
}

async function expectedEnd(
  target: TestTarget,
  phase: (typeof phases)[number],
): Promise<{ writes: number; state: unknown }> {
  const { namespace, directory } = await prepare(target, phase);
  const { log } = await applyUntil(target.transport, directory);
  return { writes: log.length, state: await stateOf(target, namespace) };
}

async function crashAt(
  target: TestTarget,
  phase: (typeof phases)[number],
  point: number,
  want: unknown,
): Promise<void> {
  const { namespace, directory } = await prepare(target, phase);
  const { killed } = await applyUntil(target.transport, directory, point);
  // Two runs may need different numbers of status writes, so the last points may lie behind the end of this one.
  if (killed) await applyUntil(target.transport, directory);
  assert.deepEqual(await stateOf(target, namespace), want, `${phase.name}, crash after write ${point}`);
}

forEachTarget('a crash at every write', (target) => {
  for (const phase of phases)
    test(`${target.kind}: ${phase.name}`, { skip: target.controllers ? false : 'pods need controllers' }, async () => {
      const { writes, state } = await expectedEnd(target, phase);
      assert.ok(writes > 1, `only ${writes} writes`);
      const points = Array.from({ length: writes }, (_, index) => index + 1);
      for (const point of points) await crashAt(target, phase, point, state);
    });
});
