import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '../../kit/json.ts';
import { LAST_APPLIED_ANNOTATION, withLastApplied } from '../../merge/index.ts';
import type { StatusConditionCheck, UpdateMethod } from '../../model/definition.ts';
import type { KubeObject, ObjectMeta } from '../../model/object.ts';
import { configMap } from '../../testing/objects.ts';
import { DynamicMode } from '../apply-mode/dynamic.ts';
import { obstacleIn } from './happy.ts';

const WANTED = configMap('a', { v: '2' });

interface Case {
  readonly why: string;
  readonly observed?: KubeObject;
  readonly method?: UpdateMethod;
  readonly checks?: readonly StatusConditionCheck[];
  readonly want?: string;
}

function observed(status?: JsonObject, metadata: ObjectMeta = {}): KubeObject {
  const stored = withLastApplied(WANTED, LAST_APPLIED_ANNOTATION);
  return {
    ...stored,
    metadata: { ...stored.metadata, generation: 3, ...metadata },
    ...(status === undefined ? {} : { status }),
  };
}

const conditions = (...given: JsonObject[]): JsonObject => ({ conditions: given });
const READY: StatusConditionCheck = { type: 'Ready', status: 'True' };

const CASES: readonly Case[] = [
  { why: 'as wanted, and nothing is checked', observed: observed() },
  { why: 'not there', want: 'missing child ConfigMap a' },
  {
    why: 'on its way out, though as wanted',
    observed: observed(undefined, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    want: 'child ConfigMap a is being deleted',
  },
  {
    why: 'not as wanted',
    observed: { ...observed(), data: { v: '1' } },
    want: 'child ConfigMap a is not updated yet',
  },
  {
    why: 'its controller is behind',
    observed: observed({ observedGeneration: 2 }),
    want: 'child ConfigMap a was seen by its controller at generation 2 only, and is at 3',
  },
  { why: 'its controller has caught up', observed: observed({ observedGeneration: 3 }) },
  { why: 'a controller that reports nothing is not waited for', observed: observed({ observedGeneration: 0 }) },
  {
    why: 'a recreated child is another object: its controller can not be behind',
    method: 'RollingRecreate',
    observed: observed({ observedGeneration: 2 }),
  },
  {
    why: 'a condition that must be there, of an object without a status',
    checks: [READY],
    observed: observed(),
    want: 'child ConfigMap a fails a status check: it has no condition Ready',
  },
  {
    why: 'another status',
    checks: [READY],
    observed: observed(conditions({ type: 'Ready', status: 'False' })),
    want: 'child ConfigMap a fails a status check: condition Ready has status "False", not "True"',
  },
  {
    why: 'another reason',
    checks: [{ type: 'Ready', reason: 'Good' }],
    observed: observed(conditions({ type: 'Ready', status: 'True' })),
    want: 'child ConfigMap a fails a status check: condition Ready has reason "", not "Good"',
  },
  {
    why: 'the type alone',
    checks: [{ type: 'Ready' }],
    observed: observed(conditions({ type: 'Ready', status: 'False' })),
  },
  {
    why: 'the first of several that fails is told',
    checks: [READY, { type: 'Seen' }, { type: 'Late', status: 'True' }],
    observed: observed(conditions({ type: 'Ready', status: 'True' }, { type: 'Late', status: 'Unknown' })),
    want: 'child ConfigMap a fails a status check: it has no condition Seen',
  },
  {
    why: 'all of them hold',
    checks: [READY, { type: 'Seen', status: 'False', reason: 'Never' }],
    observed: observed(
      conditions({ type: 'Ready', status: 'True' }, { type: 'Seen', status: 'False', reason: 'Never' }),
    ),
  },
  {
    why: 'a status that is no object',
    checks: [READY],
    observed: { ...observed(), status: 'fine' },
    want: 'child ConfigMap a fails a status check: it has no condition Ready',
  },
];

describe('what holds up a rollout', () => {
  for (const { why, observed: seen, method = 'RollingInPlace', checks = [], want } of CASES)
    test(why, () => {
      const found = obstacleIn(WANTED, seen, {
        updateMethod: method,
        statusChecks: checks,
        mode: new DynamicMode({ managers: [], types: [], answers: new Map() }),
      });
      assert.equal(found?.message, want);
    });
});
