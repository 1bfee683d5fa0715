// A daemon with two of the examples before a real API server of its own that is killed and started again, that has lost its
// history, whose etcd refuses writes or hangs. What was created is counted in etcd, which sees it whoever dies. What the
// sandbox can show of this is in trouble.test.ts.
// METACTL_SOAK_ROUNDS: how often each (default 1; `npm run soak -- server`: 15). METACTL_SEED: which edits and moments.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../../cluster/index.ts';
import type { ApiRequest, ApiResponse, Transport } from '../../ports/transport.ts';
import { countingFront } from '../../testing/counting-front.ts';
import { inOrder } from '../../testing/creations.ts';
import { type ExamplesWorld, examplesWorld } from '../../testing/examples-world.ts';
import { noOwnServer, type OwnServer, ownServer } from '../../testing/own-server.ts';
import { randomFrom } from '../../testing/random-json.ts';
import { makePodsReady } from '../../testing/ready-pods.ts';
import { spawnDaemon } from '../../testing/spawn-daemon.ts';
import type { TestTarget } from '../../testing/targets.ts';
import { until } from '../../testing/until.ts';

const ROUNDS = Number(process.env['METACTL_SOAK_ROUNDS'] ?? 1);
const SEED = Number(process.env['METACTL_SEED'] ?? 20_261_121);
const LONGEST_AWAY_MS = 3_000;
/** One that ends sooner counts as one more failure, and is opened again after a pause of up to half a minute. */
const WATCHES_WORK_AFTER_MS = 5_500;

interface Stage {
  readonly server: OwnServer;
  readonly world: ExamplesWorld;
  /** Until the stage has ended. */
  readonly kubelet: Promise<void>;
  /** Everything is as it shall be, and nothing was created more often than it was to be. */
  assertRight(after: string): Promise<void>;
}

async function openStage(ended: AbortSignal): Promise<Stage> {
  const server = await ownServer();
  const target: TestTarget = server;
  const client = createClient(server.transport);
  const world = await examplesWorld(target, client, 'own');
  const created = new Map<string, number>();
  const mark = `mark-${SEED}`;
  await server.followCreations((key) => {
    const child = childOf(key, world.namespace);
    if (child !== undefined) created.set(child, (created.get(child) ?? 0) + 1);
  }, ended);
  await world.begin();
  const kubelet = makePodsReady(client, world.namespace, ended);
  let marks = 0;
  return {
    ...{ server, world, kubelet },
    assertRight: async (what) => {
      await world.settled();
      // Once etcd has told of this one, it has told of all before it.
      const name = `${mark}-${++marks}`;
      await world.mark(name);
      await until('etcd has told everything', () => created.delete(`marks ${name}`));
      assert.deepEqual(inOrder(created), inOrder(world.creations), what);
    },
  };
}

/** As worlds call their children. */
function childOf(key: string, namespace: string): string | undefined {
  const [resource, where = '', name] = key.split('/');
  if (resource === 'pods' && where === namespace) return `pods ${name}`;
  if (resource !== 'configmaps' || !where.startsWith(namespace)) return undefined;
  if (name?.startsWith('mark-')) return `marks ${name}`;
  return name === 'settings' && where !== namespace ? `configmaps ${where.slice(-1)}/${name}` : undefined;
}

/** Notes the paths of watches, which are open, which the server ended with 410, and the writes that it could not carry out. */
class Noted {
  readonly watches = new Set<string>();
  readonly open = new Set<string>();
  readonly expired = new Set<string>();
  refused = 0;

  over(transport: Transport): Transport {
    return {
      request: async (request) => {
        const response = await transport.request(request);
        if (request.method !== 'GET' && response.status >= 500) this.refused++;
        return request.longLived === true ? this.#watch(request, response) : response;
      },
      close: async () => undefined,
    };
  }

  #watch({ path }: ApiRequest, response: ApiResponse): ApiResponse {
    const { watches, expired, open } = this;
    const collection = path.replace(/\?.*/, '');
    watches.add(collection);
    if (response.status === 410) expired.add(collection);
    if (response.status !== 200) return response;
    open.add(collection);
    const pieces = response.body;
    const body = (async function* () {
      try {
        for await (const piece of pieces) {
          if (Buffer.from(piece).includes('"code":410')) expired.add(collection);
          yield piece;
        }
      } finally {
        open.delete(collection);
      }
    })();
    return { ...response, body };
  }
}

describe('the server of a daemon in trouble [real]', { skip: noOwnServer() }, () => {
  const ended = new AbortController();
  let stage: Stage;
  before(async () => {
    stage = await openStage(ended.signal);
  });
  after(async () => {
    ended.abort();
    await stage?.kubelet;
    await stage?.world.remove();
    await stage?.server.close();
  });

  test(`the API server is killed in the middle of work, ${ROUNDS} times, METACTL_SEED=${SEED}`, async (t) => {
    const { server, world, assertRight } = stage;
    const random = randomFrom(SEED);
    const daemon = spawnDaemon({ cluster: server.choice, paths: world.definitions });
    t.after(() => daemon.kill());
    await assertRight('the beginning');
    for (let round = 0; round < ROUNDS; round++) {
      await world.another();
      await sleep(random() * 1_000);
      await server.kill();
      await sleep(random() * LONGEST_AWAY_MS);
      await server.start();
      await assertRight(`round ${round}`);
    }
  });

  test('the server has forgotten where each watch was: 410', async (t) => {
    const { server, world, assertRight } = stage;
    const noted = new Noted();
    const kubeconfig = join(world.directories.catset, 'front');
    const front = await countingFront(noted.over(server.transport), kubeconfig, () => undefined);
    const daemon = spawnDaemon({ cluster: { kubeconfig }, paths: world.definitions });
    t.after(async () => {
      await daemon.kill();
      await front.close();
    });
    for (let round = 0; round < ROUNDS; round++) {
      await world.another();
      await assertRight('before');
      const watches = [...noted.watches];
      await until('all watches are open', () => watches.every((path) => noted.open.has(path)));
      await sleep(WATCHES_WORK_AFTER_MS);
      noted.expired.clear();
      await server.kill();
      await server.compact();
      await server.start();
      await world.another();
      const untold = (): string[] => watches.filter((path) => !noted.expired.has(path));
      await until('each watch was told', () => untold().length === 0).catch(() => assert.fail(`not told: ${untold()}`));
      await assertRight('afterwards');
    }
  });

  test('etcd takes no writes for a while, and then hangs', async (t) => {
    const { server, world, assertRight } = stage;
    const noted = new Noted();
    const kubeconfig = join(world.directories.catset, 'front');
    let onWrite: () => Promise<void> | void = () => undefined;
    const front = await countingFront(noted.over(server.transport), kubeconfig, () => onWrite());
    const daemon = spawnDaemon({ cluster: { kubeconfig }, paths: world.definitions });
    t.after(async () => {
      await daemon.kill();
      await front.close();
    });
    for (let round = 0; round < ROUNDS; round++) {
      noted.refused = 0;
      // The user's own edits are through.
      await world.another();
      onWrite = () => server.refuseWrites(true);
      await until('writes were refused', () => noted.refused >= 3);
      onWrite = () => undefined;
      await server.refuseWrites(false);
      await assertRight('etcd took no writes');
      const hanging = Promise.withResolvers<void>();
      await world.another();
      onWrite = () => {
        server.freeze(true);
        hanging.resolve();
      };
      await hanging.promise;
      onWrite = () => undefined;
      await sleep(LONGEST_AWAY_MS);
      server.freeze(false);
      await assertRight('etcd hung');
    }
  });
});
