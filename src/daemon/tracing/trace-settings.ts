// OpenTelemetry's own environment variables → whether, where to and which traces are sent. Without an endpoint: none.

import type { JsonObject } from '../../kit/json.ts';

export type SamplerName = 'always_on' | 'always_off' | 'traceidratio';

export interface TraceSettings {
  /** Of the collector, with the path. */
  readonly url: string;
  readonly serviceName: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly sampler: SamplerName;
  /** Of traceidratio: 0 to 1. */
  readonly ratio: number;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** A string: why none are sent although somebody seems to want them. undefined: nobody asked. */
export function traceSettings(variables: Variables): TraceSettings | string | undefined {
  const said = (name: string): string | undefined => variables[name]?.trim() || undefined;
  const url = endpointOf(said);
  if (url === undefined || said('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return undefined;
  const exporter = said('OTEL_TRACES_EXPORTER') ?? 'otlp';
  if (exporter === 'none') return undefined;
  if (exporter !== 'otlp') return `OTEL_TRACES_EXPORTER is "${exporter}": only otlp is known`;
  const protocol = said('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') ?? said('OTEL_EXPORTER_OTLP_PROTOCOL') ?? 'http/json';
  if (!protocol.startsWith('http/')) return `the protocol is "${protocol}": only http is spoken`;
  if (!URL.canParse(url) || !/^https?:/.test(url)) return 'the endpoint is no http or https url';
  const sampler = samplerOf(said('OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on');
  if (!sampler) return `the sampler "${said('OTEL_TRACES_SAMPLER')}" is not known`;
  const ratio = Number(said('OTEL_TRACES_SAMPLER_ARG') ?? '1');
  if (!(ratio >= 0 && ratio <= 1)) return 'OTEL_TRACES_SAMPLER_ARG is no number from 0 to 1';
  const { 'service.name': named, ...attributes } = pairsOf(said('OTEL_RESOURCE_ATTRIBUTES') ?? '');
  return { url, serviceName: said('OTEL_SERVICE_NAME') ?? named ?? 'metactl', attributes, sampler, ratio };
}

function endpointOf(said: (name: string) => string | undefined): string | undefined {
  const ofTraces = said('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT');
  const base = said('OTEL_EXPORTER_OTLP_ENDPOINT');
  return ofTraces ?? (base === undefined ? undefined : `${base.replace(/\/+$/, '')}/v1/traces`);
}

/** Every trace begins here, so that what a parent would decide does not come up. */
function samplerOf(name: string): SamplerName | undefined {
  const plain = name.replace(/^parentbased_/, '');
  return plain === 'always_on' || plain === 'always_off' || plain === 'traceidratio' ? plain : undefined;
}

/** "a=b,c=d", values percent-encoded. */
function pairsOf(text: string): Record<string, string> {
  const pairs = text.split(',').flatMap((pair): [string, string][] => {
    const at = pair.indexOf('=');
    return at < 1 ? [] : [[pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())]];
  });
  return Object.fromEntries(pairs);
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value; // not encoded
  }
}

/** For the log: without what may stand in a url beside the place. */
export function shownSettings({ url, serviceName, sampler }: TraceSettings): JsonObject & Record<string, string> {
  const { origin, pathname } = new URL(url);
  return { endpoint: `${origin}${pathname}`, service: serviceName, sampler };
}
