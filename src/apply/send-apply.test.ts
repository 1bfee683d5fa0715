// One server-side apply: what is sent, and what becomes of the answer.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNKNOWN } from '../kit/unknown.ts';
import type { KubeObject } from '../model/object.ts';
import type { Change, Intent } from '../model/plan.ts';
import { ApiError, type ApiStatus } from '../ports/errors.ts';
import type { WriteRequest, Writer } from '../ports/write.ts';
import { CONFIG_MAPS, configMap, ownedMetadata } from '../testing/objects.ts';
import { buildChange } from '../testing/plan-builder.ts';
import { sendChange } from './send.ts';

const before = configMap('a', { k: '1' }, { uid: 'a-uid', resourceVersion: '7' });
const desired = configMap('a', { k: '2' });

interface Sent {
  readonly change?: Partial<Change>;
  readonly intent?: Partial<Extract<Intent, { kind: 'apply' }>>;
  readonly answer?: KubeObject | ApiStatus;
  readonly results?: Map<string, KubeObject>;
}

async function send({
  results = new Map(),
  change = {},
  intent = {},
  answer = { ...before, metadata: { ...before.metadata, resourceVersion: '8' } },
}: Sent) {
  const requests: WriteRequest[] = [];
  const recorded: (KubeObject | undefined)[] = [];
  const writer: Writer = {
    async write(request) {
      requests.push(request);
      if ('kind' in answer) return answer;
      throw new ApiError(answer, 'PATCH /api/v1/namespaces/default/configmaps/a');
    },
  };
  const planned = buildChange({
    ...{ type: CONFIG_MAPS, action: 'update', verb: 'update', before, after: desired },
    intent: { kind: 'apply', desired, ...intent },
    ...change,
  });
  const cache = {
    record: (_type: unknown, { result }: { result: KubeObject | undefined }) => void recorded.push(result),
  };
  const reader = { get: async () => undefined, list: async () => ({ items: [], resourceVersion: '' }) };
  const outcome = await sendChange(planned, { writer, cache, reader, results });
  return { outcome, requests, recorded };
}

const patchOf = (requests: readonly WriteRequest[]): KubeObject => {
  const [request] = requests;
  assert.ok(request?.verb === 'patch');
  return request.patch as KubeObject;
};

test('an update names the object that it is meant for', async () => {
  const { outcome, requests, recorded } = await send({ change: { force: true, fieldManager: 'team-a' } });
  assert.equal(outcome.kind, 'done');
  assert.equal(recorded.length, 1);
  assert.deepEqual(patchOf(requests).metadata, { ...desired.metadata, uid: 'a-uid' });
  assert.deepEqual(
    requests.map((request) => request.verb === 'patch' && [request.fieldManager, request.force, request.contentType]),
    [['team-a', true, 'application/apply-patch+yaml']],
  );
});

test('one that takes what a rule gives names the very state', async () => {
  const { requests } = await send({ intent: { exact: true } });
  assert.deepEqual(patchOf(requests).metadata, { ...desired.metadata, uid: 'a-uid', resourceVersion: '7' });
});

test("after a change of the same object it is that one's result that counts", async () => {
  const moved = { ...before, metadata: { ...before.metadata, resourceVersion: '8' } };
  const guards = [{ kind: 'result-of', change: 'first' }] as const;
  const results = new Map([['first', moved]]);
  const { requests, outcome } = await send({ intent: { exact: true }, change: { guards }, results });
  assert.equal(patchOf(requests).metadata.resourceVersion, '8');
  assert.equal(outcome.kind, 'unneeded', 'the answer is no newer than that');
});

test('a create has a version that nothing has: what is there already is not taken over', async () => {
  const { requests } = await send({ change: { action: 'create', verb: 'create' } });
  assert.deepEqual(patchOf(requests).metadata, { ...desired.metadata, resourceVersion: '1' });
});

test('an answer with the version that it had: nothing was to be done, and no round follows from it', async () => {
  assert.deepEqual((await send({ answer: before })).outcome, { kind: 'unneeded' });
});

const CONFLICT: ApiStatus = { code: 409, reason: 'Conflict', message: 'Apply failed with 1 conflict' };
const REPLACED: ApiStatus = {
  code: 422,
  reason: 'Invalid',
  message: 'ConfigMap "a" is invalid: metadata.uid: Invalid value: "u": field is immutable',
  details: { causes: [{ reason: 'FieldValueInvalid', message: 'field is immutable', field: 'metadata.uid' }] },
};
const GONE: ApiStatus = { code: 404, reason: 'NotFound', message: 'configmaps "a" not found' };
const NO_NAMESPACE: ApiStatus = {
  code: 404,
  reason: 'NotFound',
  message: 'namespaces "default" not found',
  details: { kind: 'namespaces', name: 'default' },
};

test('what was taken, replaced or deleted meanwhile is planned again', async () => {
  assert.equal((await send({ answer: CONFLICT })).outcome.kind, 'stale');
  assert.equal((await send({ answer: GONE })).outcome.kind, 'stale');
  assert.equal((await send({ answer: REPLACED })).outcome.kind, 'stale');
  assert.equal((await send({ answer: CONFLICT, change: { action: 'create', verb: 'create' } })).outcome.kind, 'stale');
});

test('a namespace that is missing is said, and does not go round and round', async () => {
  const { outcome } = await send({ answer: NO_NAMESPACE, change: { action: 'create', verb: 'create' } });
  assert.ok(outcome.kind === 'failed' && outcome.permanent);
  assert.match(outcome.diagnostic.hint ?? '', /Create the namespace first/);
});

test('what holds values that were unknown is not sent', async () => {
  const { metadata, ...rest } = desired;
  const owner = { ...ownedMetadata('a').ownerReferences?.[0], uid: UNKNOWN };
  const unknown = { ...rest, metadata: { ...metadata, ownerReferences: [owner] } } as KubeObject;
  const { outcome, requests } = await send({ intent: { desired: unknown } });
  assert.deepEqual([outcome.kind, requests.length], ['stale', 0]);
});

test('a moving over that meets a newer state is planned again, not carried over', async () => {
  const migration = { fieldManager: 'metactl', from: ['metactl'], annotations: [], fields: {} };
  const { outcome, requests } = await send({ answer: CONFLICT, change: { intent: { kind: 'migrate', migration } } });
  assert.deepEqual([outcome.kind, requests.map(({ verb }) => verb)], ['stale', ['update']]);
});
