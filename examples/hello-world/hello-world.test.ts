import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import type { CompositeRequest, JsonObject } from 'metactl/sdk';
import { HookBench } from '../../src/testing/hook-bench.ts';
import { hookCall, jsonnetHook, moduleHook, nodeHook } from '../../src/testing/hook-calls.ts';
import { sync } from './sync.ts';

const controller = { apiVersion: 'metacontroller.k8s.io/v1alpha1', kind: 'CompositeController', metadata: {} };

function request(spec?: { who?: string }, pods: string[] = []): CompositeRequest {
  const pod = (name: string) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name } });
  return {
    controller,
    parent: {
      apiVersion: 'example.com/v1',
      kind: 'HelloWorld',
      metadata: { name: 'your-name' },
      ...(spec ? { spec } : {}),
    },
    children: { 'Pod.v1': Object.fromEntries(pods.map((name) => [name, pod(name)])) },
    related: {},
    finalizing: false,
  };
}

function greeting(who: string): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'your-name' },
    spec: {
      restartPolicy: 'OnFailure',
      containers: [{ name: 'hello', image: 'busybox:1.37', command: ['echo', `Hello, ${who}!`] }],
    },
  };
}

const cases = [
  {
    name: 'greets whom it is told to',
    request: request({ who: 'Your Name' }),
    want: { status: { pods: 0 }, children: [greeting('Your Name')] },
  },
  {
    name: 'greets the world otherwise',
    request: request(),
    want: { status: { pods: 0 }, children: [greeting('World')] },
  },
  {
    name: 'counts the pods that are there',
    request: request({}, ['your-name']),
    want: { status: { pods: 1 }, children: [greeting('World')] },
  },
];

for (const { name, request: given, want } of cases) test(name, () => assert.deepEqual(sync(given), want));

test('the function, called as metactl calls it', async (t) => {
  const hook = moduleHook(`${import.meta.dirname}/sync.ts`);
  assert.deepEqual(await new HookBench(t).body(hookCall(hook, { request: plain(request({ who: 'Ä' })) })), {
    status: { pods: 0 },
    children: [greeting('Ä')],
  });
});

const noPython = spawnSync('python3', ['--version']).status === 0 ? false : 'python3 is not on this machine';

test('the Python program answers the same', { skip: noPython }, async (t) => {
  const bench = new HookBench(t);
  const hook = nodeHook(`${import.meta.dirname}/../hello-world-python`, '', { command: ['python3', 'sync.py'] });
  for (const { request: given, want } of cases)
    assert.deepEqual(await bench.body(hookCall(hook, { request: plain(given) })), want);
});

test('the Jsonnet program answers the same', async (t) => {
  const bench = new HookBench(t);
  const hook = jsonnetHook(`${import.meta.dirname}/../hello-world-jsonnet/sync.jsonnet`);
  for (const { request: given, want } of cases)
    assert.deepEqual(await bench.body(hookCall(hook, { request: plain(given) })), want);
});

function plain(value: CompositeRequest): JsonObject {
  return { ...value };
}
