import assert from 'node:assert/strict';
import { test } from 'node:test';
import { healthOf } from '../../health/index.ts';
import type { JsonObject } from '../../kit/json.ts';
import { manifest, template, WorkloadBed } from '../../testing/workload-bed.ts';
import { startWorkloads } from './index.ts';

test('a deployment: a ReplicaSet, its pods, counts, conditions and generation', () => {
  const bed = new WorkloadBed(startWorkloads);
  const spec = {
    replicas: 3,
    selector: { matchLabels: { app: 'web' } },
    template: template(),
    progressDeadlineSeconds: 600,
  };
  const deployment = bed.api.create(manifest('apps/v1', 'Deployment', spec));
  assert.equal(bed.pods().length, 3);
  assert.match(bed.health(deployment), /^InProgress: 0 of 3 updated replicas available/);
  bed.clock.advance(1_000);
  assert.equal(bed.health(deployment), 'Current: 3 of 3 replicas ready');
  const { conditions, ...counts } = bed.now(deployment)['status'] as { conditions: JsonObject[] };
  assert.deepEqual(counts, {
    observedGeneration: 1,
    replicas: 3,
    updatedReplicas: 3,
    readyReplicas: 3,
    availableReplicas: 3,
  });
  assert.deepEqual(
    conditions.map(({ type, status, reason }) => [type, status, reason]),
    [
      ['Available', 'True', 'MinimumReplicasAvailable'],
      ['Progressing', 'True', 'NewReplicaSetAvailable'],
    ],
  );
  const [set] = bed.api.list('apps', 'replicasets');
  const hash = set?.metadata.labels?.['pod-template-hash'];
  assert.equal(set?.metadata.name, `web-${hash}`);
  for (const pod of bed.pods()) assert.equal(pod.metadata.labels?.['pod-template-hash'], hash);
  assert.equal(bed.now(deployment).metadata.annotations?.['deployment.kubernetes.io/revision'], '1');
});

test('a deployment rolls to a new template and back without losing availability, and scales', () => {
  const bed = new WorkloadBed(startWorkloads);
  const spec = { replicas: 4, selector: { matchLabels: { app: 'web' } }, template: template() };
  const deployment = bed.api.create(manifest('apps/v1', 'Deployment', spec));
  bed.clock.advance(2_000);
  for (const [image, revision] of [
    ['web:2', '2'],
    ['web:1', '3'],
  ] as const) {
    bed.respec(deployment, { template: template(image) });
    for (let second = 0; second < 6; second++) {
      const ready = bed.pods().filter((pod) => healthOf(pod).state === 'Current').length;
      assert.ok(ready >= 3, `${ready} of 4 ready on the way to ${image}`);
      bed.clock.advance(1_000);
    }
    assert.equal(bed.health(deployment), 'Current: 4 of 4 replicas ready');
    assert.deepEqual(bed.images(), [image, image, image, image]);
    assert.equal(bed.now(deployment).metadata.annotations?.['deployment.kubernetes.io/revision'], revision);
  }
  assert.equal(bed.api.list('apps', 'replicasets').length, 2, 'going back uses the old ReplicaSet again');
  bed.respec(deployment, { replicas: 1 });
  assert.equal(bed.health(deployment), 'Current: 1 of 1 replicas ready');
  bed.api.remove(bed.now(deployment));
  assert.deepEqual([bed.pods(), bed.api.list('apps', 'replicasets')], [[], []]);
});

test('a deployment of broken pods passes its deadline', () => {
  const bed = new WorkloadBed(startWorkloads, { kind: 'fail', reason: 'ImagePullBackOff' });
  const spec = { replicas: 1, selector: {}, template: template(), progressDeadlineSeconds: 60 };
  const deployment = bed.api.create(manifest('apps/v1', 'Deployment', spec));
  bed.clock.advance(59_000);
  assert.match(bed.health(deployment), /^InProgress/);
  bed.clock.advance(2_000);
  assert.match(bed.health(deployment), /^Failed: ProgressDeadlineExceeded: ReplicaSet "web-\w+" has timed out/);
});

test('strategy Recreate: the old pods go before the new come', () => {
  const bed = new WorkloadBed(startWorkloads);
  const spec = { replicas: 2, selector: {}, template: template(), strategy: { type: 'Recreate' } };
  const deployment = bed.api.create(manifest('apps/v1', 'Deployment', spec));
  bed.clock.advance(1_000);
  bed.api.log.length = 0;
  bed.respec(deployment, { template: template('web:2') });
  const first = (what: RegExp): number => bed.api.log.findIndex((line) => what.test(line));
  assert.ok(first(/^delete Pod/) < first(/^put Pod/), bed.api.log.join('\n'));
  assert.equal(bed.api.log.findLastIndex((line) => line.startsWith('delete Pod')) < first(/^put Pod/), true);
  bed.clock.advance(1_000);
  assert.equal(bed.health(deployment), 'Current: 2 of 2 replicas ready');
});
