// A blue-green rollout on both servers: what the Service leads to is available at every moment, and the writes are in order.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient } from '../../src/cluster/index.ts';
import type { JsonObject } from '../../src/kit/json.ts';
import type { Transport } from '../../src/ports/transport.ts';
import { type ExampleProject, exampleProject } from '../../src/testing/example-project.ts';
import { CONFIG_MAPS, PODS } from '../../src/testing/objects.ts';
import { forEachTarget } from '../../src/testing/targets.ts';

const REPLICA_SETS = { ...CONFIG_MAPS, group: 'apps', version: 'v1', kind: 'ReplicaSet', resource: 'replicasets' };

/** Notes, for each change of a Service, how many pods of each colour are available at that moment. */
function watchSwitches(transport: Transport, switches: string[]): Transport {
  const client = createClient(transport);
  return {
    request: async (request) => {
      const [, namespace = ''] = /\/namespaces\/([^/]+)\/services\//.exec(request.path) ?? [];
      if (request.method === 'PUT' && namespace !== '') {
        const { spec } = JSON.parse(request.body ?? '') as { spec: { selector: { color: string } } };
        const counts = await available(client, namespace);
        switches.push(`to ${spec.selector.color}: ${counts}`);
      }
      return transport.request(request);
    },
    close: async () => undefined,
  };
}

async function available(client: Pick<ExampleProject['client'], 'list'>, namespace: string): Promise<string> {
  const { items } = await client.list(REPLICA_SETS, { namespace });
  const words = items.map(
    ({ metadata, status }) => `${metadata.name} ${(status as JsonObject)['availableReplicas'] ?? 0}`,
  );
  return words.sort().join(', ');
}

const imagesOf = async (project: ExampleProject): Promise<string[]> =>
  (await project.list(PODS))
    .filter(({ metadata }) => !metadata.deletionTimestamp)
    .map(({ spec }) => (spec as { containers: { image: string }[] }).containers[0]?.image ?? '');

forEachTarget('bluegreen', (target) => {
  const skip = target.controllers ? false : 'pods need controllers, and this server has none';
  test('two rollouts: blue, green, blue', { skip }, async () => {
    const switches: string[] = [];
    const through = (transport: Transport): Transport => watchSwitches(transport, switches);
    const project = await exampleProject(target, { name: 'bluegreen', group: 'ctl.enisoc.com', through });
    const statusOf = async (): Promise<JsonObject> => {
      const [found] = await project.list(project.type('BlueGreenDeployment', 'bluegreendeployments'));
      return found?.['status'] as JsonObject;
    };

    assert.deepEqual((await project.settle()).sort(), ['POST replicasets nginx-blue', 'POST services nginx']);
    assert.equal((await statusOf())['activeColor'], 'blue');
    assert.deepEqual(await project.planned(), []);

    await project.replace('nginx.yaml', 'nginx:1.29', 'nginx:1.30');
    assert.deepEqual(await project.settle(), [
      'POST replicasets nginx-green',
      'PUT services nginx',
      'PUT replicasets nginx-blue',
    ]);
    assert.deepEqual(switches.splice(0), ['to green: nginx-blue 3, nginx-green 3']);
    assert.deepEqual((await statusOf())['active'], { replicas: 3, readyReplicas: 3, availableReplicas: 3 });
    assert.deepEqual(await imagesOf(project), ['nginx:1.30', 'nginx:1.30', 'nginx:1.30']);

    await project.replace('nginx.yaml', 'nginx:1.30', 'nginx:1.31');
    assert.deepEqual(await project.settle(), [
      'PUT replicasets nginx-blue',
      'PUT services nginx',
      'PUT replicasets nginx-green',
    ]);
    assert.deepEqual(switches.splice(0), ['to blue: nginx-blue 3, nginx-green 3']);
    assert.deepEqual(await imagesOf(project), ['nginx:1.31', 'nginx:1.31', 'nginx:1.31']);

    await project.replace('nginx.yaml', 'replicas: 3', 'replicas: 1');
    assert.deepEqual(await project.settle(), ['PUT replicasets nginx-blue']);
    assert.deepEqual(await project.planned(), []);
  });
});
