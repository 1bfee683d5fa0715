import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../kit/json.ts';
import { manifest, WorkloadBed } from '../../testing/workload-bed.ts';
import { type ReadinessModel, startWorkloads } from './index.ts';

test("a pod is bound at once, Running and Ready after the model's delay", () => {
  const bed = new WorkloadBed(startWorkloads);
  const pod = bed.api.create(manifest('v1', 'Pod', { containers: [{ name: 'web', image: 'web:1' }] }));
  assert.equal(bed.health(pod), 'InProgress: ContainersNotReady: web: ContainerCreating');
  assert.equal((bed.now(pod)['spec'] as JsonObject)['nodeName'], 'sandbox-node');
  bed.clock.advance(999);
  assert.match(bed.health(pod), /^InProgress/);
  bed.clock.advance(1);
  assert.equal(bed.health(pod), 'Current: Ready');
  const status = bed.now(pod)['status'] as JsonObject;
  assert.equal(status['podIP'], '10.244.0.1');
  assert.equal(status['startTime'], '2026-01-01T00:00:00Z');
  assert.deepEqual(status['containerStatuses'], [
    {
      name: 'web',
      image: 'web:1',
      imageID: '',
      containerID: 'sandbox://uid-1/web',
      ready: true,
      started: true,
      restartCount: 0,
      lastState: {},
      state: { running: { startedAt: '2026-01-01T00:00:01Z' } },
    },
  ]);
  const writes = bed.api.log.length;
  bed.clock.advance(3_600_000);
  assert.equal(bed.api.log.length, writes, 'then nothing is written any more');
});

const POD_MODELS: readonly (readonly [string, ReadinessModel, string])[] = [
  ['never', { kind: 'never' }, 'InProgress: ContainersNotReady: containers with unready status: [web]'],
  ['fail', { kind: 'fail', reason: 'ImagePullBackOff' }, 'InProgress: ContainersNotReady: web: ImagePullBackOff'],
  ['crash loop', { kind: 'fail', reason: 'CrashLoopBackOff' }, 'Failed: ContainersNotReady: web: CrashLoopBackOff'],
  ['flap, up', { kind: 'flap', upSeconds: 20, downSeconds: 1 }, 'Current: Ready'],
  [
    'flap, down',
    { kind: 'flap', upSeconds: 6, downSeconds: 6 },
    'InProgress: ContainersNotReady: containers with unready status: [web]',
  ],
  ['a model for others', { kind: 'never', selector: { matchLabels: { app: 'db' } } }, 'Current: Ready'],
];
for (const [name, model, health] of POD_MODELS) {
  test(`a pod after ten seconds of the model: ${name}`, () => {
    const bed = new WorkloadBed(startWorkloads, model);
    const pod = bed.api.create(manifest('v1', 'Pod', { containers: [{ name: 'web' }] }));
    bed.clock.advance(10_000);
    assert.equal(bed.health(pod), health);
  });
}

test('the pod of nobody that ends where it fails', () => {
  const bed = new WorkloadBed(startWorkloads, { kind: 'fail', reason: 'Error' });
  const pod = bed.api.create(manifest('v1', 'Pod', { restartPolicy: 'Never', containers: [{ name: 'web' }] }));
  assert.equal(bed.health(pod), 'Current: ended without success: web: Error exit code 1');
});
