import assert from 'node:assert/strict';
import { test } from 'node:test';
import { modelFor, phaseAt, type ReadinessModel } from './models.ts';

const CASES: readonly (readonly [reason: string, model: ReadinessModel, age: number, want: object])[] = [
  ['not yet', { kind: 'ready-after', seconds: 2 }, 500, { phase: { is: 'creating' }, changesIn: 1_500 }],
  ['on time', { kind: 'ready-after', seconds: 2 }, 2_000, { phase: { is: 'ready' } }],
  ['at once', { kind: 'ready-after', seconds: 0 }, 0, { phase: { is: 'ready' } }],
  ['never', { kind: 'never' }, 1e9, { phase: { is: 'running' } }],
  ['failing', { kind: 'fail', reason: 'ErrImagePull' }, 0, { phase: { is: 'failed', reason: 'ErrImagePull' } }],
  ['up', { kind: 'flap', upSeconds: 3, downSeconds: 2 }, 1_000, { phase: { is: 'ready' }, changesIn: 2_000 }],
  ['down', { kind: 'flap', upSeconds: 3, downSeconds: 2 }, 4_000, { phase: { is: 'running' }, changesIn: 1_000 }],
  ['up again', { kind: 'flap', upSeconds: 3, downSeconds: 2 }, 5_000, { phase: { is: 'ready' }, changesIn: 3_000 }],
  ['never down', { kind: 'flap', upSeconds: 3, downSeconds: 0 }, 5_000, { phase: { is: 'ready' } }],
  ['never up', { kind: 'flap', upSeconds: 0, downSeconds: 1 }, 5_000, { phase: { is: 'running' } }],
];

for (const [reason, model, age, want] of CASES)
  test(`${model.kind}: ${reason}`, () => assert.deepEqual(phaseAt(model, age), want));

test('the first model whose selector matches; none: ready after a second', () => {
  const slow: ReadinessModel = { kind: 'never', selector: { matchLabels: { app: 'slow', tier: 'a' } } };
  const rest: ReadinessModel = { kind: 'ready-after', seconds: 9 };
  assert.equal(modelFor([slow, rest], { app: 'slow', tier: 'a', more: 'x' }), slow);
  assert.equal(modelFor([slow, rest], { app: 'slow' }), rest);
  assert.deepEqual(modelFor([slow]), { kind: 'ready-after', seconds: 1 });
});
