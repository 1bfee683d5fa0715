// OpenTelemetry's own packages, put together: spans are gathered and sent as OTLP over HTTP. A collector that is away costs
// nothing but a line of the log now and then: what does not fit into the queue is dropped.

import type { Tracer } from '@opentelemetry/api';
import type { ReadableSpan, Sampler, SpanExporter } from '@opentelemetry/sdk-trace';
import type { Logger } from '../../ports/log.ts';
import type { TraceSettings } from './trace-settings.ts';

export interface TraceExport {
  readonly tracer: Tracer;
  close(): Promise<void>;
}

const SEND_TIMEOUT_MS = 10_000;
/** The end of the process does not wait longer for a collector. */
const CLOSE_TIMEOUT_MS = 5_000;
const TOLD_EVERY_MS = 60_000;

export async function openExporter(settings: TraceSettings, version: string, log: Logger): Promise<TraceExport> {
  const [sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const { attributes, serviceName } = settings;
  const exporter = told(new OTLPTraceExporter({ url: settings.url, timeoutMillis: SEND_TIMEOUT_MS }), log);
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ ...attributes, 'service.name': serviceName, 'service.version': version }),
    sampler: samplerOf(settings, sdk),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  });
  return {
    tracer: provider.getTracer('metactl', version),
    close: async () => {
      const limit = Promise.withResolvers<void>();
      const timer = setTimeout(limit.resolve, CLOSE_TIMEOUT_MS);
      await Promise.race([provider.shutdown().catch(() => undefined), limit.promise]);
      clearTimeout(timer);
    },
  };
}

function samplerOf({ sampler, ratio }: TraceSettings, sdk: typeof import('@opentelemetry/sdk-trace')): Sampler {
  if (sampler === 'always_off') return new sdk.AlwaysOffSampler();
  return sampler === 'traceidratio' ? new sdk.TraceIdRatioBasedSampler(ratio) : new sdk.AlwaysOnSampler();
}

/** Failures are told to our log, once a minute at most: nobody listens to the package's own. */
function told(exporter: SpanExporter, log: Logger): SpanExporter {
  let lastTold = Number.NEGATIVE_INFINITY;
  return {
    export: (spans: ReadableSpan[], done) =>
      exporter.export(spans, (result) => {
        const failed = result.error ?? (result.code === 0 ? undefined : new Error('refused'));
        if (failed && performance.now() - lastTold > TOLD_EVERY_MS) {
          lastTold = performance.now();
          log.warn('Traces not sent', { spans: spans.length, error: failed.message });
        }
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    ...(exporter.forceFlush ? { forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve() } : {}),
  };
}
