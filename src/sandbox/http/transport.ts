// The sandbox as a Transport: the same port through which a real API server is reached, without a socket.

import { parseJson, stringifyJson } from '../../kit/json.ts';
import { ConnectionError } from '../../ports/errors.ts';
import type { ApiRequest, ApiResponse, Transport } from '../../ports/transport.ts';
import { type Answer, errorAnswer, responseOf } from './answer.ts';
import { LineStream } from './line-stream.ts';
import { negotiate } from './negotiate.ts';
import { parseQuery } from './query.ts';
import { mediaType } from './resource-handler.ts';
import { type ServerOptions, serve } from './server.ts';
import { badRequest, StatusError, unsupportedMediaType } from './status-error.ts';

const NO_HEADERS = {};
const YAML = 'application/yaml';
const BODY_TYPES = ['application/json', YAML, 'application/vnd.kubernetes.protobuf'];

export class SandboxTransport implements Transport {
  readonly #options: ServerOptions;
  readonly #streams = new Set<LineStream>();
  #closed = false;

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
      const text = await bodyText(request, headers);
      const mark = request.path.indexOf('?');
      const path = mark < 0 ? request.path : request.path.slice(0, mark);
      const query = parseQuery(mark < 0 ? '' : request.path.slice(mark + 1));
      const documents = path.startsWith('/openapi/v3/') ? await import('../kube-data/descriptions.ts') : undefined;
      const describe = documents && { describe: documents.withDescriptions };
      const answer = serve(this.#options, path, { method: request.method, query, headers, text, ...describe });
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

/** The body as JSON text. Throws 415 for what the sandbox can't read. */
async function bodyText(request: ApiRequest, headers: Readonly<Record<string, string>>): Promise<string | undefined> {
  const { body, method } = request;
  if (body === undefined) return undefined;
  const type = mediaType(headers['content-type']);
  if (method === 'PATCH' && type !== 'application/apply-patch+yaml') return body;
  if (type === YAML) return yamlToJson(body);
  if (type === 'application/json' || type === '' || type === '*/*' || method === 'PATCH') return body;
  if (type === 'application/vnd.kubernetes.protobuf') {
    throw unsupportedMediaType(
      'the sandbox does not read protobuf bodies yet: send application/json or application/yaml',
    );
  }
  const accepted = BODY_TYPES.join(', ');
  throw unsupportedMediaType(
    `the body of the request was in an unknown format - accepted media types include: ${accepted}`,
  );
}

async function yamlToJson(text: string): Promise<string> {
  const { parse } = await import('yaml');
  try {
    return stringifyJson(parse(text, { intAsBigInt: false }) ?? null);
  } catch (error) {
    throw badRequest(`error converting YAML to JSON: ${error instanceof Error ? error.message : String(error)}`);
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
