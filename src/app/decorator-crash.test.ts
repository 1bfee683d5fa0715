// kill -9 after every single write of a decorator, then the same command again: the same end, nothing attached twice.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createClient } from '../cluster/index.ts';
import { DecoratorProject } from '../testing/decorator-project.ts';
import { applyUntil, type KilledApply } from '../testing/killed-apply.ts';
import { CONFIG_MAPS } from '../testing/objects.ts';
import { forEachTarget, type TestTarget } from '../testing/targets.ts';

const SECRETS = { ...CONFIG_MAPS, kind: 'Secret', resource: 'secrets' };
const SYNC = `return {
  labels: { count: String(Object.keys(request.attachments['Secret.v1']).length) },
  attachments: ['a', 'b'].map((name) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name } })),
};`;

interface Stage {
  readonly namespace: string;
  readonly directory: string;
}

/** A config map among the files, and its decorator. */
async function stage(target: TestTarget): Promise<Stage> {
  const namespace = await target.namespace();
  const labelSelector = { matchLabels: { mark: namespace } };
  const project = await DecoratorProject.create({
    name: 'crash',
    resources: [{ apiVersion: 'v1', resource: 'configmaps', labelSelector }],
    attachments: [{ apiVersion: 'v1', resource: 'secrets', updateStrategy: { method: 'InPlace' } }],
    hooks: { sync: SYNC, finalize: 'return { finalized: true };' },
    apply: { omittedMetadata: 'remove' },
  });
  const metadata = { name: 'm', namespace, labels: { mark: namespace } };
  await writeFile(join(project.path, 'map.json'), JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata }));
  return { namespace, directory: project.path };
}

async function stateOf(target: TestTarget, { namespace }: Stage): Promise<unknown> {
  const client = createClient(target.transport);
  const map = await client.get(CONFIG_MAPS, 'm', namespace);
  const { items } = await client.list(SECRETS, { namespace });
  const { labels = {}, annotations, finalizers } = map?.metadata ?? {};
  const { mark: _own, ...set } = labels;
  return {
    ...{ set, annotations, finalizers },
    secrets: items.map(({ metadata }) => [
      metadata.name,
      metadata.ownerReferences?.map(({ kind, name }) => `${kind}/${name}`),
    ]),
  };
}

const creationsIn = (...runs: readonly KilledApply[]): string[] =>
  runs.flatMap(({ log }) => log.filter((line) => line.startsWith('POST ') && line.endsWith('/secrets')));

forEachTarget('a crash at every write of a decorator', (target) => {
  test(`${target.kind}: finalizer, attachments, labels`, async () => {
    const whole = await stage(target);
    const run = await applyUntil(target.transport, whole.directory);
    const want = await stateOf(target, whole);
    assert.deepEqual((want as { set: unknown }).set, { count: '2' });
    assert.equal(creationsIn(run).length, 2);
    assert.ok(run.log.length >= 5, run.log.join('\n'));
    for (let point = 1; point <= run.log.length; point++) {
      const at = await stage(target);
      const first = await applyUntil(target.transport, at.directory, point);
      const second = first.killed ? await applyUntil(target.transport, at.directory) : { log: [], killed: false };
      const why = `crash after write ${point}: ${[...first.log, '|', ...second.log].join(', ')}`;
      assert.deepEqual(await stateOf(target, at), want, why);
      assert.equal(creationsIn(first, second).length, 2, why);
    }
  });
});
