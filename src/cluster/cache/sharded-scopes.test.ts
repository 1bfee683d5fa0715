// Scopes that hold the objects of some namespaces only, of which more come and some go.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../model/object.ts';
import { cacheBench, line, listOf, object, PATH } from '../../testing/cache-bench.ts';
import { type FakeAnswer, FakeStream, FakeTransport, turn } from '../../testing/fake-transport.ts';
import { CONFIG_MAPS } from '../../testing/objects.ts';

const SHARDED = { type: CONFIG_MAPS, sharded: true } as const;
const WHOLE = { type: CONFIG_MAPS };
const [A1, B1] = [object('a', 1, { namespace: 'ours' }), object('b', 2, { namespace: 'theirs' })];

/** `ours` is in the beginning; more may be added. Every watch is a stream of its own. */
function bench(...lists: FakeAnswer[]) {
  const kept = new Set(['ours']);
  const streams: FakeStream[] = [];
  const stream = (): FakeAnswer => {
    const made = new FakeStream();
    streams.push(made);
    return { stream: made };
  };
  const transport = new FakeTransport().answer(`GET ${PATH}`, ...lists).answer(`WATCH ${PATH}`, stream);
  const keeps = ({ metadata }: KubeObject): boolean => kept.has(metadata.namespace ?? '');
  const made = cacheBench(transport, { keeps });
  const names = (scope = SHARDED as typeof SHARDED | typeof WHOLE): string =>
    made.cache
      .list(scope)
      .map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`)
      .join(' ');
  return { ...made, kept, streams, held: names };
}

test('what is not kept is left out of lists, events and own writes; a scope that is not sharded has all', async () => {
  const { cache, streams, held, changes } = bench(listOf(5, A1, B1));
  await cache.ensure(SHARDED, 'x');
  await cache.ensure(WHOLE, 'x');
  await turn();
  assert.deepEqual([held(), held(WHOLE)], ['a@1', 'a@1 b@2']);
  for (const one of streams) {
    one.push(line('ADDED', object('c', 6, { namespace: 'theirs' })));
    one.push(line('ADDED', object('d', 7, { namespace: 'ours' })));
  }
  await turn();
  assert.equal(held(), 'a@1 d@7');
  assert.deepEqual(changes.sort(), ['- → c@6', '- → d@7', '- → d@7']);
  cache.record(CONFIG_MAPS, { result: object('e', 8, { namespace: 'theirs' }) });
  assert.deepEqual([held(), held(WHOLE)], ['a@1 d@7', 'a@1 d@7 b@2 c@6 e@8']);
});

test('refilled: what has come to be kept is there, with what was written since; what stays is not told again', async () => {
  const later = object('b', 9, { namespace: 'theirs' });
  const { cache, kept, held, changes, streams } = bench(listOf(5, A1, B1), listOf(9, A1, later));
  await cache.ensure(SHARDED, 'x');
  await turn();
  kept.add('theirs');
  const filled = cache.refill('x');
  await filled;
  assert.equal(held(), 'a@1 b@9');
  assert.deepEqual(changes, ['- → b@9']);
  await turn();
  streams.at(-1)?.push(line('MODIFIED', object('b', 10, { namespace: 'theirs' })));
  await turn();
  assert.equal(held(), 'a@1 b@10');
});

test('refilled while its first list is under way: the list begins anew', async () => {
  const { cache, kept, held } = bench(listOf(5, A1, B1));
  const opened = cache.ensure(SHARDED, 'x');
  kept.add('theirs');
  await Promise.all([opened, cache.refill('x')]);
  assert.equal(held(), 'a@1 b@2');
});

test('refilled while the server refuses: it waits for the list that comes in the end', async () => {
  const refused = { status: 500, body: { kind: 'Status', code: 500, message: 'no' } };
  const { cache, kept, held, clock } = bench(listOf(5, A1, B1), refused, refused, refused, listOf(6, A1, B1));
  await cache.ensure(SHARDED, 'x');
  await turn();
  kept.add('theirs');
  let filled = false;
  const filling = cache.refill('x').then(() => {
    filled = true;
  });
  await turn();
  assert.equal(filled, false);
  await clock.advanceAsync(60_000, 500);
  await filling;
  assert.equal(held(), 'a@1 b@2');
});

test('a scope that is released while it is refilled is waited for no longer; what others hold is not listed', async () => {
  const { cache, transport } = bench(listOf(5, A1));
  await cache.ensure(SHARDED, 'x');
  await cache.refill('y');
  assert.equal(transport.paths(`GET ${PATH}`).length, 1);
  const filling = cache.refill('x');
  cache.release('x');
  await filling;
});

test('shed: what is kept no more goes without a word, own writes too', async () => {
  const { cache, kept, held, changes, streams } = bench(listOf(5, A1, B1));
  kept.add('theirs');
  await cache.ensure(SHARDED, 'x');
  cache.record(CONFIG_MAPS, { result: object('c', 8, { namespace: 'theirs' }) });
  assert.equal(held(), 'a@1 b@2 c@8');
  changes.length = 0;
  kept.delete('theirs');
  cache.shed();
  assert.deepEqual([held(), changes, cache.caughtUp()], ['a@1', [], true]);
  await turn();
  streams.at(-1)?.push(line('DELETED', object('b', 9, { namespace: 'theirs' })));
  await turn();
  assert.deepEqual([held(), changes], ['a@1', []]);
});
