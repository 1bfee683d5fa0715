// Parents that come, change and go again and again under a daemon in a process of its own, on both servers: its heap, after
// garbage collection, does not grow. The criterion is a line through many samples, after a time in which
// caches and code warm up: what it rises from its start to its end, while thousands of objects pass, is what a few of them take.
// METACTL_SOAK_SECONDS: how long (default 20, in CI 180; `npm run soak -- memory`: 1,800).

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DaemonBed, daemonBed } from '../../testing/daemon-bed.ts';
import { CONFIG_MAPS } from '../../testing/objects.ts';
import { spawnDaemon } from '../../testing/spawn-daemon.ts';
import { forEachTarget } from '../../testing/targets.ts';
import { until } from '../../testing/until.ts';

const SECONDS = Number(process.env['METACTL_SOAK_SECONDS'] ?? (process.env['CI'] ? 180 : 20));
const SAMPLES = 60;
/** What is remembered of an object for two minutes (src/loop/stability.ts) has its size by then; a run of seconds never comes to that. */
const WARM_SECONDS = SECONDS < 150 ? SECONDS / 4 : Math.max(130, SECONDS / 4);
const AT_ONCE = 6;
/** From the start of a parent to that of the next: what is remembered for a time takes the more the more happens in it. */
const PACE_MS = 400;
/** Of what the line rises; the heap of such a daemon is about 25 MiB. */
const MOST_MIB = 3;
const MIB = 2 ** 20;
/** A machine that others keep busy is no defect. */
const PATIENCE_MS = 180_000;

/** Parents with two children each, which come, get another child, and go; no name comes twice. Returns how many. */
async function churn(bed: DaemonBed, ended: () => boolean): Promise<number> {
  const { client, namespace } = bed;
  const type = await bed.things();
  let count = 0;
  const has = async (name: string): Promise<boolean> => (await client.get(CONFIG_MAPS, name, namespace)) !== undefined;
  const one = async (): Promise<void> => {
    while (!ended()) {
      const pace = sleep(PACE_MS);
      const name = `p${count++}`;
      const at = { type, name, namespace, fieldManager: 'test' } as const;
      await bed.thing(name, { names: [`${name}-a`, `${name}-b`] });
      await until(`${name} has its children`, () => has(`${name}-b`), PATIENCE_MS);
      const patch = { spec: { names: [`${name}-a`, `${name}-c`], text: name } };
      await client.write({ ...at, verb: 'patch', contentType: 'application/merge-patch+json', patch });
      await until(`${name} has another child`, () => has(`${name}-c`), PATIENCE_MS);
      await client.write({ ...at, verb: 'delete' });
      await pace;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  return count;
}

/** Least squares: the rise from the first to the last of evenly spaced values. */
function riseOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const slope =
    values.reduce((sum, value, x) => sum + (x - middle) * (value - mean), 0) /
    values.reduce((sum, _, x) => sum + (x - middle) ** 2, 0);
  return slope * (values.length - 1);
}

forEachTarget('memory of a daemon', (target) => {
  test(`does not grow in ${SECONDS} s of churn`, async (t) => {
    const bed = await daemonBed(target, 'memory');
    after(() => bed.close());
    await bed.crd();
    const { kubeconfig } = target.choice;
    const paths = [join(bed.project.path, 'controller.json')];
    const daemon = spawnDaemon({ cluster: { kubeconfig }, paths, namespace: bed.namespace });
    after(() => daemon.kill());
    await bed.thing('first', { names: ['first'] });
    await until('the daemon is at work', async () => (await bed.maps()) === 'first', PATIENCE_MS);
    const end = performance.now() + SECONDS * 1_000;
    const parents = churn(bed, () => performance.now() > end);
    const heap: number[] = [];
    for (let sample = 0; sample < SAMPLES; sample++) {
      await sleep((SECONDS * 1_000) / SAMPLES);
      heap.push((await daemon.measure()).heap / MIB);
    }
    const settled = heap.slice(Math.ceil((WARM_SECONDS / SECONDS) * SAMPLES));
    const { rss } = await daemon.measure();
    const rise = riseOf(settled);
    const words = `${await parents} parents, heap ${settled[0]?.toFixed(1)} to ${settled.at(-1)?.toFixed(1)} MiB, rise ${rise.toFixed(2)} MiB, RSS ${(rss / MIB).toFixed(0)} MiB`;
    t.diagnostic(words);
    assert.ok(rise < MOST_MIB, words);
  });
});
