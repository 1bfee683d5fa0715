// An API server that says what the test told it to: answers by route, in order, and streams that the test feeds.
// It has no state of its own; tests that want a server's behaviour use the sandbox.

import { type JsonValue, stringifyJson } from '../kit/json.ts';
import type { ApiRequest, ApiResponse, Transport } from '../ports/transport.ts';

export interface FakeAnswer {
  /** Default 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text as it is, anything else as JSON. */
  readonly body?: JsonValue;
  /** Instead of a body. */
  readonly stream?: FakeStream;
}

type Scripted = FakeAnswer | Error | ((request: ApiRequest) => FakeAnswer | Error);

export class FakeTransport implements Transport {
  readonly requests: ApiRequest[] = [];
  readonly #answers = new Map<string, Scripted[]>();
  closed = false;

  /**
   * Route: "GET /api/v1/pods" without the query, "WATCH /api/v1/pods" for a watch. Answers are used in order; the last
   * one stays. A request without an answer is the test's mistake and fails.
   */
  answer(route: string, ...answers: Scripted[]): this {
    this.#answers.set(route, [...(this.#answers.get(route) ?? []), ...answers]);
    return this;
  }

  /** Paths with queries of the requests to a route so far. */
  paths(route: string): string[] {
    return this.requests.filter((request) => routeOf(request) === route).map((request) => request.path);
  }

  async request(request: ApiRequest): Promise<ApiResponse> {
    request.signal?.throwIfAborted();
    this.requests.push(request);
    const answers = this.#answers.get(routeOf(request)) ?? [];
    const scripted = answers.length > 1 ? answers.shift() : answers[0];
    if (scripted === undefined) throw new Error(`no answer is scripted for ${routeOf(request)}`);
    const answer = typeof scripted === 'function' ? scripted(request) : scripted;
    if (answer instanceof Error) throw answer;
    return responseOf(answer, request.signal);
  }

  async close(): Promise<void> {
    this.closed = true;
  }
}

function routeOf({ method, path, longLived }: ApiRequest): string {
  return `${longLived ? 'WATCH' : method} ${path.split('?', 1)[0]}`;
}

function responseOf(answer: FakeAnswer, signal: AbortSignal | undefined): ApiResponse {
  const text = typeof answer.body === 'string' ? answer.body : stringifyJson(answer.body ?? {});
  const body = answer.stream ? answer.stream.pieces(signal) : once(text);
  return {
    status: answer.status ?? 200,
    headers: { 'content-type': 'application/json', ...answer.headers },
    body,
    async text() {
      const pieces: Uint8Array[] = [];
      for await (const piece of body) pieces.push(piece);
      return Buffer.concat(pieces).toString('utf8');
    },
  };
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** A body that the test writes while it is read. */
export class FakeStream {
  readonly #queue: (Uint8Array | Error | 'end')[] = [];
  #wake: (() => void) | undefined;

  /** Text as it is; an object as one JSON line. */
  push(piece: string | Uint8Array | JsonValue): this {
    const bytes = piece instanceof Uint8Array ? piece : Buffer.from(lineOf(piece));
    return this.#add(bytes);
  }

  end(): this {
    return this.#add('end');
  }

  fail(error: Error): this {
    return this.#add(error);
  }

  async *pieces(signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    const onAbort = (): void => this.#wake?.();
    signal?.addEventListener('abort', onAbort);
    try {
      for (;;) {
        signal?.throwIfAborted();
        const next = this.#queue.shift();
        if (next === 'end') return;
        if (next instanceof Error) throw next;
        if (next !== undefined) yield next;
        else await this.#more();
      }
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #add(entry: Uint8Array | Error | 'end'): this {
    this.#queue.push(entry);
    this.#wake?.();
    return this;
  }
}

function lineOf(piece: string | JsonValue): string {
  return typeof piece === 'string' ? piece : `${stringifyJson(piece)}\n`;
}

/** One turn of the event loop: what was waiting for a promise has gone on. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
