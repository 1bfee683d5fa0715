// A SnapshotSchedule through weeks of virtual time: the sandbox, metactl and the hook go by one clock, which only the test
// moves. On the sandbox alone, as nobody can move the clock of a real server.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { runWatch, type WatchReport } from '../../src/app/index.ts';
import { createClient } from '../../src/cluster/index.ts';
import { createSandbox, kubeconfigFor, serveSandbox } from '../../src/sandbox/index.ts';
import { FAKE_CLOCK_START, FakeClock } from '../../src/testing/fake-clock.ts';
import { CONFIG_MAPS } from '../../src/testing/objects.ts';
import { testEnvironment } from '../../src/testing/use-cases.ts';

const HOUR = 3_600_000;
// The claim is the test's: what is in a file comes back when it is deleted.
const FILES = ['controller.yaml', 'crd.yaml', 'volumesnapshots-crd.yaml', 'my-app.yaml'];
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

interface Stage {
  readonly client: ReturnType<typeof createClient>;
  readonly reports: readonly WatchReport[];
  /** Names of the snapshots, in order. */
  snapshots(): Promise<string[]>;
  /** Lets so many hours pass, and then time enough for what follows from that. */
  pass(hours: number, until: (snapshots: readonly string[]) => boolean): Promise<void>;
}

async function stage(t: TestContext): Promise<Stage> {
  const clock = new FakeClock();
  const sandbox = createSandbox({ clock });
  const served = await serveSandbox(sandbox, { host: '127.0.0.1', port: 0 });
  const directory = await mkdtemp(join(tmpdir(), 'metactl-snapshots-'));
  const kubeconfig = join(directory, 'kubeconfig');
  await writeFile(kubeconfig, kubeconfigFor(served.url));
  const stop = new AbortController();
  const reports: WatchReport[] = [];
  const ended = runWatch(
    {
      cluster: { kubeconfig },
      ...{
        paths: FILES.map((file) => join(import.meta.dirname, file)),
        concurrency: 8,
        allowLocalHooks: true,
        apply: true,
      },
      allowContexts: ['metactl-sandbox'],
      onReport: (report) => reports.push(report),
      watchFiles: async () => ({ close: async () => undefined }),
    },
    { ...testEnvironment, clock, signal: stop.signal },
  );
  const client = createClient(sandbox.transport);
  await client.write({ verb: 'create', type: CLAIMS, fieldManager: 'someone', object: CLAIM });
  const snapshots = async (): Promise<string[]> =>
    (await client.list(SNAPSHOTS, {}).catch(() => ({ items: [] }))).items
      .map(({ metadata }) => metadata.name ?? '')
      .sort();
  t.after(async () => {
    stop.abort(new Error('the test is over'));
    const running = setInterval(() => clock.advance(1), 1);
    await ended;
    clearInterval(running);
    await served.close();
    await sandbox.close();
    await rm(directory, { recursive: true });
  });
  // Threads and sockets take their time whatever the clock says.
  const turns = async (count: number, stride: number, until: (names: readonly string[]) => boolean) => {
    for (let turn = 0; turn < count; turn++) {
      if (until(await snapshots())) return true;
      await sleep(1);
      clock.advance(stride);
    }
    return false;
  };
  const pass: Stage['pass'] = async (hours, until) => {
    for (let hour = 0; hour < hours; hour++) {
      clock.advance(HOUR);
      await turns(3, 1, () => false);
    }
    // Who was just being asked when an hour went by makes the next appointment an hour late, at most a few times.
    for (let more = 0; more < 8; more++) {
      if (await turns(500, hours === 0 ? 1 : 20, until)) return;
      clock.advance(HOUR / 2);
    }
    assert.fail(`it comes to nothing: ${JSON.stringify([await snapshots(), reports.at(-1)])}`);
  };
  return { client, reports, snapshots, pass };
}

/** "data-20260102-0600": the snapshot of the interval, counted from the first one. */
function named(interval: number): string {
  const [day = '', time = ''] = new Date(FAKE_CLOCK_START + interval * 6 * HOUR).toISOString().split('T');
  return `data-${day.replaceAll('-', '')}-${time.slice(0, 2)}00`;
}

test('a snapshot every six hours; each stays for ten days, whether its claim is still there or not', async (t) => {
  const { client, snapshots, pass } = await stage(t);
  const began = performance.now();
  await pass(0, (names) => names.includes(named(0)));
  for (let interval = 1; interval < 4 * 7; interval++) await pass(6, (names) => names.includes(named(interval)));
  assert.equal((await snapshots()).length, 4 * 7, 'a week');
  t.diagnostic(`a week of virtual time: ${Math.round(performance.now() - began)} ms`);

  for (let interval = 4 * 7; interval < 4 * 11; interval++)
    await pass(6, (names) => names.includes(named(interval)) && !names.includes(named(interval - 4 * 10)));
  const kept = await snapshots();
  assert.deepEqual([kept.length, kept[0], kept.at(-1)], [4 * 10, named(4), named(43)], 'the last ten days');

  const claim = { type: CLAIMS, fieldManager: 'someone', name: 'data', namespace: 'default' };
  await client.write({ verb: 'delete', ...claim });
  // As the controller does that protects claims which pods use.
  const contentType = 'application/merge-patch+json';
  await client.write({ verb: 'patch', ...claim, contentType, patch: { metadata: { finalizers: null } } });
  for (let day = 2; day <= 10; day++) await pass(24, (names) => names[0] === named(4 * day));
  const last = await snapshots();
  // Time may have jumped before the loop had heard of the claim.
  assert.ok(
    last.every((name) => [40, 41, 42, 43, 47].map(named).includes(name)),
    `made without a claim: ${last}`,
  );
  // One after the other: four that go at once would be held back by the guard that a hook may not return nothing all at once.
  for (const name of last) await pass(name === named(47) ? 24 : 6, (names) => !names.includes(name));
  assert.deepEqual(await snapshots(), []);
});
