// What a signal does to a daemon, on both servers: what is under way is finished and written, for as long as it may; then not.

import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type DaemonBed, daemonBed } from '../../testing/daemon-bed.ts';
import { faultyFront } from '../../testing/faulty-front.ts';
import { forEachTarget, type TestTarget } from '../../testing/targets.ts';
import { until } from '../../testing/until.ts';

const LONG_MS = 60_000;
const TIMING = { leaseMs: 3_000, renewDeadlineMs: 2_000, retryMs: 300 };
const ANSWER = JSON.stringify({
  children: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'made', labels: { app: 'thing' } } }],
});

/** A bed whose hook is asked and does not answer, until the test does. */
async function stage(target: TestTarget): Promise<{ bed: DaemonBed; asked: () => Promise<ServerResponse> }> {
  const waiting: ServerResponse[] = [];
  const server = createServer((request, response) => {
    request.resume().on('end', () => waiting.push(response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bed = await daemonBed(target, 'drain');
  after(async () => {
    await bed.close();
    server.closeAllConnections();
    server.close();
  });
  await bed.crd();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sync`;
  await bed.project.write('controller.json', {
    ...{ apiVersion: 'metacontroller.k8s.io/v1alpha1', kind: 'CompositeController', metadata: { name: 'things' } },
    spec: {
      parentResource: { apiVersion: `${bed.group}/v1`, resource: 'things' },
      childResources: [{ apiVersion: 'v1', resource: 'configmaps' }],
      hooks: { sync: { webhook: { url, timeout: '10m' } } },
    },
  });
  await bed.thing('one', {});
  return { bed, asked: () => until('the hook is asked', () => waiting.shift()) };
}

forEachTarget('a daemon that is stopped', (target) => {
  test('what is under way is finished and written, and nothing else is begun', async () => {
    const { bed, asked } = await stage(target);
    const daemon = bed.start({ drainMs: LONG_MS });
    const response = await asked();
    const stopped = daemon.stop();
    const { health } = await daemon.addresses;
    const ready = await fetch(`http://${health}/readyz`);
    assert.deepEqual([ready.status, await ready.text()], [503, 'stopping\n']);
    response.end(ANSWER);
    assert.deepEqual(await stopped, { status: 'stopped', diagnostics: [] });
    assert.equal(await bed.maps(), 'made');
  });

  test('what takes longer than it may is left, and nothing of it is written', async () => {
    const { bed, asked } = await stage(target);
    const daemon = bed.start({ drainMs: 100 });
    const response = await asked();
    assert.deepEqual(await daemon.stop(), { status: 'stopped', diagnostics: [] });
    response.end(ANSWER);
    assert.equal(await bed.maps(), '');
  });

  test('the leader renews its lease meanwhile, and what is under way is written under it', async () => {
    const { bed, asked } = await stage(target);
    const daemon = bed.start({
      drainMs: LONG_MS,
      election: { name: 'lease', namespace: bed.namespace, timing: TIMING },
    });
    const response = await asked();
    const lease = () => bed.client.getLease(bed.namespace, 'lease');
    const renewed = async (): Promise<number> => Date.parse((await lease())?.renewTime ?? '');
    const before = await renewed();
    const stopped = daemon.stop();
    await until('one renewal would not have held until now', async () => {
      return (await renewed()) - before > 2 * TIMING.renewDeadlineMs;
    });
    response.end(ANSWER);
    assert.deepEqual(await stopped, { status: 'stopped', diagnostics: [] });
    assert.deepEqual([await bed.maps(), (await lease())?.holder], ['made', '']);
  });

  test('the leader loses its lease meanwhile: it says so, and nothing more is written', async () => {
    const { bed, asked } = await stage(target);
    const kubeconfig = join(bed.project.path, 'front');
    const front = await faultyFront(target.transport, kubeconfig);
    after(() => front.close());
    const election = { name: 'lease', namespace: bed.namespace, timing: TIMING };
    const daemon = bed.start({ drainMs: LONG_MS, election, cluster: { kubeconfig } });
    const response = await asked();
    front.setPlan(() => ({ kind: 'hang' }));
    assert.equal((await daemon.stop()).status, 'lost');
    front.setPlan(undefined);
    response.end(ANSWER);
    assert.equal(await bed.maps(), '');
  });
});
