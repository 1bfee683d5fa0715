// An API server's port-forward over WebSocket as far as tests need one: each connection to
// /api/v1/namespaces/NS/pods/POD/portforward?ports=N is led to a port of this machine, in the messages that kubelets speak
// as v4.channel.k8s.io. Only as much of RFC 6455 as that: binary messages in one frame, close.

import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

export interface FakeKubelet {
  /** "http://127.0.0.1:40001" */
  readonly url: string;
  /** Requests for a port-forward: "default/hook-1 8080", with the headers. */
  readonly opened: { readonly pod: string; readonly headers: IncomingMessage['headers'] }[];
  /** What the next port-forwards end with instead. A number: an HTTP status; a text: on the error channel. */
  fail: number | string | undefined;
}

const PATH = /^\/api\/v1\/namespaces\/([^/]+)\/pods\/([^/]+)\/portforward\?ports=(\d+)$/;
const ACCEPT = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** `target`: port of 127.0.0.1 for a pod's port. */
export async function fakeKubelet(t: TestContext, target: (pod: string, port: number) => number): Promise<FakeKubelet> {
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    const { fail } = kubelet;
    const code = PATH.test(request.url ?? '') && typeof fail !== 'number' ? 400 : typeof fail === 'number' ? fail : 404;
    const message = code === 403 ? FORBIDDEN : `status ${code}`;
    response.writeHead(code, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', message, code }));
  });
  const kubelet: FakeKubelet & { url: string } = { url: '', opened: [], fail: undefined };
  server.on('upgrade', (request: IncomingMessage, socket: Socket) => {
    sockets.add(socket);
    const [, namespace, name, port] = PATH.exec(request.url ?? '') ?? [];
    if (typeof kubelet.fail === 'number' || port === undefined) {
      socket.end(`HTTP/1.1 ${kubelet.fail ?? 404} No\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const pod = `${namespace}/${name} ${port}`;
    kubelet.opened.push({ pod, headers: request.headers });
    const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}${ACCEPT}`).digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ${accept}\r\nsec-websocket-protocol: ${request.headers['sec-websocket-protocol']}\r\n\r\n`,
    );
    forward(socket, Number(port), { to: target(pod, Number(port)), fail: kubelet.fail, sockets });
  });
  await listen(server);
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  kubelet.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return kubelet;
}

const FORBIDDEN =
  'pods "hook-1" is forbidden: User "me" cannot get resource "pods/portforward" in API group "" in the namespace "default"';

function listen(server: Server): Promise<void> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
}

interface Forwarding {
  readonly to: number;
  readonly fail: string | undefined;
  readonly sockets: Set<Socket>;
}

function forward(socket: Socket, port: number, { to, fail, sockets }: Forwarding): void {
  const portBytes = Buffer.from([port & 0xff, port >> 8]);
  for (const channel of [0, 1]) socket.write(frame(2, Buffer.concat([Buffer.of(channel), portBytes])));
  if (fail !== undefined) {
    socket.write(frame(2, Buffer.concat([Buffer.of(1), Buffer.from(fail)])));
    socket.end(frame(8, Buffer.alloc(0)));
    return;
  }
  const local = connect(to, '127.0.0.1');
  sockets.add(local);
  local.on('data', (chunk: Buffer) => {
    // In small pieces, as networks deliver them.
    for (let at = 0; at < chunk.length; at += 7_000)
      socket.write(frame(2, Buffer.concat([Buffer.of(0), chunk.subarray(at, at + 7_000)])));
  });
  local.on('close', () => socket.end(frame(8, Buffer.alloc(0))));
  local.on('error', () => socket.destroy());
  socket.on('error', () => local.destroy());
  socket.on('close', () => local.destroy());
  socket.on(
    'data',
    frames((opcode, payload) => {
      if (opcode === 8) local.end();
      else if (opcode === 2 && payload[0] === 0) local.write(payload.subarray(1));
    }),
  );
}

/** Splits what clients send into messages. */
function frames(take: (opcode: number, payload: Buffer) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const short = (rest[1] ?? 0) & 0x7f;
      const extra = short === 126 ? 2 : short === 127 ? 8 : 0;
      const head = 2 + extra + 4;
      if (rest.length < head) return;
      const length = extra === 2 ? rest.readUInt16BE(2) : extra === 8 ? Number(rest.readBigUInt64BE(2)) : short;
      if (rest.length < head + length) return;
      const mask = rest.subarray(head - 4, head);
      const payload = Buffer.from(rest.subarray(head, head + length).map((byte, i) => byte ^ (mask[i % 4] ?? 0)));
      take((rest[0] ?? 0) & 0x0f, payload);
      rest = rest.subarray(head + length);
    }
  };
}

function frame(opcode: number, payload: Buffer): Buffer {
  const { length } = payload;
  const head =
    length < 126 ? Buffer.of(0x80 | opcode, length) : Buffer.of(0x80 | opcode, 126, length >> 8, length & 0xff);
  return Buffer.concat([head, payload]);
}
