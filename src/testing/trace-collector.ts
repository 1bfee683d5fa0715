// A collector of traces: takes OTLP as JSON over HTTP, and shows the spans that it was sent.

import type { TestContext } from 'node:test';
import { serveHook } from './hook-server.ts';

export interface CollectedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly failed: boolean;
  readonly attributes: Readonly<Record<string, unknown>>;
}

export interface TraceCollector {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly endpoint: string;
  spans(): readonly CollectedSpan[];
  /** Of the program: service.name and the like. */
  resource(): Readonly<Record<string, unknown>>;
  /** All that was sent, as it came. */
  text(): string;
}

interface Otlp {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}
interface OtlpAttribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}
interface OtlpSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly status?: { readonly code?: number };
  readonly attributes: readonly OtlpAttribute[];
}

export async function traceCollector(t: TestContext): Promise<TraceCollector> {
  const server = await serveHook(t, () => ({ headers: { 'content-type': 'application/json' }, body: '{}' }));
  const sent = (): readonly Otlp[] =>
    server.seen.filter(({ url }) => url === '/v1/traces').map(({ body }) => JSON.parse(body) as Otlp);
  return {
    endpoint: `http://127.0.0.1:${server.port}`,
    spans: () =>
      sent()
        .flatMap(({ resourceSpans }) => resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans)
        .map(({ name, traceId, spanId, parentSpanId, status, attributes }) => ({
          ...{ name, traceId, spanId, failed: status?.code === 2, attributes: valuesOf(attributes) },
          parentSpanId: parentSpanId === '' ? undefined : parentSpanId,
        })),
    resource: () => valuesOf(sent()[0]?.resourceSpans[0]?.resource.attributes ?? []),
    text: () => server.seen.map(({ headers, body }) => `${JSON.stringify(headers)} ${body}`).join('\n'),
  };
}

const valuesOf = (attributes: readonly OtlpAttribute[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
