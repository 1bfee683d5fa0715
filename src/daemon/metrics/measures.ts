// The registry behind the metrics: counts, observes and sets by name, as the list says; a name or a label that is not in the
// list is a mistake of ours. Nothing is registered globally: each daemon has a registry of its own.

import type { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { METRICS } from './metric-list.ts';

export type Labels = Readonly<Record<string, string>>;
/** Sets one series of a gauge that is filled when somebody looks. */
export type SetValue = (labels: Labels, value: number) => void;

export interface Measures {
  count(name: string, labels: Labels): void;
  observe(name: string, labels: Labels, value: number): void;
  /** Of a gauge that is kept: up or down. */
  add(name: string, labels: Labels, by: number): void;
  /** Of a gauge that is looked up: when somebody scrapes. */
  fill(name: string, collect: (set: SetValue) => void): void;
  /** Drops all series that have these labels. */
  forget(labels: Labels): Promise<void>;
  text(): Promise<{ readonly contentType: string; readonly body: string }>;
}

type Metric = Counter | Gauge | Histogram;

/** Every 10 ms, as by default, would be a tenth of what an idle daemon may use. */
const EVENT_LOOP_PRECISION_MS = 50;

export async function createMeasures(): Promise<Measures> {
  // Of a CommonJS package a bundle has the default export only.
  const prom = (await import('prom-client')).default;
  const registry = new prom.Registry();
  prom.collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_PRECISION_MS });
  const collectors = new Map<string, (set: SetValue) => void>();
  const made = Object.entries(METRICS).map(([name, { type, help, labels, buckets }]): [string, Metric] => {
    const given = { name, help, labelNames: [...labels], registers: [registry] };
    if (type === 'counter') return [name, new prom.Counter(given)];
    if (type === 'histogram') return [name, new prom.Histogram(buckets ? { ...given, buckets: [...buckets] } : given)];
    const collect = function (this: Gauge): void {
      const fill = collectors.get(name);
      if (!fill) return;
      this.reset();
      fill((at, value) => this.set(at, value));
    };
    return [name, new prom.Gauge({ ...given, collect })];
  });
  return measuresOf(registry, new Map(made), collectors);
}

function measuresOf(
  registry: Registry,
  metrics: ReadonlyMap<string, Metric>,
  collectors: Map<string, (set: SetValue) => void>,
): Measures {
  const of = (name: string): Metric => {
    const metric = metrics.get(name);
    if (!metric) throw new TypeError(`there is no metric ${name}`);
    return metric;
  };
  return {
    count: (name, labels) => (of(name) as Counter).inc(labels),
    observe: (name, labels, value) => (of(name) as Histogram).observe(labels, value),
    add: (name, labels, by) => (of(name) as Gauge).inc(labels, by),
    fill: (name, collect) => void collectors.set(name, collect),
    forget: async (labels) => {
      for (const metric of metrics.values()) await forgetIn(metric, labels);
    },
    text: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
  };
}

async function forgetIn(metric: Metric, wanted: Labels): Promise<void> {
  const { values } = await metric.get();
  for (const { labels } of values) {
    // A histogram tells its buckets one by one.
    const { le: _bucket, ...own } = labels as Record<string, string>;
    if (Object.entries(wanted).every(([key, value]) => own[key] === value)) metric.remove(own);
  }
}
