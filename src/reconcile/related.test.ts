import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RelatedAnswer, RelatedNeed, RelatedRule } from '../model/need.ts';
import type { CacheScope } from '../ports/cache.ts';
import { ApiError } from '../ports/errors.ts';
import { turn } from '../testing/fake-transport.ts';
import { CONFIG_MAPS, configMap } from '../testing/objects.ts';
import { WatchedCache } from '../testing/watched-cache.ts';
import { RelatedObjects } from './related.ts';

const MAPS = { apiVersion: 'v1', resource: 'configmaps', namespace: 'default' };
const named = (...names: string[]): RelatedRule => ({ ...MAPS, names });
const SIXTEEN_AND_ONE = Array.from({ length: 17 }, (_, index) => `many-${index}`);

const denied = (scope: CacheScope): ApiError => {
  const message = `User "u" cannot list resource "${scope.type.resource}" in API group "" in the namespace "default"`;
  return new ApiError({ code: 403, reason: 'Forbidden', message }, 'LIST');
};

function bench() {
  const cache = new WatchedCache([configMap('a'), configMap('b')]);
  const resources = { byResource: async () => CONFIG_MAPS, isServed: async () => true, hintFor: async () => '' };
  const related = new RelatedObjects({ cache, resources });
  const needOf = (name: string, rules: readonly RelatedRule[]): RelatedNeed => {
    const parent = { apiVersion: 'example.com/v1', kind: 'Widget', namespace: 'default', name };
    return { kind: 'related', id: `${name} ${JSON.stringify(rules)}`, controller: 'c', parent, rules };
  };
  const read = (name: string, ...rules: RelatedRule[]): Promise<RelatedAnswer> => related.read(needOf(name, rules));
  return { cache, related, read };
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
