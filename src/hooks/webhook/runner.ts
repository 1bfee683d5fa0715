// The hook as an HTTP server: POST JSON, 200 is the only success, redirects are not followed. The connection pool is
// made with the first call, and undici is loaded then.
// Absent: etag, TLS settings and authorization of the definition (they join with their issue), proxies.

import type { Agent, Dispatcher } from 'undici';
import { type JsonValue, stringifyJson } from '../../kit/json.ts';
import type { HookCall } from '../../model/need.ts';
import { parseAnswer, tooLarge } from '../answer-text.ts';
import { HookFailure } from '../failure.ts';
import { excerptStart } from '../foreign-text.ts';
import type { HookRunner, RunnerContext } from '../runner.ts';
import { connectionFailure } from './connection-words.ts';
import { parseRetryAfter } from './retry-after.ts';

/** Of an answer that is not 200 no more than this is read: it goes into the message. */
const ERROR_BODY_BYTES = 16 * 1024;

type Response = Dispatcher.ResponseData;

export function createWebhookRunner(context: RunnerContext): HookRunner {
  return new WebhookRunner(context);
}

class WebhookRunner implements HookRunner {
  readonly #context: RunnerContext;
  #agent: Promise<Agent> | undefined;

  constructor(context: RunnerContext) {
    this.#context = context;
  }

  async run(call: HookCall, signal: AbortSignal): Promise<JsonValue> {
    if (call.hook.kind !== 'webhook') throw new TypeError(`not a webhook: ${call.hook.kind}`);
    const url = parseUrl(call.hook.url);
    try {
      const response = await this.#post(call, url, signal);
      if (response.statusCode !== 200) throw await this.#refused(response, url);
      const body = await readBody(response, this.#context.limits.answerBytes);
      if (body.cut) throw tooLarge(this.#context.limits.answerBytes, 'the response body');
      return parseAnswer(body.bytes, { where: 'the response body', strict: call.hook.strict });
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw error instanceof HookFailure ? error : connectionFailure(error, url);
    }
  }

  async close(): Promise<void> {
    const agent = await this.#agent;
    await agent?.destroy();
  }

  async #post(call: HookCall, url: URL, signal: AbortSignal): Promise<Response> {
    this.#agent ??= createAgent(this.#context.limits.inFlight);
    const agent = await this.#agent;
    signal.throwIfAborted();
    return agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(call.dryRun ? { 'metactl-dry-run': 'true' } : {}),
        ...basicAuth(url),
      },
      body: stringifyJson(call.request),
      signal,
    });
  }

  async #refused(response: Response, url: URL): Promise<HookFailure> {
    const body = await readBody(response, ERROR_BODY_BYTES);
    const said = excerptStart(new TextDecoder().decode(body.bytes));
    const { statusCode } = response;
    const retryAfter = header(response, 'retry-after');
    const retryAfterSeconds = statusCode === 429 ? parseRetryAfter(retryAfter, this.#context.clock.now()) : undefined;
    return new HookFailure({
      code: 'hook-failed',
      what: `${url.origin}${url.pathname} answered ${statusCode}${response.statusText ? ` ${response.statusText}` : ''}`,
      why: said === '' ? 'The response has no body.' : `The response body: ${said}`,
      hint: hintFor(statusCode, header(response, 'location')),
      retryAfterSeconds,
    });
  }
}

/** Timeouts are ours (one over the whole exchange), so undici's own are off. */
async function createAgent(connections: number): Promise<Agent> {
  const { Agent: UndiciAgent } = await import('undici');
  return new UndiciAgent({ connections, headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 0 } });
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url;
  throw new HookFailure({ code: 'hook-failed', what: `${text} is not an http or https url` });
}

/** As Go's client does: user and password in the url become a header. */
function basicAuth(url: URL): Record<string, string> {
  if (url.username === '' && url.password === '') return {};
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

function header(response: Response, name: string): string | undefined {
  const value = response.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

async function readBody(response: Response, limitBytes: number): Promise<{ bytes: Uint8Array; cut: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response.body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    // Leaving the loop early destroys the stream, and with it the connection: nothing more is read.
    if (size > limitBytes) return { bytes: Buffer.concat(chunks).subarray(0, limitBytes), cut: true };
  }
  return { bytes: Buffer.concat(chunks), cut: false };
}

function hintFor(statusCode: number, location: string | undefined): string {
  if (statusCode >= 300 && statusCode < 400)
    return `redirects are not followed${location ? `: write ${excerptStart(location)} in the definition if that is the hook` : ''}`;
  if (statusCode === 404) return 'check the path of the url';
  if (statusCode === 405) return 'the hook must accept POST';
  if (statusCode === 429) return 'the hook is busy: it is asked again later';
  return "only 200 is success: look at the hook's own log";
}
