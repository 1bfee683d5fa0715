import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manifest, template, WorkloadBed } from '../../testing/workload-bed.ts';
import { StatusError } from '../http/status-error.ts';
import { startWorkloads } from './index.ts';

test('a ReplicaSet replaces a pod that is deleted, and one that waits for a finalizer', () => {
  const bed = new WorkloadBed(startWorkloads);
  const set = bed.api.create(manifest('apps/v1', 'ReplicaSet', { replicas: 2, template: template() }));
  bed.clock.advance(1_000);
  const [one, two] = bed.pods();
  assert.ok(one && two);
  bed.api.remove(one);
  bed.api.update({ ...two, metadata: { ...two.metadata, finalizers: ['acme.io/hold'] } });
  bed.api.remove(bed.now(two));
  assert.equal(bed.pods().length, 3);
  bed.clock.advance(1_000);
  assert.equal(bed.health(set), 'Current: 2 of 2 replicas ready');
});

test('minReadySeconds: Ready, but available only later', () => {
  const bed = new WorkloadBed(startWorkloads);
  const set = bed.api.create(
    manifest('apps/v1', 'ReplicaSet', { replicas: 1, minReadySeconds: 5, template: template() }),
  );
  bed.clock.advance(3_000);
  assert.equal(bed.health(set), 'InProgress: 0 of 1 replicas available');
  bed.clock.advance(3_000);
  assert.equal(bed.health(set), 'Current: 1 of 1 replicas ready');
});

test('what the server refuses is told in the status and tried again', () => {
  const bed = new WorkloadBed(startWorkloads);
  bed.api.refuse = ({ kind }) => (kind === 'Pod' ? new StatusError(403, 'exceeded quota') : undefined);
  const set = bed.api.create(manifest('apps/v1', 'ReplicaSet', { replicas: 1, template: template() }));
  assert.equal(bed.health(set), 'InProgress: FailedCreate: exceeded quota');
  bed.api.refuse = undefined;
  bed.clock.advance(3_000);
  assert.equal(bed.health(set), 'Current: 1 of 1 replicas ready');
});
