// A SnapshotSchedule through a week of virtual time: the sandbox, metactl and the hook go by one clock, which only the test
// moves. On the sandbox alone, as nobody can move the clock of a real server.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createClient } from '../../src/cluster/index.ts';
import { createSandbox, kubeconfigFor, serveSandbox } from '../../src/sandbox/index.ts';
import { FAKE_CLOCK_START, FakeClock } from '../../src/testing/fake-clock.ts';
import { CONFIG_MAPS } from '../../src/testing/objects.ts';
import { useCases } from '../../src/testing/use-cases.ts';

const HOUR = 3_600_000;
// The claim is the test's: what is in a file comes back when it is deleted.
const FILES = ['controller.yaml', 'crd.yaml', 'volumesnapshots-crd.yaml'];
const CLAIM = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'data', namespace: 'default', labels: { app: 'my-app' } },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};
const CLAIMS = { ...CONFIG_MAPS, kind: 'PersistentVolumeClaim', resource: 'persistentvolumeclaims' };
const SNAPSHOTS = {
  ...CONFIG_MAPS,
  group: 'snapshot.storage.k8s.io',
  version: 'v1',
  kind: 'VolumeSnapshot',
  resource: 'volumesnapshots',
};

async function stage(t: TestContext) {
  const clock = new FakeClock();
  const sandbox = createSandbox({ clock });
  const served = await serveSandbox(sandbox, { host: '127.0.0.1', port: 0 });
  const directory = await mkdtemp(join(tmpdir(), 'metactl-snapshots-'));
  const kubeconfig = join(directory, 'kubeconfig');
  await writeFile(kubeconfig, kubeconfigFor(served.url));
  const schedule = join(directory, 'my-app.yaml');
  const text = await readFile(join(import.meta.dirname, 'my-app.yaml'), 'utf8');
  await writeFile(schedule, text.replace('snapshotTTL: 10d', 'snapshotTTL: 50h'));
  t.after(async () => {
    await served.close();
    await sandbox.close();
    await rm(directory, { recursive: true });
  });
  const client = createClient(sandbox.transport);
  await client.write({ verb: 'create', type: CLAIMS, fieldManager: 'someone', object: CLAIM });
  const paths = [...FILES.map((file) => join(import.meta.dirname, file)), schedule];
  const cases = useCases({ cluster: { kubeconfig }, paths });
  /** The snapshots when everything is done that is due now, by name. */
  const settle = async (): Promise<string[]> => {
    // While it works, the clock runs as fast as the machine's.
    const running = setInterval(() => clock.advance(10), 10);
    const { status, diagnostics } = await cases.apply({}, { clock });
    clearInterval(running);
    assert.ok(status === 'settled' || status === 'nothing', JSON.stringify([status, diagnostics]));
    const { items } = await client.list(SNAPSHOTS, {});
    return items.map(({ metadata }) => metadata.name ?? '').sort();
  };
  return { clock, client, settle };
}

/** "data-20260102-0600": the snapshot of the interval, counted from the first one. */
function named(interval: number): string {
  const [day = '', time = ''] = new Date(FAKE_CLOCK_START + interval * 6 * HOUR).toISOString().split('T');
  return `data-${day.replaceAll('-', '')}-${time.slice(0, 2)}00`;
}

const range = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => named(from + index));

test('a week: one every six hours, each for fifty hours, whether its claim is still there or not', async (t) => {
  const { clock, client, settle } = await stage(t);
  for (let interval = 0; interval < 4 * 5; interval++) {
    // After 48 hours it is still there, after 54 it is not.
    assert.deepEqual(await settle(), range(Math.max(0, interval - 8), interval));
    clock.advance(FAKE_CLOCK_START + (interval + 1) * 6 * HOUR - clock.now());
  }
  const claim = { type: CLAIMS, fieldManager: 'someone', name: 'data', namespace: 'default' };
  await client.write({ verb: 'delete', ...claim });
  assert.deepEqual(await settle(), range(12, 19), 'none of a claim that has gone');
  for (let interval = 21; interval <= 28; interval++) {
    clock.advance(FAKE_CLOCK_START + interval * 6 * HOUR + HOUR - clock.now());
    assert.deepEqual(await settle(), range(interval - 8, 19), 'without a claim they stay until their time is over');
  }
});
