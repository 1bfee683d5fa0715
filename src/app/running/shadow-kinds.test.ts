// A shadow of a daemon of ours in a rollout, with a map controller, and with server-side apply, on both servers.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createClient } from '../../cluster/index.ts';
import type { KubeObject } from '../../model/object.ts';
import { startDaemon } from '../../testing/daemon-bed.ts';
import { MapProject } from '../../testing/map-project.ts';
import { CONFIG_MAPS } from '../../testing/objects.ts';
import { type RolloutOptions, RolloutProject } from '../../testing/rollout-project.ts';
import { allForetold, shadowPair } from '../../testing/shadow-bed.ts';
import { forEachTarget, type TestTarget } from '../../testing/targets.ts';
import { until } from '../../testing/until.ts';
import { useCases } from '../../testing/use-cases.ts';

/** Daemons for the definition of a project, which are stopped with the test. */
function bedOf(project: { readonly path: string }, namespace: string) {
  const paths = [join(project.path, 'controller.json')];
  return {
    project,
    start: (given: Partial<Parameters<typeof startDaemon>[0]>) => {
      const daemon = startDaemon({ cluster: {}, paths, namespace, ...given });
      after(() => daemon.stop());
      return daemon;
    },
  };
}

async function rollout(target: TestTarget, options: Partial<RolloutOptions>) {
  const project = await RolloutProject.create(target, { method: 'RollingInPlace', names: ['a', 'b', 'c'], ...options });
  after(() => project.remove());
  // CRDs and the parent; the daemons do the rest.
  const crds = ['controllerrevisions.yaml', 'crds.json'].map((name) => join(project.path, name));
  const { apply } = useCases({ cluster: target.choice, paths: crds });
  const { status, diagnostics } = await apply();
  assert.ok(status === 'settled' || status === 'nothing', JSON.stringify(diagnostics));
  const pair = await shadowPair(bedOf(project, project.namespace), target);
  const thing = project.type('Thing');
  const parent = JSON.parse(await readFile(join(project.path, 'parent.json'), 'utf8')) as KubeObject;
  await project.client.write({ verb: 'create', type: thing, fieldManager: 'test', object: parent });
  const to = async (image: string): Promise<void> => {
    const how = { verb: 'patch', contentType: 'application/merge-patch+json', fieldManager: 'test' } as const;
    const { namespace } = project;
    await project.client.write({ ...how, type: thing, name: 'one', namespace, patch: { spec: { image } } });
  };
  return { project, pair, to };
}

forEachTarget('shadow of every kind', (target) => {
  test('a rollout, child by child', async () => {
    const { project, pair, to } = await rollout(target, {});
    await until('the first are there', async () => (await project.images()) === 'a@1 b@1 c@1');
    await until('and reported', async () => /^True OnLatestRevision/.test(await project.updated()));
    await allForetold(pair, 5);
    await to('2');
    await until('the rollout is over', async () => (await project.images()) === 'a@2 b@2 c@2');
    await until('and reported', async () => (await project.revisions()).length === 1);
    await allForetold(pair, 9);
  });

  test('server-side apply', async () => {
    const { project, pair, to } = await rollout(target, { method: 'InPlace', applyMode: 'server-side' });
    await until('the first are there', async () => (await project.images()) === 'a@1 b@1 c@1');
    await to('2');
    await until('they follow', async () => (await project.images()) === 'a@2 b@2 c@2');
    await allForetold(pair, 4);
  });

  test('a map controller', async () => {
    const namespace = await target.namespace();
    const group = `shadow-map-${target.kind}-${namespace.slice(-6)}.example.com`;
    const project = await MapProject.create({ group, namespace });
    after(() => project.remove());
    const { apply } = useCases({ cluster: target.choice, paths: [join(project.path, 'crd.json')] });
    assert.equal((await apply()).status, 'settled');
    const pair = await shadowPair(bedOf(project, namespace), target);
    const client = createClient(target.transport);
    const write = { fieldManager: 'test', type: CONFIG_MAPS } as const;
    const input = (data: Record<string, string>): KubeObject => ({
      ...{ apiVersion: 'v1', kind: 'ConfigMap' },
      ...{ metadata: { name: 'in', namespace, labels: { app: 'thing' } }, data },
    });
    await client.write({ ...write, verb: 'create', object: input({ copies: '2', text: '1' }) });
    const things = await client.byResource(`${group}/v1`, 'things');
    assert.ok(things);
    const parent = JSON.parse(await readFile(join(project.path, 'parent.json'), 'utf8')) as KubeObject;
    await client.write({ verb: 'create', type: things, fieldManager: 'test', object: parent });
    const texts = async (): Promise<string> => {
      const { items } = await client.list(CONFIG_MAPS, { namespace, labelSelector: 'app=thing' });
      const told = items.map(({ metadata, data }) => `${metadata.name}@${(data as { text?: string }).text}`);
      return told.sort().join(' ');
    };
    await until('the copies are there', async () => (await texts()) === 'in-0@1 in-1@1 in@1');
    await client.write({ ...write, verb: 'update', object: input({ copies: '1', text: '2' }) });
    await until('they follow', async () => (await texts()) === 'in-0@2 in@2');
    await allForetold(pair, 2);
  });
});
