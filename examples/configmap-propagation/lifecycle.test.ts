// A ConfigMap that is copied, on both servers: its content follows the source, its places follow the list and the namespaces.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ExampleProject, exampleProject } from '../../src/testing/example-project.ts';
import { CONFIG_MAPS, NAMESPACES } from '../../src/testing/objects.ts';
import { forEachTarget } from '../../src/testing/targets.ts';

const FILE = 'settings.yaml';

async function statusOf(project: ExampleProject): Promise<string> {
  const scope = { namespaced: false, version: 'v1alpha1' };
  const type = project.type('ConfigMapPropagation', 'configmappropagations', scope);
  const found = await project.client.get(type, 'settings');
  assert.ok(found);
  const { expectedCopies, actualCopies, conditions } = found['status'] as {
    [count: string]: unknown;
    conditions: { reason: string }[];
  };
  return `${actualCopies} of ${expectedCopies}, ${conditions[0]?.reason}`;
}

/** "a: north info, b: …" */
async function copies(project: ExampleProject): Promise<string> {
  const words: string[] = [];
  for (const place of ['a', 'b', 'c']) {
    const found = await project.client.get(CONFIG_MAPS, 'settings', `${project.namespace}-${place}`);
    if (found)
      words.push(
        `${place}: ${Object.values(found['data'] as object)
          .sort()
          .join(' ')}`,
      );
  }
  return words.join(', ');
}

forEachTarget('configmap-propagation', (target) => {
  test('content follows the source, places follow the parent', async () => {
    const source = { name: 'configmap-propagation', group: 'examples.metacontroller.io' };
    const project = await exampleProject(target, { ...source, everywhere: true });
    const { namespace } = project;
    await project.replace(FILE, 'team-', `${namespace}-`);
    await project.replace(FILE, 'sourceNamespace: default', `sourceNamespace: ${namespace}`);

    await project.settle();
    assert.equal(await copies(project), 'a: info north, b: info north');
    assert.equal(await statusOf(project), '2 of 2, Copied');
    assert.deepEqual(await project.planned(), []);

    await project.replace(FILE, 'region: north', 'region: south');
    assert.deepEqual(await project.settle(), ['PUT configmaps settings', 'PUT configmaps settings']);
    assert.equal(await copies(project), 'a: info south, b: info south');

    await project.replace(FILE, `- ${namespace}-b`, `- ${namespace}-c`);
    await project.settle();
    assert.equal(await copies(project), 'a: info south', 'no longer listed: gone');
    assert.equal(await statusOf(project), '1 of 2, NamespaceMissing');
    const c = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: `${namespace}-c` } };
    await project.client.write({ verb: 'create', type: NAMESPACES, fieldManager: 'someone', object: c });
    assert.deepEqual(await project.settle(), ['POST configmaps settings']);
    assert.equal(await copies(project), 'a: info south, c: info south');
    assert.equal(await statusOf(project), '2 of 2, Copied');

    const mine = { verb: 'delete', type: CONFIG_MAPS, fieldManager: 'someone', name: 'settings' } as const;
    await project.client.write({ ...mine, namespace: `${namespace}-a` });
    assert.deepEqual(await project.settle(), ['POST configmaps settings'], 'a copy that was lost comes back');
    await project.replace(
      FILE,
      `kind: ConfigMap\nmetadata:\n  name: settings`,
      `kind: ConfigMap\nmetadata:\n  name: other`,
    );
    await project.client.write({ ...mine, namespace });
    await project.settle();
    assert.equal(await statusOf(project), '0 of 2, SourceMissing');
    assert.equal(await copies(project), 'a: info south, c: info south', 'without a source they stay');
  });
});
