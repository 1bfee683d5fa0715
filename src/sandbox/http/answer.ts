// An answer before it becomes a response: status, headers, and a body that is text or a stream.

import { stringifyJson } from '../../kit/json.ts';
import type { ApiResponse } from '../../ports/transport.ts';
import type { LineStream } from './line-stream.ts';
import type { StatusError } from './status-error.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | LineStream;
}

const JSON_HEADERS = { 'content-type': 'application/json' };

export function jsonAnswer(status: number, body: string | object): Answer {
  return { status, headers: JSON_HEADERS, body: typeof body === 'string' ? body : stringifyJson(body) };
}

export function textAnswer(status: number, body: string): Answer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body };
}

export const PAGE_NOT_FOUND = '404 page not found\n';

export function errorAnswer(error: StatusError): Answer {
  const seconds = error.details?.retryAfterSeconds;
  const answer = jsonAnswer(error.code, error.body());
  return seconds === undefined ? answer : { ...answer, headers: { ...answer.headers, 'retry-after': String(seconds) } };
}

export function responseOf({ status, headers, body }: Answer): ApiResponse {
  if (typeof body !== 'string') return { status, headers, body, text: () => collect(body) };
  return {
    status,
    headers,
    body: {
      async *[Symbol.asyncIterator]() {
        yield Buffer.from(body);
      },
    },
    text: async () => body,
  };
}

async function collect(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
