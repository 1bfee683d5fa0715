// The transport over the network: undici on HTTP/1.1, two pools (agents.ts), credentials renewed on 401, pools replaced
// when certificates change on disk. undici is loaded with the first request, so that other commands don't pay for it.
// Absent on purpose: redirects (an API server sends none; following one would carry credentials elsewhere), retries
// other than the one after a 401 or a certificate that is not trusted (the client decides what is safe), cookies, HTTP/2.

import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { WebSocket } from 'undici';
import { ConnectionError } from '../../ports/errors.ts';
import type { ApiRequest, ApiResponse, Transport } from '../../ports/transport.ts';
import type { Tunnels } from '../../ports/tunnel.ts';
import { type ArrivingBody, type Exchanged, exchange } from '../../wire/index.ts';
import { type AgentLimits, type Agents, openAgents } from './agents.ts';
import { type CredentialSource, type Credentials, sameTls } from './credentials.ts';
import { createTunnels } from './tunnels.ts';
import { connectionError, isDistrust } from './wire-error.ts';

export interface HttpTransportOptions extends Partial<AgentLimits> {
  /** "https://host:6443", with a path prefix where the API lives below one. */
  readonly server: string;
  readonly credentials: CredentialSource;
  /** Ask for gzip on reads; worth it over a network, not on loopback. Default true. */
  readonly compress?: boolean;
  readonly userAgent?: string;
  /** http or https address of a proxy on the way to the server, with its user and password where it wants them. */
  readonly proxy?: string;
}

const LIMITS: AgentLimits = {
  connections: 16,
  connectTimeoutMs: 10_000,
  // The API server itself ends a request after 60 s.
  headersTimeoutMs: 65_000,
  bodyTimeoutMs: 30_000,
  watchInactivityMs: 100_000,
};
const POOLS_KEPT = 3;

export interface HttpTransports {
  readonly transport: Transport;
  readonly tunnels: Tunnels;
}

export function createHttpTransport(options: HttpTransportOptions): Transport {
  return createHttpTransports(options).transport;
}

/** Both over the same identity and pools. */
export function createHttpTransports(options: HttpTransportOptions): HttpTransports {
  const transport = new HttpTransport(options);
  const tunnels = createTunnels(transport, (path, protocol) => transport.startWebSocket(path, protocol));
  return { transport, tunnels };
}

class HttpTransport implements Transport {
  readonly #options: HttpTransportOptions;
  readonly #origin: string;
  readonly #prefix: string;
  /** For errors: the server, and the proxy without its credentials. */
  readonly #where: string;
  /** One for each set of certificates, newest last: more than one only after a rotation. */
  readonly #pools: Agents[] = [];
  readonly #retired = new Set<Agents>();
  #opening: Promise<void> | undefined;
  #closed = false;

  constructor(options: HttpTransportOptions) {
    const url = new URL(options.server);
    this.#options = options;
    this.#origin = url.origin;
    this.#prefix = url.pathname.replace(/\/+$/, '');
    this.#where =
      options.proxy === undefined ? url.origin : `${url.origin} by the proxy ${new URL(options.proxy).host}`;
  }

  async request(request: ApiRequest): Promise<ApiResponse> {
    let refused: Exchanged | undefined;
    let distrust: unknown;
    const credentials = await this.#credentials(request, this.#options.credentials.current());
    try {
      const answer = await this.#send(request, credentials);
      if (answer.statusCode !== 401) return this.#answer(request, answer);
      refused = answer;
    } catch (error) {
      if (!isDistrust(error)) throw error;
      distrust = error;
    }
    const renewed = await this.#credentials(request, this.#options.credentials.renew(credentials));
    if (renewed !== undefined) {
      // A 401 was not carried out, whatever the verb, and to whom we don't trust nothing was sent: once more is safe.
      await refused?.body.text();
      return this.#answer(request, await this.#send(request, renewed));
    }
    if (refused) return this.#answer(request, refused);
    throw distrust;
  }

  /** On the pool of the watches: it stays open, and must not hold back calls. */
  async startWebSocket(path: string, protocol: string): Promise<WebSocket> {
    const request = { method: 'GET', path } as const;
    const { WebSocket: UndiciWebSocket } = await import('undici');
    const credentials = await this.#credentials(request, this.#options.credentials.current());
    const headers = singleLines(credentials.headers, nameOf(request));
    const agents = await this.#agents(credentials);
    if (this.#closed) throw new ConnectionError(`${this.#origin}: the transport is closed`, nameOf(request));
    const url = this.#origin.replace(/^http/, 'ws') + this.#prefix + path;
    const userAgent = this.#options.userAgent ?? 'metactl';
    return new UndiciWebSocket(url, {
      protocols: [protocol],
      dispatcher: agents.watches,
      headers: { 'user-agent': userAgent, ...headers },
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#opening;
    const pools = [...this.#pools.splice(0), ...this.#retired];
    await Promise.all(pools.flatMap((pool) => [pool.calls.destroy(), pool.watches.destroy()]));
  }

  #credentials<T>(request: ApiRequest, asked: Promise<T>): Promise<T> {
    return asked.catch((error: unknown) => {
      throw this.#failure(request, error);
    });
  }

  async #send(request: ApiRequest, credentials: Credentials): Promise<Exchanged> {
    request.signal?.throwIfAborted();
    const agents = this.#open(credentials) ?? (await this.#agents(credentials));
    if (this.#closed) throw new ConnectionError(`${this.#origin}: the transport is closed`, nameOf(request));
    const compress = this.#options.compress !== false && request.method === 'GET' && request.longLived !== true;
    const sent = {
      origin: this.#origin,
      // Not undici.request(url): it would normalise the path ("%2e%2e"). Here it goes out as it is.
      path: this.#prefix + request.path,
      method: request.method,
      headers: {
        'user-agent': this.#options.userAgent ?? 'metactl',
        ...(compress ? { 'accept-encoding': 'gzip' } : {}),
        ...request.headers,
        ...credentials.headers,
      },
      ...(request.body === undefined ? {} : { body: request.body }),
    };
    const failed = (error: unknown): unknown => this.#failure(request, error);
    return exchange(request.longLived ? agents.watches : agents.calls, sent, { signal: request.signal, failed });
  }

  #open({ tls }: Credentials): Agents | undefined {
    return this.#pools.find((pool) => sameTls(pool.tls, tls));
  }

  async #agents(credentials: Credentials): Promise<Agents> {
    for (;;) {
      const open = this.#open(credentials);
      if (open !== undefined) return open;
      this.#opening ??= openAgents(
        { tls: credentials.tls, proxy: this.#options.proxy },
        { ...LIMITS, ...this.#options },
      )
        .then((pool) => this.#adopt(pool))
        .finally(() => {
          this.#opening = undefined;
        });
      await this.#opening;
    }
  }

  /** A pool whose certificates are long out of date takes no more requests and goes when its last watch ends. */
  async #adopt(pool: Agents): Promise<void> {
    this.#pools.push(pool);
    const oldest = this.#pools.length > POOLS_KEPT ? this.#pools.shift() : undefined;
    if (oldest === undefined) return;
    this.#retired.add(oldest);
    const ended = Promise.all([oldest.calls.close(), oldest.watches.close()]);
    void ended.finally(() => this.#retired.delete(oldest));
  }

  #answer(request: ApiRequest, { statusCode: status, headers: lines, body }: Exchanged): ApiResponse {
    const headers: Record<string, string> = {};
    for (const name in lines) {
      const value = lines[name];
      if (value !== undefined) headers[name] = typeof value === 'string' ? value : value.join(', ');
    }
    if (headers['content-encoding'] !== 'gzip') return { status, headers, body, text: () => body.text() };
    delete headers['content-encoding'];
    const unzipped = this.#pieces(request, gunzip(body));
    return { status, headers, body: unzipped, text: () => textOf(unzipped) };
  }

  /** Errors of the body are told already; of unzipping it, here. */
  async *#pieces(request: ApiRequest, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      for await (const piece of body) yield piece;
    } catch (error) {
      throw this.#failure(request, error);
    }
  }

  /** Aborting is the caller's own doing and comes back as the signal's reason; all else is a ConnectionError. */
  #failure(request: ApiRequest, error: unknown): unknown {
    if (request.signal?.aborted) return request.signal.reason;
    return error instanceof ConnectionError ? error : connectionError(error, this.#where, nameOf(request));
  }
}

/** undici's WebSocket joins repeated lines, which would make one group of several. */
function singleLines(headers: Credentials['headers'], request: string): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]): [string, string] => {
    if (typeof value === 'string') return [name, value];
    if (value.length <= 1) return [name, value[0] ?? ''];
    throw new ConnectionError(`a connection to a pod can't be opened with more than one ${name}`, request);
  });
  return Object.fromEntries(entries);
}

function gunzip(body: ArrivingBody): AsyncIterable<Uint8Array> {
  const unzipped = createGunzip();
  // pipeline passes an error of the body on to `unzipped`, whose reader gets it; nothing is left for the callback.
  pipeline(Readable.from(body), unzipped, () => undefined);
  return unzipped;
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

function nameOf(request: ApiRequest): string {
  return `${request.method} ${request.path.split('?', 1)[0]}`;
}
