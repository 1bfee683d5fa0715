// Moving between apply modes, names and tools, on both servers: one write, no field with two owners that mean us, and
// nothing to do afterwards.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { JsonObject } from '../kit/json.ts';
import { LAST_APPLIED_ANNOTATION } from '../merge/index.ts';
import { changesOf, type Plan } from '../model/plan.ts';
import { findKubectl, Kubectl } from '../testing/kubectl.ts';
import { ALWAYS, owners, serverSideStage as stage, typeNamed, withData } from '../testing/server-side-project.ts';
import { forEachTarget } from '../testing/targets.ts';
import type { ApplyOutcome } from './index.ts';

const DYNAMIC = { apply: { mode: 'dynamic' } };
const SERVER_SIDE = { mode: 'server-side' };

/** Of children: what was carried out. */
function carriedOut({ status, applied, diagnostics }: ApplyOutcome): string {
  const ofChildren = applied.filter(({ change }) => change.wave !== 'inputs' && change.object.kind !== 'Thing');
  const problems = diagnostics.map(({ summary }) => `; ${summary}`).join('');
  return `${status}: ${ofChildren.map(({ change, outcome }) => `${change.intent?.kind} ${outcome.kind}`).join(', ')}${problems}`;
}

forEachTarget('moving to and from server-side apply', (target) => {
  test('from the annotation and back: one write each, no field has two owners', async () => {
    const { apply, planned, get, project, want } = await stage(target, { maps: { a: { x: '1', y: '1' } } }, DYNAMIC);
    await apply();
    assert.ok((await get('a')).metadata.annotations?.[LAST_APPLIED_ANNOTATION]);
    await project.apply(SERVER_SIDE);
    assert.deepEqual(await planned(), ['update a: hook_returned']);
    assert.equal(carriedOut(await apply()), 'settled: migrate done');
    assert.deepEqual(owners(await get('a')), [`metactl Apply: data.x data.y ${ALWAYS}`]);
    assert.equal((await get('a')).metadata.annotations, undefined);
    assert.deepEqual(await planned(), []);
    await want({ maps: { a: { x: '1' } } });
    await apply();
    assert.deepEqual((await get('a'))['data'], { x: '1' });
    await project.apply(DYNAMIC.apply);
    assert.equal(carriedOut(await apply()), 'settled: merge done');
    assert.deepEqual(
      owners(await get('a')).filter((entry) => entry.startsWith('metactl Apply')),
      [],
    );
    await want({ maps: { a: { w: '1' } } });
    assert.equal((await apply()).status, 'settled');
    assert.deepEqual((await get('a'))['data'], { w: '1' }, 'x was ours: it goes');
    assert.deepEqual(await planned(), []);
  });

  test('with something to change: the plan shows the end, and says that it takes two writes', async () => {
    const { apply, plan, planned, get, project, want } = await stage(
      target,
      { maps: { a: { x: '1', y: '1' } } },
      DYNAMIC,
    );
    await apply();
    await project.apply(SERVER_SIDE);
    await want({ maps: { a: { x: '2' } } });
    const shown = changesOf((await plan()).plan as Plan).filter(({ object }) => object.name === 'a');
    assert.deepEqual(
      shown.map(({ fields, note }) => [fields.map(({ path, op }) => `${op} ${path.join('.')}`), note]),
      [[['change data.x', 'remove data.y'], 'moves over to server-side apply, then it is applied: two writes']],
    );
    assert.equal(carriedOut(await apply()), 'settled: migrate done, apply done');
    assert.deepEqual(owners(await get('a')), [`metactl Apply: data.x ${ALWAYS}`]);
    assert.deepEqual(await planned(), []);
  });

  test('a field that somebody else has changed is not taken by moving over', async () => {
    const { apply, planned, get, project, change } = await stage(target, { maps: { a: { x: '1', y: '1' } } }, DYNAMIC);
    await apply();
    await change('a', withData({ x: 'theirs' }));
    await project.apply(SERVER_SIDE);
    assert.deepEqual(await planned(), ['no blocked a: conflict']);
    await project.apply({ ...SERVER_SIDE, conflicts: [{ path: 'data.x', action: 'ignore' }] });
    assert.equal(carriedOut(await apply()), 'settled: migrate done');
    assert.deepEqual((await get('a'))['data'], { x: 'theirs', y: '1' });
    assert.deepEqual(await planned(), []);
  });

  test('Recreate: nothing is replaced to move it over', async () => {
    const options = { ...DYNAMIC, method: 'Recreate' } as const;
    const { apply, planned, get, project, want } = await stage(target, { maps: { a: { x: '1' } } }, options);
    await apply();
    const { uid } = (await get('a')).metadata;
    await project.apply(SERVER_SIDE);
    assert.equal(carriedOut(await apply()), 'settled: migrate done');
    assert.equal((await get('a')).metadata.uid, uid);
    assert.deepEqual(await planned(), []);
    await project.apply(DYNAMIC.apply);
    assert.equal(carriedOut(await apply()), 'settled: merge done');
    assert.equal((await get('a')).metadata.uid, uid);
    await project.apply(SERVER_SIDE);
    await want({ maps: { a: { x: '2' } } });
    assert.deepEqual(await planned(), ['recreate a: hook_returned']);
    await apply();
    const replaced = await get('a');
    assert.notEqual(replaced.metadata.uid, uid);
    assert.deepEqual(owners(replaced), [`metactl Apply: data.x ${ALWAYS}`]);
  });

  test('OnDelete: nothing is written at all', async () => {
    const options = { ...DYNAMIC, method: 'OnDelete' } as const;
    const { apply, planned, get, project } = await stage(target, { maps: { a: { x: '1' } } }, options);
    await apply();
    const { resourceVersion } = (await get('a')).metadata;
    await project.apply(SERVER_SIDE);
    assert.deepEqual(await planned(), []);
    await apply();
    assert.equal((await get('a')).metadata.resourceVersion, resourceVersion);
  });

  test('keyed and atomic lists, defaults and stringData are moved over as they are owned', async () => {
    const named = (port: number) => ({ name: `p${port}`, port });
    const spec = { selector: { app: 'thing' }, ports: [named(80), named(81)], externalIPs: ['192.0.2.1'] };
    const others = (ports: readonly JsonObject[]) => [
      { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' }, spec: { ...spec, ports } },
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, stringData: { password: 'one' } },
    ];
    const options = { ...DYNAMIC, childResources: ['services', 'secrets'] };
    const { apply, planned, get, project, want } = await stage(target, { others: others(spec.ports) }, options);
    await apply();
    await project.apply(SERVER_SIDE);
    assert.equal(carriedOut(await apply()), 'settled: migrate done, migrate done');
    assert.deepEqual(await planned(), []);
    await want({ others: others([named(80)]) });
    assert.equal(carriedOut(await apply()), 'settled: apply done');
    const { ports } = (await get('a', typeNamed('Service')))['spec'] as { ports: readonly { port: number }[] };
    assert.deepEqual(
      ports.map(({ port }) => port),
      [80],
    );
    await project.apply(DYNAMIC.apply);
    await want({ others: others([named(82)]) });
    assert.equal((await apply()).status, 'settled');
    const moved = (await get('a', typeNamed('Service')))['spec'] as { ports: readonly { port: number }[] };
    assert.deepEqual(
      moved.ports.map(({ port }) => port),
      [82],
    );
    assert.deepEqual(await planned(), []);
  });

  test('another field manager: what was applied under the name before is handed over', async () => {
    const { apply, planned, get, project, want } = await stage(target, { maps: { a: { x: '1', y: '1' } } });
    await apply();
    await project.apply({ ...SERVER_SIDE, fieldManager: 'team-a' });
    assert.equal(carriedOut(await apply()), 'settled: migrate done');
    assert.deepEqual(owners(await get('a')), [`team-a Apply: data.x data.y ${ALWAYS}`]);
    await want({ maps: { a: { x: '1' } } });
    await apply();
    assert.deepEqual((await get('a'))['data'], { x: '1' });
    assert.deepEqual(await planned(), []);
  });

  test('the name of Metacontroller, with its flags: its children are taken over, and it forces', async () => {
    const { apply, planned, get, change, project } = await stage(target, { maps: { a: { x: '1' } } }, { apply: {} });
    await project.apply({});
    const its = { applyMode: 'server-side', fieldManager: 'metacontroller', forceConflicts: true } as const;
    await apply(its);
    assert.deepEqual(owners(await get('a')), [`metacontroller Apply: data.x ${ALWAYS}`]);
    await change('a', withData({ x: 'theirs' }));
    assert.deepEqual(await planned(its), ['update a: drift']);
    await apply(its);
    assert.deepEqual((await get('a'))['data'], { x: '1' });
    await project.apply(SERVER_SIDE);
    assert.equal(carriedOut(await apply()), 'settled: migrate done');
    assert.deepEqual(owners(await get('a')), [`metactl Apply: data.x ${ALWAYS}`]);
  });

  const kubectl = findKubectl();
  test('from kubectl apply: what the hook returns too is handed over, the rest stays', { skip: !kubectl }, async () => {
    const maps = { a: { x: '1' } };
    const { apply, planned, get, want, namespace } = await stage(target, { maps });
    const directory = await mkdtemp(join(tmpdir(), 'metactl-kubectl-'));
    after(() => rm(directory, { recursive: true, force: true }));
    const run = new Kubectl({ kubeconfig: target.choice.kubeconfig, directory, namespace });
    const labels = { app: 'thing', team: 'one' };
    const theirs = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', labels }, data: { x: '1' } };
    const applied = await run.run('apply -f -', JSON.stringify(theirs));
    assert.equal(applied.code, 0, applied.stderr);
    assert.equal(carriedOut(await apply()), 'settled: adopt done, migrate done');
    assert.deepEqual(owners(await get('a')), [
      `metactl Apply: data.x ${ALWAYS}`,
      'kubectl-client-side-apply Update: metadata.annotations.kubectl.kubernetes.io/last-applied-configuration metadata.labels.team',
    ]);
    assert.deepEqual(await planned(), []);
    await want({ maps: { a: { y: '1' } } });
    await apply();
    assert.deepEqual((await get('a'))['data'], { y: '1' });
    assert.equal((await get('a')).metadata.labels?.['team'], 'one');
    assert.deepEqual(await planned(), []);
  });
});
