// A daemon that is killed again and again, on both servers, with two of the examples: kill -9 at a random write, before its
// answer arrives, or at a random moment, start-up included. After each the next process brings about what the parents say,
// and what was created is not created again.
// METACTL_SOAK_KILLS: how often (default 3; `npm run soak -- kills`: 100). METACTL_SEED: which edits and moments; it is printed.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../../cluster/index.ts';
import { countingFront } from '../../testing/counting-front.ts';
import { Creations, inOrder } from '../../testing/creations.ts';
import { type ExamplesWorld, examplesWorld } from '../../testing/examples-world.ts';
import { randomFrom } from '../../testing/random-json.ts';
import { makePodsReady } from '../../testing/ready-pods.ts';
import { type SpawnedDaemon, spawnDaemon } from '../../testing/spawn-daemon.ts';
import { forEachTarget, type TestTarget } from '../../testing/targets.ts';

const KILLS = Number(process.env['METACTL_SOAK_KILLS'] ?? 3);
const SEED = Number(process.env['METACTL_SEED'] ?? 20_261_121);
/** A daemon is at rest, or starts, in less. */
const LONGEST_PAUSE_MS = 2_000;
const AT_A_WRITE = 0.7;
const KILLED_AGAIN = 0.25;

interface Stage {
  readonly world: ExamplesWorld;
  readonly creations: Creations;
  start(): SpawnedDaemon;
  /** Resolves when the server has carried out so many writes more, and the process is gone. */
  killAt(daemon: SpawnedDaemon, writes: number): Promise<void>;
}

async function stage(target: TestTarget): Promise<Stage> {
  const client = createClient(target.transport);
  const world = await examplesWorld(target, client, 'kills');
  const ended = new AbortController();
  const kubelet = makePodsReady(client, world.namespace, ended.signal);
  after(async () => {
    ended.abort();
    await kubelet;
    await world.remove();
  });
  const creations = new Creations();
  const kubeconfig = join(world.directories.catset, 'kubeconfig');
  let onWrite: (count: number) => Promise<void> | void = () => undefined;
  const front = await countingFront(creations.over(target.transport), kubeconfig, (count) => onWrite(count));
  after(() => front.close());
  const daemons = new Set<SpawnedDaemon>();
  after(() => Promise.all([...daemons].map((daemon) => daemon.kill())));
  return {
    world,
    creations,
    start: () => {
      const daemon = spawnDaemon({ cluster: { kubeconfig }, paths: world.definitions });
      daemons.add(daemon);
      void daemon.ended.then(() => daemons.delete(daemon));
      return daemon;
    },
    killAt: (daemon, writes) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const at = front.writes() + writes;
      onWrite = async (count) => {
        if (count < at) return;
        onWrite = () => undefined;
        await daemon.kill();
        resolve();
      };
      return promise;
    },
  };
}

/** At a write if there are so many; else when all is done. */
async function killAtRandom({ world, killAt }: Stage, daemon: SpawnedDaemon, random: () => number): Promise<string> {
  if (random() >= AT_A_WRITE) {
    const ms = Math.floor(random() * LONGEST_PAUSE_MS);
    await sleep(ms);
    await daemon.kill();
    return 'at a moment';
  }
  const killed = killAt(daemon, 1 + Math.floor(random() * 6)).then(() => 'at a write');
  const how = await Promise.race([killed, world.settled().then(() => 'at rest')]);
  await daemon.kill();
  return how;
}

forEachTarget('a daemon that is killed', (target) => {
  const skip = target.controllers ? false : 'pods need controllers, and this server has none';
  test(`kill -9, ${KILLS} times, METACTL_SEED=${SEED}`, { skip }, async (t) => {
    const random = randomFrom(SEED);
    const staged = await stage(target);
    const { world, creations } = staged;
    let daemon = staged.start();
    await world.begin();
    const ends = new Map<string, number>();
    for (let kills = 0; kills < KILLS; ) {
      const edit = kills === 0 ? 'the beginning' : await world.edit(random);
      do {
        const how = await killAtRandom(staged, daemon, random);
        ends.set(how, (ends.get(how) ?? 0) + 1);
        daemon = staged.start();
        kills++;
      } while (kills < KILLS && random() < KILLED_AGAIN);
      await world.settled();
      const words = `${edit}, ${kills} kills:\n${creations.log.join('\n')}`;
      assert.deepEqual(inOrder(creations.counts), inOrder(world.creations), words);
    }
    t.diagnostic(`killed: ${JSON.stringify(inOrder(ends))}; created: ${JSON.stringify(inOrder(creations.counts))}`);
    await daemon.stop();
  });
});
