// An API server that is full or slow, on both servers: it slows the daemon, and never breaks it; and without --client-go-qps
// nothing else does.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Fault, faultOn } from '../../sandbox/index.ts';
import { type DaemonBed, daemonBed, type RunningDaemon } from '../../testing/daemon-bed.ts';
import { type FaultyFront, faultyFront } from '../../testing/faulty-front.ts';
import { forEachTarget, type TestTarget } from '../../testing/targets.ts';
import { until } from '../../testing/until.ts';

/** Timers may fire a moment early by another clock. */
const MOMENT_MS = 20;

interface Stage {
  readonly bed: DaemonBed;
  readonly front: FaultyFront;
  /** Creates of config maps that were answered so. */
  answers(daemon: RunningDaemon, code: string): Promise<number>;
  readonly cluster: { readonly kubeconfig: string };
}

async function stage(target: TestTarget): Promise<Stage> {
  const bed = await daemonBed(target, 'slow');
  after(() => bed.close());
  await bed.crd();
  const kubeconfig = join(bed.project.path, 'front');
  const front = await faultyFront(target.transport, kubeconfig);
  after(() => front.close());
  return {
    ...{ bed, front, cluster: { kubeconfig } },
    answers: async (daemon, code) => {
      const { metrics } = await daemon.addresses;
      const text = await (await fetch(`http://${metrics}/metrics`)).text();
      const line = `metactl_api_requests_total{verb="create",resource="configmaps",code="${code}"} `;
      return Number(
        text
          .split('\n')
          .find((one) => one.startsWith(line))
          ?.slice(line.length) ?? 0,
      );
    },
  };
}

const creates = (fault: Fault, times: number) =>
  faultOn(
    ({ method, path }) => method === 'POST' && path.split('?', 1)[0]?.endsWith('/configmaps') === true,
    fault,
    times,
  );

forEachTarget('a slow API server', (target) => {
  test('429 with Retry-After: it comes back when it is told to, as often as it takes', async () => {
    const { bed, front, cluster, answers } = await stage(target);
    front.setPlan(creates({ kind: 'status', code: 429, retryAfter: 1 }, 2));
    const daemon = bed.start({ cluster });
    const began = performance.now();
    await bed.thing('one', { names: ['a'] });
    await until('the child is there', async () => (await bed.maps()) === 'a');
    assert.ok(performance.now() - began >= 2 * (1_000 - MOMENT_MS), 'twice it waited a second');
    assert.equal(await answers(daemon, '429'), 2);
    assert.equal(await answers(daemon, '201'), 1);
  });

  test('answers that do not come: given up by the timeout, looked at again, and done once', async () => {
    const { bed, front, cluster, answers } = await stage(target);
    front.setPlan(creates({ kind: 'hang' }, 1));
    const daemon = bed.start({ cluster: { ...cluster, requestTimeoutMs: 3_000 }, log: SILENT });
    await bed.thing('one', { names: ['a'] });
    await until('the child is there', async () => (await bed.maps()) === 'a');
    assert.ok((await answers(daemon, '<error>')) >= 1);
    assert.equal(front.writes.filter((write) => /^POST .*\/configmaps$/.test(write)).length, 1);
  });

  test('no rate of our own, unless --client-go-qps says so', async () => {
    const { bed, cluster } = await stage(target);
    const waits = async (daemon: RunningDaemon): Promise<boolean> => {
      const { metrics } = await daemon.addresses;
      const text = await (await fetch(`http://${metrics}/metrics`)).text();
      return text.includes('rest_client_rate_limiter_duration_seconds_count{');
    };
    await bed.thing('one', { names: ['a'] });
    const free = bed.start({ cluster });
    await until('the child is there', async () => (await bed.maps()) === 'a');
    assert.equal(await waits(free), false);
    await free.stop();
    const slowed = bed.start({ cluster, requests: { perSecond: 1_000, burst: 1_000 } });
    await until('it asks the server', () => waits(slowed));
  });
});

const SILENT = { level: 'error', encoder: 'json', write: () => undefined } as const;
