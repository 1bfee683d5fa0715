// A decorator of CustomResourceDefinitions on both servers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleProject, missingProgram } from '../../src/testing/example-project.ts';
import { NAMESPACES } from '../../src/testing/objects.ts';
import { forEachTarget } from '../../src/testing/targets.ts';

const CLUSTER_ROLES = {
  ...NAMESPACES,
  group: 'rbac.authorization.k8s.io',
  kind: 'ClusterRole',
  resource: 'clusterroles',
};

forEachTarget('crd-roles', (target) => {
  test('each definition that asks for it has its roles', { skip: missingProgram('python3') }, async () => {
    const project = await exampleProject(target, { name: 'crd-roles', group: 'orchard.example.com', everywhere: true });
    // The real server is everybody's: an annotation of its own.
    const key = `${project.namespace}.example.com/roles`;
    for (const file of ['controller.yaml', 'apples.yaml'])
      await project.replace(file, 'examples.metacontroller.io/roles', key);
    const name = `apples.${project.group}`;

    assert.deepEqual((await project.settle()).sort(), [
      `POST clusterroles ${name}-edit`,
      `POST clusterroles ${name}-view`,
    ]);
    const view = await project.client.get(CLUSTER_ROLES, `${name}-view`);
    assert.deepEqual(view?.['rules'], [
      { apiGroups: [project.group], resources: ['apples'], verbs: ['get', 'list', 'watch'] },
    ]);
    assert.deepEqual(
      view?.metadata.ownerReferences?.map(({ kind, name: owner }) => `${kind} ${owner}`),
      [`CustomResourceDefinition ${name}`],
    );
    assert.deepEqual(await project.planned(), []);
  });
});
