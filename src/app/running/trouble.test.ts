// A daemon in trouble, on both servers: the API server goes away and comes back, forgets where watches were, the process is
// killed, two are at work with one Lease. The end state is right, and no child is created twice.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { faultOn } from '../../sandbox/index.ts';
import { countingFront } from '../../testing/counting-front.ts';
import { type DaemonBed, daemonBed } from '../../testing/daemon-bed.ts';
import { faultyFront } from '../../testing/faulty-front.ts';
import { CONFIG_MAPS } from '../../testing/objects.ts';
import { type SpawnedDaemon, spawnDaemon } from '../../testing/spawn-daemon.ts';
import { forEachTarget, type TestTarget } from '../../testing/targets.ts';
import { until } from '../../testing/until.ts';

const TIMING = { leaseMs: 3_000, renewDeadlineMs: 2_000, retryMs: 300 };

async function bedFor(target: TestTarget): Promise<DaemonBed> {
  const bed = await daemonBed(target, 'trouble');
  after(() => bed.close());
  await bed.crd();
  return bed;
}

const isCreate = (write: string): boolean => /^POST .*\/configmaps$/.test(write);

const rename = (bed: DaemonBed, parent: string, names: readonly string[]): Promise<void> =>
  bed.edit(parent, { spec: { names } });

forEachTarget('daemon in trouble', (target) => {
  test('the API server is away for a while, and forgets where the watches were', async () => {
    const bed = await bedFor(target);
    const kubeconfig = join(bed.project.path, 'front');
    const front = await faultyFront(target.transport, kubeconfig);
    after(() => front.close());
    for (const name of ['one', 'two']) await bed.thing(name, { names: [`${name}-a`, `${name}-b`] });
    const daemon = bed.start({ cluster: { kubeconfig } });
    await until('the children are there', async () => (await bed.maps()).split(' ').length === 4);

    front.setPlan(() => ({ kind: 'reset' }));
    front.dropWatches();
    await rename(bed, 'one', ['one-a', 'one-c']);
    await bed.client.write({
      verb: 'delete',
      type: CONFIG_MAPS,
      fieldManager: 'test',
      name: 'two-a',
      namespace: bed.namespace,
    });
    await sleep(2_500);
    // Back, with every first watch of the past refused: 410.
    front.setPlan(
      faultOn(
        ({ longLived, path }) => longLived === true && path.includes('resourceVersion='),
        { kind: 'status', code: 410 },
        6,
      ),
    );
    await until('it is as wanted', async () => (await bed.maps()) === 'one-a one-c two-a two-b');
    // Its last write is on the server before it is on the list.
    assert.equal((await daemon.stop()).status, 'stopped');
    assert.equal(front.writes.filter(isCreate).length, 6, 'four at first, one new, one that was deleted');
  });

  test('one write in five is answered with 500, reset or lost: the end is the same', async () => {
    const bed = await bedFor(target);
    const kubeconfig = join(bed.project.path, 'front');
    const front = await faultyFront(target.transport, kubeconfig);
    after(() => front.close());
    let count = 0;
    front.setPlan(({ method }) => {
      if (method === 'GET' || ++count % 5 !== 0) return undefined;
      const faults = [{ kind: 'status', code: 500 }, { kind: 'lost' }, { kind: 'reset' }] as const;
      return faults[(count / 5) % 3];
    });
    bed.start({ cluster: { kubeconfig } });
    const wanted = Array.from({ length: 20 }, (_, index) => `c-${String(index).padStart(2, '0')}`);
    await bed.thing('one', { names: wanted });
    await until('all are there', async () => (await bed.maps()) === wanted.join(' '));
    const things = await bed.things();
    const seen = async (): Promise<unknown> =>
      ((await bed.client.get(things, 'one', bed.namespace)) as { status?: { seen?: number } } | undefined)?.status
        ?.seen;
    await until('the status says so', async () => (await seen()) === wanted.length);
  });

  test('kill -9 in the middle, and another process: what was done is not done again', async () => {
    const bed = await bedFor(target);
    const kubeconfig = join(bed.project.path, 'front');
    let daemon: SpawnedDaemon | undefined;
    const front = await countingFront(target.transport, kubeconfig, async (writes) => {
      if (writes === 7) await daemon?.kill();
    });
    after(() => front.close());
    const wanted = Array.from({ length: 12 }, (_, index) => `c-${String(index).padStart(2, '0')}`);
    await bed.thing('one', { names: wanted });
    const paths = [join(bed.project.path, 'controller.json')];
    const killed = spawnDaemon({ cluster: { kubeconfig }, paths, namespace: bed.namespace, concurrency: 4 });
    daemon = killed;
    await killed.ended;
    assert.ok(front.writes() >= 7);
    const next = bed.start({ cluster: { kubeconfig } });
    await until('all are there', async () => (await bed.maps()) === wanted.join(' '));
    await next.stop();
    assert.equal(front.log.filter(isCreate).length, wanted.length, front.log.join('\n'));
  });

  test('two daemons with one Lease: one is at work; stopped, it hands over at once', async () => {
    const bed = await bedFor(target);
    await bed.thing('one', { names: ['a'] });
    const election = { name: 'lease', namespace: bed.namespace, timing: TIMING };
    const first = bed.start({ election });
    await until('the first is at work', async () => (await bed.maps()) === 'a');
    const second = bed.start({ election });
    const ready = async (daemon: typeof second): Promise<number> => {
      const { health } = await daemon.addresses;
      return (await fetch(`http://${health}/readyz`)).status;
    };
    await until('the second stands by', async () => (await ready(second)) === 200);
    const leaders = async (): Promise<string[]> => {
      const pages = await Promise.all(
        [first, second].map(async ({ addresses }) =>
          (await fetch(`http://${(await addresses).metrics}/metrics`)).text(),
        ),
      );
      return pages.flatMap((text) => /^metactl_leader (\d)$/m.exec(text)?.[1] ?? []);
    };
    await sleep(TIMING.leaseMs);
    assert.deepEqual(await leaders(), ['1', '0']);
    assert.equal((await first.stop()).status, 'stopped');
    await rename(bed, 'one', ['b']);
    await until('the second is at work', async () => (await bed.maps()) === 'b');
  });

  test('the leader is cut off: it stops writing before the other begins, and ends', async () => {
    const bed = await bedFor(target);
    await bed.thing('one', { names: ['a'] });
    const election = { name: 'lease', namespace: bed.namespace, timing: TIMING };
    const kubeconfig = join(bed.project.path, 'front');
    const front = await faultyFront(target.transport, kubeconfig);
    after(() => front.close());
    const leader = bed.start({ election, cluster: { kubeconfig } });
    await until('it is at work', async () => (await bed.maps()) === 'a');
    bed.start({ election });
    front.setPlan(() => ({ kind: 'hang' }));
    front.freeze();
    assert.equal((await leader.ended).status, 'lost');
    const before = front.writes.length;
    front.setPlan(undefined);
    front.thaw();
    await rename(bed, 'one', ['b']);
    await until('the other is at work', async () => (await bed.maps()) === 'b');
    assert.equal(front.writes.length, before, 'nothing more was written by the one that was cut off');
  });
});
