// An HTTP(S) server that plays a hook: keeps what it was sent, answers what the test says, counts connections.

import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

export interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

export interface HookServer {
  /** Ends with "/sync". */
  readonly url: string;
  readonly port: number;
  readonly seen: Received[];
  /** Connections so far. */
  sockets(): number;
  /** The TLS server, to change its certificate. */
  readonly server: Server;
}

/** `tls`: a server of https. */
export async function serveHook(
  t: TestContext,
  reply: (received: Received) => Reply | 'hang' | 'reset',
  tls?: ServerOptions,
): Promise<HookServer> {
  const seen: Received[] = [];
  let sockets = 0;
  const server = (tls ? createTlsServer(tls) : createServer()) as Server;
  server.on('request', (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url, headers } = request;
      const received = { method, url, headers, body: Buffer.concat(chunks).toString() };
      seen.push(received);
      const what = reply(received);
      if (what === 'reset') request.socket.destroy();
      if (typeof what !== 'string') response.writeHead(what.status ?? 200, what.headers).end(what.body ?? '{}');
    });
  });
  server.on('connection', () => sockets++);
  const port = await listenForTest(t, server);
  return { url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}/sync`, port, seen, sockets: () => sockets, server };
}

export async function listenForTest(
  t: TestContext,
  server: Pick<Server, 'listen' | 'close' | 'address'>,
): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    (server as Server).closeAllConnections?.();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
