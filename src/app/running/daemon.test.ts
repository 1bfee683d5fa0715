// The daemon on both servers, in this process: what it does, how often it asks, and that it stops in good order.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DaemonBed, daemonBed } from '../../testing/daemon-bed.ts';
import { CONFIG_MAPS } from '../../testing/objects.ts';
import { forEachTarget, type TestTarget } from '../../testing/targets.ts';
import { until } from '../../testing/until.ts';

/** The next child when the one before it has been reported: rounds in which the status alone is written. */
const ONE_BY_ONE = `
  const seen = Object.keys(request.children['ConfigMap.v1']).length;
  const { spec, status } = request.parent;
  const count = status?.seen === seen ? Math.min(seen + 1, spec.count) : seen;
  const children = Array.from({ length: count }, (_, index) => ({
    apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm-' + index, labels: { app: 'thing' } },
  }));
  return { status: { seen }, children };`;

async function bedFor(target: TestTarget): Promise<DaemonBed> {
  const bed = await daemonBed(target, 'daemon');
  after(() => bed.close());
  return bed;
}

/** What the status of the parent `one` says. */
async function seen(bed: DaemonBed): Promise<unknown> {
  const live = await bed.client.get(await bed.things(), 'one', bed.namespace);
  return (live?.['status'] as { seen?: number } | undefined)?.seen;
}

/** Nothing moves any more: no hook call and no API call for a while. */
async function quiet({ counter, hookCalls }: DaemonBed): Promise<void> {
  await until('nothing moves any more', async () => {
    counter.take();
    await hookCalls();
    await sleep(700);
    return Object.keys(counter.take()).every((name) => name.startsWith('get /api')) && (await hookCalls()) === 0;
  });
}

forEachTarget('daemon', (target) => {
  test('a controller starts when its CRD comes; parents come, change and go', async () => {
    const bed = await bedFor(target);
    const daemon = bed.start();
    await bed.crd();
    await bed.thing('one', { names: ['a', 'b'], text: '1' });
    await until('the children are there', async () => (await bed.maps()) === 'a b');
    await until('the status is written', async () => (await seen(bed)) === 2);
    await bed.edit('one', { spec: { names: ['b', 'c'] } });
    await until('the children follow', async () => (await bed.maps()) === 'b c');
    assert.deepEqual(await daemon.stop(), { status: 'stopped', diagnostics: [] });
    await bed.client.write({
      verb: 'delete',
      type: CONFIG_MAPS,
      fieldManager: 'test',
      name: 'c',
      namespace: bed.namespace,
    });
    await sleep(300);
    assert.equal(await bed.maps(), 'b', 'nobody is at work any more');
  });

  test('a user who changes his mind again and again is followed each time', async () => {
    const bed = await bedFor(target);
    await bed.crd();
    await bed.thing('one', { names: ['a', 'b'] });
    const told: string[] = [];
    bed.start({ log: { level: 'warn', encoder: 'json', write: (line) => told.push(line) } });
    for (let turn = 0; turn < 6; turn++) {
      const names = turn % 2 === 0 ? ['a', 'b'] : ['b'];
      if (turn > 0) await bed.edit('one', { spec: { names } });
      await until('the children follow', async () => (await bed.maps()) === names.join(' '));
    }
    assert.deepEqual(told, []);
  });

  test('a status that says what has been made, child by child, is no loop', async () => {
    const bed = await daemonBed(target, 'daemon', { hook: ONE_BY_ONE });
    after(() => bed.close());
    await bed.crd();
    const told: string[] = [];
    bed.start({ log: { level: 'warn', encoder: 'json', write: (line) => told.push(line) } });
    await bed.thing('one', { count: 12 });
    await until('all have been made, and reported', async () => (await seen(bed)) === 12);
    assert.deepEqual(told, []);
  });

  test('a child deleted by hand: at most two hook calls, one POST, one status write, no GET; idle: nothing at all', async () => {
    const bed = await bedFor(target);
    await bed.crd();
    for (const name of ['one', 'two', 'three']) await bed.thing(name, { names: [`${name}-a`, `${name}-b`] });
    bed.start();
    await until('all children are there', async () => (await bed.maps()).split(' ').length === 6);
    await quiet(bed);
    bed.counter.take();
    await bed.hookCalls();
    const child = { name: 'one-a', namespace: bed.namespace };
    await bed.client.write({ verb: 'delete', type: CONFIG_MAPS, fieldManager: 'test', ...child });
    await until('it is there again', async () => (await bed.maps()).split(' ').length === 6);
    await sleep(1_500);
    const { 'update things/status': statusWrites = 0, ...taken } = bed.counter.take();
    // What is served is read anew when a CRD comes or goes, and the real server has those of other tests.
    const { 'get /api': _api, 'get /apis': _apis, ...calls } = taken;
    assert.deepEqual(calls, { 'create configmaps': 1 });
    assert.ok(statusWrites <= 1, `${statusWrites} status writes`);
    const hookCalls = await bed.hookCalls();
    assert.ok(hookCalls <= 2, `${hookCalls} hook calls`);
  });
});
