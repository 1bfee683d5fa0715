// A ConfigMap in every namespace, on both servers. The namespaces of the real one are other tests' too: there the hook looks at those
// with a label of this test.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ExampleProject, exampleProject } from '../../src/testing/example-project.ts';
import { CONFIG_MAPS, NAMESPACES } from '../../src/testing/objects.ts';
import { forEachTarget, type TestTarget } from '../../src/testing/targets.ts';

const LABEL = 'house-rules';

async function makeNamespace({ client, namespace }: ExampleProject, name: string): Promise<void> {
  const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: { [LABEL]: namespace } } };
  await client.write({ verb: 'create', type: NAMESPACES, fieldManager: 'someone', object });
}

/** The namespaces that are there from the start, beside the source's own. */
async function firstNamespaces(target: TestTarget, project: ExampleProject): Promise<string[]> {
  if (target.kind === 'sandbox') return ['default', 'kube-node-lease', 'kube-public', 'kube-system'];
  const labelSelector = `labelSelector: { matchLabels: { '${LABEL}': '${project.namespace}' } }`;
  await project.replace('customize.jsonnet', "resource: 'namespaces' }", `resource: 'namespaces', ${labelSelector} }`);
  const names = ['a', 'b'].map((letter) => `${project.namespace}-${letter}`);
  for (const name of names) await makeNamespace(project, name);
  return names;
}

forEachTarget('global-configmap', (target) => {
  test('every namespace has a copy, a new one too', async () => {
    const source = { name: 'global-configmap', group: 'examples.metacontroller.io' };
    const project = await exampleProject(target, { ...source, everywhere: true });
    await project.replace('house-rules.yaml', 'sourceNamespace: default', `sourceNamespace: ${project.namespace}`);
    const copied = await firstNamespaces(target, project);
    const places = async (): Promise<(string | undefined)[]> =>
      (await project.client.list(CONFIG_MAPS)).items
        .filter(({ metadata }) => metadata.name === 'house-rules')
        .map(({ metadata }) => metadata.namespace)
        .sort();

    await project.settle();
    const before = [...copied, project.namespace];
    assert.deepEqual(await places(), before.sort());

    const added = `${project.namespace}-new`;
    await makeNamespace(project, added);
    assert.deepEqual(await project.settle(), ['POST configmaps house-rules']);
    assert.deepEqual(await places(), [...before, added].sort());
    assert.deepEqual(await project.planned(), []);

    await project.replace('house-rules.yaml', 'One thing well.', 'Measure first.');
    const copies = [...copied, added].map(() => 'PUT configmaps house-rules');
    assert.deepEqual(await project.settle(), copies);
  });
});
