// A trace of each round of a parent: the round, the calls of its hooks, and the requests to the API server that it makes, as
// OpenTelemetry has them. The span under way travels with the asynchronous context, so that nobody has to hand it on; a
// webhook is told by the header traceparent. What stands in spans: names, verbs, codes and times; never a body, a message
// or a query. Nothing is registered globally, and the packages are loaded only where traces are sent.

import { AsyncLocalStorage } from 'node:async_hooks';
import type { Attributes, Span, SpanKind, Tracer } from '@opentelemetry/api';
import type { Ref } from '../../model/ref.ts';
import type { HookCaller } from '../../ports/hook.ts';
import type { Logger } from '../../ports/log.ts';
import type { Transport } from '../../ports/transport.ts';
import { withoutSecrets } from '../hook-target.ts';
import { requestWords } from '../request-words.ts';
import { openExporter } from './exporter.ts';
import { shownSettings, traceSettings } from './trace-settings.ts';

export interface RoundOf {
  /** "CompositeController/catset" */
  readonly controller: string;
  readonly parent: Ref;
}

export interface Tracing {
  round<T>(of: RoundOf, work: () => Promise<T>): Promise<T>;
  /** What came of the round under way. */
  outcome(outcome: string): void;
  traceHooks(caller: HookCaller): HookCaller;
  traceRequests(transport: Transport, host: string): Transport;
  /** Of the call under way. */
  headers(): Readonly<Record<string, string>>;
  /** What has ended is sent, for as long as that may take. */
  close(): Promise<void>;
}

export interface TracingOptions {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
  readonly version: string;
}

const NONE: Tracing = {
  round: (_of, work) => work(),
  outcome: () => undefined,
  traceHooks: (caller) => caller,
  traceRequests: (transport) => transport,
  headers: () => ({}),
  close: async () => undefined,
};

export async function openTracing({ variables, log, version }: TracingOptions): Promise<Tracing> {
  const settings = traceSettings(variables);
  if (settings === undefined) return NONE;
  if (typeof settings === 'string') {
    log.warn('Traces are not sent', { error: settings });
    return NONE;
  }
  log.info('Traces are sent', shownSettings(settings));
  const { tracer, close } = await openExporter(settings, version, log);
  return tracingWith(await spansOf(tracer), close);
}

/** Starts spans below the one under way, and runs work within them. */
interface Spans {
  current(): Span | undefined;
  within<T>(
    name: string,
    kind: keyof typeof SpanKind,
    attributes: Attributes,
    work: (span: Span) => Promise<T>,
  ): Promise<T>;
}

async function spansOf(tracer: Tracer): Promise<Spans> {
  const { ROOT_CONTEXT, SpanKind: Kind, SpanStatusCode, trace } = await import('@opentelemetry/api');
  const underway = new AsyncLocalStorage<Span>();
  return {
    current: () => underway.getStore(),
    within: async (name, kind, attributes, work) => {
      const above = underway.getStore();
      const context = above ? trace.setSpan(ROOT_CONTEXT, above) : ROOT_CONTEXT;
      const span = tracer.startSpan(name, { kind: Kind[kind], attributes }, context);
      try {
        return await underway.run(span, () => work(span));
      } catch (error) {
        span.setAttribute('error.type', error instanceof Error ? error.name : 'error');
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    },
  };
}

/** `SpanStatusCode.ERROR`, without loading the package where no span is. */
const FAILED = { code: 2 } as const;

function tracingWith(spans: Spans, close: () => Promise<void>): Tracing {
  return {
    close,
    round: ({ controller, parent }, work) => {
      const { namespace } = parent;
      const attributes = {
        'metactl.controller': controller,
        'metactl.parent.kind': parent.kind,
        'metactl.parent.name': parent.name,
        ...(namespace === undefined ? {} : { 'k8s.namespace.name': namespace }),
      };
      return spans.within(`sync ${controller}`, 'INTERNAL', attributes, () => work());
    },
    outcome: (outcome) => {
      const span = spans.current();
      span?.setAttribute('metactl.outcome', outcome);
      if (outcome === 'failed') span?.setStatus(FAILED);
    },
    traceHooks: (caller) => tracedHooks(caller, spans),
    traceRequests: (transport, host) => tracedRequests(transport, host, spans),
    headers: () => {
      const context = spans.current()?.spanContext();
      if (!context) return {};
      const flags = (context.traceFlags & 0xff).toString(16).padStart(2, '0');
      return { traceparent: `00-${context.traceId}-${context.spanId}-${flags}` };
    },
  };
}

function tracedHooks(caller: HookCaller, spans: Spans): HookCaller {
  return {
    close: () => caller.close(),
    call: (call, signal) => {
      const { hook, hookName, controller } = call;
      const attributes = {
        'metactl.controller': controller,
        'metactl.hook': hookName,
        'metactl.hook.kind': hook.kind,
        ...(hook.kind === 'webhook' ? { 'http.request.method': 'POST', 'url.full': withoutSecrets(hook.url) } : {}),
      };
      return spans.within(`hook ${hookName}`, 'CLIENT', attributes, async (span) => {
        const answer = await caller.call(call, signal);
        if (answer.ok) return answer;
        if (answer.statusCode !== undefined) span.setAttribute('http.response.status_code', answer.statusCode);
        // What the hook said may hold anything: its kind is enough here, the rest is in the log.
        span.setAttribute('error.type', answer.diagnostic.code);
        span.setStatus(FAILED);
        return answer;
      });
    },
  };
}

function tracedRequests(transport: Transport, host: string, spans: Spans): Transport {
  return {
    close: () => transport.close(),
    request: (request) => {
      // Watches outlive the round that opened them; what is not of a round (lists, leases, Events) has no trace.
      if (request.longLived === true || spans.current()?.isRecording() !== true) return transport.request(request);
      const { verb, resource, namespace, name } = requestWords(request);
      const attributes = {
        'http.request.method': request.method,
        'server.address': host,
        'url.path': request.path.split('?', 1)[0] ?? '',
        'metactl.resource': resource,
        ...(namespace === undefined ? {} : { 'k8s.namespace.name': namespace }),
        ...(name === undefined ? {} : { 'metactl.object.name': name }),
      };
      return spans.within(`${verb} ${resource}`, 'CLIENT', attributes, async (span) => {
        const response = await transport.request(request);
        span.setAttribute('http.response.status_code', response.status);
        if (response.status >= 400) span.setStatus(FAILED);
        return response;
      });
    },
  };
}
