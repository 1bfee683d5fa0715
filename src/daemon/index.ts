export { Election, type ElectionTiming } from './election.ts';
export { Events } from './events.ts';
export { createLogger, type LogEncoder, type LogLevel } from './logs.ts';
export { createMetrics, type Metrics, type SyncFacts } from './metrics/metrics.ts';
export { type ListenAddress, type PageMaker, type ServedPages, servePages } from './probes.ts';
export { profilePages } from './profiles.ts';
export { Pulse } from './pulse.ts';
export { openTracing, type Tracing } from './tracing/tracing.ts';
