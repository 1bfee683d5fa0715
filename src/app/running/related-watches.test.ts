// Related scopes on both servers, with caches that really watch: parents that came and went leave no watch open. Only the time
// for which an unused scope is kept is the test's.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createCache, createClient } from '../../cluster/index.ts';
import type { RelatedNeed } from '../../model/need.ts';
import { RelatedObjects } from '../../reconcile/index.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { CONFIG_MAPS, configMap } from '../../testing/objects.ts';
import { OpenWatches } from '../../testing/open-watches.ts';
import { realClock } from '../../testing/real-clock.ts';
import { forEachTarget, type TestTarget } from '../../testing/targets.ts';
import { until } from '../../testing/until.ts';

const COUNT = 20;
const HOLDER = 'CompositeController/x';

async function stage(target: TestTarget) {
  const namespace = await target.namespace();
  const watches = new OpenWatches();
  const client = createClient(watches.over(target.transport));
  const cache = createCache(client, { follow: true, clock: realClock });
  after(() => cache.close());
  const clock = new FakeClock();
  const resources = {
    byResource: async () => CONFIG_MAPS,
    isServed: async () => true,
    hintFor: async () => '',
  };
  const own = { type: CONFIG_MAPS, namespace, labelSelector: 'app=w' };
  await cache.ensure(own, HOLDER);
  const related = new RelatedObjects({ cache, resources, held: { holder: HOLDER, clock }, open: [own] });
  const needOf = (name: string): RelatedNeed => {
    const labelSelector = { matchLabels: { of: name }, matchExpressions: [] };
    return {
      ...{ kind: 'related', id: name, controller: HOLDER },
      parent: { apiVersion: 'example.com/v1', kind: 'Widget', namespace, name },
      rules: [{ apiVersion: 'v1', resource: 'configmaps', namespace, labelSelector }],
    };
  };
  /** Names of what the parent is shown. */
  const shown = async (name: string): Promise<string> => {
    const answer = await related.read(needOf(name));
    assert.ok(answer.ok);
    related.used(HOLDER, needOf(name).parent, [needOf(name)]);
    return answer.groups.flatMap(({ objects }) => objects.map(({ metadata }) => metadata.name)).join(' ');
  };
  const gone = (name: string): void => related.used(HOLDER, needOf(name).parent, []);
  const put = (name: string, of: string): Promise<unknown> => {
    const object = configMap(name, {}, { namespace, labels: { of } });
    return client.write({ verb: 'create', type: CONFIG_MAPS, fieldManager: 'test', object });
  };
  const open = (count: number) => until(`${count} watches are open`, async () => watches.open === count);
  return { clock, open, shown, gone, put };
}

forEachTarget('related watches', (target) => {
  test(`${COUNT} parents that came and went leave none; one that comes back is shown what is there by then`, async () => {
    const { clock, open, shown, gone, put } = await stage(target);
    await open(1);
    const names = Array.from({ length: COUNT }, (_, index) => `w${index}`);
    await put('before', 'w1');
    for (const name of names) assert.equal(await shown(name), name === 'w1' ? 'before' : '');
    await open(1 + COUNT);
    for (const name of names) gone(name);
    await shown('w0');
    clock.advance(60_000);
    await open(2);
    await put('meanwhile', 'w1');
    assert.equal(await shown('w1'), 'before meanwhile');
    await open(3);
    for (const name of ['w0', 'w1']) gone(name);
    clock.advance(60_000);
    await open(1);
  });
});
