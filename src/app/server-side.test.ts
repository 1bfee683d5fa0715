// Apply mode server-side on both servers, through the use cases: what is written, what is not, and whose fields are whose.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { JsonObject } from '../kit/json.ts';
import { LAST_APPLIED_ANNOTATION } from '../merge/index.ts';
import { changesOf, type Plan } from '../model/plan.ts';
import { bodyForCreate, bodyForUpdate } from '../plan/index.ts';
import { ApiError, isReplaced } from '../ports/errors.ts';
import { limitedUser } from '../testing/limited-user.ts';
import { CONFIG_MAPS } from '../testing/objects.ts';
import { ProjectDirectory } from '../testing/project-directory.ts';
import {
  ALWAYS,
  owners,
  serverSideStage as stage,
  typeNamed,
  withData,
  withSpec,
} from '../testing/server-side-project.ts';
import { forEachTarget } from '../testing/targets.ts';
import { useCases } from '../testing/use-cases.ts';

forEachTarget('apply mode server-side', (target) => {
  test('created, left alone, changed, a field taken out, gone', async () => {
    const { apply, plan, planned, get, want, client, namespace } = await stage(target, {
      maps: { a: { x: '1', y: '1' } },
    });
    const first = await apply();
    assert.equal(first.status, 'settled', JSON.stringify(first.diagnostics));
    const made = await get('a');
    assert.deepEqual(owners(made), [`metactl Apply: data.x data.y ${ALWAYS}`]);
    assert.equal(made.metadata.annotations?.[LAST_APPLIED_ANNOTATION], undefined);
    assert.equal((await apply()).status, 'nothing');
    await want({ maps: { a: { x: '2' } } });
    assert.deepEqual(await planned(), ['update a: hook_returned']);
    const { plan: shown } = await plan();
    assert.deepEqual(
      changesOf(shown as Plan).flatMap(({ object, fields, fidelity }) =>
        object.name === 'a' ? [fidelity.level, ...fields.map(({ path, op }) => `${op} ${path.join('.')}`)] : [],
      ),
      ['server', 'change data.x', 'remove data.y'],
    );
    assert.equal((await apply()).status, 'settled');
    assert.deepEqual((await get('a'))['data'], { x: '2' });
    assert.deepEqual(await planned(), []);
    await want({});
    assert.equal((await apply({ allowEmpty: true })).status, 'settled');
    assert.equal(await client.get(CONFIG_MAPS, 'a', namespace), undefined);
  });

  test('what the server writes in another way, or adds to, is as wanted: nothing is written twice', async () => {
    const port = { name: 'web', port: 80, targetPort: 'http' };
    const others = [
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'a' },
        spec: { selector: { app: 'thing' }, ports: [port] },
      },
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, stringData: { password: 'one' } },
      { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'a' }, spec: { hard: { 'requests.cpu': '1000m' } } },
    ];
    const childResources = ['services', 'secrets', 'resourcequotas'];
    const { apply, planned, get } = await stage(target, { others }, { childResources });
    assert.equal((await apply()).status, 'settled');
    const made = await get('a', typeNamed('Service'));
    assert.deepEqual(await planned(), []);
    assert.equal((await apply()).status, 'nothing');
    assert.equal((await get('a', typeNamed('Service'))).metadata.resourceVersion, made.metadata.resourceVersion);
  });

  test('a field of somebody else is a conflict, and taken only when that is said; the others go on', async () => {
    const { apply, planned, get, change } = await stage(target, { maps: { a: { x: '1' }, b: { x: '1' } } });
    await apply();
    await change('a', withData({ x: 'theirs', z: 'more' }));
    assert.deepEqual(await planned(), ['no blocked a: conflict']);
    await change('b', (object) => ({ ...object, data: {} }));
    const refused = await apply({ timeoutMs: 20_000 });
    assert.equal(refused.status, 'failed');
    const [diagnostic] = refused.diagnostics.filter(({ code }) => code === 'field-conflict');
    const said = /ConfigMap .*a has fields of other managers: data\.x of "someone" \(is "theirs", wanted "1"\)/;
    assert.match(diagnostic?.summary ?? '', said);
    assert.deepEqual((await get('a'))['data'], { x: 'theirs', z: 'more' });
    assert.deepEqual((await get('b'))['data'], { x: '1' }, 'one child holds up none of the others');
    assert.deepEqual(await planned({ forceConflicts: true }), ['update a: drift']);
    assert.equal((await apply({ forceConflicts: true })).status, 'settled');
    assert.deepEqual((await get('a'))['data'], { x: '1', z: 'more' });
    assert.deepEqual(await planned(), []);
  });

  test('rules say what becomes of a conflict', async () => {
    const conflicts = [
      { path: 'data.x', manager: 'someone', action: 'ignore' },
      { path: 'data', action: 'force' },
    ];
    const maps = { a: { x: '1', y: '1' } };
    const { apply, planned, get, change } = await stage(
      target,
      { maps },
      { apply: { mode: 'server-side', conflicts } },
    );
    await apply();
    await change('a', withData({ x: 'theirs', y: 'theirs' }));
    assert.equal((await apply()).status, 'settled');
    assert.deepEqual((await get('a'))['data'], { x: 'theirs', y: '1' });
    assert.deepEqual(await planned(), []);
  });

  test('items of keyed lists are owned one by one, and rules name them by their keys', async () => {
    const web = { name: 'web', port: 80, targetPort: 8080 };
    const service = (list: readonly JsonObject[]) => ({
      others: [{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' }, spec: { ports: list } }],
    });
    const field = 'spec.ports[port=80,protocol="TCP"].targetPort';
    const rule = { path: field, action: 'ignore' };
    const type = typeNamed('Service', ['status']);
    const { apply, planned, get, change, want, project } = await stage(
      target,
      service([web, { name: 'old', port: 81 }]),
      { childResources: ['services'] },
    );
    await apply();
    const live = (await get('a', type))['spec'] as { ports: readonly { port: number; targetPort: number }[] };
    const theirs = live.ports.map((one) => (one.port === 80 ? { ...one, targetPort: 9090 } : one));
    await change('a', withSpec({ ports: [...theirs, { name: 'more', port: 82 }] }), { type });
    const { diagnostics } = await apply({ timeoutMs: 20_000 });
    const [conflict] = diagnostics.filter(({ code }) => code === 'field-conflict');
    assert.ok(conflict?.summary.includes(`${field} of "someone" (is 9090, wanted 8080)`), conflict?.summary);
    await project.apply({ mode: 'server-side', conflicts: [rule] });
    await want(service([web]));
    assert.equal((await apply()).status, 'settled');
    const after = (await get('a', type))['spec'] as typeof live;
    assert.deepEqual(
      after.ports.map(({ port, targetPort }) => `${port} ${targetPort}`),
      ['80 9090', '82 82'],
      'what somebody added stays, what is wanted no more goes',
    );
    assert.deepEqual(await planned(), []);
  });

  test('an atomic list is one value: who adds to it has all of it', async () => {
    const others = [
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'a' },
        spec: { ports: [{ port: 80 }], externalIPs: ['192.0.2.1'] },
      },
    ];
    const { apply, planned, change, get } = await stage(target, { others }, { childResources: ['services'] });
    await apply();
    const type = typeNamed('Service', ['status']);
    await change('a', withSpec({ externalIPs: ['192.0.2.1', '192.0.2.2'] }), { type });
    assert.deepEqual(await planned(), ['no blocked a: conflict']);
    assert.equal((await apply({ forceConflicts: true })).status, 'settled');
    assert.deepEqual(((await get('a', type))['spec'] as { externalIPs: unknown }).externalIPs, ['192.0.2.1']);
  });

  test('a conflict in a Secret is told without its values', async () => {
    const others = [{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, stringData: { password: 'hunter2' } }];
    const { apply, plan, change } = await stage(target, { others }, { childResources: ['secrets'] });
    await apply();
    const theirs = Buffer.from('correct horse').toString('base64');
    await change('a', withData({ password: theirs }), { type: typeNamed('Secret') });
    const outcome = await plan();
    const [conflict] = outcome.diagnostics.filter(({ code }) => code === 'field-conflict');
    assert.match(conflict?.summary ?? '', /data\.password of "someone"/);
    const said = JSON.stringify(outcome.diagnostics);
    for (const value of ['hunter2', 'correct horse', theirs, Buffer.from('hunter2').toString('base64')])
      assert.ok(!said.includes(value), value);
  });

  test('Recreate: what differs is replaced, a conflict is not taken for a difference', async () => {
    const { apply, planned, get, change, want } = await stage(
      target,
      { maps: { a: { x: '1' } } },
      { method: 'Recreate' },
    );
    await apply();
    const before = await get('a');
    assert.deepEqual(await planned(), []);
    await change('a', withData({ x: 'theirs' }));
    assert.deepEqual(await planned(), ['no blocked a: conflict']);
    assert.deepEqual(await planned({ forceConflicts: true }), ['recreate a: drift']);
    await want({ maps: { a: { x: 'theirs', y: '1' } } });
    assert.deepEqual(await planned(), ['recreate a: hook_returned']);
    assert.equal((await apply()).status, 'settled');
    const replaced = await get('a');
    assert.notEqual(replaced.metadata.uid, before.metadata.uid);
    assert.deepEqual(owners(replaced), [`metactl Apply: data.x data.y ${ALWAYS}`]);
    assert.deepEqual(await planned(), []);
  });

  test('OnDelete: nothing is written, and a conflict is none', async () => {
    const { apply, planned, get, change } = await stage(target, { maps: { a: { x: '1' } } }, { method: 'OnDelete' });
    await apply();
    await change('a', withData({ x: 'theirs' }));
    assert.deepEqual(await planned(), ['no skip a: on_delete']);
    await apply();
    assert.deepEqual((await get('a'))['data'], { x: 'theirs' });
  });

  test('controllers of both modes in one run, with children of one kind', async () => {
    const { apply, planned, get, project, namespace, group } = await stage(target, { maps: { a: { x: '1' } } });
    const hook = `
      return { children: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b', labels: { app: 'b' } }, data: request.parent.spec.data }] };
    `;
    const names = { kind: 'Other', plural: 'others', singular: 'other', listKind: 'OtherList' };
    const other = await ProjectDirectory.create({ group: `other.${group}`, namespace, hook });
    after(() => other.remove());
    const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    const schema = { openAPIV3Schema: { type: 'object', properties: { spec: open, status: open } } };
    const versions = [{ name: 'v1', served: true, storage: true, schema, subresources: { status: {} } }];
    await project.write('others-crd.json', {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `others.${group}` },
      spec: { group, scope: 'Namespaced', names, versions },
    });
    const parentResource = { apiVersion: `${group}/v1`, resource: 'others' };
    await project.write('others.json', {
      apiVersion: 'metacontroller.k8s.io/v1alpha1',
      kind: 'CompositeController',
      metadata: { name: 'others' },
      spec: {
        parentResource,
        childResources: [{ apiVersion: 'v1', resource: 'configmaps', updateStrategy: { method: 'InPlace' } }],
        hooks: { sync: { version: 'v1', module: { path: `${other.path}/hook.mjs` } } },
      },
    });
    const parent = (data: JsonObject) =>
      project.write('other.json', {
        apiVersion: `${group}/v1`,
        kind: 'Other',
        metadata: { name: 'one', namespace },
        spec: { selector: { matchLabels: { app: 'b' } }, data },
      });
    await parent({ x: '1' });
    const first = await apply();
    assert.equal(first.status, 'settled', JSON.stringify(first.diagnostics));
    assert.deepEqual(await planned(), []);
    assert.deepEqual(owners(await get('a')), [`metactl Apply: data.x ${ALWAYS}`]);
    const recorded = (await get('b')).metadata.annotations?.[LAST_APPLIED_ANNOTATION];
    assert.ok(recorded, 'the other one is written dynamically');
    await parent({ y: '1' });
    assert.equal((await apply()).status, 'settled');
    assert.deepEqual((await get('b'))['data'], { y: '1' });
    assert.deepEqual(await planned(), []);
  });

  test('an object that is in the way is not taken over', async () => {
    const { apply, get, create } = await stage(target, { maps: { a: { x: '1' } } });
    await create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { mine: '1' } });
    const { status, diagnostics } = await apply({ timeoutMs: 20_000 });
    assert.equal(status, 'failed');
    assert.deepEqual([...new Set(diagnostics.map(({ code }) => code))], ['child-not-owned']);
    assert.deepEqual((await get('a'))['data'], { mine: '1' });
  });

  test('what is sent can neither take over nor make anew', async () => {
    const { client, create, namespace } = await stage(target, {});
    const named = (name: string) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace },
      data: { x: '1' },
    });
    const send = async (name: string, patch: object): Promise<number | 'replaced'> => {
      const request = { type: CONFIG_MAPS, name, namespace, fieldManager: 'metactl', force: true } as const;
      try {
        await client.write({
          verb: 'patch',
          ...request,
          contentType: 'application/apply-patch+yaml',
          patch: patch as never,
        });
        return 200;
      } catch (error) {
        if (error instanceof ApiError) return isReplaced(error) ? 'replaced' : error.status.code;
        throw error;
      }
    };
    const there = await create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'there' }, data: {} });
    assert.equal(await send('there', bodyForCreate(named('there'))), 409);
    assert.equal(await send('new', bodyForCreate(named('new'))), 200);
    assert.equal(await send('there', bodyForUpdate(named('there'), there)), 200);
    assert.equal(await send('there', bodyForUpdate(named('there'), there, { exact: true })), 409, 'it has changed');
    const gone = { ...there, metadata: { ...there.metadata, name: 'gone' } };
    assert.equal(await send('gone', bodyForUpdate(named('gone'), gone)), 409);
    const other = { ...there, metadata: { ...there.metadata, uid: '00000000-0000-4000-8000-000000000000' } };
    assert.equal(await send('there', bodyForUpdate(named('there'), other)), 'replaced');
  });

  test('who may not write is shown what would be done, told from the schema, and warned once', async () => {
    const maps = Object.fromEntries(['a', 'b', 'c'].map((name) => [name, { x: '1' }]));
    const { apply, want, project, namespace, group } = await stage(target, { maps });
    await apply();
    await want({ maps: Object.fromEntries(['a', 'b', 'c'].map((name) => [name, { x: '2' }])) });
    const rules = [{ apiGroups: ['', group], resources: ['configmaps', 'things'], verbs: ['get', 'list', 'watch'] }];
    const user = await limitedUser(target, { name: `reader-${namespace}`, namespace, rules, directory: project.path });
    after(() => user.close());
    const paths = [`${project.path}/controller.json`, `${project.path}/parent.json`];
    const { plan, diagnostics } = await useCases({ cluster: user.choice, paths, namespace }).plan();
    assert.deepEqual(
      changesOf(plan as Plan).flatMap(({ type, fidelity }) => (type.resource === 'configmaps' ? fidelity.level : [])),
      ['schema', 'schema', 'schema'],
    );
    assert.deepEqual(
      diagnostics.map(({ severity, code }) => `${severity} ${code}`),
      ['warning ineffective'],
    );
  });
});
