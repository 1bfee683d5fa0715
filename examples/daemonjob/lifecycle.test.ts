// A Job on every node, on both servers: the sandbox with two nodes of the test's, the real server with those that it has.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { JsonObject } from '../../src/kit/json.ts';
import { exampleProject, missingProgram } from '../../src/testing/example-project.ts';
import { CONFIG_MAPS, NAMESPACES, PODS } from '../../src/testing/objects.ts';
import { forEachTarget } from '../../src/testing/targets.ts';

const JOBS = { ...CONFIG_MAPS, group: 'batch', version: 'v1', kind: 'Job', resource: 'jobs' };
const NODES = { ...NAMESPACES, kind: 'Node', resource: 'nodes' };

const nodeNamed = (name: string, labels: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels },
});
const TWO_NODES = {
  apiVersion: 'v1',
  kind: 'List',
  items: [nodeNamed('node-a', { disk: 'ssd' }), nodeNamed('node-b')],
};

forEachTarget('daemonjob', (target) => {
  const skip = target.controllers ? missingProgram('jq') : 'pods need controllers, and this server has none';
  test('once on every node', { skip }, async () => {
    const project = await exampleProject(target, { name: 'daemonjob', group: 'examples.metacontroller.io' });
    if (target.kind === 'sandbox') await writeFile(join(project.path, 'nodes.json'), JSON.stringify(TWO_NODES));
    await project.settle();
    const { items } = await project.client.list(NODES);
    const nodes = items.map(({ metadata }) => `${metadata.name}`).sort();
    assert.equal(nodes.length > 0, true);

    const jobs = await project.list(JOBS);
    assert.deepEqual(
      jobs.map(({ metadata }) => metadata.name),
      nodes.map((name) => `warm-cache-${name}`),
    );
    const pods = await project.list(PODS);
    assert.deepEqual(
      pods.map(({ status }) => (status as JsonObject)['phase']),
      nodes.map(() => 'Succeeded'),
    );
    const [parent] = await project.list(project.type('DaemonJob', 'daemonjobs', { version: 'v1alpha1' }));
    assert.deepEqual(parent?.['status'], {
      nodes: nodes.length,
      succeeded: nodes.length,
      failed: 0,
      conditions: [
        {
          type: 'Complete',
          status: 'True',
          reason: 'Finished',
          message: `${nodes.length} of ${nodes.length} nodes are done`,
        },
      ],
      observedGeneration: 1,
    });
    assert.deepEqual(await project.planned(), []);

    await project.replace('warm-cache.yaml', 'spec:\n  template:', 'spec:\n  nodeSelector: {disk: ssd}\n  template:');
    await project.settle();
    const left = await project.list(JOBS);
    const labelled = items.filter(({ metadata }) => metadata.labels?.['disk'] === 'ssd');
    assert.equal(left.length, labelled.length, 'only the nodes that are selected');
  });
});
