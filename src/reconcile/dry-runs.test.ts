// What is asked of the server, and how often; how its refusals are read.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLimiter } from '../kit/concurrency.ts';
import type { DryRunAnswer, DryRunNeed } from '../model/need.ts';
import type { KubeObject } from '../model/object.ts';
import { ApiError, type ApiStatus, ConnectionError } from '../ports/errors.ts';
import type { Predictor, PredictRequest } from '../ports/predict.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { CONFIG_MAPS, configMap } from '../testing/objects.ts';
import { DryRuns } from './index.ts';

const need = (id: string, data: Record<string, string> = {}, namespace = 'default'): DryRunNeed => ({
  kind: 'dry-run',
  id,
  type: CONFIG_MAPS,
  object: configMap('a', { k: 'wanted', ...data }, { namespace }),
  observed: configMap('a', { k: 'is' }, { namespace }),
  fieldManager: 'metactl',
  force: false,
});

class FakePredictor implements Predictor {
  readonly requests: PredictRequest[] = [];
  answer: (request: PredictRequest) => KubeObject = () => configMap('a', { k: 'wanted' });

  async predict(request: PredictRequest): Promise<KubeObject> {
    this.requests.push(request);
    await Promise.resolve();
    return this.answer(request);
  }
}

function bench() {
  const predictor = new FakePredictor();
  const clock = new FakeClock();
  return { predictor, clock, dryRuns: new DryRuns({ predictor, clock, limit: createLimiter(4) }) };
}

const failing = (status: ApiStatus) => (): never => {
  throw new ApiError(status, 'PATCH /api/v1/namespaces/default/configmaps/a');
};
const outcomes = (answers: readonly DryRunAnswer[]): string[] => answers.map(({ outcome }) => outcome);

test('each pair is asked once, also by many at the same time', async () => {
  const { predictor, dryRuns } = bench();
  const answers = await Promise.all([dryRuns.ask(need('1')), dryRuns.ask(need('1')), dryRuns.ask(need('2'))]);
  assert.deepEqual(outcomes(answers), ['applied', 'applied', 'applied']);
  await dryRuns.ask(need('1'));
  assert.equal(predictor.requests.length, 2);
});

test('the request is the write itself, and the object that comes back unchanged is not kept', async () => {
  const { predictor, dryRuns } = bench();
  predictor.answer = () => configMap('a', { k: 'is' }, { namespace: 'default', resourceVersion: '99' });
  assert.deepEqual(await dryRuns.ask(need('1')), { kind: 'dry-run', id: '1', outcome: 'unchanged' });
  const [request] = predictor.requests;
  assert.ok(request?.verb === 'patch');
  assert.deepEqual(
    [request.contentType, request.fieldManager, request.force, request.name, request.namespace],
    ['application/apply-patch+yaml', 'metactl', false, 'a', 'default'],
  );
});

const conflict = (message: string, field = '.data.k'): ApiStatus => ({
  code: 409,
  reason: 'Conflict',
  message: 'Apply failed with 1 conflict',
  details: { causes: [{ reason: 'FieldManagerConflict', message, field }] },
});

const cases: readonly { name: string; why: string; status: ApiStatus; want: object; calls: number }[] = [
  {
    name: 'a conflict',
    why: 'with whom and over what; asked once',
    status: conflict('conflict with "kubectl-edit" using v1'),
    want: { outcome: 'conflicts', conflicts: [{ field: 'data.k', manager: 'kubectl-edit' }] },
    calls: 1,
  },
  {
    name: 'a conflict with quotes in the name',
    why: 'the name is quoted as Go quotes',
    status: conflict('conflict with "a \\"b\\"" with subresource "scale"', '.spec.replicas'),
    want: { outcome: 'conflicts', conflicts: [{ field: 'spec.replicas', manager: 'a "b"' }] },
    calls: 1,
  },
  {
    name: 'another conflict',
    why: 'the object was replaced: asked again',
    status: { code: 409, reason: 'Conflict', message: 'uid mismatch' },
    want: { outcome: 'moved' },
    calls: 2,
  },
  {
    name: 'another UID',
    why: 'the object was replaced',
    status: {
      code: 422,
      reason: 'Invalid',
      message: 'ConfigMap "a" is invalid: metadata.uid: Invalid value: "u": field is immutable',
      details: { causes: [{ reason: 'FieldValueInvalid', message: 'field is immutable', field: 'metadata.uid' }] },
    },
    want: { outcome: 'moved' },
    calls: 2,
  },
  {
    name: 'gone',
    why: 'asked again',
    status: { code: 404, reason: 'NotFound', message: 'not found' },
    want: { outcome: 'moved' },
    calls: 2,
  },
  {
    name: 'a value that the server refuses',
    why: 'it would refuse the write',
    status: { code: 422, reason: 'Invalid', message: 'data[k]: Invalid value' },
    want: { outcome: 'invalid', message: 'data[k]: Invalid value' },
    calls: 2,
  },
  {
    name: 'admission',
    why: 'not about a permission: it would refuse the write too',
    status: { code: 403, reason: 'Forbidden', message: 'admission webhook "w" denied the request: no' },
    want: { outcome: 'invalid', message: 'admission webhook "w" denied the request: no' },
    calls: 2,
  },
  {
    name: 'a webhook with side effects',
    why: 'there are no dry runs, and nobody asks again for a while',
    status: { code: 400, reason: 'BadRequest', message: 'admission webhook "w" does not support dry run' },
    want: { outcome: 'refused', message: 'admission webhook "w" does not support dry run' },
    calls: 1,
  },
];
for (const { name, why, status, want, calls } of cases)
  test(`${name}: ${why}`, async () => {
    const { predictor, dryRuns } = bench();
    predictor.answer = failing(status);
    assert.deepEqual(await dryRuns.ask(need('1')), { kind: 'dry-run', id: '1', ...want });
    await dryRuns.ask(need('1'));
    assert.equal(predictor.requests.length, calls);
  });

const FORBIDDEN: ApiStatus = {
  code: 403,
  reason: 'Forbidden',
  message:
    'configmaps "a" is forbidden: User "u" cannot patch resource "configmaps" in API group "" in the namespace "default"',
};

test('who may not ask is told so once a resource and namespace, however many children there are', async () => {
  const { predictor, clock, dryRuns } = bench();
  predictor.answer = failing(FORBIDDEN);
  const ids = Array.from({ length: 100 }, (_, index) => `${index}`);
  const answers = await Promise.all(ids.map((id) => dryRuns.ask(need(id))));
  assert.deepEqual(new Set(outcomes(answers)), new Set(['refused']));
  assert.equal(predictor.requests.length, 1);
  const [message] = new Set(answers.map((answer) => ('message' in answer ? answer.message : '')));
  assert.equal(message, 'user "u" may not patch configmaps in namespace "default"');
  await dryRuns.ask(need('other', {}, 'elsewhere'));
  assert.equal(predictor.requests.length, 2, 'rights are given by namespace');
  clock.advance(60_000);
  predictor.answer = () => configMap('a', { k: 'wanted' });
  assert.equal((await dryRuns.ask(need('0'))).outcome, 'applied', 'they may be given meanwhile');
});

test('no answer is no answer: it is thrown, to each who asks', async () => {
  const { predictor, dryRuns } = bench();
  predictor.answer = () => {
    throw new ConnectionError('connection refused', 'PATCH /');
  };
  const both = await Promise.allSettled([dryRuns.ask(need('1')), dryRuns.ask(need('2'))]);
  assert.deepEqual(
    both.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  predictor.answer = () => configMap('a', { k: 'wanted' });
  assert.equal((await dryRuns.ask(need('1'))).outcome, 'applied');
});

test('objects are forgotten before what is unchanged: the memory has an end', async () => {
  const { predictor, dryRuns } = bench();
  predictor.answer = () => configMap('a', { k: 'is' }, { namespace: 'default' });
  await dryRuns.ask(need('unchanged'));
  predictor.answer = () => configMap('a', { k: 'wanted' });
  for (let index = 0; index <= 1_000; index++) await dryRuns.ask(need(`${index}`));
  const before = predictor.requests.length;
  await dryRuns.ask(need('unchanged'));
  await dryRuns.ask(need('1000'));
  assert.equal(predictor.requests.length, before);
  await dryRuns.ask(need('0'));
  assert.equal(predictor.requests.length, before + 1, 'the oldest costs a call');
});
