// A signal, and a second apply beside the first: what is in flight is finished, what was done is told, nothing is doubled.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type ClusterClient, createClient } from '../cluster/index.ts';
import { type FaultyFront, faultyFront } from '../testing/faulty-front.ts';
import { CONFIG_MAPS } from '../testing/objects.ts';
import { ProjectDirectory } from '../testing/project-directory.ts';
import { forEachTarget, type TestTarget } from '../testing/targets.ts';
import { type UseCases, useCases } from '../testing/use-cases.ts';

const PROCESS = join(import.meta.dirname, '../testing/apply-process.ts');
const NAMES = Array.from({ length: 20 }, (_, index) => `m-${index}`);
const HOOK = `
  const children = request.parent.spec.names.map((name) => ({
    apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { app: 'thing' } },
  }));
  return { status: { seen: Object.keys(request.children['ConfigMap.v1']).length }, children };
`;

interface Stage extends UseCases {
  readonly front: FaultyFront;
  readonly project: ProjectDirectory;
  readonly kubeconfig: string;
  names(): Promise<string[]>;
}

let counter = 0;

async function stage(target: TestTarget): Promise<Stage> {
  const namespace = await target.namespace();
  const group = `interrupt-${++counter}-${target.kind}.example.com`;
  const project = await ProjectDirectory.create({ group, namespace, hook: HOOK, spec: { names: NAMES } });
  const kubeconfig = join(project.path, 'kubeconfig');
  const front = await faultyFront(target.transport, kubeconfig);
  after(async () => {
    await front.close();
    await project.remove();
  });
  const client: ClusterClient = createClient(target.transport);
  const names = async (): Promise<string[]> => {
    const { items } = await client.list(CONFIG_MAPS, { namespace });
    return items.map(({ metadata }) => metadata.name ?? '').filter((name) => name.startsWith('m-'));
  };
  return {
    front,
    project,
    kubeconfig,
    names,
    ...useCases({ cluster: { kubeconfig }, paths: [project.path], namespace }),
  };
}

const isChild = (write: string): boolean => /^POST .*\/configmaps$/.test(write);

forEachTarget('interrupted', (target) => {
  test(`${target.kind}: after a signal no write starts, those in flight are finished and told`, async () => {
    const { front, apply, names } = await stage(target);
    const signal = new AbortController();
    // The answer of the first child is on its way when the signal comes.
    front.setPlan(({ method, path }) => {
      if (method !== 'POST' || !path.includes('/configmaps')) return undefined;
      setTimeout(() => signal.abort(new Error('SIGINT')), 20);
      return { kind: 'delay', ms: 150 };
    });
    const { status, applied } = await apply({ concurrency: 2 }, { signal: signal.signal });
    assert.equal(status, 'interrupted');
    const done = applied.filter(({ change, outcome }) => change.object.kind === 'ConfigMap' && outcome.kind === 'done');
    assert.ok(done.length > 0 && done.length < NAMES.length);
    assert.deepEqual(done.map(({ change }) => change.object.name).sort(), (await names()).sort());
    assert.equal(front.writes.filter(isChild).length, done.length);
    const left = applied.filter(({ outcome }) => outcome.kind === 'not-tried').map(({ change }) => change.object.name);
    assert.equal(
      new Set([...left, ...done.map(({ change }) => change.object.name)]).size,
      NAMES.length + 1,
      'with the status',
    );
    front.setPlan(undefined);
    assert.equal((await apply()).status, 'settled');
    assert.equal(front.writes.filter(isChild).length, NAMES.length, 'the second run writes the rest only');
  });

  test(`${target.kind}: a signal before anything was written`, async () => {
    const { front, apply } = await stage(target);
    const { status, applied } = await apply({}, { signal: AbortSignal.abort(new Error('SIGTERM')) });
    assert.deepEqual([status, front.writes.length], ['interrupted', 0]);
    assert.ok(applied.every(({ outcome }) => outcome.kind === 'not-tried'));
  });

  test(`${target.kind}: two processes apply the same at once: both settle, nothing is doubled`, async () => {
    const { front, project, kubeconfig, names, plan } = await stage(target);
    const ends = await Promise.all([1, 2].map(() => applyProcess(kubeconfig, project.path)));
    for (const end of ends) assert.match(end, /"status":"(settled|nothing)"/);
    assert.deepEqual((await names()).sort(), [...NAMES].sort());
    assert.equal(front.writes.filter(isChild).length, NAMES.length);
    assert.deepEqual(
      (await plan()).plan?.parents.flatMap(({ steps }) => steps),
      [],
    );
  });
});

function applyProcess(kubeconfig: string, directory: string): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [PROCESS, kubeconfig, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
    const output: string[] = [];
    child.stdout.on('data', (chunk) => output.push(String(chunk)));
    child.once('close', () => resolve(output.join('')));
  });
}
