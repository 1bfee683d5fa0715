import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RelatedAnswer, RelatedNeed, RelatedRule } from '../model/need.ts';
import type { KubeObject } from '../model/object.ts';
import type { ResourceType } from '../model/resource.ts';
import type { CacheScope } from '../ports/cache.ts';
import { ApiError } from '../ports/errors.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { turn } from '../testing/fake-transport.ts';
import { CONFIG_MAPS, configMap, NAMESPACES } from '../testing/objects.ts';
import { WatchedCache } from '../testing/watched-cache.ts';
import { RelatedObjects } from './related.ts';

const MAPS = { apiVersion: 'v1', resource: 'configmaps', namespace: 'default' };
const labelled = (of: string): RelatedRule => ({
  ...MAPS,
  labelSelector: { matchLabels: { of }, matchExpressions: [] },
});
const named = (...names: string[]): RelatedRule => ({ ...MAPS, names });
const SIXTEEN_AND_ONE = Array.from({ length: 17 }, (_, index) => `many-${index}`);

const denied = (scope: CacheScope): ApiError => {
  const message = `User "u" cannot list resource "${scope.type.resource}" in API group "" in the namespace "default"`;
  return new ApiError({ code: 403, reason: 'Forbidden', message }, 'LIST');
};

const TYPES: Readonly<Record<string, ResourceType>> = { configmaps: CONFIG_MAPS, namespaces: NAMESPACES };

function bench(open: readonly CacheScope[] = []) {
  const place: KubeObject = {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'default', labels: { team: 'x' } },
  };
  const cache = new WatchedCache([configMap('a'), configMap('b'), place]);
  const clock = new FakeClock();
  const resources = {
    byResource: async (_apiVersion: string, resource: string) => TYPES[resource],
    isServed: async () => true,
    hintFor: async () => '',
  };
  const related = new RelatedObjects({ cache, resources, held: { holder: 'c', clock }, open });
  const needOf = (name: string, rules: readonly RelatedRule[]): RelatedNeed => {
    const parent = { apiVersion: 'example.com/v1', kind: 'Widget', namespace: 'default', name };
    return { kind: 'related', id: `${name} ${JSON.stringify(rules)}`, controller: 'c', parent, rules };
  };
  const read = (name: string, ...rules: RelatedRule[]): Promise<RelatedAnswer> => related.read(needOf(name, rules));
  /** A planning that ends well. Without rules: the parent goes. */
  const look = async (name: string, ...rules: RelatedRule[]): Promise<RelatedAnswer | undefined> => {
    const need = needOf(name, rules);
    const answer = rules.length > 0 ? await related.read(need) : undefined;
    related.used('c', need.parent, rules.length > 0 ? [need] : []);
    return answer;
  };
  return { cache, clock, related, read, look };
}

/** Names of what was found, or what went wrong. */
const told = (answer: RelatedAnswer): string =>
  answer.ok
    ? answer.groups.flatMap(({ objects }) => objects.map(({ metadata }) => metadata.name)).join(' ')
    : answer.diagnostics.map(({ code }) => code).join(' ');

describe('related objects: what may not be read', () => {
  const onlyNames = (cache: WatchedCache): void => {
    cache.answer = async (scope) => {
      if (scope.name === undefined) throw denied(scope);
    };
  };
  for (const [why, greedy] of [
    ['a rule without names', MAPS],
    ['too many names', named(...SIXTEEN_AND_ONE)],
  ] as const)
    test(`a whole place that is refused to one parent (${why}) keeps no other from the names that may be read`, async () => {
      const { cache, read } = bench();
      onlyNames(cache);
      assert.equal(told(await read('first', named('a'))), 'a');
      assert.equal(told(await read('greedy', greedy)), 'forbidden');
      assert.equal(told(await read('second', named('b'))), 'b');
    });

  test('nor while it is asked for; who asks for the same at that moment shares the list and its refusal', async () => {
    const { cache, read } = bench();
    const { promise: answered, resolve } = Promise.withResolvers<void>();
    cache.answer = async (scope) => {
      if (scope.name !== undefined) return;
      await answered;
      throw denied(scope);
    };
    const all = [read('one', MAPS), read('two', MAPS), read('other', named('b'))];
    await turn();
    resolve();
    assert.deepEqual((await Promise.all(all)).map(told), ['forbidden', 'forbidden', 'b']);
    assert.deepEqual(cache.lists, ['configmaps default', 'configmaps default b']);
  });

  test('given the right, it is read, and then serves the others too', async () => {
    const { cache, read } = bench();
    onlyNames(cache);
    assert.equal(told(await read('greedy', MAPS)), 'forbidden');
    cache.answer = async () => undefined;
    assert.equal(told(await read('greedy', MAPS)), 'a b');
    assert.equal(told(await read('other', named('b'))), 'b');
    assert.deepEqual(cache.open, ['configmaps default']);
  });
});

const GRACE_MS = 60_000;

describe('related objects: scopes that nobody uses any more', () => {
  test('a thousand parents that came and went leave nothing open, and no timer', async () => {
    const { cache, clock, look } = bench();
    for (let index = 0; index < 1_000; index++) {
      await look(`w${index}`, labelled(`w${index}`));
      await look(`w${index}`);
    }
    assert.equal(cache.open.length, 1_000);
    clock.advance(GRACE_MS);
    assert.deepEqual([cache.open, clock.pending], [[], 0]);
  });

  test('one that is asked for again in time stays open, and is not listed anew; later it is', async () => {
    const { cache, clock, look } = bench();
    await look('one', labelled('x'));
    await look('one', named('a'));
    clock.advance(GRACE_MS - 1);
    await look('one', labelled('x'));
    clock.advance(GRACE_MS - 1);
    assert.deepEqual(cache.open, ['configmaps default of=x', 'configmaps default a']);
    clock.advance(1);
    assert.deepEqual(cache.open, ['configmaps default of=x']);
    assert.equal(cache.lists.length, 2);
    await look('one', named('a'));
    assert.deepEqual(cache.lists, ['configmaps default of=x', 'configmaps default a', 'configmaps default a']);
  });

  test('one stays as long as one parent uses it, be it for less than it holds', async () => {
    const { cache, clock, look } = bench();
    await look('wide', MAPS);
    await look('narrow', named('a'));
    await look('wide');
    clock.advance(2 * GRACE_MS);
    assert.deepEqual(
      [cache.open, told((await look('narrow', named('a'))) ?? assert.fail())],
      [['configmaps default'], 'a'],
    );
    await look('narrow');
    clock.advance(GRACE_MS);
    assert.deepEqual(cache.open, []);
  });

  test('a planning that failed keeps what was used before, and what it asked for itself', async () => {
    const { cache, clock, look, read } = bench();
    await look('one', named('a'));
    await read('one', named('b'));
    clock.advance(2 * GRACE_MS);
    assert.deepEqual(cache.open, ['configmaps default a', 'configmaps default b']);
    await look('one', named('b'));
    clock.advance(GRACE_MS);
    assert.deepEqual(cache.open, ['configmaps default b']);
  });

  test('the same need read again and again is held once', async () => {
    const { cache, clock, look, read } = bench();
    for (let times = 0; times < 3; times++) await read('one', named('a'), MAPS);
    await look('one');
    clock.advance(GRACE_MS);
    assert.deepEqual(cache.open, []);
  });

  test('while a parent waits for another list of the same need, what it is about to read stays', async () => {
    const { cache, clock, look } = bench();
    await look('gone', named('a'));
    await look('gone');
    const { promise: listed, resolve } = Promise.withResolvers<void>();
    cache.answer = () => listed;
    const answer = look('one', named('a', 'b'));
    await turn();
    clock.advance(2 * GRACE_MS);
    resolve();
    assert.equal(told((await answer) ?? assert.fail()), 'a b');
    assert.deepEqual(cache.lists, ['configmaps default a', 'configmaps default b']);
  });

  test('what was read for an answer that was refused in part is given up', async () => {
    const { cache, clock, read } = bench();
    cache.answer = async (scope) => {
      if (scope.name === 'b') throw denied(scope);
    };
    assert.equal(told(await read('one', named('a', 'b'))), 'forbidden');
    clock.advance(GRACE_MS);
    assert.deepEqual(cache.open, []);
  });

  test('names that nobody uses any more do not count among those that make it a whole place', async () => {
    const { cache, look } = bench();
    const sixteen = named(...SIXTEEN_AND_ONE.slice(1));
    await look('one', sixteen);
    await look('one');
    await look('two', named('a', 'b'));
    assert.deepEqual(cache.open.slice(16), ['configmaps default a', 'configmaps default b']);
  });

  test('namespaces that a rule selects by', async () => {
    const { cache, clock, related, look } = bench();
    const rule = {
      apiVersion: 'v1',
      resource: 'configmaps',
      namespaceSelector: { matchLabels: { team: 'x' }, matchExpressions: [] },
    };
    const change = { type: CONFIG_MAPS, before: undefined, after: configMap('c') };
    for (let times = 0; times < 2; times++) {
      assert.equal(told((await look('one', rule)) ?? assert.fail()), 'a b');
      clock.advance(2 * GRACE_MS);
      assert.deepEqual(cache.open, ['namespaces', 'configmaps']);
      assert.equal(related.concernedBy(change).length, 1);
      await look('one');
      clock.advance(GRACE_MS);
      assert.deepEqual([cache.open, related.concernedBy(change)], [[], []]);
    }
  });

  test('scopes that were open before are not its own to close, those of some shards neither', async () => {
    const given = [{ type: CONFIG_MAPS, sharded: true as const }, { type: NAMESPACES }];
    const { cache, clock, look } = bench(given);
    for (const scope of given) await cache.ensure(scope, 'c');
    await look('one', named('a'), { apiVersion: 'v1', resource: 'namespaces' });
    await look('one');
    clock.advance(GRACE_MS);
    assert.deepEqual([cache.open, clock.pending], [['configmaps', 'namespaces'], 0]);
  });

  test('closed: nothing is scheduled any more', async () => {
    const { clock, related, look } = bench();
    await look('one', named('a'));
    await look('one');
    assert.equal(clock.pending, 1);
    related.close();
    assert.equal(clock.pending, 0);
  });
});
