// An IndexedJob from its first pod to its last, on both servers. No container really runs there, so the test says how each ends.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../src/kit/json.ts';
import type { KubeObject } from '../../src/model/object.ts';
import { type ExampleProject, exampleProject, missingProgram } from '../../src/testing/example-project.ts';
import { PODS } from '../../src/testing/objects.ts';
import { forEachTarget } from '../../src/testing/targets.ts';

/** "0 Running, 1 Succeeded". */
async function pods(project: ExampleProject): Promise<string> {
  const found = await project.list(PODS);
  const phase = ({ status }: KubeObject): unknown => (status as JsonObject)['phase'];
  return found.map((pod) => `${pod.metadata.name?.replace('print-index-', '')} ${phase(pod)}`).join(', ');
}

function end(project: ExampleProject, index: number, phase: 'Succeeded' | 'Failed'): Promise<unknown> {
  return project.client.write({
    verb: 'patch',
    type: PODS,
    fieldManager: 'kubelet',
    name: `print-index-${index}`,
    namespace: project.namespace,
    contentType: 'application/merge-patch+json',
    patch: { status: { phase, conditions: [] } },
    subresource: 'status',
  });
}

async function jobStatus(project: ExampleProject): Promise<string> {
  const [job] = await project.list(project.type('IndexedJob', 'indexedjobs'));
  assert.ok(job);
  const { active, completedIndexes, failed, conditions } = job['status'] as {
    [count: string]: unknown;
    conditions: { type: string; status: string }[];
  };
  const holds = conditions.filter(({ status }) => status === 'True').map(({ type }) => ` ${type}`);
  return `${active} active, done: ${completedIndexes}, failures: ${failed}${holds.join('')}`;
}

forEachTarget('indexedjob', (target) => {
  const skip = target.controllers ? missingProgram('python3') : 'pods need controllers, and this server has none';
  test('each index is done once, by a pod of its own', { skip }, async () => {
    const project = await exampleProject(target, { name: 'indexedjob', group: 'ctl.enisoc.com' });
    const settle = async (): Promise<string[]> => (await project.settle()).sort();

    assert.deepEqual(await settle(), ['POST pods print-index-0', 'POST pods print-index-1']);
    assert.equal(await pods(project), '0 Running, 1 Running');
    assert.equal(await jobStatus(project), '2 active, done: , failures: 0');
    assert.deepEqual(await project.planned(), []);

    await end(project, 1, 'Succeeded');
    assert.deepEqual(await settle(), ['POST pods print-index-2'], 'the next index, when one is done');
    assert.equal(await jobStatus(project), '2 active, done: 1, failures: 0');

    await end(project, 0, 'Failed');
    assert.deepEqual(await settle(), ['DELETE pods print-index-0', 'POST pods print-index-3'], 'a place is free');
    assert.equal(await pods(project), '1 Succeeded, 2 Running, 3 Running');
    await end(project, 3, 'Succeeded');
    assert.deepEqual(await settle(), ['POST pods print-index-0'], 'tried again');
    assert.equal(await jobStatus(project), '2 active, done: 1,3, failures: 1');

    await end(project, 0, 'Succeeded');
    await end(project, 2, 'Succeeded');
    assert.deepEqual(await settle(), []);
    assert.equal(await jobStatus(project), '0 active, done: 0-3, failures: 1 Complete');
    assert.deepEqual(await project.planned(), []);
  });

  test('an index that keeps failing is given up, the others are done', { skip }, async () => {
    const project = await exampleProject(target, { name: 'indexedjob', group: 'ctl.enisoc.com', prefix: 'given-up' });
    await project.replace('print-index.yaml', 'completions: 4', 'completions: 2');
    await project.settle();
    await end(project, 0, 'Failed');
    assert.deepEqual(await project.settle(), ['DELETE pods print-index-0', 'POST pods print-index-0']);
    await end(project, 1, 'Succeeded');
    await end(project, 0, 'Failed');
    await project.settle();
    assert.equal(await jobStatus(project), '0 active, done: 1, failures: 2 Failed');
    assert.equal(await pods(project), '0 Failed, 1 Succeeded');
    assert.deepEqual(await project.planned(), []);
  });
});
