// What mode server-side costs in calls, exactly: unchanged children nothing each, of those that only the server can compare
// one dry run each for a run, however often they are planned in it.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { JsonObject } from '../kit/json.ts';
import { callCounter } from '../testing/call-counter.ts';
import { serverSideStage, type Wanted } from '../testing/server-side-project.ts';
import { forEachTarget, type TestTarget } from '../testing/targets.ts';
import { useCases } from '../testing/use-cases.ts';

const CHILDREN = 100;

async function stage(target: TestTarget, wanted: Wanted, childResources: readonly string[]) {
  const { project, namespace, want } = await serverSideStage(target, wanted, { childResources });
  const kubeconfig = join(project.path, 'kubeconfig');
  const counter = await callCounter(target.transport, kubeconfig);
  after(() => counter.close());
  const cases = useCases({ cluster: { kubeconfig }, paths: [project.path], namespace });
  const applied = await cases.apply();
  assert.equal(applied.status, 'settled', JSON.stringify(applied.diagnostics.slice(0, 3)));
  return {
    ...cases,
    want,
    made: counter.take(),
    take: () => counter.take(),
    definition: join(project.path, 'controller.json'),
  };
}

const mapsOf = (value: string): JsonObject =>
  Object.fromEntries(Array.from({ length: CHILDREN }, (_, index) => [`m-${index}`, { value }]));

/** An empty text is left out when a Service is stored: whether that is what was applied, only the server knows. */
const services = (count: number, port = 80): Wanted => ({
  others: Array.from({ length: count }, (_, index) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: `s-${index}` },
    spec: { ports: [{ port }], externalName: '' },
  })),
});

forEachTarget('calls of mode server-side', (target) => {
  test(`${CHILDREN} children: made by one write each, then nothing`, async () => {
    const { plan, apply, want, made, take, definition } = await stage(target, { maps: mapsOf('1') }, ['configmaps']);
    assert.equal(made['patch configmaps'], CHILDREN);
    const definitionOnly = { paths: [definition] };
    const asked = { 'get /api': 1, 'get /apis': 1, 'get /openapi/v3': 1, 'get /openapi/v3/api/v1': 1 };
    await plan(definitionOnly);
    assert.deepEqual(take(), { ...asked, 'list configmaps': 1, 'list things': 1 });
    assert.equal((await apply(definitionOnly)).status, 'nothing');
    assert.deepEqual(take(), { ...asked, 'watch configmaps': 1, 'watch things': 1 });

    await want({ maps: mapsOf('2') });
    await plan();
    assert.equal(take()['patch configmaps'], CHILDREN, 'a plan tries each change');
    assert.equal((await apply()).status, 'settled');
    assert.equal(take()['patch configmaps'], 2 * CHILDREN, 'as does the plan that is shown before they are written');
  });

  test('children that only the server can compare: one dry run each, for the plan and all rounds', async () => {
    const { plan, apply, want, take, made } = await stage(target, services(10), ['services']);
    assert.equal(made['patch services'], 20, 'a write, and a dry run when it is looked at again');
    await plan();
    assert.equal(take()['patch services'], 10);
    assert.equal((await apply()).status, 'nothing');
    assert.equal(take()['patch services'], 10, 'a new run knows nothing');
    await want({ others: [...(services(10).others ?? []), ...(services(11).others ?? []).slice(10)] });
    const applied = await apply();
    assert.equal(applied.status, 'settled');
    assert.equal(take()['patch services'], 10 + 2, 'the plan asked for ten; the rounds for the one that was made');
  });
});
