// Readiness models, from the choice of a cluster to the pods of the sandbox, in memory and in a directory.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { objectsAt, textAt } from '../health/index.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { PODS } from '../testing/objects.ts';
import { testEnvironment } from '../testing/use-cases.ts';
import { openWorld } from './open.ts';
import type { ClusterChoice } from './options.ts';

const directory = join(mkdtempSync(join(tmpdir(), 'metactl-readiness-')), 'sandbox');
const readiness: ClusterChoice['readiness'] = [
  { kind: 'fail', reason: 'ImagePullBackOff', selector: { matchLabels: { app: 'broken' } } },
  { kind: 'ready-after', seconds: 20 },
];

for (const choice of [{ sandbox: true }, { sandboxDirectory: directory }]) {
  test(`the first model that matches a pod is its own: ${Object.keys(choice)[0]}`, async (t) => {
    const clock = new FakeClock();
    const world = await openWorld({ ...choice, readiness }, { ...testEnvironment, clock });
    t.after(() => world.close());
    if ('sandboxDirectory' in choice) t.after(() => rmSync(join(directory, '..'), { recursive: true, force: true }));
    for (const name of ['broken', 'slow']) {
      const metadata = { name, namespace: 'default', labels: { app: name } };
      const spec = { containers: [{ name: 'c', image: 'i' }] };
      const object = { apiVersion: 'v1', kind: 'Pod', metadata, spec };
      await world.client.write({ verb: 'create', type: PODS, fieldManager: 'test', object });
    }
    const seen = async (): Promise<string[]> => {
      const { items } = await world.client.list(PODS, { namespace: 'default' });
      return items.map((pod) => {
        const waiting = textAt(objectsAt(pod, 'status', 'containerStatuses')[0], 'state', 'waiting', 'reason');
        return `${pod.metadata.name} ${waiting || textAt(pod, 'status', 'phase')}`;
      });
    };
    assert.deepEqual(await seen(), ['broken ImagePullBackOff', 'slow ContainerCreating']);
    clock.advance(20_000);
    assert.deepEqual(await seen(), ['broken ImagePullBackOff', 'slow Running']);
  });
}
