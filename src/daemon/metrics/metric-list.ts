// Every metric of the daemon, as data: what is registered comes from here, and so does docs/reference/metrics.md.
// Labels are bounded: controllers, kinds, resources and hooks that there are, verbs, codes and outcomes of short lists;
// never a parent, a child or a message. Series of a controller go with it.

export interface MetricSpec {
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** Whose name it is: dashboards made for these find it. */
  readonly of: 'Metacontroller' | 'Kubernetes' | 'metactl';
  readonly help: string;
  readonly labels: readonly string[];
  /** Upper bounds in seconds. Absent: prom-client's, which are Prometheus' own. */
  readonly buckets?: readonly number[];
}

/** Those of Metacontroller, and ours. */
export const HOOKS = ['sync', 'finalize', 'customize', 'map', 'tombstone'] as const;
export type MeasuredHook = (typeof HOOKS)[number];

const OF_HOOK = ['url', 'controller_name', 'controller_type'];
const OF_QUEUE = ['name', 'controller'];
/** client-go's: ten times wider each, from 10 ns. */
const QUEUE_BUCKETS = Array.from({ length: 12 }, (_, index) => Number(`1e${index - 8}`));
const REQUEST_BUCKETS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];

export const METRICS: Readonly<Record<string, MetricSpec>> = {
  ...Object.fromEntries(HOOKS.flatMap(metricsOfHook)),
  workqueue_depth: {
    ...{ type: 'gauge', of: 'Kubernetes', labels: OF_QUEUE },
    help: 'Parents of a controller that wait for their round.',
  },
  workqueue_adds_total: {
    ...{ type: 'counter', of: 'Kubernetes', labels: OF_QUEUE },
    help: 'Parents that came into line.',
  },
  workqueue_queue_duration_seconds: {
    ...{ type: 'histogram', of: 'Kubernetes', labels: OF_QUEUE, buckets: QUEUE_BUCKETS },
    help: 'How long parents wait in line.',
  },
  workqueue_work_duration_seconds: {
    ...{ type: 'histogram', of: 'Kubernetes', labels: OF_QUEUE, buckets: QUEUE_BUCKETS },
    help: 'How long the rounds of parents take.',
  },
  workqueue_unfinished_work_seconds: {
    ...{ type: 'gauge', of: 'Kubernetes', labels: OF_QUEUE },
    help: 'Seconds of work on rounds that are under way, of all together.',
  },
  workqueue_longest_running_processor_seconds: {
    ...{ type: 'gauge', of: 'Kubernetes', labels: OF_QUEUE },
    help: 'For how long the longest round has been under way.',
  },
  workqueue_retries_total: {
    ...{ type: 'counter', of: 'Kubernetes', labels: OF_QUEUE },
    help: 'Parents that are to come into line later: tried again, resynced, waited for.',
  },
  rest_client_requests_total: {
    ...{ type: 'counter', of: 'Kubernetes', labels: ['code', 'host', 'method'] },
    help: 'Requests to the API server; code "<error>" where no answer came.',
  },
  rest_client_request_duration_seconds: {
    ...{ type: 'histogram', of: 'Kubernetes', labels: ['host', 'verb'], buckets: REQUEST_BUCKETS },
    help: 'How long the API server takes for the head of its answer. Without watches.',
  },
  rest_client_rate_limiter_duration_seconds: {
    ...{ type: 'histogram', of: 'Kubernetes', labels: ['host', 'verb'], buckets: REQUEST_BUCKETS },
    help: 'How long requests wait for --client-go-qps; nothing without that flag.',
  },
  leader_election_master_status: {
    ...{ type: 'gauge', of: 'Kubernetes', labels: ['name'] },
    help: '1 while this process holds the Lease of this name, else 0; nothing without an election.',
  },
  metactl_sync_total: {
    ...{ type: 'counter', of: 'metactl', labels: ['controller', 'outcome'] },
    help: 'Rounds of parents, by outcome: done, waiting, busy (a hook said when to come back), stale (something changed meanwhile), failed.',
  },
  metactl_sync_duration_seconds: {
    ...{ type: 'histogram', of: 'metactl', labels: ['controller'] },
    help: 'How long rounds of parents take.',
  },
  metactl_child_operations_total: {
    ...{ type: 'counter', of: 'metactl', labels: ['controller', 'kind', 'verb', 'result'] },
    help: 'Writes to children and parents that were tried, by result: done, stale, failed, or the reason why not.',
  },
  metactl_api_requests_total: {
    ...{ type: 'counter', of: 'metactl', labels: ['verb', 'resource', 'code'] },
    help: "Requests to the API server by Kubernetes' verbs and resources, with the subresource.",
  },
  metactl_queue_depth: {
    ...{ type: 'gauge', of: 'metactl', labels: ['controller'] },
    help: 'Parents that wait for their round.',
  },
  metactl_queue_in_work: {
    ...{ type: 'gauge', of: 'metactl', labels: ['controller'] },
    help: 'Parents whose round is under way.',
  },
  metactl_queue_oldest_seconds: {
    ...{ type: 'gauge', of: 'metactl', labels: ['controller'] },
    help: 'How long the first parent in line has waited.',
  },
  metactl_controllers: {
    ...{ type: 'gauge', of: 'metactl', labels: ['controller_type', 'state'] },
    help: 'Controllers, by state: starting, running, waiting (for a CRD, a right …), stopping.',
  },
  metactl_cache_objects: {
    ...{ type: 'gauge', of: 'metactl', labels: ['resource'] },
    help: 'Objects in the caches.',
  },
  metactl_watch_failures_total: {
    ...{ type: 'counter', of: 'metactl', labels: ['resource'] },
    help: 'Watches that failed and were opened again.',
  },
  metactl_events_total: {
    ...{ type: 'counter', of: 'metactl', labels: ['result'] },
    help: 'Notes that became Events: created, counted (up), limited (the object has had too many), dropped (too many wait), failed.',
  },
  metactl_leader: {
    ...{ type: 'gauge', of: 'metactl', labels: [] },
    help: '1 while this process may write.',
  },
};

/** Names, labels and buckets of Metacontroller 4.17. */
function metricsOfHook(hook: MeasuredHook): [string, MetricSpec][] {
  const of = hook === 'map' || hook === 'tombstone' ? 'metactl' : 'Metacontroller';
  const name = (rest: string): string => `metacontroller_${hook}_${rest}`;
  const histogram = { type: 'histogram', of } as const;
  return [
    [
      name('requests_total'),
      { type: 'counter', of, labels: ['code', 'method', ...OF_HOOK], help: `Calls of ${hook} hooks.` },
    ],
    [
      name('request_duration_histogram_seconds'),
      { ...histogram, labels: ['method', ...OF_HOOK], help: `How long ${hook} hooks take.` },
    ],
    [
      name('dns_duration_histogram_seconds'),
      {
        ...{ ...histogram, labels: ['event', ...OF_HOOK], buckets: [0.005, 0.01, 0.025, 0.05] },
        help: `From the start of a call of a ${hook} hook to dns_start and dns_done, where it opened a connection.`,
      },
    ],
    [
      name('tls_duration_histogram_seconds'),
      {
        ...{ ...histogram, labels: ['event', ...OF_HOOK], buckets: [0.05, 0.1, 0.25, 0.5] },
        help: `From the start of a call of a ${hook} hook to tls_handshake_start and tls_handshake_done, where it opened a connection.`,
      },
    ],
    [name('in_flight_requests'), { type: 'gauge', of, labels: OF_HOOK, help: `Calls of ${hook} hooks under way.` }],
  ];
}
