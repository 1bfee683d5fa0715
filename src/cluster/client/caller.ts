// One call and its answer: JSON in, JSON out, errors typed, and the only retries that are safe for any caller: a read
// when the connection broke, any verb after a 429 that says when to come back (it was not carried out), and, where the
// caller allows them (readRetries), reads that a server in trouble refused. A write whose answer was lost may have
// happened: it is never repeated here.

import { type BackoffOptions, backoffDelay } from '../../kit/backoff.ts';
import { type Clock, sleep } from '../../kit/clock.ts';
import { isJsonObject, type JsonObject, type JsonValue, parseJson, stringifyJson } from '../../kit/json.ts';
import { ApiError, ConnectionError } from '../../ports/errors.ts';
import type { ApiRequest, ApiResponse, Transport } from '../../ports/transport.ts';
import { apiErrorOf } from './api-error.ts';
import { type Query, queryOf } from './paths.ts';
import { warningTexts } from './warnings.ts';

export interface CallerOptions {
  /** For waiting after 429. Without one nothing is waited for: a 429 is thrown at once. */
  readonly clock?: Clock;
  /** How often a read is tried again after 429, 500, 502, 503, 504 or half an answer. Needs the clock. Default 0. */
  readonly readRetries?: number;
  /** Each text of a Warning header, with the request ("PUT /api/v1/…") that it answers. */
  readonly onWarning?: (text: string, request: string) => void;
}

export interface Call {
  readonly method: ApiRequest['method'];
  readonly path: string;
  readonly query?: Query;
  readonly accept?: string;
  readonly contentType?: string;
  readonly body?: JsonValue;
  readonly signal?: AbortSignal | undefined;
}

/** Retries after 429 of one call, and the longest wait that is accepted for one of them. */
const THROTTLED_RETRIES = 8;
const LONGEST_WAIT_SECONDS = 30;
const INCOMPLETE = 'INCOMPLETE_JSON';
const BROKEN = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', INCOMPLETE]);
const IN_TROUBLE: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);
const READ_BACKOFF: BackoffOptions = { base: 200, cap: 5_000 };

interface Wait {
  readonly clock: Clock;
  readonly seconds: number;
}

export class Caller {
  readonly #transport: Transport;
  readonly #options: CallerOptions;

  constructor(transport: Transport, options: CallerOptions) {
    this.#transport = transport;
    this.#options = options;
  }

  /** The answer as a JSON object. Throws ApiError, ConnectionError, or the signal's reason. */
  async json(call: Call): Promise<JsonObject> {
    const request = nameOf(call);
    for (let throttled = 0, reads = 0; ; ) {
      try {
        return await this.#reading(call, request);
      } catch (error) {
        const asked = throttled < THROTTLED_RETRIES ? this.#waitAfter(error) : undefined;
        const wait = asked ?? this.#readAgainAfter(call, error, reads);
        if (wait === undefined) throw error;
        if (asked) throttled++;
        else reads++;
        await sleep(wait.clock, wait.seconds * 1_000, call.signal);
      }
    }
  }

  /** An answer that is read piece by piece (a watch): its status is checked, its body is the caller's. */
  async open(call: Call): Promise<ApiResponse> {
    const request = `WATCH ${call.path}`;
    const response = await this.#transport.request({ ...requestOf(call), longLived: true });
    this.#warn(response, request);
    if (isOk(response)) return response;
    throw apiErrorOf({ ...pick(response), text: await response.text() }, request, this.#options.clock?.now());
  }

  async #reading(call: Call, request: string): Promise<JsonObject> {
    try {
      return await this.#once(call, request);
    } catch (error) {
      if (call.method !== 'GET' || !isBroken(error)) throw error;
      return this.#once(call, request);
    }
  }

  async #once(call: Call, request: string): Promise<JsonObject> {
    const response = await this.#transport.request(requestOf(call));
    const text = await response.text();
    this.#warn(response, request);
    if (!isOk(response)) throw apiErrorOf({ ...pick(response), text }, request, this.#options.clock?.now());
    return parseObject(text, request);
  }

  #waitAfter(error: unknown): Wait | undefined {
    const { clock } = this.#options;
    if (!(error instanceof ApiError) || error.status.code !== 429 || clock === undefined) return undefined;
    const seconds = error.status.details?.retryAfterSeconds;
    if (seconds === undefined || seconds > LONGEST_WAIT_SECONDS) return undefined;
    return { clock, seconds: Math.max(seconds, 0.1) };
  }

  #readAgainAfter({ method }: Call, error: unknown, reads: number): Wait | undefined {
    const { clock, readRetries = 0 } = this.#options;
    if (method !== 'GET' || clock === undefined || reads >= readRetries) return undefined;
    const inTrouble = error instanceof ApiError && IN_TROUBLE.has(error.status.code);
    // Who asks for an hour is told so, instead of being asked every second.
    if (inTrouble && (error.status.details?.retryAfterSeconds ?? 0) > LONGEST_WAIT_SECONDS) return undefined;
    if (!inTrouble && !isBroken(error)) return undefined;
    return { clock, seconds: backoffDelay(READ_BACKOFF, reads) / 1_000 };
  }

  #warn(response: ApiResponse, request: string): void {
    for (const text of warningTexts(response.headers['warning'])) this.#options.onWarning?.(text, request);
  }
}

/** JSON text that must be an object; half a document or another value is no usable answer. */
export function parseObject(text: string, request: string): JsonObject {
  let value: JsonValue;
  try {
    value = parseJson(text);
  } catch {
    // The parser's own message quotes the document, which may hold Secret data.
    const cause = Object.assign(new Error('incomplete JSON'), { code: INCOMPLETE });
    throw new ConnectionError(`the answer to ${request} is not complete JSON (${text.length} characters)`, request, {
      cause,
    });
  }
  if (isJsonObject(value)) return value;
  throw new ConnectionError(`the answer to ${request} is JSON but not an object`, request);
}

export function nameOf(call: Pick<Call, 'method' | 'path'>): string {
  return `${call.method} ${call.path}`;
}

function requestOf(call: Call): ApiRequest {
  const sent = call.body === undefined ? undefined : stringifyJson(call.body);
  return {
    method: call.method,
    path: call.path + queryOf(call.query ?? {}),
    headers: {
      accept: call.accept ?? 'application/json',
      ...(sent === undefined ? {} : { 'content-type': call.contentType ?? 'application/json' }),
    },
    ...(sent === undefined ? {} : { body: sent }),
    ...(call.signal ? { signal: call.signal } : {}),
  };
}

function pick({ status, headers }: ApiResponse): Pick<ApiResponse, 'status' | 'headers'> {
  return { status, headers };
}

function isOk(response: ApiResponse): boolean {
  return response.status >= 200 && response.status < 300;
}

function isBroken(error: unknown): boolean {
  const cause: unknown = error instanceof ConnectionError ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && BROKEN.has(String(cause.code));
}
