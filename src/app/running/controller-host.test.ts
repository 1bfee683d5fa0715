// What becomes of a controller that runs when what the server serves changes, or can't be learned.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError, ConnectionError } from '../../ports/errors.ts';
import { FakeCache } from '../../testing/fake-cache.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { FakeDiscovery } from '../../testing/fake-discovery.ts';
import { CONFIG_MAPS, WIDGETS, widgetController } from '../../testing/objects.ts';
import { resourcesOf } from '../inputs.ts';
import { ControllerHost } from './controller-host.ts';
import { RelatedRouter } from './related-router.ts';

const ALL = [CONFIG_MAPS, WIDGETS];

function bench() {
  const clock = new FakeClock();
  const discovery = new FakeDiscovery(ALL);
  const said: string[] = [];
  const loop = { add: () => void said.push('in the loop'), remove: async () => void said.push('out of the loop') };
  const parts = { world: { client: discovery }, cache: new FakeCache(), resources: resourcesOf(discovery, []) };
  const host = new ControllerHost(
    { ...parts, related: new RelatedRouter(), loop, clock },
    { onState: (_definition, { kind }) => said.push(kind), onCrash: (error) => assert.fail(String(error)) },
  );
  const states = (): string[] => host.states().map(({ state }) => state.kind);
  return { clock, discovery, host, said, states };
}

const api = (code: number): ApiError => new ApiError({ code, message: 'no' }, 'GET /apis');

const TROUBLES: readonly (readonly [why: string, failure: Error])[] = [
  ['the server is away', new ConnectionError('connection refused', 'GET /apis')],
  ['the server starts', api(503)],
  ['the server is full', api(429)],
  ['the credentials are just being changed', api(401)],
];
for (const [why, failure] of TROUBLES)
  test(`${why}: what runs goes on, and is looked at until it is known what is served`, async () => {
    const { clock, discovery, host, said, states } = bench();
    await host.set(widgetController());
    said.length = 0;
    discovery.failure = failure;
    await host.resourcesChanged();
    await clock.advanceAsync(120_000, 1_000);
    assert.deepEqual([states(), said], [['running'], []]);
    discovery.failure = undefined;
    await clock.advanceAsync(60_000, 1_000);
    assert.deepEqual([states(), said, clock.pending], [['running'], [], 0]);
    await host.close();
  });

test('gone while the server was away: stopped once that is known, started when it is back', async () => {
  const { clock, discovery, host, said, states } = bench();
  await host.set(widgetController());
  said.length = 0;
  discovery.failure = api(503);
  await host.resourcesChanged();
  discovery.types = [CONFIG_MAPS];
  await clock.advanceAsync(5_000, 1_000);
  assert.deepEqual(states(), ['running']);
  discovery.failure = undefined;
  await clock.advanceAsync(5_000, 1_000);
  assert.deepEqual(said, ['stopping', 'out of the loop', 'stopped', 'waiting']);
  discovery.types = ALL;
  await host.resourcesChanged();
  assert.deepEqual(states(), ['running']);
  await host.close();
});

test('refused: it can not run, and waits', async () => {
  const { discovery, host, states } = bench();
  await host.set(widgetController());
  discovery.failure = api(403);
  await host.resourcesChanged();
  assert.deepEqual(states(), ['waiting']);
  await host.close();
});

for (const [what, begin] of [
  ['one that runs is looked at', (host: ControllerHost) => host.resourcesChanged()],
  ['another one is started', (host: ControllerHost) => host.set(widgetController({ name: 'other' }))],
] as const)
  test(`closed while ${what}: nothing is left that would look again`, async () => {
    const { clock, discovery, host } = bench();
    await host.set(widgetController());
    const { promise, resolve } = Promise.withResolvers<void>();
    discovery.held = promise;
    discovery.failure = api(503);
    const begun = begin(host);
    await new Promise((next) => setImmediate(next));
    const closed = host.close();
    resolve();
    await Promise.all([begun, closed]);
    assert.equal(clock.pending, 0);
  });
