import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { CompositeHook, CompositeRequest, CompositeResponse, KubeObject } from 'metactl/sdk';
import { HookBench } from '../../src/testing/hook-bench.ts';
import { hookCall, moduleHook } from '../../src/testing/hook-calls.ts';

const { sync, finalize } = (await import(new URL('./sync.js', import.meta.url).href)) as {
  sync: CompositeHook;
  finalize: CompositeHook;
};
const CONTEXT = { dryRun: true, now: '2026-01-01T00:00:00Z' };
const labels = { app: 'web' };

interface Given {
  readonly replicas: number;
  /** Ordinal → how the pod is. */
  readonly pods?: Readonly<Record<number, 'ready' | 'pending' | 'deleting'>>;
  readonly claims?: readonly string[];
  readonly storage?: boolean;
}

function pod(ordinal: string, how: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `web-${ordinal}`,
      labels,
      ...(how === 'deleting' ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
    },
    status: {
      phase: how === 'pending' ? 'Pending' : 'Running',
      conditions: [{ type: 'Ready', status: how === 'pending' ? 'False' : 'True' }],
    },
  };
}

function request({ replicas, pods = {}, claims = [], storage = false }: Given): CompositeRequest {
  const claim = (name: string): KubeObject => ({ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name } });
  const observed = Object.entries(pods).map(([ordinal, how]) => pod(ordinal, how));
  return {
    controller: { apiVersion: 'metacontroller.k8s.io/v1alpha1', kind: 'CompositeController', metadata: {} },
    parent: {
      apiVersion: 'ctl.enisoc.com/v1',
      kind: 'CatSet',
      metadata: { name: 'web', namespace: 'default' },
      spec: {
        replicas,
        serviceName: 'web',
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'nginx', image: 'nginx' }] } },
        ...(storage
          ? { volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'] } }] }
          : {}),
      },
    },
    children: {
      'Pod.v1': Object.fromEntries(observed.map((one) => [one.metadata.name ?? '', one])),
      'PersistentVolumeClaim.v1': Object.fromEntries(claims.map((name) => [name, claim(name)])),
    },
    related: {},
    finalizing: false,
  };
}

function answer(given: Given): CompositeResponse {
  return sync(request(given), CONTEXT) as CompositeResponse;
}

const namesIn = ({ children }: CompositeResponse, kind: string): string[] =>
  (children ?? []).filter((child) => child.kind === kind).map((child) => child.metadata.name);

function names(given: Given, kind: string): string[] {
  return namesIn(answer(given), kind);
}

describe('which pods shall be there, the highest first: so they are updated', () => {
  const cases: { name: string; given: Given; want: number[] }[] = [
    { name: 'the first one first', given: { replicas: 3 }, want: [0] },
    { name: 'no second one before the first is ready', given: { replicas: 3, pods: { 0: 'pending' } }, want: [0] },
    {
      name: 'the next one when all before it are ready',
      given: { replicas: 3, pods: { 0: 'ready', 1: 'ready' } },
      want: [0, 1, 2],
    },
    { name: 'nothing to do', given: { replicas: 2, pods: { 0: 'ready', 1: 'ready' } }, want: [0, 1] },
    {
      name: 'a lost pod comes back, the later ones stay',
      given: { replicas: 3, pods: { 1: 'ready', 2: 'ready' } },
      want: [0, 1, 2],
    },
    {
      name: 'two lost pods come back one by one',
      given: { replicas: 4, pods: { 0: 'pending', 3: 'ready' } },
      want: [0, 3],
    },
    {
      name: 'a pod that is going holds the next one back',
      given: { replicas: 3, pods: { 0: 'ready', 1: 'deleting' } },
      want: [0, 1],
    },
    {
      name: 'scaling down takes the highest',
      given: { replicas: 1, pods: { 0: 'ready', 1: 'ready', 2: 'ready' } },
      want: [0, 1],
    },
    {
      name: 'the next one waits until the highest is gone',
      given: { replicas: 1, pods: { 0: 'ready', 1: 'ready', 2: 'deleting' } },
      want: [0, 1],
    },
    { name: 'a sick surplus pod may go', given: { replicas: 1, pods: { 0: 'ready', 1: 'pending' } }, want: [0] },
    {
      name: 'none goes while one before it is sick',
      given: { replicas: 2, pods: { 0: 'ready', 1: 'pending', 2: 'ready' } },
      want: [0, 1, 2],
    },
    { name: 'to nothing, one by one', given: { replicas: 0, pods: { 0: 'ready', 1: 'ready' } }, want: [0] },
    { name: 'nothing', given: { replicas: 0 }, want: [] },
    {
      name: 'ten comes after nine',
      given: { replicas: 9, pods: Object.fromEntries(Array.from({ length: 11 }, (_, i) => [i, 'ready'])) },
      want: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    },
  ];
  for (const { name, given, want } of cases)
    test(name, () => assert.deepEqual(names(given, 'Pod'), want.map((ordinal) => `web-${ordinal}`).reverse()));
});

/** Does what an API server, a kubelet and metactl do between two calls, until the pods stay as they are. */
function settle(replicas: number, from: Record<number, 'ready' | 'pending' | 'deleting'>): number[][] {
  let pods = from;
  const steps: number[][] = [];
  for (let step = 0; step < 50; step++) {
    const wanted = new Set(names({ replicas, pods }, 'Pod').map((name) => Number(name.slice('web-'.length))));
    const next: typeof from = {};
    for (const [ordinal, how] of Object.entries(pods)) {
      if (how === 'deleting') continue;
      next[Number(ordinal)] = wanted.has(Number(ordinal)) ? 'ready' : 'deleting';
    }
    for (const ordinal of wanted) next[ordinal] ??= 'pending';
    if (JSON.stringify(next) === JSON.stringify(pods)) return steps;
    pods = next;
    steps.push(Object.keys(pods).map(Number));
  }
  return assert.fail('it does not settle');
}

describe('step by step', () => {
  test('up', () => assert.deepEqual(settle(3, {}).at(-1), [0, 1, 2]));
  test('down, highest first', () => {
    const steps = settle(0, { 0: 'ready', 1: 'ready', 2: 'ready' });
    assert.deepEqual(steps.at(-1), []);
    assert.deepEqual(steps, [[0, 1, 2], [0, 1], [0, 1], [0], [0], []]);
  });
});

describe('a set that is deleted', () => {
  const cases: { name: string; pods: NonNullable<Given['pods']>; want: number[]; finalized: boolean }[] = [
    { name: 'goes from the highest pod', pods: { 0: 'ready', 1: 'ready' }, want: [0], finalized: false },
    { name: 'waits for pods on their way out', pods: { 0: 'deleting' }, want: [], finalized: false },
    { name: 'is gone when the last pod is', pods: {}, want: [], finalized: true },
  ];
  for (const { name, pods, want, finalized } of cases)
    test(name, () => {
      const said = finalize({ ...request({ replicas: 3, pods }), finalizing: true }, CONTEXT) as CompositeResponse;
      assert.equal(said.finalized, finalized);
      assert.deepEqual(
        namesIn(said, 'Pod'),
        want.map((ordinal) => `web-${ordinal}`),
      );
    });
});

test('a pod has the name, host name and subdomain that its place gives it', () => {
  assert.deepEqual(answer({ replicas: 1 }).children, [
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web-0', namespace: 'default', labels },
      spec: { containers: [{ name: 'nginx', image: 'nginx' }], hostname: 'web-0', subdomain: 'web' },
    },
  ]);
});

describe('claims', () => {
  test('come with their pod, which mounts them', () => {
    const [claim, made] = answer({ replicas: 1, storage: true }).children ?? [];
    assert.deepEqual(claim?.metadata, { name: 'data-web-0', namespace: 'default', labels });
    assert.deepEqual(claim?.['spec'], { accessModes: ['ReadWriteOnce'] });
    assert.deepEqual((made?.['spec'] as { volumes?: unknown } | undefined)?.volumes, [
      { name: 'data', persistentVolumeClaim: { claimName: 'data-web-0' } },
    ]);
  });

  test('stay when the pod goes, and when the template is gone', () => {
    const given: Given = { replicas: 1, pods: { 0: 'ready' }, claims: ['data-web-0', 'data-web-1', 'old-web-0'] };
    assert.deepEqual(names({ ...given, storage: true }, 'PersistentVolumeClaim').sort(), given.claims);
    assert.deepEqual(names(given, 'PersistentVolumeClaim').sort(), given.claims);
  });
});

test('the status counts, and says when everything is ready', () => {
  assert.deepEqual(answer({ replicas: 2, pods: { 0: 'ready', 1: 'pending' } }).status, {
    replicas: 2,
    readyReplicas: 1,
    conditions: [{ type: 'Ready', status: 'False', reason: 'Scaling', message: '1 of 2 pods are ready' }],
  });
  const done = answer({ replicas: 1, pods: { 0: 'ready' } }).status as { conditions: { status: string }[] };
  assert.equal(done.conditions[0]?.status, 'True');
});

test('as metactl calls it', async (t) => {
  const hook = moduleHook(`${import.meta.dirname}/sync.js`);
  const body = await new HookBench(t).body(hookCall(hook, { request: { ...request({ replicas: 3, storage: true }) } }));
  assert.equal((body as { children: readonly unknown[] }).children.length, 2);
});

test('the record of rollouts is the one that is deployed', async () => {
  const text = (path: string): Promise<string> => readFile(join(import.meta.dirname, path), 'utf8');
  assert.equal(await text('controllerrevisions.yaml'), await text('../../deploy/crds/controllerrevisions.yaml'));
});
