import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ServedPages, servePages } from './probes.ts';
import { profilePages } from './profiles.ts';

async function get(served: ServedPages, path: string): Promise<{ status: number; type: string; text: string }> {
  const response = await fetch(`http://${served.address}/debug/pprof${path}`);
  const type = response.headers.get('content-disposition') ?? '';
  return { status: response.status, type, text: await response.text() };
}

test('profiles in the formats of V8, one at a time', async (t) => {
  const served = await servePages({ host: '127.0.0.1', port: 0 }, profilePages());
  t.after(() => served.close());
  assert.match((await get(served, '/')).text, /CPU .*\.cpuprofile/);
  const cpu = await get(served, '/profile?seconds=0.05');
  assert.match(cpu.type, /cpu\.cpuprofile/);
  assert.ok((JSON.parse(cpu.text) as { nodes: unknown[] }).nodes.length > 0);
  const allocations = await get(served, '/allocs?seconds=0.05');
  assert.ok((JSON.parse(allocations.text) as { head: unknown }).head);
  const heap = await get(served, '/heap');
  assert.ok(heap.text.startsWith('{"snapshot":'));
  for (const seconds of ['0', 'many', '301'])
    assert.deepEqual((await get(served, `/profile?seconds=${seconds}`)).status, 400);

  const leaves = new AbortController();
  const path = `http://${served.address}/debug/pprof/profile?seconds=300`;
  const long = fetch(path, { signal: leaves.signal }).catch(() => undefined);
  const busy = async (): Promise<number> => (await get(served, '/allocs?seconds=0.01')).status;
  while ((await busy()) !== 429);
  leaves.abort();
  await long;
  // Whoever has gone is waited for no longer.
  while ((await busy()) !== 200);
});
