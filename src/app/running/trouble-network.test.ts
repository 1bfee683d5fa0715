// A daemon with two of the examples, on both servers, while something around it goes wrong for a while: calls that fail and
// answers that are cut, hooks that are down, a machine whose time is set, replicas whose leader is cut off or killed. In the end
// all is as the parents say, as in a run that nobody disturbed, and no child was created more often than it was to be.
// METACTL_SOAK_ROUNDS: edits under each trouble (default 2; `npm run soak -- network`: 25). METACTL_SEED: which; it is printed.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../../cluster/index.ts';
import type { Transport } from '../../ports/transport.ts';
import { Creations, inOrder } from '../../testing/creations.ts';
import type { ProcessOptions } from '../../testing/daemon-process.ts';
import { serveExampleHooks } from '../../testing/example-hooks.ts';
import { type ExamplesWorld, examplesWorld } from '../../testing/examples-world.ts';
import { type FaultyFront, faultyFront } from '../../testing/faulty-front.ts';
import { Fencing } from '../../testing/fencing.ts';
import { randomFrom } from '../../testing/random-json.ts';
import { makePodsReady } from '../../testing/ready-pods.ts';
import { type SpawnedDaemon, spawnDaemon } from '../../testing/spawn-daemon.ts';
import { forEachTarget, type TestTarget } from '../../testing/targets.ts';
import { makeTrouble } from '../../testing/trouble.ts';
import { until } from '../../testing/until.ts';

const ROUNDS = Number(process.env['METACTL_SOAK_ROUNDS'] ?? 2);
const SEED = Number(process.env['METACTL_SEED'] ?? 20_261_121);
/** Of each kind of being down. */
const DOWN_MS = Number(process.env['METACTL_SOAK_DOWN_SECONDS'] ?? 1) * 1_000;
/** Far apart: a write that was begun in time may be long under way on a busy machine. */
const TIMING = { leaseMs: 7_000, renewDeadlineMs: 3_000, retryMs: 400 };
/** Nobody else wants it: only a clock that is set could make it lose the lease. */
const LONG = { leaseMs: 90_000, renewDeadlineMs: 60_000, retryMs: 1_000 };
const HOUR = 3_600_000;

interface Replica {
  readonly daemon: () => SpawnedDaemon;
  readonly front: FaultyFront;
}

interface ReplicaOptions {
  readonly through?: (transport: Transport) => Transport;
  /** As a Deployment does, whenever it ends. */
  readonly restarted?: boolean;
}

interface Stage {
  readonly world: ExamplesWorld;
  /** Behind a front of its own. */
  replica(options?: Partial<ProcessOptions>, more?: ReplicaOptions): Promise<Replica>;
  assertRight(what: string): Promise<void>;
}

let stages = 0;

async function stage(target: TestTarget): Promise<Stage> {
  const client = createClient(target.transport);
  const world = await examplesWorld(target, client, `network-${++stages}`);
  const ended = new AbortController();
  const kubelet = makePodsReady(client, world.namespace, ended.signal);
  after(async () => {
    ended.abort();
    await kubelet;
    await world.remove();
  });
  const creations = new Creations();
  const counted = creations.over(target.transport);
  let replicas = 0;
  return {
    world,
    replica: async (options = {}, { through = (below: Transport) => below, restarted = false } = {}) => {
      const kubeconfig = join(world.directories.catset, `front-${++replicas}`);
      const front = await faultyFront(through(counted), kubeconfig);
      let closed = false;
      let daemon: SpawnedDaemon;
      const start = (): void => {
        daemon = spawnDaemon({ cluster: { kubeconfig }, paths: world.definitions, ...options });
        if (restarted) void daemon.ended.then(() => closed || start());
      };
      start();
      after(async () => {
        closed = true;
        await daemon.kill();
        await front.close();
      });
      return { daemon: () => daemon, front };
    },
    assertRight: async (what) => {
      await world.settled();
      const words = `${what}:\n${creations.log.join('\n')}`;
      assert.deepEqual(inOrder(creations.counts), inOrder(world.creations), words);
    },
  };
}

forEachTarget('trouble around a daemon', (target) => {
  const skip = target.controllers ? false : 'pods need controllers, and this server has none';

  test(`calls fail and answers are cut, as when nothing did: METACTL_SEED=${SEED}`, { skip }, async () => {
    const [troubled, calm] = [await stage(target), await stage(target)];
    const { front } = await troubled.replica();
    await calm.replica();
    const trouble = makeTrouble(front, randomFrom(SEED));
    const random = { troubled: randomFrom(SEED), calm: randomFrom(SEED) };
    await Promise.all([troubled.world.begin(), calm.world.begin()]);
    await Promise.all([troubled.assertRight('the beginning'), calm.assertRight('the beginning')]);
    for (let round = 0; round < ROUNDS; round++) {
      const edit = await troubled.world.edit(random.troubled);
      await calm.world.edit(random.calm);
      await Promise.all([troubled.assertRight(edit), calm.assertRight(edit)]);
    }
    await trouble.stop();
    await troubled.assertRight('in the end');
    assert.equal(await troubled.world.state(), await calm.world.state());
  });

  test(`hooks are down for ${(2 * DOWN_MS) / 1_000} s`, { skip }, async () => {
    const { world, replica, assertRight } = await stage(target);
    const hooks = await serveExampleHooks(world);
    after(() => hooks.close());
    await replica({ hookOverrides: hooks.overrides });
    await world.begin();
    await assertRight('the beginning');
    const before = await world.children();
    hooks.state = 'broken';
    await world.another();
    await until('the hook is asked in vain', () => hooks.missed() >= 2);
    await sleep(DOWN_MS);
    hooks.state = 'unavailable';
    const missed = hooks.missed();
    await until('the hook is asked in vain', () => hooks.missed() >= missed + 2, 90_000);
    await sleep(DOWN_MS);
    assert.equal(await world.children(), before, 'nothing was done to children without an answer');
    hooks.state = 'up';
    await assertRight('up again');
  });

  test('the time of the machine is set, by hours', { skip }, async () => {
    const { world, replica, assertRight } = await stage(target);
    const election = { name: 'clock', namespace: world.namespace, timing: LONG };
    const { daemon } = await replica({ election });
    let ended = false;
    void daemon().ended.then(() => {
      ended = true;
    });
    await world.begin();
    await assertRight('the beginning');
    for (const byMs of [3 * HOUR, -6 * HOUR, 48 * HOUR]) {
      daemon().setClock(byMs);
      await world.another();
      await assertRight(`set by ${byMs / HOUR} h`);
    }
    await sleep(2 * LONG.retryMs);
    assert.equal(ended, false, 'it is the leader still');
  });

  test('of two replicas the leader is cut off, and the next one is killed', { skip }, async () => {
    const { world, replica, assertRight } = await stage(target);
    const fencing = new Fencing();
    const election = { name: 'lease', namespace: world.namespace, timing: TIMING };
    const start = (index: number): Promise<Replica> =>
      replica({ election }, { through: (transport) => fencing.over(transport, index), restarted: true });
    const replicas = [await start(0), await start(1)];
    await world.begin();
    await assertRight('the beginning');
    for (let round = 0; round < ROUNDS; round++) {
      const { daemon, front } = replicas[fencing.leader ?? 0] ?? assert.fail();
      await world.another();
      if (round % 2 === 0) {
        front.setPlan(() => ({ kind: 'hang' }));
        front.freeze();
        await assertRight('cut off');
        front.setPlan(undefined);
        front.thaw();
      } else {
        await daemon().kill();
        await assertRight('killed');
      }
    }
    assert.deepEqual(fencing.violations, [], 'nobody wrote without the lease');
  });
});
