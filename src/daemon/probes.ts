// The HTTP server behind /healthz, /readyz and /metrics: one a listening address, whose paths are what it is given.

import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A page: what it says, or why it can't be had. */
export interface Page {
  readonly status: 200 | 404 | 500 | 503;
  readonly contentType?: string;
  readonly body: string;
}

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
  pages: Readonly<Record<string, () => Page | Promise<Page>>>,
): Promise<ServedPages> {
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    void answer(pages[path], response, request.method === 'HEAD');
  });
  // Scrapers keep connections; they must not keep the process.
  server.keepAliveTimeout = 5_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, ...(host === undefined ? {} : { host }) }, resolve);
  });
  return { address: addressOf(server), close: () => closed(server) };
}

async function answer(page: (() => Page | Promise<Page>) | undefined, response: ServerResponse, headOnly: boolean) {
  const { status, contentType = 'text/plain; charset=utf-8', body } = page ? await madeOf(page) : NOT_FOUND;
  response.writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store' });
  response.end(headOnly ? undefined : body);
}

const NOT_FOUND: Page = { status: 404, body: 'not found\n' };

async function madeOf(page: () => Page | Promise<Page>): Promise<Page> {
  try {
    return await page();
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
