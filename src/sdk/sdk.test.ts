import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  attachmentsOf,
  childrenOf,
  condition,
  conditionStatus,
  defineComposite,
  defineDecorator,
  defineMap,
  type KubeObject,
  type ObjectGroups,
  outputsOf,
} from './index.ts';

function pod(name: string, status: object = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name }, status: status as KubeObject };
}

test('childrenOf: the objects of a group by number, and none for a group that is not there', () => {
  const children: ObjectGroups = {
    'Pod.v1': { 'a/web-10': pod('web-10'), 'a/web-2': pod('web-2'), 'a/api': pod('api') },
  };
  assert.deepEqual(
    childrenOf({ children }, 'v1', 'Pod').map((child) => child.metadata.name),
    ['api', 'web-2', 'web-10'],
  );
  assert.deepEqual(childrenOf({ children }, 'v1', 'Service'), []);
  assert.deepEqual(attachmentsOf({ attachments: children }, 'v1', 'Pod'), childrenOf({ children }, 'v1', 'Pod'));
  assert.deepEqual(outputsOf({ outputs: children }, 'v1', 'Pod'), childrenOf({ children }, 'v1', 'Pod'));
});

test('conditionStatus: of one condition, undefined without it or without a status', () => {
  const ready = pod('a', {
    conditions: [
      { type: 'Initialized', status: 'True' },
      { type: 'Ready', status: 'False' },
    ],
  });
  assert.equal(conditionStatus(ready, 'Ready'), 'False');
  assert.equal(conditionStatus(ready, 'Other'), undefined);
  assert.equal(conditionStatus(pod('b'), 'Ready'), undefined);
  assert.equal(conditionStatus({ apiVersion: 'v1', kind: 'Pod', metadata: {} }, 'Ready'), undefined);
});

test('condition: an item for status.conditions without a time', () => {
  assert.deepEqual(condition('Ready', true), { type: 'Ready', status: 'True' });
  assert.deepEqual(condition('Ready', false, { reason: 'Waiting', message: 'for web-0' }), {
    type: 'Ready',
    status: 'False',
    reason: 'Waiting',
    message: 'for web-0',
  });
});

test('defineComposite, defineDecorator: the hooks as they are, with requests and answers of their kind', async () => {
  const context = { dryRun: true, now: '2026-01-01T00:00:00Z' };
  const controller = pod('controller');
  const composite = defineComposite({ sync: ({ parent }) => ({ status: { of: parent.metadata.name }, children: [] }) });
  const given = { controller, children: {}, attachments: {}, related: {}, finalizing: false };
  assert.deepEqual(await composite.sync({ ...given, parent: pod('a') }, context), {
    status: { of: 'a' },
    children: [],
  });
  interface Web extends KubeObject {
    readonly spec: { readonly nodeName: string };
  }
  const decorator = defineDecorator<Web>({
    sync: ({ object }) => ({ labels: { node: object.spec.nodeName, old: null } }),
    customize: ({ parent }) => ({
      relatedResources: [{ apiVersion: 'v1', resource: 'nodes', names: [parent.spec.nodeName] }],
    }),
  });
  const object = { ...pod('a'), spec: { nodeName: 'n' } };
  assert.deepEqual(await decorator.sync({ ...given, object }, context), { labels: { node: 'n', old: null } });
  const rules = await decorator.customize?.({ controller, parent: object }, context);
  assert.deepEqual(rules?.relatedResources?.[0]?.names, ['n']);
});

test('defineMap: requests of the kinds of parent and input, tombstones that keep', async () => {
  interface Schedule extends KubeObject {
    readonly spec: { readonly keep: number };
  }
  const controller = defineMap<Schedule>({
    map: ({ input, mapKey }) => ({
      outputs: [{ apiVersion: 'v1', kind: 'Pod', metadata: { name: `${input.metadata.name}-${mapKey}` } }],
    }),
    tombstone: (request) => ({
      outputs: outputsOf(request, 'v1', 'Pod').slice(-request.parent.spec.keep),
      resyncAfterSeconds: 60,
    }),
    finalize: ({ finalizing }) => ({ finalized: finalizing }),
  });
  const context = { dryRun: false, now: '2026-01-01T00:00:00Z' };
  const parent = { ...pod('s'), spec: { keep: 1 } };
  const given = { controller: pod('c'), parent, mapKey: 'k', related: {} };
  const outputs = { 'Pod.v1': { a: pod('a'), b: pod('b') } };
  const made = await controller.map({ ...given, input: pod('i'), outputs: {} }, context);
  assert.equal(made.outputs?.[0]?.metadata.name, 'i-k');
  const kept = await controller.tombstone?.({ ...given, outputs }, context);
  assert.deepEqual(
    kept?.outputs?.map(({ metadata }) => metadata.name),
    ['b'],
  );
  const last = await controller.finalize?.({ ...given, outputs, finalizing: true }, context);
  assert.equal(last?.finalized, true);
});
