// Controllers that are installed in the cluster, on both servers: all of them or the named ones, without those that are wrong
// or would run a program here. The real server is shared: what others have installed there is left alone, and may be seen.

import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type ClusterClient, createClient } from '../cluster/index.ts';
import type { JsonObject } from '../kit/json.ts';
import { hasErrors } from '../model/diagnostic.ts';
import type { KubeObject } from '../model/object.ts';
import { changesOf, type Plan } from '../model/plan.ts';
import { limitedUser } from '../testing/limited-user.ts';
import { CONFIG_MAPS } from '../testing/objects.ts';
import { ProjectDirectory } from '../testing/project-directory.ts';
import { forEachTarget, type TestTarget } from '../testing/targets.ts';
import { type UseCases, useCases } from '../testing/use-cases.ts';

const CRDS = join(import.meta.dirname, '../../deploy/crds');
const GROUP_VERSION = 'metacontroller.k8s.io/v1alpha1';

/** A webhook that wants one config map a parent, named after what its path says. */
const server: Server = createServer((request, response) => {
  const names = (request.url ?? '').split('/').slice(2);
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    const { controller } = JSON.parse(body) as { controller: { kind: string; metadata: { uid?: string } } };
    const children = names.map((name, index) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, labels: { app: 'thing' } },
      data: { index: `${index}`, stored: String(controller.metadata.uid !== undefined) },
    }));
    const list = controller.kind === 'DecoratorController' ? 'attachments' : 'children';
    response.end(JSON.stringify({ [list]: children }));
  });
});
before(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
after(() => server.close());
const hookTo = (...names: string[]) => ({
  webhook: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sync/${names.join('/')}` },
});

interface Stage {
  readonly client: ClusterClient;
  readonly cases: UseCases;
  readonly project: ProjectDirectory;
  readonly namespace: string;
  /** Of the Things. */
  readonly group: string;
  /** Installs a controller of the stage's Things; returns its name. */
  install(sync: JsonObject, more?: { spec?: JsonObject; annotations?: Record<string, string> }): Promise<string>;
  maps(): Promise<readonly KubeObject[]>;
}

let stages = 0;

async function stage(target: TestTarget): Promise<Stage> {
  const namespace = await target.namespace();
  const group = `from-cluster-${++stages}-${target.kind}.example.com`;
  const project = await ProjectDirectory.create({ group, namespace, hook: 'return {};' });
  after(() => project.remove());
  const base = { cluster: target.choice, namespace, allowLocalHooks: false, allowHookHosts: ['127.0.0.1'] };
  const brought = [CRDS, join(project.path, 'crd.json'), join(project.path, 'parent.json')];
  const prepared = await useCases({ ...base, paths: brought }).apply();
  assert.ok(!hasErrors(prepared.diagnostics), JSON.stringify(prepared.diagnostics));
  const client = createClient(target.transport);
  const type = await client.byResource(GROUP_VERSION, 'compositecontrollers');
  assert.ok(type);
  let count = 0;
  return {
    client,
    project,
    namespace,
    group,
    cases: useCases({ ...base, paths: [], fromCluster: true }),
    install: async (sync, { spec = {}, annotations = {} } = {}) => {
      const name = `${namespace}-${++count}`;
      after(() => client.write({ verb: 'delete', type, name, fieldManager: 'test' }));
      const object = {
        apiVersion: GROUP_VERSION,
        kind: 'CompositeController',
        metadata: { name, annotations },
        spec: {
          parentResource: { apiVersion: `${group}/v1`, resource: 'things' },
          childResources: [{ apiVersion: 'v1', resource: 'configmaps', updateStrategy: { method: 'InPlace' } }],
          hooks: { sync },
          ...spec,
        },
      };
      await client.write({ verb: 'create', type, fieldManager: 'test', object });
      return name;
    },
    maps: async () => {
      const { items } = await client.list(CONFIG_MAPS, { namespace });
      return items.filter(({ metadata }) => metadata.name?.startsWith('map-'));
    },
  };
}

const namesOf = (objects: readonly KubeObject[]): unknown[] => objects.map(({ metadata }) => metadata.name).sort();
const createdIn = (plan: Plan | undefined, namespace: string): unknown[] =>
  (plan ? changesOf(plan) : [])
    .filter(({ object, action }) => action === 'create' && object.namespace === namespace)
    .map(({ object }) => object.name)
    .sort();

forEachTarget('controllers from the cluster', (target) => {
  test('all of them are planned; one that is wrong, or a program, stops no other', async () => {
    const { cases, install, namespace, project } = await stage(target);
    const good = await install(hookTo('map-a'));
    const wrong = await install({ webhook: { url: 'ftp://nowhere' } });
    const lost = await install(hookTo('map-b'), {
      spec: { childResources: [{ apiVersion: 'v1', resource: 'nothings' }] },
    });
    const program = await install({ exec: { command: ['false'] } });
    // Definitions of files do not count.
    const { plan, diagnostics } = await cases.plan({ paths: [join(project.path, 'controller.json')] });
    assert.deepEqual(createdIn(plan, namespace), ['map-a']);
    const about = (name: string) =>
      diagnostics.filter((it) => JSON.stringify(it).includes(`"${name}"`) || it.summary.includes(`/${name}:`));
    assert.deepEqual(about(good), []);
    assert.match(about(wrong)[0]?.summary ?? '', /"ftp:\/\/nowhere" is not an absolute http or https URL/);
    assert.equal(about(wrong)[0]?.subject?.name, wrong, 'the object is named: there is no file');
    assert.deepEqual([about(lost).length, about(lost)[0]?.code], [1, 'unknown-resource']);
    assert.deepEqual([about(program).length, about(program)[0]?.code], [1, 'hook-refused']);
    assert.match(about(program)[0]?.hint ?? '', /--allow-local-hooks/);
    assert.ok(
      diagnostics.some(
        ({ code, summary }) => code === 'ineffective' && /things of the files is left out/.test(summary),
      ),
    );
  });

  test('apply carries out what is sound and ends as failed', async () => {
    const { cases, install, maps } = await stage(target);
    const names = [await install(hookTo('map-a')), await install({ webhook: { url: 'ftp://nowhere' } })];
    const outcome = await cases.apply({ controllers: names });
    assert.deepEqual(namesOf(await maps()), ['map-a']);
    assert.equal(outcome.status, 'failed');
    assert.equal(outcome.diagnostics.filter(({ severity }) => severity === 'error').length, 1);
    const again = await cases.apply({ controllers: names });
    assert.deepEqual([again.status, again.applied.length], ['failed', 0]);
  });

  test('the named one, with its own object in the request and a parent from a file', async () => {
    const { cases, install, maps, project } = await stage(target);
    const [first] = [await install(hookTo('map-a')), await install(hookTo('map-b'))];
    await project.parent({ changed: true });
    const outcome = await cases.apply({ controllers: [first], paths: [join(project.path, 'parent.json')] });
    assert.equal(outcome.status, 'settled', JSON.stringify(outcome.diagnostics));
    const found = await maps();
    assert.deepEqual(namesOf(found), ['map-a']);
    assert.deepEqual(found[0]?.['data'], { index: '0', stored: 'true' });
    const again = await cases.plan({ controllers: [first] });
    assert.deepEqual([again.diagnostics, again.plan && changesOf(again.plan)], [[], []]);
  });

  test('a name that is not there is an error that names it', async () => {
    const { cases, install } = await stage(target);
    const { plan, diagnostics } = await cases.plan({ controllers: [await install(hookTo()), 'no-such', 'nor-this'] });
    assert.equal(plan, undefined);
    assert.deepEqual(
      diagnostics.map(({ code, summary }) => `${code} ${summary}`),
      ['no-such', 'nor-this'].map((name) => `usage the cluster has no controller called ${name}`),
    );
  });

  test('a program runs where a flag allows it', async () => {
    const { cases, install, namespace, project } = await stage(target);
    const hook = join(project.path, 'hook.mjs');
    await project.hook(
      'return { children: [{ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "map-m", labels: { app: "thing" } } }] };',
    );
    const name = await install({ module: { path: hook } });
    const { plan, diagnostics } = await cases.plan({ controllers: [name], allowLocalHooks: true });
    assert.deepEqual([diagnostics, createdIn(plan, namespace)], [[], ['map-m']]);
  });

  test('an object that is returned twice is a warning, and the last one counts', async () => {
    const { cases, install, maps } = await stage(target);
    const name = await install(hookTo('map-a', 'map-b', 'map-a'));
    const outcome = await cases.apply({ controllers: [name] });
    assert.equal(outcome.status, 'settled', JSON.stringify(outcome.diagnostics));
    const warnings = outcome.diagnostics.map(({ severity, code }) => `${severity} ${code}`);
    assert.deepEqual([...new Set(warnings)], ['warning answer-duplicate']);
    const byName = new Map((await maps()).map(({ metadata, data }) => [metadata.name, data]));
    assert.deepEqual([byName.size, byName.get('map-a')], [2, { index: '2', stored: 'true' }]);
  });

  test('spec.apply may stand in the annotation, where the cluster drops the field', async () => {
    const { cases, install, client, namespace } = await stage(target);
    const annotations = { 'metactl.dev/apply': '{"fieldManager": "from-annotation"}' };
    const outcome = await cases.apply({ controllers: [await install(hookTo('map-a'), { annotations })] });
    assert.equal(outcome.status, 'settled', JSON.stringify(outcome.diagnostics));
    const map = await client.get(CONFIG_MAPS, 'map-a', namespace);
    assert.match(JSON.stringify(map?.metadata.managedFields ?? 'from-annotation'), /from-annotation/);
    const bad = await install(hookTo(), { annotations: { 'metactl.dev/apply': 'server-side' } });
    const { diagnostics } = await cases.plan({ controllers: [bad] });
    assert.deepEqual([diagnostics.length, diagnostics[0]?.code], [1, 'invalid-value']);
    assert.match(diagnostics[0]?.summary ?? '', /metactl\.dev\/apply is not a JSON object/);
  });

  test('a user who may not read them is told the rule that helps', async () => {
    const { install, namespace, project } = await stage(target);
    const name = await install(hookTo());
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] }];
    const user = await limitedUser(target, { name: `jane-${namespace}`, namespace, rules, directory: project.path });
    after(() => user.close());
    const theirs = useCases({ cluster: user.choice, paths: [], namespace, fromCluster: true });
    const listed = await theirs.plan();
    assert.deepEqual([listed.diagnostics.length, listed.diagnostics[0]?.code], [1, 'forbidden']);
    assert.match(listed.diagnostics[0]?.summary ?? '', /may not list compositecontrollers/);
    assert.match(
      listed.diagnostics[0]?.hint ?? '',
      /ClusterRole needs the rule .*verbs: \["list"\].*--controller NAME/,
    );
    const named = await theirs.plan({ controllers: [name] });
    assert.match(named.diagnostics[0]?.hint ?? '', /verbs: \["get"\]/);
  });

  test('a DecoratorController is one of them', async () => {
    const { cases, client, group, namespace } = await stage(target);
    const type = await client.byResource(GROUP_VERSION, 'decoratorcontrollers');
    assert.ok(type);
    const name = `decorator-${namespace}`;
    const spec = {
      resources: [{ apiVersion: `${group}/v1`, resource: 'things' }],
      attachments: [{ apiVersion: 'v1', resource: 'configmaps' }],
      hooks: { sync: hookTo('map-d') },
    };
    const object = { apiVersion: GROUP_VERSION, kind: 'DecoratorController', metadata: { name }, spec };
    await client.write({ verb: 'create', type, fieldManager: 'test', object });
    after(() => client.write({ verb: 'delete', type, name, fieldManager: 'test' }));
    const { plan, diagnostics } = await cases.plan({ controllers: [name] });
    assert.deepEqual([diagnostics, createdIn(plan, namespace)], [[], ['map-d']]);
  });

  test('--controller chooses among the definitions of files, too', async () => {
    const { project, namespace } = await stage(target);
    const files = useCases({ cluster: target.choice, paths: [project.path], namespace });
    const chosen = await files.plan({ controllers: ['things'] });
    assert.deepEqual([chosen.diagnostics, chosen.plan?.definitions.length], [[], 1]);
    const none = await files.plan({ controllers: ['thing'] });
    assert.deepEqual(
      none.diagnostics.map(({ summary, hint }) => [summary, hint]),
      [['the files define no controller called thing', 'Did you mean things?']],
    );
  });
});

describe('a cluster without Metacontroller', () => {
  const empty = useCases({ cluster: { sandbox: true }, paths: [], fromCluster: true });

  test('the missing CustomResourceDefinition is named, with what brings it', async () => {
    const { diagnostics } = await empty.plan();
    assert.deepEqual([diagnostics.length, diagnostics[0]?.code], [1, 'unknown-resource']);
    assert.match(diagnostics[0]?.summary ?? '', /does not serve metacontroller\.k8s\.io\/v1alpha1/);
    assert.match(diagnostics[0]?.hint ?? '', /deploy\/crds/);
  });
});
