// A shadow of one that has another hook, on both servers: each miss is named with its fields, once; what Secrets hold is not.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Clock } from '../../kit/clock.ts';
import type { ShadowReport } from '../../model/shadow.ts';
import { daemonBed, type RunningDaemon, startDaemon } from '../../testing/daemon-bed.ts';
import { realClock } from '../../testing/real-clock.ts';
import { otherHook, shadowPair } from '../../testing/shadow-bed.ts';
import { forEachTarget, type TestTarget } from '../../testing/targets.ts';
import type { DaemonOptions } from './daemon-options.ts';

const WINDOW_MS = 600_000;

/** The machine's clock, until the window is to be over. */
function skippingClock() {
  let skipped = 0;
  const clock: Clock = {
    ...realClock,
    now: () => realClock.now() + skipped,
    steady: () => realClock.steady() + skipped,
  };
  const skip = (ms: number): void => {
    skipped += ms;
  };
  return { clock, skip };
}

async function pairWith(
  target: TestTarget,
  hooks: { readonly atWork: string; readonly shadow: string; readonly log?: (line: string) => void },
) {
  const bed = await daemonBed(target, 'misses', { hook: hooks.shadow, childResources: ['configmaps', 'secrets'] });
  const { remove, paths } = await otherHook(bed, hooks.atWork);
  const { clock, skip } = skippingClock();
  const daemons: RunningDaemon[] = [];
  after(async () => {
    for (const daemon of daemons) await daemon.stop();
    await bed.close();
    await remove();
  });
  await bed.crd();
  const { project, namespace } = bed;
  const own = { cluster: {}, paths: [join(project.path, 'controller.json')], namespace };
  const start = (given: Partial<DaemonOptions> = {}): RunningDaemon => {
    const daemon = startDaemon({ ...own, ...given }, {}, clock);
    daemons.push(daemon);
    return daemon;
  };
  const { log: write = () => undefined } = hooks;
  const shadow = { log: { level: 'debug', encoder: 'json', write } } as const;
  const pair = await shadowPair({ project, start }, target, { windowMs: WINDOW_MS, atWork: { paths }, shadow });
  const misses = async (count: number): Promise<ShadowReport> => {
    await bed.thing('one', {});
    await pair.undecided(count);
    skip(WINDOW_MS);
    return pair.missed(count);
  };
  return { pair, misses };
}

const child = (name: string, data: string): string =>
  `{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: '${name}', labels: { app: 'thing' } }, data: ${data} }`;
const answer = (status: string, ...children: readonly string[]): string =>
  `return { status: ${status}, children: [${children.join(', ')}] };`;

const told = ({ found }: ShadowReport): string[] =>
  found
    .map(({ kind, verb, object, manager = '-', fields }) => {
      const said = fields.map(({ path, predicted, seen }) => `${path}=${predicted}/${seen}`).join(' ');
      return `${kind} ${verb} ${object.name} ${manager} ${said}`.trim();
    })
    .sort();

forEachTarget('shadow of another hook', (target) => {
  test('each miss is named: what is written otherwise, what nobody foretold, what never comes', async () => {
    const { pair, misses } = await pairWith(target, {
      atWork: answer(`{ seen: 'x', same: 1 }`, child('both', '{ text: "2", same: "s" }'), child('more', '{ k: "v" }')),
      shadow: answer(`{ seen: 'y', same: 1 }`, child('both', '{ text: "1", same: "s" }'), child('less', '{ k: "v" }')),
    });
    const report = await misses(4);
    assert.deepEqual(told(report), [
      'different create both metactl data.text=1/2',
      'different status one metactl status.seen=y/x',
      'never-seen create less - data=[object Object]/undefined metadata.labels=[object Object]/undefined metadata.ownerReferences=[object Object]/undefined',
      'not-predicted create more metactl data=undefined/[object Object] metadata.labels=undefined/[object Object] metadata.ownerReferences=undefined/[object Object]',
    ]);
    assert.equal(report.misses, 4);
    assert.deepEqual(pair.writesOfShadow(), []);
    const { shadow } = await pair.shadow.stop();
    assert.equal(shadow?.misses, 4, 'none is told twice');
  });

  test('no value of a Secret is in what it says, wherever it stands', async () => {
    const secret = (value: string): string =>
      `{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'hidden', labels: { app: 'thing' } }, stringData: { key: '${value}' } }`;
    const lines: string[] = [];
    const { pair, misses } = await pairWith(target, {
      atWork: answer(`{}`, secret('canary-at-work'), child('plain', `{ text: 'it is canary-at-work', at: 'w' }`)),
      shadow: answer(`{}`, secret('canary-of-shadow'), child('plain', `{ text: 'it is canary-of-shadow', at: 's' }`)),
      log: (line) => lines.push(line),
    });
    await misses(2);
    const { metrics } = await pair.shadow.addresses;
    for (const page of ['shadow', 'shadow.json', 'metrics'])
      lines.push(await (await fetch(`http://${metrics}/${page}`)).text());
    const text = lines.join('\n');
    assert.match(text, /Secret .*hidden/);
    assert.match(text, /data\.at: "s" → "w"/);
    for (const value of ['canary-at-work', 'canary-of-shadow'])
      for (const form of [value, btoa(value)]) assert.ok(!text.includes(form), `${form} in:\n${text}`);
  });
});
