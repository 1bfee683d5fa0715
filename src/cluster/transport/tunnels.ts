// Port-forwards to pods over WebSocket, with the transport's own credentials and pools. undici's WebSocket says only that a
// handshake failed, so the same path is then asked for as plain HTTP: there the API server says why (rights, no such pod).

import type { WebSocket } from 'undici';
import type { ObjectName } from '../../model/webhook.ts';
import { ApiError, ConnectionError } from '../../ports/errors.ts';
import type { ApiResponse, Transport } from '../../ports/transport.ts';
import type { Tunnels } from '../../ports/tunnel.ts';
import { POD_STREAM_PROTOCOL, PodStream } from './pod-stream.ts';

/** Begins a WebSocket; it may not be open yet. */
export type StartWebSocket = (path: string, protocol: string) => Promise<WebSocket>;

export function createTunnels(transport: Transport, start: StartWebSocket): Tunnels {
  return {
    async open({ namespace, name }: ObjectName, port, signal) {
      signal.throwIfAborted();
      const path = `/api/v1/namespaces/${namespace}/pods/${name}/portforward?ports=${port}`;
      const socket = await start(path, POD_STREAM_PROTOCOL);
      if (await opens(socket, signal)) return new PodStream(socket);
      throw await reasonOf(transport, path, signal);
    },
  };
}

/** False: the handshake failed. Rejects with the signal's reason. */
function opens(socket: WebSocket, signal: AbortSignal): Promise<boolean> {
  socket.binaryType = 'arraybuffer';
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      socket.close();
      reject(signal.reason);
    };
    if (signal.aborted) return onAbort();
    const done = (open: boolean): void => {
      signal.removeEventListener('abort', onAbort);
      resolve(open);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    socket.addEventListener('open', () => done(true), { once: true });
    socket.addEventListener('error', () => done(false), { once: true });
    socket.addEventListener('close', () => done(false), { once: true });
  });
}

async function reasonOf(transport: Transport, path: string, signal: AbortSignal): Promise<Error> {
  const request = `GET ${path}`;
  const response = await transport.request({ method: 'GET', path, signal });
  const message = messageOf(await response.text());
  // That an upgrade is required is what it says when nothing else is wrong.
  if (response.status < 300 || (response.status === 400 && /upgrade/i.test(message ?? 'upgrade')))
    return new ConnectionError('the API server opened no connection to the pod: its node did not take it', request);
  if (response.status === 403 && message !== undefined)
    return new ApiError({ code: 403, reason: 'Forbidden', message }, request);
  return new ConnectionError(message ?? `the API server answered ${statusOf(response)}`, request);
}

const statusOf = ({ status }: ApiResponse): string => String(status);

function messageOf(text: string): string | undefined {
  try {
    const { kind, message } = JSON.parse(text) as Record<string, unknown>;
    return kind === 'Status' && typeof message === 'string' ? message : undefined;
  } catch {
    return undefined; // not a Status: the number says enough
  }
}
