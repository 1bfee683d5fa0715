import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import { manifest, template, WorkloadBed } from '../../testing/workload-bed.ts';
import { startWorkloads } from './index.ts';

const jobSpec = (more: JsonObject): JsonObject => ({
  template: template('task:1', { restartPolicy: 'Never' }),
  ...more,
});

test('a Job runs its completions, so many at a time, and is complete', () => {
  const bed = new WorkloadBed(startWorkloads);
  const job = bed.api.create(manifest('batch/v1', 'Job', jobSpec({ completions: 3, parallelism: 2 })));
  assert.equal(bed.health(job), 'InProgress: 0 of 3 completions, 2 active');
  bed.clock.advance(1_000);
  assert.equal(bed.health(job), 'InProgress: 2 of 3 completions, 1 active');
  bed.clock.advance(1_000);
  assert.equal(bed.health(job), 'Current: Complete');
  assert.equal((bed.now(job)['status'] as JsonObject)['completionTime'], '2026-01-01T00:00:02Z');
  for (const pod of bed.pods()) assert.equal(bed.health(pod), 'Current: Succeeded');
  bed.api.remove(bed.pods()[0] as KubeObject);
  assert.equal(bed.pods().length, 2, 'a complete Job starts nothing');
});

test('a Job whose pods fail gives up at its backoffLimit', () => {
  const bed = new WorkloadBed(startWorkloads, { kind: 'fail', reason: 'Error' });
  const job = bed.api.create(manifest('batch/v1', 'Job', jobSpec({ backoffLimit: 2 })));
  assert.equal(bed.pods().length, 3);
  assert.match(bed.health(job), /^Failed: BackoffLimitExceeded/);
});

test('a suspended Job has no pods until it is resumed', () => {
  const bed = new WorkloadBed(startWorkloads);
  const job = bed.api.create(manifest('batch/v1', 'Job', jobSpec({ suspend: true })));
  assert.equal(bed.pods().length, 0);
  bed.respec(job, { suspend: false });
  bed.clock.advance(1_000);
  assert.equal(bed.health(job), 'Current: Complete');
});
