// A transport that does to chosen requests what networks and servers in trouble do. What is not chosen goes through.

import { type Clock, sleep } from '../../kit/clock.ts';
import type { ApiRequest, ApiResponse, Transport } from '../../ports/transport.ts';
import type { Fault, FaultPlan } from './fault.ts';

/** Invariant: what has no fault goes through unchanged; without a plan that is everything. */
export class FaultyTransport implements Transport {
  /** "POST /api/v1/…/pods" of the writes that the server has carried out, in order. */
  readonly writes: string[] = [];
  /** The same of all requests that came, with their faults: "GET /api 503". */
  readonly log: string[] = [];
  /** From now on; undefined: everything goes through. */
  plan: FaultPlan | undefined;
  readonly #below: Transport;
  readonly #watches = new Set<() => void>();
  readonly #ended = new AbortController();
  #frozen: { readonly until: Promise<void>; readonly end: () => void } | undefined;

  readonly #clock: Clock;

  /** `clock`: for delays. */
  constructor(below: Transport, clock: Clock) {
    this.#below = below;
    this.#clock = clock;
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
    if (fault?.kind === 'delay') await sleep(this.#clock, fault.ms, request.signal);
    const response = await this.#below.request(request);
    if (request.method !== 'GET' && response.status < 300) this.writes.push(nameOf(request));
    if (request.longLived === true) return withBody(response, this.#watched(response.body, fault?.kind));
    if (fault?.kind === 'lost') return broken(response.status);
    if (fault?.kind === 'half' || fault?.kind === 'cut') return halved(response, fault.kind === 'cut');
    await this.#frozen?.until;
    return response;
  }

  async close(): Promise<void> {
    // Whoever made the transport below closes it.
    this.thaw();
    this.end();
  }

  /** Until thawed nothing is answered and nothing arrives on a watch. */
  freeze(): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#frozen ??= { until: promise, end: resolve };
  }

  thaw(): void {
    this.#frozen?.end();
    this.#frozen = undefined;
  }

  /** Breaks every watch that is open. */
  dropWatches(): void {
    for (const drop of [...this.#watches]) drop();
  }

  /** Ends what hangs and every watch. */
  end(): void {
    this.#ended.abort();
    this.dropWatches();
  }

  #never({ signal }: ApiRequest): Promise<never> {
    return new Promise((_, reject) => {
      const end = signal ? AbortSignal.any([signal, this.#ended.signal]) : this.#ended.signal;
      const onEnd = (): void => reject(new Error('ended while it hung'));
      if (end.aborted) onEnd();
      else end.addEventListener('abort', onEnd, { once: true });
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

function withBody(response: ApiResponse, body: AsyncIterable<Uint8Array>): ApiResponse {
  const text = async (): Promise<string> => {
    const pieces: Uint8Array[] = [];
    for await (const piece of body) pieces.push(piece);
    return Buffer.concat(pieces).toString();
  };
  return { ...response, body, text };
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

const BROKEN = 'the connection breaks';

/** Headers, and then the end of the connection. */
function broken(status: number): ApiResponse {
  // biome-ignore lint/correctness/useYield: it ends before its first piece
  const body = (async function* (): AsyncGenerator<Uint8Array> {
    throw new Error(BROKEN);
  })();
  const text = (): Promise<string> => Promise.reject(new Error(BROKEN));
  return { status, headers: { 'content-type': 'application/json' }, body, text };
}

async function halved(response: ApiResponse, cut: boolean): Promise<ApiResponse> {
  const text = await response.text();
  const half = text.slice(0, Math.floor(text.length / 2));
  const body = (async function* () {
    yield Buffer.from(half);
    if (cut) throw new Error('cut in the middle');
  })();
  const whole = (): Promise<string> => (cut ? Promise.reject(new Error('cut in the middle')) : Promise.resolve(half));
  const { 'content-length': _, 'content-encoding': _encoding, ...headers } = response.headers;
  return { status: response.status, headers, body, text: whole };
}
