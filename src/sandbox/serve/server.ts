// HTTP in front of a Transport: what comes in is handed on, what comes out is streamed as it comes. It knows nothing of
// Kubernetes but the form of a refusal. Invariants: no request ends the process; a client that goes away ends its
// request; close() ends everything in flight.

import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DiagnosticError } from '../../model/diagnostic.ts';
import type { ApiResponse, Transport } from '../../ports/transport.ts';
import { Refusal } from './refusal.ts';
import { HOP_BY_HOP, readRequest } from './request.ts';

export interface ServeOptions {
  /** "127.0.0.1": a sandbox asks for no credentials, so it should not be reachable from elsewhere. */
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
}

export interface Served {
  /** "http://127.0.0.1:34567" */
  readonly url: string;
  /** Ends requests in flight and stops listening; the sandbox itself stays open. */
  close(): Promise<void>;
}

/** Throws a DiagnosticError when the port can't be had. */
export async function serveSandbox(
  { transport }: { readonly transport: Transport },
  { host, port }: ServeOptions,
): Promise<Served> {
  // Loaded here, as most sandboxes are never served; and not by import, which asks for every export of it and so loads
  // Node's own fetch.
  const { createServer } = process.getBuiltinModule('node:http');
  const server = createServer({ keepAliveTimeout: 120_000 }, (incoming, outgoing) => {
    void answer(transport, host, { incoming, outgoing });
  });
  // Not HTTP at all, or half of it.
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
    else socket.destroy();
  });
  await listen(server, { host, port });
  const { address, port: actual } = server.address() as AddressInfo;
  let closed: Promise<void> | undefined;
  return {
    url: `http://${address.includes(':') ? `[${address}]` : address}:${actual}`,
    close: () => {
      closed ??= end(server);
      return closed;
    },
  };
}

async function end(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

async function listen(server: Server, { host, port }: ServeOptions): Promise<void> {
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (cause) {
    const summary = `can't listen on ${host}:${port}`;
    const detail = cause instanceof Error ? cause.message : String(cause);
    const hint = 'use another --port, or --port 0 for any free one';
    throw new DiagnosticError([{ severity: 'error', code: 'connection-failed', summary, detail, hint }], { cause });
  }
}

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** Never rejects. */
async function answer(transport: Transport, host: string, { incoming, outgoing }: Exchange): Promise<void> {
  const gone = new AbortController();
  outgoing.on('close', () => gone.abort());
  // The reason is known by `close`, which always follows.
  outgoing.on('error', () => gone.abort());
  try {
    const response = await transport.request(await readRequest(incoming, { host, signal: gone.signal }));
    await stream(response, outgoing, gone.signal);
  } catch (error) {
    if (!gone.signal.aborted) fail(error, { incoming, outgoing });
  }
}

async function stream(response: ApiResponse, outgoing: ServerResponse, gone: AbortSignal): Promise<void> {
  const headers = Object.entries(response.headers).filter(([name]) => !HOP_BY_HOP.has(name));
  outgoing.writeHead(response.status, Object.fromEntries(headers));
  // A watch may have nothing to say for minutes; its client waits for the headers.
  outgoing.flushHeaders();
  for await (const piece of response.body) {
    if (gone.aborted) return;
    if (!outgoing.write(piece)) await once(outgoing, 'drain', { signal: gone });
  }
  outgoing.end();
}

function fail(error: unknown, { incoming, outgoing }: Exchange): void {
  // The status line is out: only a broken connection can still say that the answer is not whole.
  if (outgoing.headersSent) {
    outgoing.destroy();
    return;
  }
  const message = `Internal error occurred: ${error instanceof Error ? error.message : String(error)}`;
  const refusal = error instanceof Refusal ? error : new Refusal(500, 'InternalError', message);
  // The rest of a body that nobody reads would be taken for the next request.
  if (!incoming.complete) outgoing.setHeader('connection', 'close');
  outgoing.writeHead(refusal.code, { 'content-type': 'application/json' });
  outgoing.end(refusal.body());
  incoming.resume();
}
