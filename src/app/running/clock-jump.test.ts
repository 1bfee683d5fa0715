// The clock of a sandbox, and of the caches before it, is moved on by days in one step, as tests in virtual time do: watches
// that were silent for so long are opened again at once, without the clock being moved once more.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createCache, createClient } from '../../cluster/index.ts';
import { createSandbox } from '../../sandbox/index.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { CONFIG_MAPS } from '../../testing/objects.ts';
import { until } from '../../testing/until.ts';

const DAY = 24 * 3_600_000;

test('a jump of a week, again and again: what happens afterwards is seen', async () => {
  const clock = new FakeClock();
  const sandbox = createSandbox({ clock, seed: 1 });
  const client = createClient(sandbox.transport, { clock });
  const cache = createCache(client, { follow: true, clock });
  after(async () => {
    await cache.close();
    await sandbox.close();
  });
  const scope = { type: CONFIG_MAPS, namespace: 'default' };
  await cache.ensure(scope);
  for (let week = 1; week <= 3; week++) {
    clock.advance(7 * DAY);
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `week-${week}`, namespace: 'default' } };
    await client.write({ verb: 'create', type: CONFIG_MAPS, fieldManager: 'test', object });
    const found = await until('it is seen', () => cache.get(scope, `week-${week}`, 'default'));
    assert.equal(found.metadata.name, `week-${week}`);
  }
});
