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

test('a pod that is deleted is missed by its owner, whether a write or the clock made it', () => {
  const bed = new WorkloadBed(startWorkloads);
  const set = bed.api.create(manifest('apps/v1', 'StatefulSet', { replicas: 3, template: template() }));
  bed.clock.advance(3_000);
  for (const name of ['web-2', 'web-0', 'web-1']) {
    bed.api.remove(bed.now({ ...set, apiVersion: 'v1', kind: 'Pod', metadata: { ...set.metadata, name } }));
    assert.equal(bed.pods().length, 3);
    bed.clock.advance(1_000);
    assert.equal(bed.health(set), 'Current: 3 of 3 replicas ready');
  }
});

test('many pods cost writes in proportion', () => {
  const bed = new WorkloadBed(startWorkloads);
  bed.api.create(manifest('apps/v1', 'Deployment', { replicas: 200, selector: {}, template: template() }));
  bed.clock.advance(1_000);
  const owners = bed.api.log.filter((line) => !line.startsWith('put Pod'));
  assert.equal(bed.api.log.length - owners.length, 4 * 200, 'created, bound, Pending, Ready');
  assert.ok(owners.length < 20, `${owners.length} writes of the Deployment and its ReplicaSet`);
});
