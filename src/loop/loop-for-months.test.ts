// What must not happen to a loop that runs for months: a hook that is never asked again, a parent that is looked at without
// end, others' news taken for one's own.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../model/object.ts';
import { fail } from '../testing/fake-store.ts';
import { type LoopBench, loopBench, webhookController } from '../testing/loop-bench.ts';
import { CONFIG_MAPS, configMap, PODS, WIDGETS, widget } from '../testing/objects.ts';

const named = (name: string): KubeObject => widget({}, { name, uid: name, generation: 1 }, { observedGeneration: 1 });
const HOUR = 3_600_000;
const WEBHOOK = { kind: 'webhook', url: 'http://hooks/customize' } as const;

/** What the server drops of each config map. */
function pruned({ store }: LoopBench): void {
  const put = store.put.bind(store);
  store.put = (object) => {
    const { dropped: _dropped, ...data } = (object['data'] ?? {}) as Record<string, string>;
    return put(object.kind === 'ConfigMap' ? { ...object, data } : object);
  };
}

const refuseCreation =
  (code: number) =>
  ({ store }: LoopBench): void => {
    store.onWrite = ({ verb }) => {
      if (verb === 'create') fail(code, 'Refused', 'not that one');
    };
  };

const WRONG_RULE = [
  { apiVersion: 'v1', resource: 'configmaps', names: ['x'], labelSelector: { matchLabels: { a: 'b' } } },
];
const x = configMap('x');
const wrongAnswers = [
  ['a child of a kind that is not declared', { children: [{ ...x, kind: 'Secret' }], status: {} }, {}],
  [
    'a rule of the customize hook that is none',
    { children: [], status: {}, relatedResources: WRONG_RULE },
    { hooks: { sync: WEBHOOK, customize: WEBHOOK } },
  ],
  ['a child that the server refuses', { children: [x], status: {} }, {}, refuseCreation(422)],
] as const;
for (const [what, says, more, arrange] of wrongAnswers)
  test(`${what}: the hook is asked again, and may have been put right`, async () => {
    const bench = loopBench([named('a')]);
    arrange?.(bench);
    bench.hooks.says = says;
    bench.loop.add(webhookController(more as object));
    await bench.turns();
    assert.equal([...bench.loop.standings.values()][0]?.failures, 1);
    bench.hooks.says = { children: [], status: {}, relatedResources: [] };
    await bench.pass(10_000, 1_000);
    assert.equal([...bench.loop.standings.values()][0]?.failures, 0);
    await bench.stop();
  });

const blemishes = [
  ['a field that the server drops', [configMap('x', { dropped: 'yes' })], pruned],
  ['a child that the server refuses', [x], refuseCreation(422)],
  ['a child that the server fails to write', [x], refuseCreation(500)],
] as const;
for (const [what, children, arrange] of blemishes)
  test(`${what}: a period is kept all the same`, async () => {
    const bench = loopBench([named('a')]);
    arrange(bench);
    bench.hooks.says = { children, status: {} };
    bench.loop.add(webhookController({ resyncPeriodSeconds: 20 }));
    await bench.pass(HOUR / 2, 1_000);
    const before = bench.hooks.calls.length;
    await bench.pass(HOUR / 2, 1_000);
    const calls = bench.hooks.calls.length - before;
    assert.ok(calls >= 85 && calls <= 200, `${calls} calls in half an hour`);
    await bench.stop();
  });

test('a status that is another one each time, beside a child that can not be made: it is held back', async () => {
  const bench = loopBench([named('a')]);
  refuseCreation(403)(bench);
  let times = 0;
  bench.hooks.says = () => ({ children: [x], status: { times: times++ } });
  bench.loop.add(webhookController());
  await bench.turns(2_000);
  assert.ok(bench.rounds.length < 15, `${bench.rounds.length} rounds in no time`);
  await bench.stop();
});

test('a child of another name each time: it is held back ever longer, and a user who edits the parent is followed at once', async () => {
  const bench = loopBench([named('a')]);
  let times = 0;
  bench.hooks.says = () => ({ children: [configMap(`x-${times++}`)], status: {} });
  bench.loop.add(webhookController());
  await bench.turns(2_000);
  const atOnce = bench.store.writes.length;
  assert.ok(atOnce < 20, `${atOnce} writes in no time`);
  await bench.pass(HOUR / 2, 1_000);
  const later = bench.store.writes.length - atOnce;
  assert.ok(later > 40 && later < 90, `${later} writes in half an hour`);
  const [told] = bench.rounds.flatMap(({ standing }) => standing.diagnostics);
  assert.match(
    told?.summary ?? '',
    /ConfigMap default\/x-\d: is (created|deleted), as others before it that came and went/,
  );
  bench.hooks.says = { children: [configMap('good')], status: {} };
  bench.edit(WIDGETS, { ...named('a'), spec: { selector: { matchLabels: { app: 'w' } }, edited: true } });
  await bench.turns();
  const names = bench.cache.objects.filter(({ kind }) => kind === 'ConfigMap').map(({ metadata }) => metadata.name);
  assert.deepEqual(names, ['good']);
  await bench.stop();
});

test('a parent that another controller of the process writes: its user is followed at once all the same', async () => {
  const selector = { matchLabels: { app: 'w' } };
  const labels = { app: 'w' };
  const bench = loopBench([configMap('top', { n: '0' }, { uid: 'top' })]);
  const upper = webhookController({ name: 'upper', generateSelector: true });
  const lower = webhookController();
  bench.hooks.says = ({ controller, request }) => {
    const parent = (request as { parent: KubeObject }).parent as { data?: { n: string }; spec?: { n: string } };
    if (!controller.endsWith('upper'))
      return {
        children: [{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'low', labels }, spec: { n: parent.spec?.n } }],
      };
    const spec = { selector, n: parent.data?.n };
    return { children: [{ ...named('middle'), metadata: { name: 'middle', labels }, status: undefined, spec }] };
  };
  bench.loop.add({
    ...{ ...upper, parentRule: { ...upper.parentRule, apiVersion: 'v1', resource: 'configmaps' } },
    ...{ parentType: CONFIG_MAPS, parentScope: { type: CONFIG_MAPS } },
    definition: {
      ...upper.definition,
      children: [{ apiVersion: 'example.com/v1', resource: 'widgets', updateMethod: 'InPlace', statusChecks: [] }],
    },
    ...{ childTypes: [WIDGETS], childScopes: [{ type: WIDGETS }] },
  });
  bench.loop.add({
    ...lower,
    definition: {
      ...lower.definition,
      children: [{ apiVersion: 'v1', resource: 'pods', updateMethod: 'InPlace', statusChecks: [] }],
    },
    ...{ childTypes: [PODS], childScopes: [{ type: PODS }] },
  });
  const followed: unknown[] = [];
  for (let n = 1; n <= 12; n++) {
    bench.edit(CONFIG_MAPS, configMap('top', { n: String(n) }, { uid: 'top' }));
    await bench.turns(60);
    const low = bench.cache.objects.find(({ kind }) => kind === 'Pod');
    followed.push((low?.['spec'] as { n?: string } | undefined)?.n);
    await bench.pass(30_000, 5_000);
  }
  assert.deepEqual(
    followed,
    Array.from({ length: 12 }, (_, index) => String(index + 1)),
  );
  await bench.stop();
});

test('parents whose failures are met again with each event do not put off the retries of others', async () => {
  const noisy = Array.from({ length: 150 }, (_, index) => named(`noisy-${index}`));
  const bench = loopBench([...noisy, named('quiet')], { each: 200, all: 200 });
  bench.hooks.down = true;
  bench.loop.add(webhookController());
  await bench.turns();
  for (let second = 0; second < 90; second++) {
    for (const parent of bench.cache.objects)
      if (parent.metadata.name !== 'quiet') bench.cache.tell({ type: WIDGETS, before: parent, after: parent });
    await bench.pass(1_000, 1_000);
  }
  bench.hooks.down = false;
  const asked = (): number => bench.hooks.calls.filter((call) => call.endsWith('quiet')).length;
  const before = asked();
  await bench.pass(31_000, 1_000);
  assert.ok(asked() > before);
  await bench.stop();
});

for (const [what, more] of [
  ['no period', {}],
  ['a long one', { resyncPeriodSeconds: 3_600 }],
] as const)
  test(`all hooks are to be asked while a round is under way, ${what}: once more after it`, async () => {
    const bench = loopBench([named('a')]);
    const answered = Promise.withResolvers<void>();
    bench.hooks.held = answered.promise;
    bench.loop.add(webhookController(more));
    await bench.turns();
    bench.loop.resync();
    await bench.turns();
    bench.hooks.held = undefined;
    answered.resolve();
    await bench.turns();
    await bench.pass(60_000, 10_000);
    assert.equal(bench.hooks.calls.length, 2);
    await bench.stop();
  });
