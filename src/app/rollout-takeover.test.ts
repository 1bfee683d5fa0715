// What Metacontroller left in the middle of a rollout is gone on with, on both servers: without a write that the rollout
// does not need, and where it is at its end without any.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { KubeObject } from '../model/object.ts';
import { countingFront } from '../testing/counting-front.ts';
import { REVISIONS, RolloutProject } from '../testing/rollout-project.ts';
import { forEachTarget, type TestTarget } from '../testing/targets.ts';
import { useCases } from '../testing/use-cases.ts';
import { WriteLog } from '../testing/write-log.ts';

const FILE = join(import.meta.dirname, '../../testdata/metacontroller/rollout.json');

interface Left {
  readonly parent: KubeObject;
  readonly status: KubeObject['status'];
  readonly revisions: readonly KubeObject[];
  readonly children: readonly KubeObject[];
}

/** Metacontroller's own hash, spelled out: sha1 of the UID and the patch in Go's JSON. */
const hashOf = (uid: string, image: string): string =>
  createHash('sha1').update(`${uid}{"spec":{"image":"${image}"}}`).digest('hex');

async function leftIn(project: RolloutProject, uid: string): Promise<Left> {
  const words: Readonly<Record<string, string>> = {
    uid,
    group: project.group,
    namespace: project.namespace,
    hash1: hashOf(uid, '1'),
    hash2: hashOf(uid, 'a\\u003c2\\u003e'),
  };
  const text = await readFile(FILE, 'utf8');
  return JSON.parse(text.replace(/\$\{(\w+)\}/g, (_, word: string) => words[word] ?? '')) as Left;
}

/** Everything but the parent's files is in the cluster, as Metacontroller would have put it there. */
async function stage(target: TestTarget, edit: (left: Left) => Left = (left) => left) {
  const finalize = 'return { finalized: true };';
  const project = await RolloutProject.create(target, { method: 'RollingInPlace', names: [], finalize });
  after(() => project.remove());
  await rm(join(project.path, 'parent.json'));
  const kubeconfig = join(project.path, 'kubeconfig');
  const log = new WriteLog();
  const front = await countingFront(log.over(target.transport), kubeconfig, () => undefined);
  after(() => front.close());
  const { apply } = useCases({ cluster: { kubeconfig }, paths: [project.path] });
  assert.equal((await apply()).status, 'settled');
  const write = { verb: 'create', fieldManager: 'metacontroller' } as const;
  const { parent } = edit(await leftIn(project, ''));
  const live = await project.client.write({ ...write, type: project.type('Thing'), object: parent });
  assert.ok(live);
  const { status, revisions, children } = edit(await leftIn(project, live.metadata.uid ?? ''));
  for (const object of revisions) await project.client.write({ ...write, type: REVISIONS, object });
  for (const object of children) await project.client.write({ ...write, type: project.type('Part'), object });
  const reported = { ...live, status } as KubeObject;
  await project.client.write({
    ...write,
    verb: 'update',
    type: project.type('Thing'),
    object: reported,
    subresource: 'status',
  });
  log.take();
  return { project, log, apply };
}

const AFTER = ['PUT controllerrevisions 1', 'PUT controllerrevisions 2', 'PUT parts a', 'PUT things one status'];
const LAST = ['PUT controllerrevisions 1', 'DELETE controllerrevisions 2', 'PUT parts b', 'PUT things one status'];

/** Everything at the latest revision, and reported so. */
function finished({ parent, revisions: [latest], children }: Left): Left {
  assert.ok(latest);
  const text = JSON.stringify(children).replaceAll('{"image":"1"}', '{"image":"a<2>"}');
  const record = String.raw`{\"image\":\"1\"}`;
  const escaped = String.raw`{\"image\":\"a\\u003c2\\u003e\"}`;
  const message = `latest ControllerRevision: ${latest.metadata.name}`;
  const condition = { type: 'Updated', status: 'True', reason: 'OnLatestRevision', message };
  const names = ['b', 'c', 'a'];
  const [entry] = latest['children'] as [object];
  return {
    parent,
    status: { conditions: [condition], observedGeneration: 1 },
    revisions: [{ ...latest, children: [{ ...entry, names }] }],
    children: JSON.parse(text.replaceAll(record, escaped)) as KubeObject[],
  };
}

forEachTarget('after Metacontroller', (target) => {
  test('a rollout is gone on with where it was', async () => {
    const { project, log, apply } = await stage(target);
    const { status, diagnostics } = await apply();
    assert.equal(status, 'settled', JSON.stringify(diagnostics));
    assert.deepEqual(log.take(), [...AFTER, ...LAST, 'PUT things one status']);
    assert.equal(await project.images(), 'a@a<2> b@a<2> c@a<2>');
    assert.match(await project.updated(), /^True OnLatestRevision/);
  });

  test('what is done is not touched', async () => {
    const { project, log, apply } = await stage(target, finished);
    const { status, diagnostics } = await apply();
    assert.equal(status, 'nothing', JSON.stringify([diagnostics, log.take()]));
    assert.deepEqual(log.take(), []);
    assert.equal(await project.images(), 'a@a<2> b@a<2> c@a<2>');
  });
});
