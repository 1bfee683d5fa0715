// Inputs (-f) on both servers: applied by the server, so that other managers keep what is theirs, and kubectl's users lose nothing.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createClient } from '../cluster/index.ts';
import type { JsonObject } from '../kit/json.ts';
import type { KubeObject } from '../model/object.ts';
import { isWrite, type Plan } from '../model/plan.ts';
import { CONFIG_MAPS } from '../testing/objects.ts';
import { ProjectDirectory } from '../testing/project-directory.ts';
import { forEachTarget, type TestTarget } from '../testing/targets.ts';
import { useCases } from '../testing/use-cases.ts';
import type { PlanOptions } from './index.ts';

const KUBECTL_RECORD = 'kubectl.kubernetes.io/last-applied-configuration';

let counter = 0;

async function stage(target: TestTarget, hook = 'return { children: [] };') {
  const namespace = await target.namespace();
  const group = `inputs-${++counter}-${target.kind}.example.com`;
  const project = await ProjectDirectory.create({ group, namespace, hook });
  after(() => project.remove());
  const client = createClient(target.transport);
  const cases = useCases({ cluster: target.choice, paths: [project.path], namespace });
  const mapOf = (data: JsonObject, more: JsonObject = {}): KubeObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'settings', namespace, ...more },
    data,
  });
  return {
    ...cases,
    ...{ client, project, group, namespace, mapOf },
    file: (data: JsonObject, more: JsonObject = {}) => project.write('settings.json', mapOf(data, more)),
    planned: async (more: Partial<PlanOptions> = {}) => {
      const { plan, diagnostics } = await cases.plan(more);
      return plan ? outline(plan) : diagnostics.map(({ summary }) => summary);
    },
    get: async (): Promise<KubeObject> => {
      const object = await client.get(CONFIG_MAPS, 'settings', namespace);
      assert.ok(object, 'the input is there');
      return object;
    },
    writeAs: async (fieldManager: string, object: KubeObject): Promise<void> => {
      const { resourceVersion } = object.metadata;
      await client.write({ verb: resourceVersion ? 'update' : 'create', type: CONFIG_MAPS, fieldManager, object });
    },
  };
}

const outline = (plan: Plan): string[] =>
  plan.inputs.map((change) => {
    const fields = change.fields.map(({ op, path }) => ` ${op} ${path.join('.')}`);
    return `${isWrite(change) ? '' : 'no '}${change.action} ${change.object.kind}:${fields}`;
  });

const applied = (status: string, { data, metadata }: KubeObject, managers: readonly string[]): void => {
  assert.deepEqual(
    (metadata.managedFields ?? []).map(({ manager, operation }) => `${manager} ${operation}`),
    managers,
    status,
  );
  assert.equal(metadata.annotations?.[KUBECTL_RECORD], undefined);
  assert.ok(data);
};

const KUBECTL_CASES = [
  { name: 'one write', file: { a: '1', b: '1' }, writes: ['update ConfigMap:'], data: { a: '1', b: '1' } },
  {
    name: 'and another for what differs; what the file has no more is gone',
    file: { a: '2' },
    writes: ['update ConfigMap:', 'update ConfigMap: change data.a, remove data.b'],
    data: { a: '2' },
  },
];

forEachTarget('inputs', (target) => {
  test(`${target.kind}: created, left alone, changed, a field taken out of the file`, async () => {
    const { apply, planned, file, get } = await stage(target);
    await file({ a: '1', b: '1' });
    assert.equal((await apply()).status, 'settled');
    applied('created', await get(), ['metactl Apply']);
    assert.deepEqual(await planned(), []);
    await file({ a: '2' });
    assert.deepEqual(await planned(), ['update ConfigMap: change data.a, remove data.b']);
    assert.equal((await apply()).status, 'settled');
    assert.deepEqual((await get())['data'], { a: '2' });
    assert.equal((await apply()).status, 'nothing');
  });

  test(`${target.kind}: an object that says nothing but its name is applied once`, async () => {
    const { apply, planned, project, namespace } = await stage(target);
    const metadata = { name: `${namespace}-bare` };
    await project.write('bare.json', { apiVersion: 'v1', kind: 'Namespace', metadata });
    assert.equal((await apply()).status, 'settled');
    assert.deepEqual(await planned(), []);
  });

  test(`${target.kind}: a field of another manager stops everything, and --force-conflicts takes it`, async () => {
    const { apply, plan, planned, file, get, project, writeAs } = await stage(target);
    await file({ a: '1' });
    await apply();
    const live = await get();
    await writeAs('helm', { ...live, data: { a: 'theirs', z: 'theirs' } });
    assert.deepEqual(await planned(), ['no blocked ConfigMap:']);
    const { diagnostics } = await plan();
    const summaries = diagnostics.map(({ code, summary }) => `${code}: ${summary}`);
    assert.equal(summaries.length, 1);
    assert.match(summaries[0] ?? '', /field-conflict: ConfigMap .*settings can not be applied.*data\.a of "helm"/);
    await file({ a: '1', b: '1' });
    await project.parent({ size: 2 });
    const refused = await apply();
    assert.deepEqual(
      [refused.status, refused.applied],
      ['failed', []],
      'not even the inputs that nobody else has a part in',
    );
    assert.deepEqual((await get())['data'], { a: 'theirs', z: 'theirs' }, 'nothing was written');
    assert.equal((await apply({ forceConflicts: true })).status, 'settled');
    assert.deepEqual((await get())['data'], { a: '1', b: '1', z: 'theirs' });
    assert.deepEqual(await planned(), []);
  });

  for (const { name, file: wanted, writes, data } of KUBECTL_CASES)
    test(`${target.kind}: what kubectl apply made is moved over: ${name}`, async () => {
      const { apply, planned, file, get, writeAs, mapOf } = await stage(target);
      const made = { a: '1', b: '1' };
      const annotations = { [KUBECTL_RECORD]: JSON.stringify(mapOf(made)) };
      await writeAs('kubectl-client-side-apply', mapOf(made, { annotations }));
      await file(wanted);
      assert.deepEqual(
        (await planned()).filter((line) => line.includes('ConfigMap')),
        writes,
      );
      const outcome = await apply();
      assert.equal(outcome.status, 'settled', JSON.stringify(outcome.diagnostics));
      const object = await get();
      assert.deepEqual(object['data'], data);
      applied('one owner', object, ['metactl Apply']);
      assert.deepEqual(await planned(), []);
    });

  test(`${target.kind}: a definition gets a field and an object uses it, in the same run`, async () => {
    const { apply, planned, project, client, group, namespace } = await stage(target);
    const kindOf = (fields: JsonObject) =>
      project.write('boxes.json', {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: `boxes.${group}` },
        spec: {
          group,
          scope: 'Namespaced',
          names: { kind: 'Box', plural: 'boxes' },
          versions: [
            {
              ...{ name: 'v1', served: true, storage: true },
              schema: {
                openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: fields } } },
              },
            },
          ],
        },
      });
    const box = (spec: JsonObject) =>
      project.write('box.json', { apiVersion: `${group}/v1`, kind: 'Box', metadata: { name: 'b', namespace }, spec });
    await kindOf({ width: { type: 'integer' } });
    await box({ width: 1 });
    assert.equal((await apply()).status, 'settled');
    await kindOf({ width: { type: 'integer' }, height: { type: 'integer' } });
    await box({ width: 1, height: 2 });
    assert.deepEqual(
      (await planned()).filter((line) => line.includes('Box')),
      ['update Box: add spec.height'],
    );
    const outcome = await apply();
    assert.equal(outcome.status, 'settled', JSON.stringify(outcome.diagnostics));
    const type = await client.byResource(`${group}/v1`, 'boxes');
    assert.ok(type);
    assert.deepEqual((await client.get(type, 'b', namespace))?.['spec'], { width: 1, height: 2 });
    assert.deepEqual(await planned(), []);
  });

  test(`${target.kind}: a controller that adopts an input takes nothing of it apart`, async () => {
    const hook = `return { children: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', labels: { app: 'thing' } }, data: { b: '2' } }] };`;
    const { apply, planned, plan, file, get } = await stage(target, hook);
    await file({ a: '1' }, { labels: { app: 'thing' } });
    const outcome = await apply();
    assert.equal(outcome.status, 'settled', JSON.stringify(outcome.diagnostics));
    assert.deepEqual((await get())['data'], { a: '1', b: '2' });
    assert.deepEqual(await planned(), []);
    assert.deepEqual(
      (await plan()).plan?.parents.flatMap(({ steps }) => steps),
      [],
    );
  });
});
