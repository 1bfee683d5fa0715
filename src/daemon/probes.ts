// The HTTP server behind /healthz, /readyz, /metrics and the profiles: one a listening address, whose paths are what it is given.

import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A page: what it says, or why it can't be had. */
export interface Page {
  readonly status: 200 | 400 | 404 | 429 | 500 | 503;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Readable;
}

/** `gone`: nobody waits for it any more. */
export type PageMaker = (query: URLSearchParams, gone: AbortSignal) => Page | Promise<Page>;

export interface ServedPages {
  /** As it listens: "127.0.0.1:8081". */
  readonly address: string;
  close(): Promise<void>;
}

/** Without a host: all interfaces. */
export interface ListenAddress {
  readonly host?: string;
  readonly port: number;
}

/** Throws the error of listen(): EADDRINUSE, EACCES … */
export async function servePages(
  { host, port }: ListenAddress,
  pages: Readonly<Record<string, PageMaker>>,
): Promise<ServedPages> {
  // Not by import: that asks for every export of it, and so loads Node's own fetch.
  const { createServer } = process.getBuiltinModule('node:http');
  const server = createServer((request, response) => {
    const [path = '/', query = ''] = (request.url ?? '/').split('?');
    const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
    void answer(page, { response, query: new URLSearchParams(query), headOnly: request.method === 'HEAD' });
  });
  // Scrapers keep connections; they must not keep the process.
  server.keepAliveTimeout = 5_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, ...(host === undefined ? {} : { host }) }, resolve);
  });
  return { address: addressOf(server), close: () => closed(server) };
}

interface Asked {
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
  readonly headOnly: boolean;
}

async function answer(page: PageMaker | undefined, { response, query, headOnly }: Asked): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const made = page ? await madeOf(() => page(query, gone.signal)) : NOT_FOUND;
  const { status, contentType = 'text/plain; charset=utf-8', headers, body } = made;
  response.writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store', ...headers });
  if (typeof body === 'string' || headOnly) response.end(typeof body === 'string' && !headOnly ? body : undefined);
  // Who goes away half way has what he wanted, or has not.
  else await pipeline(body, response).catch(() => undefined);
}

const NOT_FOUND: Page = { status: 404, body: 'not found\n' };

async function madeOf(make: () => Page | Promise<Page>): Promise<Page> {
  try {
    return await make();
  } catch (error) {
    return { status: 500, body: `${error instanceof Error ? error.message : String(error)}\n` };
  }
}

function addressOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  return family === 'IPv6' ? `[${address}]:${port}` : `${address}:${port}`;
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
