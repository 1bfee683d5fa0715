// An HTTP front before any API server that does to chosen requests what networks and servers in trouble do. What is not
// chosen goes through; what went through and changed something is counted.

import { writeFile } from 'node:fs/promises';
import type { ApiRequest, ApiResponse, Transport } from '../ports/transport.ts';
import { kubeconfigFor, serveSandbox } from '../sandbox/index.ts';

export type Fault =
  /** Answered by the front; a Status of this code unless there is a text. */
  | { readonly kind: 'status'; readonly code: number; readonly retryAfter?: number; readonly text?: string }
  /** The connection breaks before the request reaches the server. */
  | { readonly kind: 'reset' }
  /** The server carries it out, and the connection breaks before the answer. */
  | { readonly kind: 'lost' }
  /** Never answered, and never carried out. */
  | { readonly kind: 'hang' }
  /** Carried out; half of the answer arrives and is called all of it. */
  | { readonly kind: 'half' }
  /** Carried out; the connection breaks in the middle of the answer. Of a watch: in the middle of its first line. */
  | { readonly kind: 'cut' }
  /** Of a watch: after its headers nothing arrives any more, though the connection stands. */
  | { readonly kind: 'silent' }
  | { readonly kind: 'delay'; readonly ms: number };

/** Asked for every request, in order of arrival; undefined: it goes through. */
export type FaultPlan = (request: ApiRequest) => Fault | undefined;

export interface FaultyFront {
  readonly url: string;
  /** "POST /api/v1/…/pods" of the writes that the server has carried out, in order. */
  readonly writes: readonly string[];
  /** The same of all requests that came, with their faults: "GET /api 503". */
  readonly log: readonly string[];
  /** From now on; undefined: everything goes through. */
  setPlan(plan: FaultPlan | undefined): void;
  /** Breaks every watch that is open. */
  dropWatches(): void;
  /** Until thawed nothing is answered and nothing arrives on a watch. */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}

/** The fault for the first `times` requests that match. */
export function faultOn(
  matches: (request: ApiRequest) => boolean,
  fault: Fault,
  times = Number.POSITIVE_INFINITY,
): FaultPlan {
  let left = times;
  return (request) => (left > 0 && matches(request) && left-- > 0 ? fault : undefined);
}

export async function faultyFront(transport: Transport, kubeconfigFile?: string): Promise<FaultyFront> {
  const faulty = new FaultyTransport(transport);
  const served = await serveSandbox({ transport: faulty }, { host: '127.0.0.1', port: 0 });
  if (kubeconfigFile !== undefined) await writeFile(kubeconfigFile, kubeconfigFor(served.url));
  return {
    url: served.url,
    writes: faulty.writes,
    log: faulty.log,
    setPlan: (plan) => {
      faulty.plan = plan;
    },
    dropWatches: () => faulty.dropWatches(),
    freeze: () => faulty.freeze(),
    thaw: () => faulty.thaw(),
    close: async () => {
      faulty.thaw();
      faulty.end();
      await served.close();
    },
  };
}

class FaultyTransport implements Transport {
  readonly writes: string[] = [];
  readonly log: string[] = [];
  plan: FaultPlan | undefined;
  readonly #below: Transport;
  readonly #watches = new Set<() => void>();
  readonly #ended = new AbortController();
  #frozen: { readonly until: Promise<void>; readonly end: () => void } | undefined;

  constructor(below: Transport) {
    this.#below = below;
  }

  async request(request: ApiRequest): Promise<ApiResponse> {
    const fault = this.plan?.(request);
    this.log.push(
      `${nameOf(request)}${fault ? ` ${fault.kind}${fault.kind === 'status' ? ` ${fault.code}` : ''}` : ''}`,
    );
    await this.#frozen?.until;
    if (fault?.kind === 'status') return refusal(fault);
    if (fault?.kind === 'reset') return broken(200);
    if (fault?.kind === 'hang') await this.#never(request);
    if (fault?.kind === 'delay') await new Promise((resolve) => setTimeout(resolve, fault.ms));
    const response = await this.#below.request(request);
    if (request.method !== 'GET' && response.status < 300) this.writes.push(nameOf(request));
    if (request.longLived === true) return { ...response, body: this.#watched(response.body, fault?.kind) };
    if (fault?.kind === 'lost') return broken(response.status);
    if (fault?.kind === 'half' || fault?.kind === 'cut') return halved(response, fault.kind === 'cut');
    await this.#frozen?.until;
    return response;
  }

  async close(): Promise<void> {
    // Whoever made the transport below closes it.
  }

  freeze(): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#frozen ??= { until: promise, end: resolve };
  }

  thaw(): void {
    this.#frozen?.end();
    this.#frozen = undefined;
  }

  dropWatches(): void {
    for (const drop of [...this.#watches]) drop();
  }

  end(): void {
    this.#ended.abort();
    this.dropWatches();
  }

  #never({ signal }: ApiRequest): Promise<never> {
    return new Promise((_, reject) => {
      const ends = signal ? [signal, this.#ended.signal] : [this.#ended.signal];
      AbortSignal.any(ends).addEventListener('abort', () => reject(new Error('ended while it hung')), { once: true });
    });
  }

  async *#watched(body: AsyncIterable<Uint8Array>, fault: Fault['kind'] | undefined): AsyncGenerator<Uint8Array> {
    const { promise: dropped, reject } = Promise.withResolvers<never>();
    dropped.catch(() => undefined); // looked at only while a piece is waited for
    const drop = (): void => reject(new Error('the watch was dropped'));
    this.#watches.add(drop);
    const pieces = body[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await Promise.race([pieces.next(), dropped]);
        if (this.#frozen) await Promise.race([this.#frozen.until, dropped]);
        if (next.done === true) return;
        if (fault === 'silent') continue;
        if (fault === 'cut') yield next.value.subarray(0, Math.ceil(next.value.length / 2));
        if (fault === 'cut') throw new Error('cut in the middle of a line');
        yield next.value;
      }
    } finally {
      this.#watches.delete(drop);
      // Not waited for: a source that waits for its next piece answers only when there is one.
      void pieces.return?.(undefined);
    }
  }
}

const nameOf = ({ method, path, longLived }: ApiRequest): string =>
  `${longLived === true ? 'WATCH' : method} ${path.replace(/\?.*/, '')}`;

function refusal({ code, retryAfter, text }: Extract<Fault, { kind: 'status' }>): ApiResponse {
  const reason = REASONS[code];
  const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: `refused with ${code}`, reason, code };
  return responseOf(code, text ?? JSON.stringify(status), {
    'content-type': text === undefined ? 'application/json' : 'text/plain',
    ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
  });
}

const REASONS: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Expired',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
};

function responseOf(status: number, text: string, headers: Record<string, string>): ApiResponse {
  const body = (async function* () {
    yield Buffer.from(text);
  })();
  return { status, headers, body, text: async () => text };
}

/** Headers, and then the end of the connection. */
function broken(status: number): ApiResponse {
  // biome-ignore lint/correctness/useYield: it ends before its first piece
  const body = (async function* (): AsyncGenerator<Uint8Array> {
    throw new Error('the connection breaks');
  })();
  return { status, headers: { 'content-type': 'application/json' }, body, text: async () => '' };
}

async function halved(response: ApiResponse, cut: boolean): Promise<ApiResponse> {
  const text = await response.text();
  const half = text.slice(0, Math.floor(text.length / 2));
  const body = (async function* () {
    yield Buffer.from(half);
    if (cut) throw new Error('cut in the middle');
  })();
  const { 'content-length': _, 'content-encoding': _encoding, ...headers } = response.headers;
  return { status: response.status, headers, body, text: async () => half };
}
