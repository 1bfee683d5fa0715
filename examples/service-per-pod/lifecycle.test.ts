// Two decorators on both servers: Services come with the annotations of a StatefulSet and go with them, labels follow pods.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../src/model/object.ts';
import { type ExampleProject, exampleProject } from '../../src/testing/example-project.ts';
import { CONFIG_MAPS, PODS } from '../../src/testing/objects.ts';
import { forEachTarget } from '../../src/testing/targets.ts';
import { until } from '../../src/testing/until.ts';

const FILE = 'nginx.yaml';
const SERVICES = { ...CONFIG_MAPS, kind: 'Service', resource: 'services' };
const STATEFUL_SETS = { ...CONFIG_MAPS, group: 'apps', version: 'v1', kind: 'StatefulSet', resource: 'statefulsets' };

/** "nginx nginx-0": all but the one that is in the file. */
async function services(project: ExampleProject): Promise<string> {
  const found = (await project.list(SERVICES)).filter(({ metadata }) => metadata.name !== 'nginx');
  return found
    .map(({ metadata, spec }) => {
      const { selector, ports } = spec as { selector: object; ports: { port: number; targetPort: number }[] };
      const leads = ports.map(({ port, targetPort }) => `${port}:${targetPort}`).join(',');
      return `${metadata.name} ${leads} ${JSON.stringify(selector)}`;
    })
    .join('; ');
}

const labelsOf = ({ metadata }: KubeObject): string => {
  const { app: _, ...labels } = metadata.labels ?? {};
  const own = Object.entries(labels).filter(([key]) => !/kubernetes\.io|controller-revision/.test(key));
  return `${metadata.name} ${JSON.stringify(Object.fromEntries(own))}`;
};

async function finalizers(project: ExampleProject): Promise<readonly string[]> {
  const set = await project.client.get(STATEFUL_SETS, 'nginx', project.namespace);
  assert.ok(set);
  return set.metadata.finalizers ?? [];
}

forEachTarget('service-per-pod', (target) => {
  const skip = target.controllers ? false : 'pods need controllers, and this server has none';
  test('from the first annotation to the last', { skip }, async () => {
    const project = await exampleProject(target, { name: 'service-per-pod', group: 'none.example.com' });
    await project.settle();
    // Whose pods come when is the StatefulSet's business: apply does not wait for objects that are only decorated.
    await until('two pods', async () => (await project.list(PODS)).length === 2);
    await project.settle();
    assert.equal(
      await services(project),
      'nginx-0 80:8080 {"pod-name":"nginx-0"}; nginx-1 80:8080 {"pod-name":"nginx-1"}',
    );
    assert.deepEqual((await project.list(PODS)).map(labelsOf), [
      'nginx-0 {"pod-name":"nginx-0"}',
      'nginx-1 {"pod-name":"nginx-1"}',
    ]);
    assert.deepEqual(await finalizers(project), ['metacontroller.io/decoratorcontroller-service-per-pod']);
    assert.deepEqual(await project.planned(), []);

    await project.replace(FILE, '"80:8080"', '"80:8080,443"');
    assert.deepEqual((await project.settle()).sort(), ['PUT services nginx-0', 'PUT services nginx-1']);
    await project.replace(FILE, 'replicas: 2', 'replicas: 1');
    assert.deepEqual(await project.settle(), ['DELETE services nginx-1']);
    assert.equal(await services(project), 'nginx-0 80:8080,443:443 {"pod-name":"nginx-0"}');

    await project.client.write({
      verb: 'patch',
      type: PODS,
      fieldManager: 'someone',
      name: 'nginx-0',
      namespace: project.namespace,
      contentType: 'application/merge-patch+json',
      patch: { metadata: { annotations: { 'pod-name-label': 'called' } } },
    });
    assert.deepEqual(await project.settle(), ['PUT pods nginx-0'], 'one write for the new label and the old one');
    assert.deepEqual((await project.list(PODS)).map(labelsOf), ['nginx-0 {"called":"nginx-0"}']);

    await project.replace(FILE, '    service-per-pod-label: pod-name\n', '');
    assert.deepEqual(await project.settle(), ['DELETE services nginx-0', 'PUT statefulsets nginx'], 'opted out');
    assert.equal(await services(project), '');
    assert.deepEqual(await finalizers(project), []);
    assert.deepEqual(await project.planned(), []);
  });
});
