// What the daemon counts, in Prometheus' form. Hooks have the names and labels that Metacontroller gives them, so that its
// dashboards go on working; the rest is ours. Nothing is registered globally: each daemon has a registry of its own.

import type { Hook } from '../model/definition.ts';
import type { HookAnswer, HookCall } from '../model/need.ts';
import type { HookCaller } from '../ports/hook.ts';
import type { ApiRequest, Transport } from '../ports/transport.ts';

/** What is asked for when somebody scrapes. */
export interface MetricSources {
  /** By controller. */
  readonly loads: () => ReadonlyMap<
    string,
    { readonly ready: number; readonly running: number; readonly oldestMs: number }
  >;
  /** By resource. */
  readonly cacheSizes: () => ReadonlyMap<string, number>;
  readonly isLeader: () => boolean;
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
  /** Wrapped around the callers of hooks and of the API server. */
  countHooks(caller: HookCaller, seconds: () => number): HookCaller;
  countRequests(transport: Transport): Transport;
  text(): Promise<{ readonly contentType: string; readonly body: string }>;
}

export async function createMetrics(sources: MetricSources): Promise<Metrics> {
  // Of a CommonJS package a bundle has the default export only.
  const { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } = (await import('prom-client')).default;
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const counter = (name: string, help: string, labelNames: readonly string[]) =>
    new Counter({ name, help, labelNames: [...labelNames], registers });
  const gauge = (name: string, help: string, labelNames: readonly string[], collect: (gauge: Filled) => void) =>
    new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers,
      collect() {
        this.reset();
        collect(this as unknown as Filled);
      },
    });
  const histogram = (name: string, help: string, labelNames: readonly string[]) =>
    new Histogram({ name, help, labelNames: [...labelNames], registers });

  const syncs = counter('metactl_sync_total', 'Rounds of parents, by outcome.', ['controller', 'outcome']);
  const syncSeconds = histogram('metactl_sync_duration_seconds', 'How long rounds of parents take.', ['controller']);
  const operations = counter('metactl_child_operations_total', 'Writes to children and parents.', [
    'controller',
    'kind',
    'verb',
    'result',
  ]);
  const requests = counter('metactl_api_requests_total', 'Requests to the API server.', ['verb', 'code']);
  gauge('metactl_queue_depth', 'Parents that wait for their round.', ['controller'], (into) => {
    for (const [controller, { ready }] of sources.loads()) into.set({ controller }, ready);
  });
  gauge('metactl_queue_in_work', 'Parents whose round is under way.', ['controller'], (into) => {
    for (const [controller, { running }] of sources.loads()) into.set({ controller }, running);
  });
  gauge('metactl_queue_oldest_seconds', 'How long the first parent in line has waited.', ['controller'], (into) => {
    for (const [controller, { oldestMs }] of sources.loads()) into.set({ controller }, oldestMs / 1_000);
  });
  gauge('metactl_cache_objects', 'Objects in the caches.', ['resource'], (into) => {
    for (const [resource, size] of sources.cacheSizes()) into.set({ resource }, size);
  });
  gauge('metactl_leader', '1 while this process may write.', [], (into) => into.set({}, sources.isLeader() ? 1 : 0));

  const hookLabels = ['url', 'controller_name', 'controller_type'];
  const ofHooks = HOOKS.map((hook) => {
    const name = (rest: string): string => `metacontroller_${hook}_${rest}`;
    const total = counter(name('requests_total'), `Calls of ${hook} hooks.`, ['code', 'method', ...hookLabels]);
    const took = histogram(name('request_duration_histogram_seconds'), `How long ${hook} hooks take.`, [
      'method',
      ...hookLabels,
    ]);
    const inFlight = new Gauge({
      name: name('in_flight_requests'),
      help: `Calls of ${hook} hooks under way.`,
      labelNames: hookLabels,
      registers,
    });
    return [hook, { total, took, inFlight }] as const;
  });
  const byHook = new Map<string, (typeof ofHooks)[number][1]>(ofHooks);

  return {
    sync: ({ controller, outcome, seconds }) => {
      syncs.inc({ controller, outcome });
      syncSeconds.observe({ controller }, seconds);
    },
    operation: ({ controller, kind, verb, result }) => operations.inc({ controller, kind, verb, result }),
    countHooks: (caller, seconds) => ({
      call: async (call, signal) => {
        const metrics = byHook.get(call.hookName);
        if (!metrics) return caller.call(call, signal);
        const labels = labelsOf(call);
        const began = seconds();
        metrics.inFlight.inc(labels);
        try {
          const answer = await caller.call(call, signal);
          metrics.total.inc({ ...labels, method: 'post', code: codeOf(answer) });
          return answer;
        } finally {
          metrics.inFlight.dec(labels);
          metrics.took.observe({ ...labels, method: 'post' }, seconds() - began);
        }
      },
      close: () => caller.close(),
    }),
    countRequests: (transport) => ({
      request: async (request) => {
        const verb = verbOf(request);
        try {
          const response = await transport.request(request);
          requests.inc({ verb, code: String(response.status) });
          return response;
        } catch (error) {
          requests.inc({ verb, code: '<error>' });
          throw error;
        }
      },
      close: () => transport.close(),
    }),
    text: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
  };
}

/** The part of a gauge that is needed. */
interface Filled {
  set(labels: Readonly<Record<string, string>>, value: number): void;
}

const HOOKS = ['sync', 'finalize', 'customize', 'map', 'tombstone'] as const;

function labelsOf({ controller, hook }: HookCall): Record<string, string> {
  const [type = '', name = ''] = controller.split('/');
  return { url: targetOf(hook), controller_name: name, controller_type: type };
}

/** Local hooks have no url: what is run stands for it. */
function targetOf(hook: Hook): string {
  if (hook.kind === 'webhook') return hook.url;
  return `${hook.kind}:${hook.kind === 'exec' ? hook.command.join(' ') : hook.path}`;
}

/** The status of the answer where it is known; Go's client has no code for what never came. */
function codeOf(answer: HookAnswer): string {
  if (answer.ok) return '200';
  return answer.statusCode === undefined ? '<error>' : String(answer.statusCode);
}

/** As Kubernetes' own clients word it. */
const verbOf = ({ method, longLived }: ApiRequest): string => (longLived ? 'WATCH' : method);
