import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject } from '../../model/object.ts';
import { ConnectionError } from '../../ports/errors.ts';
import { cacheBench, expired, line, listOf, object, PATH, SCOPE } from '../../testing/cache-bench.ts';
import { FakeStream, FakeTransport, turn } from '../../testing/fake-transport.ts';
import { CONFIG_MAPS } from '../../testing/objects.ts';

const HOUR = 3_600_000;
const owned = (uid: string): object => ({
  ownerReferences: [{ apiVersion: 'x/v1', kind: 'X', name: 'x', uid, controller: true }],
});

describe('cache: scopes', () => {
  it('lists once for any number of callers, in pages, without managedFields', async () => {
    const item = object('a', 3, { managedFields: [{ manager: 'x' }] });
    const { transport, cache } = cacheBench(new FakeTransport().answer(`GET ${PATH}`, listOf(5, item)), {
      follow: false,
    });
    await Promise.all([cache.ensure(SCOPE), cache.ensure({ ...SCOPE }), cache.ensure(SCOPE)]);
    await cache.ensure(SCOPE);
    assert.deepEqual(transport.paths(`GET ${PATH}`), [`${PATH}?limit=500`]);
    assert.deepEqual(cache.get(SCOPE, 'a', 'default')?.metadata.managedFields, undefined);
    assert.deepEqual(transport.paths(`WATCH ${PATH}`), []);
  });

  it('keeps managedFields when asked to', async () => {
    const item = object('a', 3, { managedFields: [{ manager: 'x' }] });
    const answers = new FakeTransport().answer(`GET ${PATH}`, listOf(5, item));
    const { cache } = cacheBench(answers, { follow: false, keepManagedFields: () => true });
    await cache.ensure(SCOPE);
    assert.deepEqual(cache.get(SCOPE, 'a', 'default')?.metadata.managedFields, [{ manager: 'x' }]);
  });

  it('a scope of one namespace and selector asks for no more than that', async () => {
    const path = '/api/v1/namespaces/team/configmaps';
    const { transport, cache } = cacheBench(new FakeTransport().answer(`GET ${path}`, listOf(5)), { follow: false });
    await cache.ensure({ type: CONFIG_MAPS, namespace: 'team', labelSelector: 'a=b' });
    assert.deepEqual(transport.paths(`GET ${path}`), [`${path}?labelSelector=a%3Db&limit=500`]);
  });

  it('a failed list is the caller’s error, and is tried again by the next', async () => {
    const refused = { status: 403, body: { kind: 'Status', code: 403, message: 'no' } };
    const { cache } = cacheBench(new FakeTransport().answer(`GET ${PATH}`, refused, listOf(5)), { follow: false });
    await assert.rejects(cache.ensure(SCOPE), { name: 'ApiError' });
    await cache.ensure(SCOPE);
  });

  it('reading before ensure() is a bug of ours', () => {
    assert.throws(() => cacheBench(new FakeTransport()).cache.list(SCOPE), { name: 'BugError' });
  });

  it('indexes by controller and by namespace for orphans, sorted by name', async () => {
    const items = [
      object('c', 1),
      object('b', 2, owned('u1')),
      object('a', 3, owned('u1')),
      object('d', 4, { namespace: 'other' }),
      object('e', 5, { ownerReferences: [{ apiVersion: 'x/v1', kind: 'X', name: 'x', uid: 'u1' }] }),
    ];
    const { cache } = cacheBench(new FakeTransport().answer(`GET ${PATH}`, listOf(9, ...items)), { follow: false });
    await cache.ensure(SCOPE);
    const names = (objects: readonly KubeObject[]): string => objects.map((one) => one.metadata.name).join('');
    assert.equal(names(cache.ownedBy(SCOPE, 'u1')), 'ab');
    assert.equal(names(cache.orphans(SCOPE, 'default')), 'ce');
    assert.equal(names(cache.orphans(SCOPE)), 'ced');
    assert.equal(names(cache.list(SCOPE, 'other')), 'd');
    cache.record(CONFIG_MAPS, { result: object('c', 6, owned('u1')) });
    assert.equal(names(cache.ownedBy(SCOPE, 'u1')), 'abc');
    assert.equal(names(cache.orphans(SCOPE, 'default')), 'e');
    cache.record(CONFIG_MAPS, { before: object('c', 6), result: undefined });
    assert.equal(names(cache.ownedBy(SCOPE, 'u1')), 'ab');
    assert.deepEqual(cache.ownedBy(SCOPE, 'nobody'), []);
  });
});

describe('cache: following', () => {
  it('shows what the watch brings, once each, and goes on from there', async () => {
    const [first, second] = [new FakeStream(), new FakeStream()];
    const server = new FakeTransport()
      .answer(`GET ${PATH}`, listOf(5, object('a', 3)))
      .answer(`WATCH ${PATH}`, { stream: first }, { stream: second });
    const { cache, transport, changes, names } = cacheBench(server);
    await cache.ensure(SCOPE);
    first.push(line('ADDED', object('b', 6))).push(line('MODIFIED', object('a', 7)));
    first.push({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '20' } } }).end();
    await turn();
    assert.deepEqual(names(), ['a@7', 'b@6']);
    second.push(line('DELETED', object('a', 21)));
    await turn();
    assert.deepEqual(changes, ['- → b@6', 'a@3 → a@7', 'a@7 → -']);
    const versions = transport.paths(`WATCH ${PATH}`).map((path) => new URLSearchParams(path).get('resourceVersion'));
    assert.deepEqual(versions, ['5', '20']);
  });

  it('lists again at once after 410, and reports only what differs', async () => {
    const stream = new FakeStream();
    const server = new FakeTransport()
      .answer(`GET ${PATH}`, listOf(5, object('a', 3), object('b', 3)), listOf(30, object('b', 3), object('c', 29)))
      .answer(`WATCH ${PATH}`, { status: 410, body: expired }, { stream });
    const { cache, changes, errors, names } = cacheBench(server);
    await cache.ensure(SCOPE);
    await turn();
    await turn();
    assert.deepEqual(names(), ['b@3', 'c@29']);
    assert.deepEqual(changes, ['a@3 → -', '- → c@29']);
    assert.deepEqual(errors, []);
  });

  it('410 as an event is the same', async () => {
    const stream = new FakeStream().push({ type: 'ERROR', object: expired });
    const server = new FakeTransport()
      .answer(`GET ${PATH}`, listOf(5), listOf(30, object('c', 29)))
      .answer(`WATCH ${PATH}`, { stream }, { stream: new FakeStream() });
    const { cache, names } = cacheBench(server);
    await cache.ensure(SCOPE);
    await turn();
    await turn();
    assert.deepEqual(names(), ['c@29']);
  });

  it('reconnects with growing delays, reports each failure, and starts small again after success', async () => {
    const down = new ConnectionError('connection refused', 'GET');
    const stream = new FakeStream();
    const server = new FakeTransport()
      .answer(`GET ${PATH}`, listOf(5))
      .answer(`WATCH ${PATH}`, down, down, down, { stream }, down);
    const { cache, transport, clock, errors } = cacheBench(server);
    await cache.ensure(SCOPE);
    const tries = async (ms: number): Promise<number> => {
      await clock.advanceAsync(ms);
      await turn();
      return transport.paths(`WATCH ${PATH}`).length;
    };
    assert.equal(await tries(0), 1);
    assert.deepEqual([await tries(499), await tries(1)], [1, 2]);
    assert.deepEqual([await tries(999), await tries(1)], [2, 3]);
    assert.deepEqual([await tries(1_999), await tries(1)], [3, 4]);
    assert.equal(errors.length, 3);
    stream.push(line('ADDED', object('a', 6))).fail(down);
    assert.equal(await tries(0), 4);
    assert.deepEqual([await tries(499), await tries(1)], [4, 5]);
  });

  it('a server that was away for long and has forgotten is listed as soon as it says so', async () => {
    const down = new ConnectionError('connection refused', 'GET');
    const server = new FakeTransport()
      .answer(`GET ${PATH}`, listOf(5), listOf(30, object('c', 29)))
      .answer(`WATCH ${PATH}`, down, down, down, down, { status: 410, body: expired }, { stream: new FakeStream() });
    const { cache, clock, names, transport } = cacheBench(server);
    await cache.ensure(SCOPE);
    for (const ms of [0, 500, 1_000, 2_000, 4_000]) {
      await clock.advanceAsync(ms);
      await turn();
    }
    await turn();
    assert.equal(transport.paths(`WATCH ${PATH}`).length, 6);
    assert.deepEqual(names(), ['c@29']);
  });

  it('a server that ends every watch, or forgets at once, is not asked in a tight loop', async () => {
    for (const answer of [() => ({ stream: new FakeStream().end() }), () => ({ status: 410, body: expired })]) {
      const server = new FakeTransport().answer(`GET ${PATH}`, listOf(5)).answer(`WATCH ${PATH}`, answer);
      const { cache, transport, clock } = cacheBench(server);
      await cache.ensure(SCOPE);
      for (let i = 0; i < 20; i++) await turn();
      await clock.advanceAsync(60_000, 250);
      const watches = transport.paths(`WATCH ${PATH}`).length;
      assert.ok(watches > 3 && watches < 12, `${watches} watches in a minute`);
    }
  });

  it('opens a silent watch anew; bookmarks count as life', async () => {
    const stream = new FakeStream();
    const server = new FakeTransport()
      .answer(`GET ${PATH}`, listOf(5))
      .answer(`WATCH ${PATH}`, { stream }, { stream: new FakeStream() }, { stream: new FakeStream() });
    const { cache, transport, clock, errors } = cacheBench(server, { inactivityMs: 90_000 });
    await cache.ensure(SCOPE);
    await turn();
    await clock.advanceAsync(60_000);
    stream.push({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '9' } } });
    await turn();
    await clock.advanceAsync(89_000);
    assert.equal(transport.paths(`WATCH ${PATH}`).length, 1);
    await clock.advanceAsync(1_000);
    await turn();
    assert.equal(transport.paths(`WATCH ${PATH}`).length, 2, 'at once, whoever moves the clock');
    assert.match(errors.join(), /silent for 90 s/);
    await clock.advanceAsync(90_000);
    await turn();
    assert.equal(transport.paths(`WATCH ${PATH}`).length, 3, 'it had stood for long: it counts as one that worked');
  });

  it('silence is measured by what passes, not by what the machine’s clock is set to', async () => {
    const server = new FakeTransport()
      .answer(`GET ${PATH}`, listOf(5))
      .answer(`WATCH ${PATH}`, { stream: new FakeStream() }, { stream: new FakeStream() });
    const { cache, transport, clock, errors } = cacheBench(server, { inactivityMs: 90_000 });
    await cache.ensure(SCOPE);
    await turn();
    clock.set(3 * HOUR);
    await clock.advanceAsync(89_999);
    assert.deepEqual(errors, [], 'on by hours: no silence');
    clock.set(-6 * HOUR);
    await clock.advanceAsync(1);
    await turn();
    assert.equal(transport.paths(`WATCH ${PATH}`).length, 2, 'back by hours: silence all the same');
  });

  it('own writes are read at once, and waited for until the watch shows them or 30 s are over', async () => {
    const stream = new FakeStream();
    const server = new FakeTransport().answer(`GET ${PATH}`, listOf(5)).answer(`WATCH ${PATH}`, { stream });
    const { cache, clock, names, changes } = cacheBench(server);
    await cache.ensure(SCOPE);
    cache.record(CONFIG_MAPS, { result: object('a', 6) });
    assert.deepEqual([names(), cache.caughtUp()], [['a@6'], false]);
    stream.push(line('ADDED', object('a', 6)));
    await turn();
    assert.deepEqual([names(), cache.caughtUp()], [['a@6'], true]);
    cache.record(CONFIG_MAPS, { result: object('b', 7) });
    clock.advance(29_999);
    assert.equal(cache.caughtUp(), false);
    clock.advance(1);
    assert.deepEqual([names(), cache.caughtUp()], [['a@6'], true]);
    assert.deepEqual(changes, ['- → a@6', '- → b@7', 'b@7 → -']);
  });

  it('close() ends the watch, its timers and a list that is under way', async () => {
    const stream = new FakeStream();
    const server = new FakeTransport().answer(`GET ${PATH}`, listOf(5)).answer(`WATCH ${PATH}`, { stream });
    const { cache, clock, errors } = cacheBench(server);
    await cache.ensure(SCOPE);
    await turn();
    cache.record(CONFIG_MAPS, { result: object('b', 7) });
    await cache.close();
    assert.equal(clock.pending, 0);
    assert.deepEqual(errors, []);
    await assert.rejects(cache.ensure({ type: CONFIG_MAPS, namespace: 'late' }), { message: 'the cache is closed' });
  });

  it('a scope ends with its last holder, not before; who asks without a name keeps it to the end', async () => {
    const [first, second] = [new FakeStream(), new FakeStream()];
    const server = new FakeTransport()
      .answer(`GET ${PATH}`, listOf(5, object('a', 3)), listOf(8, object('b', 7)))
      .answer(`WATCH ${PATH}`, { stream: first }, { stream: second });
    const { cache, clock, errors, names, changes } = cacheBench(server);
    await cache.ensure(SCOPE, 'one');
    await cache.ensure(SCOPE, 'two');
    await cache.ensure(SCOPE, 'two');
    cache.release('one');
    assert.deepEqual(names(), ['a@3']);
    await turn();
    cache.release('two');
    assert.throws(names, /before ensure/);
    await turn();
    assert.equal(clock.pending, 0, 'no timer of its watch is left');
    first.push(line('MODIFIED', object('a', 9)));
    await cache.ensure(SCOPE, 'one');
    await cache.ensure(SCOPE);
    cache.release('one');
    assert.deepEqual([names(), changes, errors], [['b@7'], [], []]);
  });

  it('one scope of a holder is released alone, unless another one holds it', async () => {
    const other = { type: CONFIG_MAPS, namespace: 'team' };
    const server = new FakeTransport()
      .answer(`GET ${PATH}`, listOf(5, object('a', 3)))
      .answer('GET /api/v1/namespaces/team/configmaps', listOf(5))
      .answer('WATCH /api/v1/namespaces/team/configmaps', () => ({ stream: new FakeStream() }))
      .answer(`WATCH ${PATH}`, () => ({ stream: new FakeStream() }));
    const { cache, names } = cacheBench(server);
    for (const holder of ['one', 'two']) await cache.ensure(SCOPE, holder);
    await cache.ensure(other, 'one');
    cache.release('one', SCOPE);
    cache.release('one', SCOPE);
    assert.deepEqual(names(), ['a@3']);
    cache.release('two', SCOPE);
    assert.throws(names, /before ensure/);
    assert.deepEqual(cache.list(other), []);
    cache.release('two', other);
    assert.deepEqual(cache.list(other), []);
  });
});
