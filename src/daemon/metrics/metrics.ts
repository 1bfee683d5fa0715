// What the daemon counts, in Prometheus' form: what happens is told to it as it happens, what there is it looks up when
// somebody scrapes. Names, labels and their bounds are in metric-list.ts.

import type { GroupLoad, QueueObserver } from '../../loop/index.ts';
import type { HookCaller, WireEvent } from '../../ports/hook.ts';
import type { ApiRequest, ApiResponse, Transport } from '../../ports/transport.ts';
import type { EventFate } from '../events.ts';
import { requestWords } from '../request-words.ts';
import { hookMetrics, ofController } from './hook-metrics.ts';
import { createMeasures, type Labels, type Measures } from './measures.ts';

/** What is looked up when somebody scrapes. */
export interface MetricSources {
  /** By controller. */
  readonly loads: () => ReadonlyMap<string, GroupLoad>;
  /** By resource. */
  readonly cacheSizes: () => ReadonlyMap<string, number>;
  /** "CompositeController/catset" and how it stands with it. */
  readonly controllers: () => readonly { readonly controller: string; readonly state: string }[];
  readonly isLeader: () => boolean;
  /** Of each Lease that is asked for: is it held? */
  readonly leases: () => ReadonlyMap<string, boolean>;
}

/** One round of a parent. */
export interface SyncFacts {
  readonly controller: string;
  readonly outcome: 'done' | 'failed' | 'busy' | 'stale' | 'waiting';
  readonly seconds: number;
}

export interface OperationFacts {
  readonly controller: string;
  readonly kind: string;
  readonly verb: string;
  readonly result: string;
}

export interface Metrics {
  sync(facts: SyncFacts): void;
  operation(facts: OperationFacts): void;
  event(fate: EventFate): void;
  watchFailed(resource: string): void;
  /** Of a request that waited for its turn. */
  waited(request: ApiRequest, host: string, seconds: number): void;
  readonly queue: QueueObserver;
  /** Wrapped around the callers of hooks and of the API server. */
  countHooks(caller: HookCaller): HookCaller;
  onWire(event: WireEvent): void;
  onStatus(status: number): void;
  countRequests(transport: Transport, host: string): Transport;
  /** A controller has gone, and its series with it. */
  forget(controller: string): Promise<void>;
  text(): Promise<{ readonly contentType: string; readonly body: string }>;
}

/** `seconds`: a clock that only goes forward. */
export async function createMetrics(sources: MetricSources, seconds: () => number): Promise<Metrics> {
  const measures = await createMeasures();
  fillFrom(sources, measures);
  const hooks = hookMetrics(measures, seconds);
  return {
    sync: ({ controller, outcome, seconds: took }) => {
      measures.count('metactl_sync_total', { controller, outcome });
      measures.observe('metactl_sync_duration_seconds', { controller }, took);
    },
    operation: ({ controller, kind, verb, result }) =>
      measures.count('metactl_child_operations_total', { controller, kind, verb, result }),
    event: (result) => measures.count('metactl_events_total', { result }),
    watchFailed: (resource) => measures.count('metactl_watch_failures_total', { resource }),
    waited: ({ method }, host, took) =>
      measures.observe('rest_client_rate_limiter_duration_seconds', { host, verb: method }, took),
    queue: queueObserver(measures),
    countHooks: hooks.around,
    onWire: hooks.onWire,
    onStatus: hooks.onStatus,
    countRequests: (transport, host) => ({
      request: (request) => measuredRequest(transport, request, { measures, host, seconds }),
      close: () => transport.close(),
    }),
    forget: async (controller) => {
      await measures.forget({ controller });
      await measures.forget(ofController(controller));
      await measures.forget(ofQueue(controller));
    },
    text: measures.text,
  };
}

function fillFrom(sources: MetricSources, measures: Measures): void {
  const ofLoads = (name: string, labels: (controller: string) => Labels, value: (load: GroupLoad) => number): void =>
    measures.fill(name, (set) => {
      // At rest a controller is in no load.
      for (const { controller } of sources.controllers()) set(labels(controller), 0);
      for (const [controller, load] of sources.loads()) set(labels(controller), value(load));
    });
  const own = (controller: string): Labels => ({ controller });
  ofLoads('metactl_queue_depth', own, ({ ready }) => ready);
  ofLoads('metactl_queue_in_work', own, ({ running }) => running);
  ofLoads('metactl_queue_oldest_seconds', own, ({ oldestMs }) => oldestMs / 1_000);
  ofLoads('workqueue_depth', ofQueue, ({ ready }) => ready);
  ofLoads('workqueue_unfinished_work_seconds', ofQueue, ({ unfinishedMs }) => unfinishedMs / 1_000);
  ofLoads('workqueue_longest_running_processor_seconds', ofQueue, ({ longestMs }) => longestMs / 1_000);
  measures.fill('metactl_cache_objects', (set) => {
    for (const [resource, size] of sources.cacheSizes()) set({ resource }, size);
  });
  measures.fill('metactl_controllers', (set) => {
    for (const [key, count] of countedBy(sources.controllers(), stateKey)) {
      const [controller_type = '', state = ''] = key.split(' ');
      set({ controller_type, state }, count);
    }
  });
  measures.fill('metactl_leader', (set) => set({}, sources.isLeader() ? 1 : 0));
  measures.fill('leader_election_master_status', (set) => {
    for (const [name, held] of sources.leases()) set({ name }, held ? 1 : 0);
  });
}

const stateKey = ({ controller, state }: { readonly controller: string; readonly state: string }): string =>
  `${ofController(controller).controller_type} ${state}`;

function countedBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}

/** As Metacontroller names its queues. */
function ofQueue(controller: string): { readonly name: string; readonly controller: string } {
  const name = controller.replace('/', '-');
  return { name, controller: name };
}

function queueObserver(measures: Measures): QueueObserver {
  return {
    added: (controller) => measures.count('workqueue_adds_total', ofQueue(controller)),
    taken: (controller, ms) => measures.observe('workqueue_queue_duration_seconds', ofQueue(controller), ms / 1_000),
    done: (controller, ms) => measures.observe('workqueue_work_duration_seconds', ofQueue(controller), ms / 1_000),
    delayed: (controller) => measures.count('workqueue_retries_total', ofQueue(controller)),
  };
}

interface Measuring {
  readonly measures: Measures;
  readonly host: string;
  readonly seconds: () => number;
}

async function measuredRequest(
  transport: Transport,
  request: ApiRequest,
  { measures, host, seconds }: Measuring,
): Promise<ApiResponse> {
  const { verb, resource } = requestWords(request);
  const began = seconds();
  let code = '<error>';
  try {
    const response = await transport.request(request);
    code = String(response.status);
    return response;
  } finally {
    measures.count('rest_client_requests_total', { code, host, method: request.method });
    measures.count('metactl_api_requests_total', { verb, resource, code });
    if (request.longLived !== true)
      measures.observe('rest_client_request_duration_seconds', { host, verb: request.method }, seconds() - began);
  }
}
