// The sandbox as a Transport: the same port through which a real API server is reached, without a socket.

import { parseJson } from '../../kit/json.ts';
import { ConnectionError } from '../../ports/errors.ts';
import type { ApiRequest, ApiResponse, Transport } from '../../ports/transport.ts';
import { rulesToLoad } from '../crd/rules.ts';
import { type Answer, errorAnswer, responseOf } from './answer.ts';
import { readBody } from './body.ts';
import { LineStream } from './line-stream.ts';
import { negotiate } from './negotiate.ts';
import { parseQuery } from './query.ts';
import { type ServerOptions, serve } from './server.ts';
import { StatusError } from './status-error.ts';

const NO_HEADERS = {};
const YAML = 'application/yaml';

export class SandboxTransport implements Transport {
  readonly #options: ServerOptions;
  readonly #streams = new Set<LineStream>();
  #closed = false;
  /** Something has been handled: what a journal brought back has been looked at. */
  #handled = false;

  constructor(options: ServerOptions) {
    this.#options = options;
  }

  async request(request: ApiRequest): Promise<ApiResponse> {
    if (this.#closed) throw new ConnectionError('the sandbox is closed', `${request.method} ${request.path}`);
    request.signal?.throwIfAborted();
    const answer = await this.#handle(request);
    if (answer.body instanceof LineStream) this.#track(answer.body, request.signal);
    return responseOf(answer);
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const stream of [...this.#streams]) stream.end();
  }

  async #handle(request: ApiRequest): Promise<Answer> {
    try {
      const headers = request.headers ?? NO_HEADERS;
      const body = await readBody(request);
      const mark = request.path.indexOf('?');
      const path = mark < 0 ? request.path : request.path.slice(0, mark);
      const query = parseQuery(mark < 0 ? '' : request.path.slice(mark + 1));
      const rules = rulesToLoad(body.text, this.#handled ? undefined : this.#options.core.registry);
      this.#handled = true;
      if (rules) await rules;
      const documents = path.startsWith('/openapi/v3/') ? await import('../kube-data/descriptions.ts') : undefined;
      const describe = documents && { describe: documents.withDescriptions };
      const answer = serve(this.#options, path, { method: request.method, query, headers, ...body, ...describe });
      return wantsYaml(headers) ? await asYaml(answer) : answer;
    } catch (error) {
      if (error instanceof StatusError) return errorAnswer(error);
      throw error;
    }
  }

  #track(stream: LineStream, signal: AbortSignal | undefined): void {
    this.#streams.add(stream);
    stream.onEnd(() => this.#streams.delete(stream));
    if (!signal) return;
    const onAbort = (): void => stream.abort(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    stream.onEnd(() => signal.removeEventListener('abort', onAbort));
  }
}

function wantsYaml(headers: Readonly<Record<string, string>>): boolean {
  const { accept } = headers;
  return accept?.includes('yaml') === true && negotiate(accept).format === 'yaml';
}

async function asYaml(answer: Answer): Promise<Answer> {
  if (typeof answer.body !== 'string' || answer.headers['content-type'] !== 'application/json') return answer;
  const { stringify } = await import('yaml');
  const body = stringify(parseJson(answer.body), {
    version: '1.1',
    sortMapEntries: true,
    indentSeq: false,
    lineWidth: 0,
  });
  return { ...answer, headers: { ...answer.headers, 'content-type': YAML }, body };
}
