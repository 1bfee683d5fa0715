// One HTTP request as the Transport port wants it. What can't be one is a Refusal.

import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { ApiRequest } from '../../ports/transport.ts';
import { Refusal } from './refusal.ts';

/** What kube-apiserver takes. */
export const MAX_BODY_BYTES = 3 * 1024 * 1024;

const METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] satisfies ApiRequest['method'][];
/** Between this connection's two ends only. */
export const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'content-length',
  'host',
  'expect',
]);

/** Reads the body. `host`: the name that the server was told to listen on. */
export async function readRequest(
  incoming: IncomingMessage,
  { host, signal }: { readonly host: string; readonly signal: AbortSignal },
): Promise<ApiRequest> {
  const { method = '', url = '' } = incoming;
  refuseBrowsers(incoming, host);
  if (!METHODS.includes(method))
    throw new Refusal(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource');
  if (!url.startsWith('/')) throw new Refusal(400, 'BadRequest', 'the request path must begin with a slash');
  const body = await readBody(incoming);
  return {
    method: method as ApiRequest['method'],
    path: url,
    headers: headersOf(incoming),
    ...(body === '' ? {} : { body }),
    ...(isWatch(url) ? { longLived: true } : {}),
    signal,
  };
}

/**
 * The sandbox asks for no credentials, so a web page that the user has open must not reach it: not by a request of its
 * own (Origin), nor through a name of its own that it points at this machine (Host).
 */
function refuseBrowsers({ headers }: IncomingMessage, host: string): void {
  const name = (headers.host ?? '').replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
  if (headers.origin === undefined && (name === 'localhost' || name === host || isIP(name) > 0)) return;
  throw new Refusal(403, 'Forbidden', 'the sandbox answers to its address or to localhost only, and not to web pages');
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const tooLarge = (): Refusal =>
    new Refusal(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${MAX_BODY_BYTES}`);
  if (Number(incoming.headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw tooLarge();
  const pieces: Buffer[] = [];
  let size = 0;
  // Not destroyed when it is too much: the refusal goes out on the same connection.
  for await (const piece of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > MAX_BODY_BYTES) throw tooLarge();
    pieces.push(piece);
  }
  const binary = incoming.headers['content-type']?.startsWith('application/vnd.kubernetes.protobuf') === true;
  return Buffer.concat(pieces).toString(binary ? 'latin1' : 'utf8');
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !HOP_BY_HOP.has(name)) passed[name] = Array.isArray(value) ? value.join(', ') : value;
  return passed;
}

function isWatch(url: string): boolean {
  const query = url.indexOf('?');
  const watch = query < 0 ? null : new URLSearchParams(url.slice(query + 1)).get('watch');
  return watch === 'true' || watch === '1';
}
