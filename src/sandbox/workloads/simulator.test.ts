import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manifest, template, WorkloadBed } from '../../testing/workload-bed.ts';
import { startWorkloads } from './index.ts';

test('what was there before the start is taken up; after stop() nothing happens', () => {
  const bed = new WorkloadBed(startWorkloads);
  bed.simulation.stop();
  const deployment = bed.api.create(
    manifest('apps/v1', 'Deployment', { replicas: 2, selector: {}, template: template() }),
  );
  const stray = bed.api.create({
    ...manifest('v1', 'Pod', { containers: [] }),
    metadata: { name: 'x', namespace: 'a' },
  });
  bed.clock.advance(60_000);
  assert.equal(stray, bed.now(stray));
  const again = startWorkloads(bed.api, { clock: bed.clock, models: [] });
  assert.equal(bed.health(stray), 'Current: Ready', 'its second has long passed');
  bed.clock.advance(1_000);
  assert.equal(bed.health(deployment), 'Current: 2 of 2 replicas ready');
  again.stop();
  assert.equal(bed.clock.pending, 0);
});

test('the same history twice gives the same writes', () => {
  const run = (): readonly string[] => {
    const bed = new WorkloadBed(startWorkloads, { kind: 'flap', upSeconds: 3, downSeconds: 1 });
    bed.api.create(manifest('apps/v1', 'Deployment', { replicas: 3, selector: {}, template: template() }));
    bed.api.create(manifest('apps/v1', 'StatefulSet', { replicas: 2, template: template() }));
    bed.clock.advance(20_000);
    return bed.api.log;
  };
  assert.deepEqual(run(), run());
});
