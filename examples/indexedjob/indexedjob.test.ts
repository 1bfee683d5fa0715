import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CompositeResponse, JsonObject, KubeObject } from 'metactl/sdk';
import { missingProgram } from '../../src/testing/example-project.ts';
import { HookBench } from '../../src/testing/hook-bench.ts';
import { hookCall, nodeHook } from '../../src/testing/hook-calls.ts';

type Phase = 'Pending' | 'Running' | 'Succeeded' | 'Failed';

interface Given {
  /** completions, parallelism, backoffLimitPerIndex. */
  readonly spec?: JsonObject;
  /** Index → phase; a failed one after so many others: "Failed 2". */
  readonly pods?: Readonly<Record<number, Phase | `Failed ${number}`>>;
  readonly status?: JsonObject;
}

const TEMPLATE = { spec: { containers: [{ name: 'c', image: 'busybox', env: [{ name: 'A', value: 'b' }] }] } };

function pod(index: string, how: string): KubeObject {
  const [phase, failures = '0'] = how.split(' ');
  const annotations = { 'ctl.enisoc.com/failures': failures };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `job-${index}`, annotations },
    status: { phase: `${phase}` },
  };
}

function request({ spec = {}, pods = {}, status }: Given): JsonObject {
  const made = Object.entries(pods).map(([index, how]) => [`job-${index}`, pod(index, how)] as const);
  return {
    controller: {},
    parent: {
      apiVersion: 'ctl.enisoc.com/v1',
      kind: 'IndexedJob',
      metadata: { name: 'job', namespace: 'default' },
      spec: { completions: 4, parallelism: 2, backoffLimitPerIndex: 1, template: TEMPLATE, ...spec },
      ...(status ? { status } : {}),
    },
    children: { 'Pod.v1': Object.fromEntries(made) },
    related: {},
    finalizing: false,
  };
}

interface Status {
  readonly active: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly completedIndexes: string;
  readonly failedIndexes: string;
  readonly failures?: Readonly<Record<string, number>>;
  readonly conditions: readonly { readonly type: string; readonly status: string; readonly message: string }[];
}

const skip = missingProgram('python3');
const hook = nodeHook(import.meta.dirname, '', { command: ['python3', 'sync.py'] });

describe('which pods there shall be', { skip }, () => {
  const cases: { name: string; given: Given; want: number[]; says?: Partial<Status>; is?: string }[] = [
    { name: 'the lowest indexes first, no more than parallelism', given: {}, want: [0, 1] },
    { name: 'those on their way count', given: { pods: { 0: 'Running', 1: 'Pending' } }, want: [0, 1] },
    {
      name: 'one that is done makes room, and stays',
      given: { pods: { 0: 'Running', 1: 'Succeeded' } },
      want: [0, 1, 2],
      says: { active: 1, succeeded: 1, completedIndexes: '1' },
    },
    {
      name: 'one that was lost comes back',
      given: { pods: { 1: 'Running' } },
      want: [0, 1],
    },
    {
      name: 'one that is done and removed is not done again',
      given: { pods: { 0: 'Running' }, status: { completedIndexes: '1-2' } },
      want: [0, 3],
      says: { succeeded: 2, completedIndexes: '1-2' },
    },
    {
      name: 'a pod that failed goes, and another may start',
      given: { pods: { 0: 'Failed', 1: 'Running' } },
      want: [1, 2],
      says: { failed: 1, failures: { 0: 1 } },
    },
    {
      name: 'the same failure seen again counts once',
      given: { pods: { 0: 'Failed', 1: 'Running' }, status: { failures: { 0: 1 } } },
      want: [1, 2],
      says: { failed: 1, failures: { 0: 1 } },
    },
    {
      name: 'when it is gone its index is first again',
      given: { pods: { 1: 'Running' }, status: { failures: { 0: 1 } } },
      want: [0, 1],
      says: { failures: { 0: 1 } },
    },
    {
      name: 'an index that failed too often is given up; its last pod stays',
      given: { pods: { 0: 'Failed 1', 1: 'Running' }, status: { failures: { 0: 1 } } },
      want: [0, 1, 2],
      says: { failed: 2, failedIndexes: '0', failures: { 0: 2 } },
      is: 'Complete=False Failed=False',
    },
    {
      name: 'all are done',
      given: { pods: { 0: 'Succeeded', 1: 'Succeeded', 2: 'Succeeded', 3: 'Succeeded' } },
      want: [0, 1, 2, 3],
      says: { active: 0, succeeded: 4, completedIndexes: '0-3' },
      is: 'Complete=True Failed=False',
    },
    {
      name: 'all are done but the one that was given up',
      given: { pods: { 2: 'Failed 1' }, status: { completedIndexes: '0-1,3' } },
      want: [2],
      says: { active: 0, completedIndexes: '0-1,3', failedIndexes: '2' },
      is: 'Complete=False Failed=True',
    },
    {
      name: 'less parallelism: the highest goes',
      given: { spec: { parallelism: 1 }, pods: { 0: 'Running', 1: 'Running' } },
      want: [0],
    },
    {
      name: 'fewer completions: what is beyond goes',
      given: { spec: { completions: 1 }, pods: { 0: 'Succeeded', 1: 'Running' }, status: { completedIndexes: '0,3' } },
      want: [0],
      is: 'Complete=True Failed=False',
    },
    {
      name: 'ten comes after nine',
      given: { spec: { completions: 12 }, status: { completedIndexes: '0-8' } },
      want: [9, 10],
    },
    { name: 'nothing to do', given: { spec: { completions: 0 } }, want: [], is: 'Complete=True Failed=False' },
  ];
  for (const { name, given, want, says = {}, is } of cases)
    test(name, async (t) => {
      const body = await new HookBench(t).body(hookCall(hook, { request: request(given) }));
      const { children, status } = body as unknown as CompositeResponse & { status: Status };
      assert.deepEqual(
        children?.map(({ metadata }) => metadata.name),
        want.map((index) => `job-${index}`),
      );
      for (const [field, value] of Object.entries(says)) assert.deepEqual(status[field as keyof Status], value, field);
      const conditions = status.conditions.map(({ type, status: which }) => `${type}=${which}`).join(' ');
      assert.equal(conditions, is ?? 'Complete=False Failed=False');
    });
});

test('a pod knows its index and how many failed before it', { skip }, async (t) => {
  const given = request({ spec: { completions: 1 }, status: { failures: { 0: 1 } } });
  const body = await new HookBench(t).body(hookCall(hook, { request: given }));
  assert.deepEqual((body as { children: unknown }).children, [
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'job-0', annotations: { 'ctl.enisoc.com/failures': '1' } },
      spec: {
        restartPolicy: 'Never',
        hostname: 'job-0',
        containers: [
          {
            name: 'c',
            image: 'busybox',
            env: [
              { name: 'A', value: 'b' },
              { name: 'JOB_INDEX', value: '0' },
            ],
          },
        ],
      },
    },
  ]);
});
