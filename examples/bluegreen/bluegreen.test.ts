import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CompositeHook, CompositeRequest, CompositeResponse, JsonObject, KubeObject } from 'metactl/sdk';
import { HookBench } from '../../src/testing/hook-bench.ts';
import { hookCall, moduleHook } from '../../src/testing/hook-calls.ts';

const { sync } = (await import(new URL('./sync.js', import.meta.url).href)) as { sync: CompositeHook };

const CONTEXT = { dryRun: true, now: '2026-01-01T00:00:00Z' };

type Color = 'blue' | 'green';
type Version = '1' | '2' | '3';

/** A ReplicaSet: which template, how many pods are wanted, there and available. */
interface Pods {
  readonly version: Version;
  readonly wanted: number;
  readonly there?: number;
  readonly available?: number;
  /** Its status is about an older spec. */
  readonly stale?: boolean;
}

interface Given {
  /** Of the parent. */
  readonly version: Version;
  readonly replicas?: number;
  /** Which colour the Service leads to; absent: there is no Service. */
  readonly service?: Color;
  readonly blue?: Pods;
  readonly green?: Pods;
  readonly status?: JsonObject;
}

const templateOf = (version: Version): JsonObject => ({
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'nginx', image: `nginx:${version}` }] },
});

function replicaSet(color: Color, pods: Pods): KubeObject {
  const { version, wanted, there = wanted, available = there, stale = false } = pods;
  const annotations = { 'ctl.enisoc.com/template': JSON.stringify(templateOf(version)) };
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name: `web-${color}`, generation: 2, annotations },
    spec: { replicas: wanted },
    status: { observedGeneration: stale ? 1 : 2, replicas: there, availableReplicas: available },
  };
}

function request(given: Given): CompositeRequest {
  const { version, replicas = 2, service, blue, green, status } = given;
  const selector = { app: 'web', color: service ?? '' };
  const found: KubeObject = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec: { selector } };
  return {
    controller: { apiVersion: 'metacontroller.k8s.io/v1alpha1', kind: 'CompositeController', metadata: {} },
    parent: {
      apiVersion: 'ctl.enisoc.com/v1',
      kind: 'BlueGreenDeployment',
      metadata: { name: 'web', namespace: 'default' },
      spec: {
        replicas,
        minReadySeconds: 0,
        selector: { matchLabels: { app: 'web' } },
        template: templateOf(version),
        service: { spec: { ports: [{ port: 80 }] } },
      },
      ...(status ? { status } : {}),
    },
    children: {
      'Service.v1': service ? { web: found } : {},
      'ReplicaSet.apps/v1': {
        ...(blue ? { 'web-blue': replicaSet('blue', blue) } : {}),
        ...(green ? { 'web-green': replicaSet('green', green) } : {}),
      },
    },
    related: {},
    finalizing: false,
  };
}

interface Spec {
  readonly replicas: number;
  readonly selector: { readonly color: string };
  readonly template: { readonly spec: { readonly containers: readonly { readonly image: string }[] } };
}

/** "service→blue blue=2×1 green=0×2": where the Service leads, and of each colour how many pods of which version. */
function answer(given: Given): string {
  const { children } = sync(request(given), CONTEXT) as CompositeResponse;
  const words = (children ?? []).map(({ kind, metadata, ...rest }) => {
    const spec = rest['spec'] as Spec;
    if (kind === 'Service') return `service→${spec.selector.color}`;
    const version = spec.template.spec.containers[0]?.image.replace('nginx:', '');
    return `${metadata.name.replace('web-', '')}=${spec.replicas}×${version}`;
  });
  return words
    .sort((a, b) => Number(b.startsWith('service')) - Number(a.startsWith('service')) || (a < b ? -1 : 1))
    .join(' ');
}

const steady: Pods = { version: '1', wanted: 2 };

describe('where the Service leads, and what each colour runs', () => {
  const cases: { name: string; given: Given; want: string }[] = [
    { name: 'blue is the first', given: { version: '1' }, want: 'service→blue blue=2×1' },
    {
      name: 'nothing to do',
      given: { version: '1', service: 'blue', blue: steady },
      want: 'service→blue blue=2×1',
    },
    {
      name: 'a new template goes to the other colour, and the Service stays',
      given: { version: '2', service: 'blue', blue: steady },
      want: 'service→blue blue=2×1 green=2×2',
    },
    {
      name: 'one pod that is not available holds the switch back',
      given: { version: '2', service: 'blue', blue: steady, green: { version: '2', wanted: 2, available: 1 } },
      want: 'service→blue blue=2×1 green=2×2',
    },
    {
      name: 'a status that is about an older spec counts for nothing',
      given: { version: '2', service: 'blue', blue: steady, green: { version: '2', wanted: 2, stale: true } },
      want: 'service→blue blue=2×1 green=2×2',
    },
    {
      name: 'all are available: the Service is switched, and the old colour stays for the time being',
      given: { version: '2', service: 'blue', blue: steady, green: { version: '2', wanted: 2 } },
      want: 'service→green blue=2×1 green=2×2',
    },
    {
      name: 'the switch is seen: the old colour has no pods any more, and keeps its template',
      given: { version: '2', service: 'green', blue: steady, green: { version: '2', wanted: 2 } },
      want: 'service→green blue=0×1 green=2×2',
    },
    {
      name: 'and so back to blue',
      given: { version: '3', service: 'green', blue: { version: '1', wanted: 0 }, green: { version: '2', wanted: 2 } },
      want: 'service→green blue=2×3 green=2×2',
    },
    {
      name: 'a rollout that is overtaken: pods of the version in between go first',
      given: { version: '3', service: 'blue', blue: steady, green: { version: '2', wanted: 2, available: 1 } },
      want: 'service→blue blue=2×1 green=0×2',
    },
    {
      name: 'as long as one is there',
      given: { version: '3', service: 'blue', blue: steady, green: { version: '2', wanted: 0, there: 1 } },
      want: 'service→blue blue=2×1 green=0×2',
    },
    {
      name: 'then the newest comes',
      given: { version: '3', service: 'blue', blue: steady, green: { version: '2', wanted: 0 } },
      want: 'service→blue blue=2×1 green=2×3',
    },
    {
      name: 'a rollout that is taken back: the other colour is emptied, the Service never moved',
      given: { version: '1', service: 'blue', blue: steady, green: { version: '2', wanted: 2, available: 1 } },
      want: 'service→blue blue=2×1 green=0×2',
    },
    {
      name: 'scaling is no rollout',
      given: { version: '1', replicas: 5, service: 'blue', blue: steady },
      want: 'service→blue blue=5×1',
    },
    {
      name: 'a Service that was lost comes back where it led to',
      given: { version: '2', blue: { version: '1', wanted: 0 }, green: steady, status: { activeColor: 'green' } },
      want: 'service→green blue=2×2 green=2×1',
    },
    {
      name: 'a ReplicaSet that was lost comes back with the newest template, as nobody knows the old one',
      given: { version: '2', service: 'blue' },
      want: 'service→blue blue=2×2',
    },
  ];
  for (const { name, given, want } of cases) test(name, () => assert.equal(answer(given), want));
});

test('pods, ReplicaSet and Service are labelled and selected by colour', () => {
  const { children = [] } = sync(request({ version: '1' }), CONTEXT) as CompositeResponse;
  const [service, blue] = children ?? [];
  assert.deepEqual(service?.metadata, { name: 'web', labels: { app: 'web' } });
  assert.deepEqual(service?.['spec'], { ports: [{ port: 80 }], selector: { app: 'web', color: 'blue' } });
  assert.deepEqual(blue?.metadata.labels, { app: 'web', color: 'blue' });
  assert.deepEqual(blue?.['spec'], {
    replicas: 2,
    selector: { matchLabels: { app: 'web', color: 'blue' } },
    template: { ...templateOf('1'), metadata: { labels: { app: 'web', color: 'blue' } } },
  });
});

describe('the status says which colour is active, and what is waited for', () => {
  const cases: { name: string; given: Given; available: string; progressing: string }[] = [
    {
      name: 'a rollout',
      given: { version: '2', service: 'blue', blue: steady, green: { version: '2', wanted: 2, available: 1 } },
      available: 'True AllAvailable 2 of 2 pods of blue are available',
      progressing: 'True Waiting 1 of 2 pods of green are available',
    },
    {
      name: 'the switch',
      given: { version: '2', service: 'blue', blue: steady, green: { version: '2', wanted: 2 } },
      available: 'True AllAvailable 2 of 2 pods of blue are available',
      progressing: 'True Switching the service goes to green',
    },
    {
      name: 'an older version on its way out',
      given: { version: '3', service: 'blue', blue: steady, green: { version: '2', wanted: 0, there: 1 } },
      available: 'True AllAvailable 2 of 2 pods of blue are available',
      progressing: 'True Emptying green still has 1 older pods',
    },
    {
      name: 'pods of the active color that are missing',
      given: { version: '1', service: 'blue', blue: { ...steady, available: 0 } },
      available: 'False Waiting 0 of 2 pods of blue are available',
      progressing: 'False UpToDate the active color has the template',
    },
  ];
  for (const { name, given, available, progressing } of cases)
    test(name, () => {
      const { status } = sync(request(given), CONTEXT) as { status: { conditions: Record<string, string>[] } };
      const [first, second] = status.conditions.map(({ status: is, reason, message }) => `${is} ${reason} ${message}`);
      assert.deepEqual([first, second], [available, progressing]);
    });
});

test('as metactl calls it', async (t) => {
  const hook = moduleHook(`${import.meta.dirname}/sync.js`);
  const body = await new HookBench(t).body(hookCall(hook, { request: { ...request({ version: '1' }) } }));
  assert.equal((body as { children: readonly unknown[] }).children.length, 2);
});
