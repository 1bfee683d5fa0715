// Apply mode server-side on both servers, through the use cases: what is written, what is not, and whose fields are whose.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type ClusterClient, createClient } from '../cluster/index.ts';
import type { JsonObject } from '../kit/json.ts';
import { LAST_APPLIED_ANNOTATION } from '../merge/index.ts';
import type { KubeObject } from '../model/object.ts';
import { changesOf, isWrite, type Plan } from '../model/plan.ts';
import { CONFIG_MAPS } from '../testing/objects.ts';
import { ProjectDirectory } from '../testing/project-directory.ts';
import { forEachTarget, type TestTarget } from '../testing/targets.ts';
import { useCases } from '../testing/use-cases.ts';
import type { PlanOptions } from './index.ts';

const MAPS_HOOK = `
  const maps = request.parent.spec.maps ?? {};
  const children = Object.entries(maps).map(([name, data]) => ({
    apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { app: 'thing' } }, data,
  }));
  return { status: { maps: children.length }, children };
`;

let counter = 0;

async function stage(target: TestTarget, maps: JsonObject, apply: JsonObject = { mode: 'server-side' }) {
  const namespace = await target.namespace();
  const group = `server-side-${++counter}-${target.kind}.example.com`;
  const project = await ProjectDirectory.create({
    ...{ group, namespace, hook: MAPS_HOOK, spec: { maps } },
    controllerSpec: { apply },
  });
  after(() => project.remove());
  const client = createClient(target.transport);
  const cases = useCases({ cluster: target.choice, paths: [project.path], namespace });
  return {
    ...cases,
    project,
    client,
    namespace,
    maps: (now: JsonObject) => project.parent({ maps: now }),
    writes: async (more: Partial<PlanOptions> = {}) => outline((await cases.plan(more)).plan),
    get: async (name: string): Promise<KubeObject> => {
      const object = await client.get(CONFIG_MAPS, name, namespace);
      assert.ok(object, `${name} is there`);
      return object;
    },
  };
}

const outline = (plan: Plan | undefined): string[] =>
  plan
    ? changesOf(plan)
        .filter(({ object }) => object.kind === 'ConfigMap')
        .map((change) => `${isWrite(change) ? '' : 'no '}${change.action} ${change.object.name}: ${change.reasons}`)
    : ['no plan'];

/** "metactl Apply: data.a metadata.labels.app" */
function owners(object: KubeObject): string[] {
  return (object.metadata.managedFields ?? []).map(
    ({ manager, operation, fieldsV1 }) => `${manager} ${operation}: ${pathsIn(fieldsV1 ?? {}).join(' ')}`,
  );
}

function pathsIn(fields: JsonObject, prefix = ''): string[] {
  return Object.entries(fields).flatMap(([key, below]) => {
    if (key === '.' || key.startsWith('k:')) return [];
    const path = `${prefix}${key.slice(2)}`;
    const inner = pathsIn(below as JsonObject, `${path}.`);
    return inner.length > 0 ? inner : [path];
  });
}

const OURS = 'metadata.labels.app metadata.ownerReferences';

async function writeAs(client: ClusterClient, live: KubeObject, data: JsonObject): Promise<void> {
  const object = { ...live, data: { ...(live['data'] as JsonObject), ...data } };
  await client.write({ verb: 'update', type: CONFIG_MAPS, fieldManager: 'someone', object });
}

forEachTarget('apply mode server-side', (target) => {
  test(`${target.kind}: created, left alone, changed, a field taken out`, async () => {
    const { apply, plan, writes, get, maps } = await stage(target, { a: { x: '1', y: '1' } });
    const first = await apply();
    assert.equal(first.status, 'settled', JSON.stringify(first.diagnostics));
    const made = await get('a');
    assert.deepEqual(owners(made), [`metactl Apply: data.x data.y ${OURS}`]);
    assert.equal(made.metadata.annotations?.[LAST_APPLIED_ANNOTATION], undefined);
    assert.equal((await apply()).status, 'nothing');
    await maps({ a: { x: '2' } });
    assert.deepEqual(await writes(), ['update a: hook_returned']);
    const { plan: shown } = await plan();
    assert.deepEqual(
      changesOf(shown as Plan).flatMap(({ object, fields, fidelity }) =>
        object.name === 'a' ? [fidelity.level, ...fields.map(({ path, op }) => `${op} ${path.join('.')}`)] : [],
      ),
      ['server', 'change data.x', 'remove data.y'],
    );
    assert.equal((await apply()).status, 'settled');
    assert.deepEqual((await get('a'))['data'], { x: '2' });
    assert.deepEqual(await writes(), []);
  });

  test(`${target.kind}: a field of somebody else is a conflict, and taken only when that is said`, async () => {
    const { apply, writes, get, client } = await stage(target, { a: { x: '1' }, b: { x: '1' } });
    await apply();
    await writeAs(client, await get('a'), { x: 'theirs', z: 'more' });
    assert.deepEqual(await writes(), ['no blocked a: conflict']);
    const refused = await apply({ timeoutMs: 20_000 });
    assert.equal(refused.status, 'failed');
    const [diagnostic] = refused.diagnostics.filter(({ code }) => code === 'field-conflict');
    assert.match(diagnostic?.summary ?? '', /ConfigMap .*a has fields of other managers: data\.x of "someone"/);
    assert.deepEqual((await get('a'))['data'], { x: 'theirs', z: 'more' });
    assert.deepEqual(await writes({ forceConflicts: true }), ['update a: drift']);
    assert.equal((await apply({ forceConflicts: true })).status, 'settled');
    assert.deepEqual((await get('a'))['data'], { x: '1', z: 'more' });
    assert.deepEqual(await writes(), []);
  });

  test(`${target.kind}: rules say what becomes of a conflict`, async () => {
    const conflicts = [
      { path: 'data.x', manager: 'someone', action: 'ignore' },
      { path: 'data', action: 'force' },
    ];
    const { apply, writes, get, client } = await stage(
      target,
      { a: { x: '1', y: '1' } },
      { mode: 'server-side', conflicts },
    );
    await apply();
    await writeAs(client, await get('a'), { x: 'theirs', y: 'theirs' });
    assert.equal((await apply()).status, 'settled');
    assert.deepEqual((await get('a'))['data'], { x: 'theirs', y: '1' });
    assert.deepEqual(await writes(), []);
  });

  test(`${target.kind}: moving over from the annotation and back is one write each, and no field has two owners`, async () => {
    const { apply, writes, get, project, maps } = await stage(target, { a: { x: '1', y: '1' } }, { mode: 'dynamic' });
    await apply();
    const dynamic = await get('a');
    assert.ok(dynamic.metadata.annotations?.[LAST_APPLIED_ANNOTATION]);
    await project.apply({ mode: 'server-side' });
    assert.deepEqual(await writes(), ['update a: hook_returned']);
    const moved = await apply();
    assert.deepEqual([moved.status, moved.applied.length], ['settled', 1]);
    assert.deepEqual(owners(await get('a')), [`metactl Apply: data.x data.y ${OURS}`]);
    assert.deepEqual(await writes(), []);
    await maps({ a: { x: '1' } });
    await apply();
    assert.deepEqual((await get('a'))['data'], { x: '1' });
    await project.apply({ mode: 'dynamic' });
    await maps({ a: { w: '1' } });
    const back = await apply();
    assert.equal(back.status, 'settled');
    assert.deepEqual((await get('a'))['data'], { w: '1' }, 'x was ours: it goes');
    assert.equal(owners(await get('a')).filter((entry) => entry.startsWith('metactl Apply')).length, 0);
    assert.deepEqual(await writes(), []);
  });

  test(`${target.kind}: an object that is in the way is not taken over`, async () => {
    const { apply, get, client, namespace } = await stage(target, { a: { x: '1' } });
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace }, data: { mine: '1' } };
    await client.write({ verb: 'create', type: CONFIG_MAPS, fieldManager: 'someone', object });
    const { status, diagnostics } = await apply({ timeoutMs: 20_000 });
    assert.equal(status, 'failed');
    assert.deepEqual([...new Set(diagnostics.map(({ code }) => code))], ['child-not-owned']);
    assert.deepEqual((await get('a'))['data'], { mine: '1' });
  });
});
