// What is counted, by the fakes of the ports; that all of it moves in a daemon is src/app/running/metrics.test.ts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HookAnswer, HookCall } from '../../model/need.ts';
import { FakeTransport } from '../../testing/fake-transport.ts';
import { METRICS } from './metric-list.ts';
import { createMetrics, type MetricSources, type Metrics } from './metrics.ts';

const NOTHING: MetricSources = {
  loads: () => new Map(),
  cacheSizes: () => new Map(),
  controllers: () => [],
  isLeader: () => false,
  leases: () => new Map(),
};

async function bench(sources: Partial<MetricSources> = {}) {
  let now = 0;
  const metrics = await createMetrics({ ...NOTHING, ...sources }, () => now);
  const pass = (seconds: number): void => {
    now += seconds;
  };
  return { metrics, pass };
}

/** Samples whose line begins so. */
async function samples(metrics: Metrics, start: string): Promise<string[]> {
  const { body } = await metrics.text();
  return body.split('\n').filter((line) => line.startsWith(start));
}

const callOf = (hookName: HookCall['hookName'], url = 'http://h/sync'): HookCall =>
  ({ controller: 'CompositeController/c', hookName, hook: { kind: 'webhook', url } }) as unknown as HookCall;
const OF_C = 'controller_name="c",controller_type="CompositeController"';

test('names and labels are as Prometheus wants them, and each is described', () => {
  for (const [name, { labels, help, type }] of Object.entries(METRICS)) {
    for (const word of [name, ...labels]) assert.match(word, /^[a-z][a-z0-9_]*$/);
    assert.match(help, /^[A-Z1].*\.$/, name);
    assert.equal(name.endsWith('_total'), type === 'counter', name);
  }
});

for (const hookName of ['sync', 'finalize', 'customize', 'map', 'tombstone'] as const)
  test(`a call of a ${hookName} hook: counted, timed, seen while it is under way, and on the wire`, async () => {
    const { metrics, pass } = await bench();
    const name = `metacontroller_${hookName}`;
    const caller = metrics.countHooks({
      call: async () => {
        assert.deepEqual(await samples(metrics, `${name}_in_flight`), [
          `${name}_in_flight_requests{url="http://h/sync",${OF_C}} 1`,
        ]);
        metrics.onWire('dns_start');
        pass(0.02);
        metrics.onWire('dns_done');
        metrics.onWire('tls_handshake_start');
        pass(0.2);
        metrics.onWire('tls_handshake_done');
        return { kind: 'hook', id: '', ok: false, statusCode: 503 } as unknown as HookAnswer;
      },
      close: async () => undefined,
    });
    await caller.call(callOf(hookName), new AbortController().signal);
    const url = 'url="http://h/sync"';
    const { body } = await metrics.text();
    for (const line of [
      `${name}_requests_total{${url},${OF_C},method="post",code="503"} 1`,
      `${name}_request_duration_histogram_seconds_bucket{le="0.25",${url},${OF_C},method="post"} 1`,
      `${name}_dns_duration_histogram_seconds_bucket{le="0.005",${url},${OF_C},event="dns_start"} 1`,
      `${name}_dns_duration_histogram_seconds_bucket{le="0.01",${url},${OF_C},event="dns_done"} 0`,
      `${name}_dns_duration_histogram_seconds_bucket{le="0.025",${url},${OF_C},event="dns_done"} 1`,
      `${name}_tls_duration_histogram_seconds_bucket{le="0.05",${url},${OF_C},event="tls_handshake_start"} 1`,
      `${name}_tls_duration_histogram_seconds_bucket{le="0.25",${url},${OF_C},event="tls_handshake_done"} 1`,
      `${name}_in_flight_requests{${url},${OF_C}} 0`,
    ])
      assert.ok(
        body.includes(`${line}\n`),
        `${line}\n${body
          .split('\n')
          .filter((one) => one.startsWith(name))
          .join('\n')}`,
      );
  });

test('an answer that was kept counts by what came over the wire', async () => {
  const { metrics } = await bench();
  const answer = { kind: 'hook', id: '', ok: true, body: {} } as const;
  const call = async () => {
    metrics.onStatus(304);
    return answer;
  };
  const caller = metrics.countHooks({ call, close: async () => undefined });
  await caller.call(callOf('sync'), new AbortController().signal);
  const [line = ''] = await samples(metrics, 'metacontroller_sync_requests_total');
  assert.match(line, /code="304"/);
});

test('what a url says beside the place stands in no label', async () => {
  const { metrics } = await bench();
  const answer = { kind: 'hook', id: '', ok: true, body: {} } as const;
  const caller = metrics.countHooks({ call: async () => answer, close: async () => undefined });
  await caller.call(callOf('sync', 'https://me:canary@h:1/sync?token=canary'), new AbortController().signal);
  const [line = ''] = await samples(metrics, 'metacontroller_sync_requests_total');
  assert.match(line, /url="https:\/\/h:1\/sync"/);
  assert.ok(!(await metrics.text()).body.includes('canary'));
});

test('requests: by verb, resource and code; what never came; watches are not timed', async () => {
  const { metrics } = await bench();
  const transport = new FakeTransport()
    .answer('GET /api/v1/namespaces/n/configmaps', { status: 200 })
    .answer('PUT /apis/example.com/v1/namespaces/n/things/a/status', { status: 409 })
    .answer('WATCH /apis/example.com/v1/things', { status: 200 })
    .answer('GET /version', new Error('connection refused'));
  const counted = metrics.countRequests(transport, 'h:6443');
  await counted.request({ method: 'GET', path: '/api/v1/namespaces/n/configmaps?limit=500' });
  await counted.request({ method: 'PUT', path: '/apis/example.com/v1/namespaces/n/things/a/status' });
  await counted.request({ method: 'GET', path: '/apis/example.com/v1/things?watch=true', longLived: true });
  await assert.rejects(counted.request({ method: 'GET', path: '/version' }));
  assert.deepEqual(await samples(metrics, 'metactl_api_requests_total'), [
    'metactl_api_requests_total{verb="list",resource="configmaps",code="200"} 1',
    'metactl_api_requests_total{verb="update",resource="things.example.com/status",code="409"} 1',
    'metactl_api_requests_total{verb="watch",resource="things.example.com",code="200"} 1',
    'metactl_api_requests_total{verb="get",resource="/version",code="<error>"} 1',
  ]);
  assert.deepEqual(await samples(metrics, 'rest_client_requests_total'), [
    'rest_client_requests_total{code="200",host="h:6443",method="GET"} 2',
    'rest_client_requests_total{code="409",host="h:6443",method="PUT"} 1',
    'rest_client_requests_total{code="<error>",host="h:6443",method="GET"} 1',
  ]);
  assert.deepEqual(await samples(metrics, 'rest_client_request_duration_seconds_count'), [
    'rest_client_request_duration_seconds_count{host="h:6443",verb="GET"} 2',
    'rest_client_request_duration_seconds_count{host="h:6443",verb="PUT"} 1',
  ]);
});

test('the queue, under the names of Kubernetes and with those that Metacontroller gives its queues', async () => {
  const load = { ready: 2, running: 1, oldestMs: 1_500, unfinishedMs: 250, longestMs: 250 };
  const { metrics } = await bench({ loads: () => new Map([['CompositeController/c', load]]) });
  const { queue } = metrics;
  queue.added('CompositeController/c');
  queue.taken('CompositeController/c', 20);
  queue.done('CompositeController/c', 5);
  queue.delayed('CompositeController/c');
  const labels = '{name="CompositeController-c",controller="CompositeController-c"}';
  const shown = await samples(metrics, 'workqueue_');
  for (const line of [
    `workqueue_depth${labels} 2`,
    `workqueue_adds_total${labels} 1`,
    `workqueue_retries_total${labels} 1`,
    `workqueue_unfinished_work_seconds${labels} 0.25`,
    `workqueue_longest_running_processor_seconds${labels} 0.25`,
    `workqueue_queue_duration_seconds_sum${labels} 0.02`,
    `workqueue_work_duration_seconds_sum${labels} 0.005`,
  ])
    assert.ok(shown.includes(line), `${line}\n${shown.join('\n')}`);
  assert.deepEqual(await samples(metrics, 'metactl_queue_oldest'), [
    'metactl_queue_oldest_seconds{controller="CompositeController/c"} 1.5',
  ]);
});

test('a controller that goes takes its series along, and nobody else’s', async () => {
  const { metrics } = await bench();
  const answer = { kind: 'hook', id: '', ok: true, body: {} } as const;
  const caller = metrics.countHooks({ call: async () => answer, close: async () => undefined });
  for (const name of ['c', 'd']) {
    const controller = `CompositeController/${name}`;
    metrics.sync({ controller, outcome: 'done', seconds: 1 });
    metrics.operation({ controller, kind: 'Pod', verb: 'create', result: 'done' });
    metrics.queue.added(controller);
    metrics.queue.taken(controller, 1);
    await caller.call({ ...callOf('sync'), controller }, new AbortController().signal);
  }
  await metrics.forget('CompositeController/c');
  const { body } = await metrics.text();
  assert.doesNotMatch(body, /"c"|\/c"|-c"/);
  assert.match(body, /metactl_sync_total\{controller="CompositeController\/d",outcome="done"\} 1/);
});

test('leases, controllers, caches and Events', async () => {
  const { metrics } = await bench({
    leases: () =>
      new Map([
        ['a', true],
        ['b', false],
      ]),
    controllers: () => [
      { controller: 'CompositeController/a', state: 'running' },
      { controller: 'CompositeController/b', state: 'running' },
      { controller: 'MapController/c', state: 'waiting' },
    ],
    cacheSizes: () => new Map([['pods', 7]]),
    isLeader: () => true,
  });
  for (const fate of ['created', 'counted', 'limited', 'dropped', 'failed'] as const) metrics.event(fate);
  metrics.watchFailed('pods');
  metrics.waited({ method: 'GET', path: '/api' }, 'h', 0.2);
  const { body } = await metrics.text();
  for (const line of [
    'leader_election_master_status{name="a"} 1',
    'leader_election_master_status{name="b"} 0',
    'metactl_controllers{controller_type="CompositeController",state="running"} 2',
    'metactl_controllers{controller_type="MapController",state="waiting"} 1',
    'metactl_cache_objects{resource="pods"} 7',
    'metactl_leader 1',
    'metactl_events_total{result="limited"} 1',
    'metactl_watch_failures_total{resource="pods"} 1',
    'rest_client_rate_limiter_duration_seconds_sum{host="h",verb="GET"} 0.2',
  ])
    assert.ok(body.includes(`${line}\n`), line);
});
