import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manifest, template, WorkloadBed } from '../../testing/workload-bed.ts';
import { startWorkloads } from './index.ts';

test('a DaemonSet: one pod for the one node, replaced with its template', () => {
  const bed = new WorkloadBed(startWorkloads);
  const set = bed.api.create(manifest('apps/v1', 'DaemonSet', { template: template() }));
  bed.clock.advance(1_000);
  assert.equal(bed.health(set), 'Current: 1 of 1 pods ready');
  bed.respec(set, { template: template('web:2') });
  assert.equal(bed.health(set), 'InProgress: 0 of 1 pods available');
  bed.clock.advance(1_000);
  assert.equal(bed.health(set), 'Current: 1 of 1 pods ready');
  assert.deepEqual(bed.images(), ['web:2']);
});
