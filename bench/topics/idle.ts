// A daemon with nothing to do: 1,000 parents and their 4,000 children on the real server, for ten minutes; and then one child that
// somebody deletes by hand.

import { setTimeout as sleep } from 'node:timers/promises';
import { Bed } from '../daemon-bed.ts';
import { type DaemonProcess, type Done, quiet, seen } from '../daemon-process.ts';
import { type Section, seconds, verdict } from '../report.ts';
import { daemonFor, MANY, onGround } from './daemon.ts';

/** METACTL_BENCH_IDLE_SECONDS: shorter, to try it. */
const IDLE_SECONDS = Number(process.env['METACTL_BENCH_IDLE_SECONDS'] ?? 600);

export async function idleTopic(): Promise<Section> {
  return onGround(async (ground) => {
    const bed = await Bed.make(ground.transport, { ...MANY, namespace: 'bench-idle' });
    const daemon = await daemonFor(ground, bed);
    await seen('4,000 children', () => bed.isSettled(0));
    const settled = await quiet(daemon);
    const begin = performance.now();
    await sleep(IDLE_SECONDS * 1_000);
    const wall = (performance.now() - begin) / 1_000;
    const idle = between(settled, await daemon.done());
    const rest = daemon.restMiB();
    const mended = await oneDeleted(daemon, bed);
    await daemon.stop();
    const share = (100 * idle.cpuSeconds) / wall;
    return {
      title: 'A daemon with nothing to do',
      text: `1,000 parents and their 4,000 ConfigMaps on the real server, settled. The default flags: a resync of all parents every 30 minutes is not among what was seen. Watches are renewed every few minutes.`,
      tables: [
        {
          columns: ['what', 'wall', 'CPU', 'RSS', 'hook calls', 'API calls'],
          rows: [
            [
              'idle',
              seconds(wall),
              `${seconds(idle.cpuSeconds)}, ${share.toFixed(2)} %`,
              `${rest.toFixed(0)} MiB`,
              String(idle.hookCalls),
              callsOf(idle),
            ],
            [
              'a child deleted by hand',
              '–',
              seconds(mended.cpuSeconds),
              '–',
              String(mended.hookCalls),
              callsOf(mended),
            ],
          ],
        },
      ],
      verdicts: [
        verdict('idle: CPU under 1 %', share < 1, `${share.toFixed(2)} %`),
        verdict(
          'idle: no hook call, no write',
          idle.hookCalls + writesIn(idle) === 0,
          `${idle.hookCalls} and ${writesIn(idle)}`,
        ),
        verdict(
          'a child deleted by hand: two hook calls at most, one create, one update at most, no get',
          isFrugal(mended),
          callsOf(mended),
        ),
      ],
    };
  });
}

async function oneDeleted(daemon: DaemonProcess, bed: Bed): Promise<Done> {
  const before = await daemon.done();
  await bed.removeChild('box-500-2');
  const creates = ({ apiCalls }: Done): number => apiCalls.get('create') ?? 0;
  await seen('the child anew', async () => creates(await daemon.done()) > creates(before));
  return between(before, await quiet(daemon));
}

function between(before: Done, after: Done): Done {
  const apiCalls = [...after.apiCalls].map(
    ([verb, times]) => [verb, times - (before.apiCalls.get(verb) ?? 0)] as const,
  );
  return {
    cpuSeconds: after.cpuSeconds - before.cpuSeconds,
    hookCalls: after.hookCalls - before.hookCalls,
    apiCalls: new Map(apiCalls.filter(([, times]) => times > 0)),
  };
}

const callsOf = ({ apiCalls }: Done): string =>
  [...apiCalls].map(([verb, times]) => `${times} × ${verb}`).join(', ') || 'none';

const writesIn = ({ apiCalls }: Done): number =>
  [...apiCalls]
    .filter(([verb]) => verb !== 'watch' && verb !== 'get' && verb !== 'list')
    .reduce((sum, [, times]) => sum + times, 0);

const isFrugal = ({ hookCalls, apiCalls }: Done): boolean =>
  hookCalls <= 2 && apiCalls.get('create') === 1 && (apiCalls.get('update') ?? 0) <= 1 && !apiCalls.has('get');
