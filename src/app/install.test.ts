// `metactl install` on both servers: a dry run writes nothing, an installation is complete, a second one changes nothing.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { createClient } from '../cluster/index.ts';
import { changesOf } from '../model/plan.ts';
import { forEachTarget } from '../testing/targets.ts';
import { testEnvironment } from '../testing/use-cases.ts';
import { type InstallOptions, planInstall, runInstall } from './install.ts';

const CATSET = join(import.meta.dirname, '../../examples/catset/controller.yaml');

forEachTarget('install', (target) => {
  const optionsFor = (name: string, more: Partial<InstallOptions['installation']> = {}): InstallOptions => ({
    ...{
      cluster: target.choice,
      paths: [],
      related: [],
      concurrency: 8,
      timeoutMs: 60_000,
      confirm: async () => 'yes',
    },
    installation: { name, namespace: name, image: 'metactl:test', replicas: 1, arguments: [], ...more },
  });
  const find = async (name: string, apiVersion: string, kind: string, namespaced = true) => {
    const client = createClient(target.transport);
    const type = await client.byKind(apiVersion, kind);
    assert.ok(type, kind);
    return client.get(type, name, namespaced ? name : undefined);
  };

  test('a dry run shows everything and writes nothing; then it is written, and then nothing is left to do', async () => {
    const name = await target.namespace();
    const planned = await planInstall(optionsFor(name), testEnvironment);
    const kinds = planned.plan && changesOf(planned.plan).map(({ object }) => object.kind);
    for (const kind of ['ServiceAccount', 'ClusterRole', 'ClusterRoleBinding', 'Deployment'])
      assert.ok(kinds?.includes(kind), kind);
    assert.equal(await find(name, 'apps/v1', 'Deployment'), undefined);
    assert.match(planned.diagnostics[0]?.summary ?? '', /allows it everything/);

    const done = await runInstall(optionsFor(name), testEnvironment);
    assert.equal(done.status, 'settled', JSON.stringify(done.diagnostics));
    assert.ok(await find(name, 'apps/v1', 'Deployment'));
    assert.ok(await createClient(target.transport).byResource('metacontroller.k8s.io/v1alpha1', 'mapcontrollers'));
    assert.equal((await runInstall(optionsFor(name), testEnvironment)).status, 'nothing');
  });

  test('with definitions it gets the rights that these need; with two replicas a budget', async () => {
    const name = await target.namespace();
    const options = { ...optionsFor(name, { replicas: 2, arguments: ['--workers=10'] }), paths: [CATSET] };
    const done = await runInstall(options, testEnvironment);
    assert.equal(done.status, 'settled', JSON.stringify(done.diagnostics));
    assert.deepEqual(done.diagnostics, []);
    const role = await find(name, 'rbac.authorization.k8s.io/v1', 'ClusterRole', false);
    const rules = JSON.stringify(role?.['rules']);
    assert.match(rules, /"catsets\/status"/);
    assert.doesNotMatch(rules, /"\*"/);
    assert.ok(await find(name, 'rbac.authorization.k8s.io/v1', 'RoleBinding'), 'for its Lease');
    assert.ok(await find(name, 'policy/v1', 'PodDisruptionBudget'));
    const deployment = await find(name, 'apps/v1', 'Deployment');
    assert.match(JSON.stringify(deployment?.['spec']), /"args":\["daemon","--leader-election","--workers=10"\]/);
    assert.equal((await runInstall(options, testEnvironment)).status, 'nothing');
  });

  test('files without definitions are refused', async () => {
    const name = await target.namespace();
    const paths = [join(import.meta.dirname, '../../deploy/crds')];
    const { status, diagnostics } = await runInstall({ ...optionsFor(name), paths }, testEnvironment);
    assert.equal(status, 'failed');
    assert.match(diagnostics[0]?.summary ?? '', /hold no definitions/);
  });
});
