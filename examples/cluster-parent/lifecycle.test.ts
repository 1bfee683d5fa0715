// A cluster-scoped parent with a namespace as its child, and children in that, on both servers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleProject } from '../../src/testing/example-project.ts';
import { CONFIG_MAPS, NAMESPACES } from '../../src/testing/objects.ts';
import { forEachTarget } from '../../src/testing/targets.ts';

const LIMITS = { ...CONFIG_MAPS, kind: 'LimitRange', resource: 'limitranges' };

forEachTarget('cluster-parent', (target) => {
  test('first the namespace, then what is in it', async () => {
    const source = { name: 'cluster-parent', group: 'examples.metacontroller.io' };
    const project = await exampleProject(target, { ...source, everywhere: true });
    const tenant = `${project.namespace}-orchard`;
    await project.replace('orchard.yaml', 'name: orchard', `name: ${tenant}`);

    const [namespace, ...inside] = await project.settle();
    assert.equal(namespace, `POST namespaces ${tenant}`);
    assert.deepEqual(inside.sort(), ['POST limitranges defaults', 'POST rolebindings members']);
    const found = await project.client.get(NAMESPACES, tenant);
    assert.deepEqual(
      found?.metadata.ownerReferences?.map(({ kind, name }) => `${kind} ${name}`),
      [`Tenant ${tenant}`],
    );
    const type = project.type('Tenant', 'tenants', { namespaced: false, version: 'v1alpha1' });
    const status = (await project.client.get(type, tenant))?.['status'];
    assert.deepEqual(status, { namespace: tenant, phase: 'Active', observedGeneration: 1 });
    assert.deepEqual(await project.planned(), []);

    await project.replace('orchard.yaml', 'members: [ada, grace]', 'memory: 64Mi');
    assert.deepEqual((await project.settle()).sort(), ['DELETE rolebindings members', 'PUT limitranges defaults']);
    const limits = await project.client.get(LIMITS, 'defaults', tenant);
    assert.deepEqual(limits?.['spec'], {
      limits: [{ type: 'Container', default: { memory: '64Mi' }, defaultRequest: { memory: '64Mi' } }],
    });
  });
});
