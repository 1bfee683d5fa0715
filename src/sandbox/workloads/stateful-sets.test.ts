import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../kit/json.ts';
import { manifest, names, template, WorkloadBed } from '../../testing/workload-bed.ts';
import { startWorkloads } from './index.ts';

test('a StatefulSet: one after the other up, and down, claims stay', () => {
  const bed = new WorkloadBed(startWorkloads);
  const claim = {
    metadata: { name: 'data' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  };
  const spec = { replicas: 3, serviceName: 'web', template: template(), volumeClaimTemplates: [claim] };
  const set = bed.api.create(manifest('apps/v1', 'StatefulSet', spec));
  for (const count of [1, 2, 3]) {
    assert.equal(bed.pods().length, count);
    bed.clock.advance(1_000);
  }
  assert.deepEqual(names(bed.pods()), ['web-0', 'web-1', 'web-2']);
  assert.equal(bed.health(set), 'Current: 3 of 3 replicas ready');
  const claims = bed.api.list('', 'persistentvolumeclaims');
  assert.deepEqual(names(claims), ['data-web-0', 'data-web-1', 'data-web-2']);
  for (const one of claims) assert.equal(bed.health(one), 'Current: Bound');
  bed.respec(set, { replicas: 1 });
  assert.deepEqual(names(bed.pods()), ['web-0']);
  assert.equal(bed.api.list('', 'persistentvolumeclaims').length, 3);
});

test('a StatefulSet rolls from the highest ordinal down to its partition', () => {
  const bed = new WorkloadBed(startWorkloads);
  const set = bed.api.create(manifest('apps/v1', 'StatefulSet', { replicas: 3, template: template() }));
  bed.clock.advance(3_000);
  bed.api.log.length = 0;
  bed.respec(set, { template: template('web:2'), updateStrategy: { rollingUpdate: { partition: 1 } } });
  bed.clock.advance(5_000);
  assert.deepEqual(
    bed.api.log.filter((line) => line.startsWith('delete')),
    ['delete Pod web-2', 'delete Pod web-1'],
  );
  assert.equal(bed.health(set), 'Current: 3 of 3 replicas ready');
  bed.respec(set, { updateStrategy: { rollingUpdate: { partition: 0 } } });
  assert.equal(bed.health(set), 'InProgress: 2 of 3 replicas ready');
  bed.clock.advance(1_000);
  assert.equal(bed.health(set), 'Current: 3 of 3 replicas ready');
  assert.deepEqual(new Set(bed.images()), new Set(['web:2']));
  const { currentRevision, updateRevision } = bed.now(set)['status'] as JsonObject;
  assert.equal(currentRevision, updateRevision);
});

test('podManagementPolicy Parallel does not wait', () => {
  const bed = new WorkloadBed(startWorkloads, { kind: 'never' });
  bed.api.create(
    manifest('apps/v1', 'StatefulSet', { replicas: 3, podManagementPolicy: 'Parallel', template: template() }),
  );
  assert.equal(bed.pods().length, 3);
});
