// Ten thousand inputs: which of them a hook is asked about again, and how many it is asked about at once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../kit/json.ts';
import type { KubeObject } from '../model/object.ts';
import { changesOfParent } from '../model/plan.ts';
import { FakeCache } from '../testing/fake-cache.ts';
import { FakeHooks } from '../testing/fake-hooks.ts';
import { nothingRelated } from '../testing/fake-related.ts';
import { FakeStore } from '../testing/fake-store.ts';
import { COUNTED, inputPod, made, mapController, questionOf } from '../testing/map-world.ts';
import { CONFIG_MAPS, configMap, PODS, WIDGETS, widget } from '../testing/objects.ts';
import { AnswerMemory, type Controller, reconcileParent } from './index.ts';

const INPUTS = 10_000;
const NAMES = Array.from({ length: INPUTS }, (_, index) => `i${index}`);

const definition = mapController();
const controller: Controller = {
  definition,
  parentRule: definition.parent,
  parentType: WIDGETS,
  parentScope: { type: WIDGETS },
  childTypes: [CONFIG_MAPS],
  childScopes: [{ type: CONFIG_MAPS }],
  inputs: [{ type: PODS, scope: { type: PODS } }],
};

const copy = ({ input }: JsonObject) => {
  const { name = '', labels } = (input as KubeObject).metadata;
  return { outputs: [configMap(`o-${name}`, { ...labels })] };
};
const outputs = NAMES.map((name) => made(name, `o-${name}`));
const parent = { ...widget({}, {}, COUNTED(INPUTS, INPUTS)), spec: {} };

test('one input of ten thousand changes: one call, one change', async () => {
  const inputs = NAMES.map((name) => inputPod(name));
  const hooks = new FakeHooks(copy);
  const cache = new FakeCache([...inputs, ...outputs]);
  const related = nothingRelated;
  const serverSide = {
    schemas: { schemaOf: async () => undefined },
    dryRuns: { ask: () => Promise.reject(new Error()) },
  };
  const ports = { hooks, cache, related, reader: new FakeStore(), ...serverSide };
  const options = { foresee: false, signal: new AbortController().signal, memory: new AnswerMemory() };
  const run = async (object: KubeObject = parent) => {
    const before = hooks.calls.length;
    const { plan } = await reconcileParent(controller, { object, live: true }, ports, options);
    const asked = hooks.calls.slice(before).map(questionOf);
    return { asked, changes: changesOfParent(plan).map(({ action, object: { name } }) => `${action} ${name}`) };
  };
  const first = await run();
  assert.deepEqual([first.asked.length, first.changes], [INPUTS, []]);
  assert.deepEqual(await run(), { asked: [], changes: [] });
  cache.objects = [...inputs.with(7, inputPod('i7', { labels: { x: 'y' } })), ...outputs];
  assert.deepEqual(await run(), { asked: ['map i7'], changes: ['update o-i7'] });
  cache.objects = [...inputs.with(7, inputPod('i7', { resourceVersion: '99' })), ...outputs];
  assert.deepEqual((await run()).asked, ['map i7'], 'what it was before is forgotten by now');
  assert.deepEqual(await run({ ...parent, status: COUNTED(1, 2) }), { asked: [], changes: ['status w'] });
});
