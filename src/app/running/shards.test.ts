// Replicas that share the parents, on both servers, each on a way of its own to the server: who looks after whom is read
// from what each has written.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { DaemonOptions } from '../../app/index.ts';
import { shardOf } from '../../daemon/index.ts';
import { type DaemonBed, daemonBed, type RunningDaemon } from '../../testing/daemon-bed.ts';
import { type FaultyFront, faultyFront } from '../../testing/faulty-front.ts';
import { CONFIG_MAPS } from '../../testing/objects.ts';
import type { ProjectOptions } from '../../testing/project-directory.ts';
import { forEachTarget, type TestTarget } from '../../testing/targets.ts';
import { until } from '../../testing/until.ts';

const TIMING = { leaseMs: 6_000, renewDeadlineMs: 4_000, retryMs: 400 };
const SHARDS = 4;

interface Replica {
  readonly daemon: RunningDaemon;
  readonly front: FaultyFront;
  readonly lines: string[];
  /** Namespaces in which it created children, since the last time. */
  worked(): string[];
}

class Bed {
  readonly bed: DaemonBed;
  readonly target: TestTarget;
  readonly namespaces: string[] = [];
  readonly replicas: Replica[] = [];

  private constructor(target: TestTarget, bed: DaemonBed) {
    this.target = target;
    this.bed = bed;
  }

  /** With two namespaces in each shard at least. */
  static async open(target: TestTarget, more: Partial<ProjectOptions> = {}): Promise<Bed> {
    const bed = await daemonBed(target, 'shards', { everywhere: true, ...more });
    after(() => bed.close());
    await bed.crd();
    const made = new Bed(target, bed);
    const full = (shard: number): boolean =>
      made.namespaces.filter((name) => shardOfNamespace(name) === shard).length > 1;
    while (![0, 1, 2, 3].every(full)) made.namespaces.push(await target.namespace());
    return made;
  }

  async replica(
    election: Partial<NonNullable<DaemonOptions['election']>> = {},
    more: Partial<DaemonOptions> = {},
  ): Promise<Replica> {
    const { bed, target } = this;
    const kubeconfig = join(bed.project.path, `replica-${this.replicas.length}`);
    const front = await faultyFront(target.transport, kubeconfig);
    after(() => front.close());
    const lines: string[] = [];
    const daemon = bed.start({
      // A request that hangs has an end within the test.
      cluster: { kubeconfig, requestTimeoutMs: 8_000 },
      election: { name: 'group', namespace: bed.namespace, timing: TIMING, shards: SHARDS, ...election },
      log: { level: 'info', encoder: 'json', write: (line) => lines.push(line) },
      ...more,
    });
    let seen = 0;
    const worked = (): string[] => {
      const creates = front.writes.slice(seen).flatMap((write) => CREATED.exec(write)?.[1] ?? []);
      seen = front.writes.length;
      return [...new Set(creates)].sort();
    };
    const replica = { daemon, front, lines, worked };
    this.replicas.push(replica);
    return replica;
  }

  async parents(name: string): Promise<void> {
    const type = await this.bed.things();
    for (const namespace of this.namespaces)
      await this.bed.create(type, {
        apiVersion: `${this.bed.group}/v1`,
        kind: 'Thing',
        metadata: { name, namespace },
        spec: { selector: { matchLabels: { app: 'thing' } }, names: [`${name}-a`, `${name}-b`] },
      });
  }

  /** Children of the parents of these names are there, in all namespaces. */
  async settled(...names: string[]): Promise<void> {
    const want = names
      .flatMap((name) => [`${name}-a`, `${name}-b`])
      .sort()
      .join(' ');
    for (const namespace of this.namespaces)
      await until(`the children of ${names} in ${namespace}`, async () => (await this.children(namespace)) === want);
  }

  async children(namespace: string): Promise<string> {
    const { items } = await this.bed.client.list(CONFIG_MAPS, { namespace, labelSelector: 'app=thing' });
    return items
      .map(({ metadata }) => metadata.name)
      .sort()
      .join(' ');
  }

  /** Each child was created once, by whoever it was. */
  createdOnce(count: number): void {
    const created = this.replicas.flatMap(({ front }) => front.writes.filter((write) => CREATED.test(write)));
    assert.equal(created.length, count);
  }

  /** By the Leases: how many shards each has that has any, the most first. */
  async shares(): Promise<string> {
    const leases = await this.bed.client.listLeases(this.bed.namespace, 'metactl.dev/lease=group');
    const holders = leases.filter(({ name, holder }) => name.includes('-shard-') && holder !== '');
    const each = new Map<string, number>();
    for (const { holder } of holders) each.set(holder, (each.get(holder) ?? 0) + 1);
    return [...each.values()].sort((a, b) => b - a).join(' ');
  }

  async shared(want: string): Promise<void> {
    await until(`the shards are shared ${want}`, async () => (await this.shares()) === want);
  }
}

const CREATED = /^POST .*\/namespaces\/([^/]+)\/configmaps$/;
const shardOfNamespace = (namespace: string): number => shardOf({ namespace }, SHARDS);
const shardsOf = (namespaces: readonly string[]): number[] => [...new Set(namespaces.map(shardOfNamespace))].sort();

forEachTarget('daemons with shards', (target) => {
  test('one that joins gets its share; every parent is looked after by exactly one; one that stops hands over at once', async () => {
    const bed = await Bed.open(target);
    const a = await bed.replica();
    await bed.shared('4');
    await bed.parents('one');
    await bed.settled('one');
    const b = await bed.replica();
    await bed.shared('2 2');
    a.worked();
    await bed.parents('two');
    await bed.settled('one', 'two');
    const [byA, byB] = [a.worked(), b.worked()];
    assert.deepEqual([...byA, ...byB].sort(), [...bed.namespaces].sort(), 'each namespace has one, and only one');
    assert.deepEqual([shardsOf(byA).length, shardsOf(byB).length], [2, 2]);
    const page = await (await fetch(`http://${(await b.daemon.addresses).metrics}/metrics`)).text();
    const held = Number(/^metactl_cache_objects\{resource="things[^"]*"\} (\d+)$/m.exec(page)?.[1]);
    assert.equal(held, byB.length * 2, 'in its cache are the parents of its own namespaces alone');

    assert.equal((await a.daemon.stop()).status, 'stopped');
    await bed.shared('4');
    await bed.parents('three');
    await bed.settled('one', 'two', 'three');
    assert.deepEqual(b.worked(), [...bed.namespaces].sort());
    bed.createdOnce(bed.namespaces.length * 6);
    assert.equal((await b.daemon.stop()).status, 'stopped');
    const left = await bed.bed.client.listLeases(bed.bed.namespace, 'metactl.dev/lease=group');
    assert.deepEqual(
      left.filter(({ name, holder }) => holder !== '' || name.includes('-replica-')),
      [],
      'nothing is left to wait for',
    );
  });

  test('one is cut off: its shards move within the lease time, it writes nothing more, and takes part again afterwards', async () => {
    const bed = await Bed.open(target);
    const [a, b] = [await bed.replica(), await bed.replica()];
    await bed.shared('2 2');
    await bed.parents('one');
    await bed.settled('one');
    b.front.setPlan(() => ({ kind: 'hang' }));
    b.front.freeze();
    const before = b.front.writes.length;
    const since = performance.now();
    await bed.shared('4');
    // The lease, one look of the one who takes it, and what a loaded machine may take for it.
    assert.ok(performance.now() - since < TIMING.leaseMs + 20_000);
    await bed.parents('two');
    await bed.settled('one', 'two');
    assert.equal(b.front.writes.length, before);
    await until('it knows that they are lost', () => b.lines.some((line) => line.includes('Lost a shard')));
    assert.ok(!a.lines.some((line) => line.includes('Lost a shard')), 'the other has lost nothing');
    b.front.setPlan(undefined);
    b.front.thaw();
    await bed.shared('2 2');
    [a, b].map(({ worked }) => worked());
    await bed.parents('three');
    await bed.settled('one', 'two', 'three');
    assert.deepEqual([...a.worked(), ...b.worked()].sort(), [...bed.namespaces].sort());
    bed.createdOnce(bed.namespaces.length * 6);
  });

  test('cluster-scoped parents go by their names, and see their children in all namespaces', async () => {
    const bed = await Bed.open(target, { parentScope: 'Cluster', hook: SPREAD_HOOK, hookVersion: 'v2' });
    await bed.replica();
    await bed.replica();
    await bed.shared('2 2');
    const type = await bed.bed.things();
    const names = Array.from({ length: 12 }, (_, index) => `spread-${index}`);
    for (const name of names)
      await bed.bed.create(type, {
        apiVersion: `${bed.bed.group}/v1`,
        kind: 'Thing',
        metadata: { name },
        spec: { selector: { matchLabels: { app: 'thing' } }, namespaces: bed.namespaces },
      });
    const seen = async (name: string): Promise<unknown> =>
      ((await bed.bed.client.get(type, name)) as { status?: { seen?: number } } | undefined)?.status?.seen;
    for (const name of names)
      await until(`${name} sees all its children`, async () => (await seen(name)) === bed.namespaces.length);
    bed.createdOnce(names.length * bed.namespaces.length);
    for (const { front } of bed.replicas) assert.ok(front.writes.some((write) => CREATED.test(write)));
  });

  test('another number of shards, or none: it says so, waits, and takes over when the last of the others has gone', async () => {
    const bed = await Bed.open(target);
    const first = await bed.replica({}, { version: '1.0.0' });
    await bed.shared('4');
    const other = await bed.replica({ shards: 2 }, { version: '1.1.0' });
    await until('it says that they share in another way', () =>
      other.lines.find((line) => line.includes('Other replicas share the parents in another way')),
    );
    await bed.parents('one');
    await bed.settled('one');
    assert.deepEqual([first.worked().length, other.worked().length], [bed.namespaces.length, 0]);
    const { health } = await other.daemon.addresses;
    assert.equal((await fetch(`http://${health}/readyz`)).status, 200, 'a rolling update goes on');
    await first.daemon.stop();
    await bed.shared('2');
    await bed.parents('two');
    await bed.settled('one', 'two');
    bed.createdOnce(bed.namespaces.length * 4);
  });

  test('two versions with one Lease: the second says so and waits, and takes over at once, as in a rolling update', async () => {
    const bed = await Bed.open(target);
    const election = { name: 'lease', namespace: bed.bed.namespace, timing: TIMING };
    const old = await bed.replica({}, { election, version: '1.0.0' });
    await bed.parents('one');
    await bed.settled('one');
    const fresh = await bed.replica({}, { election, version: '1.1.0' });
    const said = await until('it says which version it waits for', () =>
      fresh.lines.find((line) => line.includes('The leader is of another version')),
    );
    assert.match(said, /"theirs":"1\.0\.0"/);
    assert.equal((await old.daemon.stop()).status, 'stopped');
    await bed.parents('two');
    await bed.settled('one', 'two');
    bed.createdOnce(bed.namespaces.length * 4);
    const lease = await bed.bed.client.getLease(bed.bed.namespace, 'lease');
    assert.equal(lease?.annotations?.['metactl.dev/version'], '1.1.0');
  });

  test('a lease name that is too long for shards, or none: said, and nothing is begun', async () => {
    const bed = await Bed.open(target);
    for (const name of ['x'.repeat(240), 'Not A Name']) {
      const { status, diagnostics } = await (await bed.replica({ name })).daemon.ended;
      assert.deepEqual([status, diagnostics.map(({ code }) => code)], ['failed', ['usage']]);
    }
  });
});

/** One child in each of spec.namespaces. */
const SPREAD_HOOK = `
  const { namespaces } = request.parent.spec;
  const name = request.parent.metadata.name;
  const children = namespaces.map((namespace) => ({
    apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace, labels: { app: 'thing' } }, data: {},
  }));
  return { status: { seen: Object.keys(request.children['ConfigMap.v1']).length }, children };
`;
