// A SnapshotSchedule on both servers, by their own clocks: what is made of a claim, whose it is, and that it outlives the claim. How
// it goes on is lifecycle.test.ts.

import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { exampleProject } from '../../src/testing/example-project.ts';
import { CONFIG_MAPS } from '../../src/testing/objects.ts';
import { forEachTarget } from '../../src/testing/targets.ts';
import { COLLECTED_WITHIN_MS, until } from '../../src/testing/until.ts';

const CLAIMS = { ...CONFIG_MAPS, kind: 'PersistentVolumeClaim', resource: 'persistentvolumeclaims' };
const SNAPSHOTS = {
  ...{ ...CONFIG_MAPS, group: 'snapshot.storage.k8s.io', version: 'v1' },
  ...{ kind: 'VolumeSnapshot', resource: 'volumesnapshots' },
};

forEachTarget('snapshot-schedule', (target) => {
  test('a snapshot of the claim, which the schedule owns', async () => {
    const project = await exampleProject(target, { name: 'snapshot-schedule', group: 'examples.metacontroller.io' });
    // The next one is not due while this test runs.
    await project.replace('my-app.yaml', 'snapshotInterval: 6h', 'snapshotInterval: 10000d');
    await project.replace('my-app.yaml', 'snapshotTTL: 10d', 'snapshotTTL: 20000d');
    const schedules = project.type('SnapshotSchedule', 'snapshotschedules');
    const counts = async (): Promise<unknown> => {
      const schedule = await project.client.get(schedules, 'my-app', project.namespace);
      const { observedGeneration: _seen, ...status } = (schedule?.['status'] ?? {}) as Record<string, unknown>;
      return status;
    };
    const snapshots = async (): Promise<string[]> =>
      (await project.list(SNAPSHOTS)).map(({ metadata, spec }) => {
        const owners = metadata.ownerReferences?.map(({ kind, name }) => `${kind}/${name}`);
        return `${metadata.name?.replace(/\d{8}-\d{4}$/, 'TIME')} ${owners} ${JSON.stringify(spec)}`;
      });
    const made = ['data-TIME SnapshotSchedule/my-app {"source":{"persistentVolumeClaimName":"data"}}'];

    await project.settle();
    assert.deepEqual(await snapshots(), made);
    const one = { persistentvolumeclaims: { total: 1 } };
    assert.deepEqual(await counts(), { inputs: one, outputs: { volumesnapshots: { total: 1 } } });
    assert.deepEqual(await project.planned(), []);

    await rm(join(project.path, 'claim.yaml'));
    const gone = { type: CLAIMS, name: 'data', namespace: project.namespace, fieldManager: 'someone' };
    await project.client.write({ verb: 'delete', ...gone });
    await project.settle();
    assert.deepEqual(await snapshots(), made, 'it outlives its claim');

    await rm(join(project.path, 'my-app.yaml'));
    const schedule = { type: schedules, name: 'my-app', namespace: project.namespace, fieldManager: 'someone' };
    await project.client.write({ verb: 'delete', ...schedule, propagation: 'Background' });
    const collected = async (): Promise<boolean> => (await snapshots()).length === 0;
    if (target.controllers) await until('it is collected with the schedule', collected, COLLECTED_WITHIN_MS);
  });
});
