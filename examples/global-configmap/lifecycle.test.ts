// A ConfigMap in every namespace. On the sandbox only: the namespaces of the real server are other tests' too.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleProject } from '../../src/testing/example-project.ts';
import { CONFIG_MAPS, NAMESPACES } from '../../src/testing/objects.ts';
import { forEachTarget } from '../../src/testing/targets.ts';

forEachTarget('global-configmap', (target) => {
  if (target.kind === 'real') return;
  test('every namespace has a copy, a new one too', async () => {
    const source = { name: 'global-configmap', group: 'examples.metacontroller.io' };
    const project = await exampleProject(target, { ...source, everywhere: true });
    await project.replace('house-rules.yaml', 'sourceNamespace: default', `sourceNamespace: ${project.namespace}`);
    const places = async (): Promise<(string | undefined)[]> =>
      (await project.client.list(CONFIG_MAPS)).items
        .filter(({ metadata }) => metadata.name === 'house-rules')
        .map(({ metadata }) => metadata.namespace)
        .sort();

    await project.settle();
    const before = ['default', 'kube-node-lease', 'kube-public', 'kube-system', project.namespace];
    assert.deepEqual(await places(), before.sort());

    const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'new-here' } };
    await project.client.write({ verb: 'create', type: NAMESPACES, fieldManager: 'someone', object });
    assert.deepEqual(await project.settle(), ['POST configmaps house-rules']);
    assert.deepEqual(await places(), [...before, 'new-here'].sort());
    assert.deepEqual(await project.planned(), []);

    await project.replace('house-rules.yaml', 'One thing well.', 'Measure first.');
    const copies = Array.from({ length: 5 }, () => 'PUT configmaps house-rules');
    assert.deepEqual(await project.settle(), copies);
  });
});
