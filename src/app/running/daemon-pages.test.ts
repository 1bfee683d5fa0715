// The addresses of a daemon: each flag has its pages, and an address that can't be had is named with its flag and its port.

import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { after, test } from 'node:test';
import { DiagnosticError } from '../../model/diagnostic.ts';
import { serveDaemon } from './daemon-pages.ts';

const HERE = { host: '127.0.0.1', port: 0 };
const PAGES = {
  health: { '/healthz': () => ({ status: 200 as const, body: 'fine' }) },
  metrics: { '/metrics': () => ({ status: 200 as const, body: 'counted' }) },
};

test('each address has its own pages; profiles are served only where they are asked for', async () => {
  let addresses: Readonly<Record<string, string>> = {};
  const onListening = (told: object): void => {
    addresses = { ...told };
  };
  const wanted = { healthAddress: HERE, metricsAddress: HERE, onListening };
  const without = await serveDaemon(wanted, PAGES);
  assert.deepEqual(Object.keys(addresses), ['health', 'metrics']);
  const get = async (name: string, path: string): Promise<string> =>
    (await fetch(`http://${addresses[name]}${path}`)).text();
  assert.equal(await get('health', '/healthz'), 'fine');
  assert.equal(await get('metrics', '/metrics'), 'counted');
  assert.equal(await get('metrics', '/debug/pprof/heap'), 'not found\n');
  await Promise.all(without.map((one) => one.close()));
  const withProfiles = await serveDaemon({ ...wanted, pprofAddress: HERE }, PAGES);
  assert.match(await get('pprof', '/debug/pprof/'), /CPU/);
  await Promise.all(withProfiles.map((one) => one.close()));
});

const FLAGS = [
  ['--health-probe-bind-address', 'healthAddress'],
  ['--metrics-address', 'metricsAddress'],
  ['--pprof-address', 'pprofAddress'],
] as const;
for (const [flag, option] of FLAGS)
  test(`${flag}: a port that somebody has`, async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    after(() => other.close());
    const { port } = other.address() as { port: number };
    const taken = { healthAddress: HERE, [option]: { host: '127.0.0.1', port } };
    await assert.rejects(serveDaemon(taken, PAGES), (error: unknown) => {
      assert.ok(error instanceof DiagnosticError);
      const [problem] = error.diagnostics;
      assert.match(problem?.summary ?? '', new RegExp(`^${flag}: another process listens there already .*:${port}`));
      assert.match(problem?.hint ?? '', new RegExp(`${flag}=0`));
      return true;
    });
  });
