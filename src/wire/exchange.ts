// One HTTP exchange on undici's own ground, its dispatch(): a daemon that starts has thousands, and request() makes a stream,
// an iterator and a handful of promises for each. The body is kept in pieces as they come, and what nobody reads is held back.

import type { Dispatcher } from 'undici';

export interface Exchanged {
  readonly statusCode: number;
  /** "" where nothing came with the number. */
  readonly statusText: string;
  /** Lower-case names. The exchange's own object. */
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: ArrivingBody;
}

export interface ExchangeOptions {
  readonly signal?: AbortSignal | undefined;
  /** What is rejected with instead of an error, here and by the body. */
  readonly failed?: (error: unknown) => unknown;
}

/** Resolves with the first line and the headers. Rejects with undici's error, or what the signal was aborted with. */
export function exchange(
  dispatcher: Dispatcher,
  sent: Dispatcher.DispatchOptions,
  { signal, failed = (error) => error }: ExchangeOptions = {},
): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let body: ArrivingBody | undefined;
    const onAbort = (): void => {
      // It may wait for a connection, and for long: nobody else waits with it.
      if (controller === undefined) reject(failed(signal?.reason));
      else controller.abort(signal?.reason);
    };
    const onError = (error: unknown): void => {
      signal?.removeEventListener('abort', onAbort);
      if (body) body.failed(failed(error));
      else reject(failed(error));
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (started) => {
        controller = started;
        if (signal?.aborted) onAbort();
      },
      onResponseStart: (started, statusCode, headers, statusText = '') => {
        // 1xx: the answer is still to come.
        if (statusCode < 200) return;
        body = new ArrivingBody(started);
        resolve({ statusCode, statusText, headers, body });
      },
      onResponseData: (_controller, piece) => body?.arrived(piece),
      onResponseEnd: () => {
        signal?.removeEventListener('abort', onAbort);
        body?.ended();
      },
      onResponseError: (_controller, error) => onError(error),
    };
    try {
      dispatcher.dispatch(sent, handler);
    } catch (error) {
      onError(error);
    }
  });
}

/** Bytes that are kept unread before the connection is held back. */
const MOST_UNREAD = 256 * 1024;

/** Read once, in pieces or as a whole. Who stops in the middle ends the connection. */
export class ArrivingBody implements AsyncIterable<Uint8Array> {
  readonly #controller: Dispatcher.DispatchController;
  #pieces: Buffer[] = [];
  #unread = 0;
  #state: 'arriving' | 'ended' | { readonly error: unknown } = 'arriving';
  /** Somebody waits for the whole: nothing is held back. */
  #whole = false;
  #wake: () => void = () => undefined;

  constructor(controller: Dispatcher.DispatchController) {
    this.#controller = controller;
  }

  arrived(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#unread += piece.length;
    if (this.#whole) return;
    if (this.#unread > MOST_UNREAD) this.#controller.pause();
    this.#wake();
  }

  ended(): void {
    this.#state = 'ended';
    this.#wake();
  }

  failed(error: unknown): void {
    this.#state = { error };
    this.#wake();
  }

  /** As UTF-8. */
  async text(): Promise<string> {
    this.#whole = true;
    this.#controller.resume();
    while (this.#state === 'arriving') await this.#more();
    if (this.#state !== 'ended') throw this.#state.error;
    const [first, ...rest] = this.#take();
    if (first === undefined) return '';
    return (rest.length === 0 ? first : Buffer.concat([first, ...rest])).toString('utf8');
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        // Asked before the pieces are taken: what came before an error or the end is read first.
        const state = this.#state;
        for (const piece of this.#take()) yield piece;
        if (state === 'ended') return;
        if (state !== 'arriving') throw state.error;
        this.#controller.resume();
        if (this.#pieces.length === 0 && this.#state === 'arriving') await this.#more();
      }
    } finally {
      if (this.#state === 'arriving') this.#controller.abort(new Error('nobody reads the rest'));
    }
  }

  #take(): Buffer[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#unread = 0;
    return pieces;
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
