// Port-forwards against a hand-written API server that speaks kubelets' WebSocket messages. A real kubelet was never at the
// other end: the test bed has none.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { ApiError, ConnectionError } from '../../ports/errors.ts';
import { fakeKubelet } from '../../testing/fake-kubelet.ts';
import type { Credentials } from './credentials.ts';
import { createHttpTransports } from './http-transport.ts';

const POD = { namespace: 'default', name: 'hook-1' };
const never = new AbortController().signal;

async function bench(t: TestContext, headers: Credentials['headers'] = {}) {
  const echo = createServer((socket) =>
    socket.on('data', (chunk) => socket.write(chunk)).on('end', () => socket.end()),
  );
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
  t.after(() => echo.close());
  const kubelet = await fakeKubelet(t, () => (echo.address() as AddressInfo).port);
  const credentials = { current: async () => ({ headers, tls: {} }), renew: async () => undefined };
  const { transport, tunnels } = createHttpTransports({ server: kubelet.url, credentials });
  t.after(() => transport.close());
  return { kubelet, tunnels };
}

test('bytes go to the pod and back, in order and all of them', async (t) => {
  const { kubelet, tunnels } = await bench(t, { authorization: 'Bearer x', 'impersonate-group': ['g'] });
  const stream = await tunnels.open(POD, 8080, never);
  const sent = Buffer.alloc(300_000, 'abcdefghij');
  stream.write(sent.subarray(0, 10));
  stream.write(sent.subarray(10));
  const got: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    got.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size >= sent.length) break;
  }
  assert.ok(Buffer.concat(got).equals(sent));
  assert.equal(kubelet.opened[0]?.pod, 'default/hook-1 8080');
  const {
    authorization,
    'sec-websocket-protocol': protocol,
    'impersonate-group': group,
  } = kubelet.opened[0]?.headers ?? {};
  assert.deepEqual([authorization, protocol, group], ['Bearer x', 'v4.channel.k8s.io', 'g']);
});

test('what the node says is the error of the connection', async (t) => {
  const { kubelet, tunnels } = await bench(t);
  kubelet.fail = 'error forwarding port 8080 to pod: nothing listens there';
  const stream = await tunnels.open(POD, 8080, never);
  const [error] = (await once(stream, 'error')) as [Error];
  assert.match(error.message, /the pod's node says: error forwarding port 8080/);
});

test('a handshake that fails is explained by the API server', async (t) => {
  const { kubelet, tunnels } = await bench(t);
  kubelet.fail = 403;
  const denied = await tunnels.open(POD, 8080, never).catch((error: unknown) => error);
  assert.ok(denied instanceof ApiError);
  assert.match(denied.message, /cannot get resource "pods\/portforward"/);
  kubelet.fail = 404;
  const absent = await tunnels.open(POD, 8080, never).catch((error: unknown) => error);
  assert.ok(absent instanceof ConnectionError);
  assert.match(absent.message, /status 404/);
});

test('several groups would become one: refused, not sent', async (t) => {
  const { kubelet, tunnels } = await bench(t, { 'impersonate-group': ['a', 'b'] });
  await assert.rejects(tunnels.open(POD, 8080, never), /more than one impersonate-group/);
  assert.deepEqual(kubelet.opened, []);
});

test('called off before and while it opens', async (t) => {
  const { tunnels } = await bench(t);
  await assert.rejects(tunnels.open(POD, 8080, AbortSignal.abort(new Error('before'))), /before/);
  const later = new AbortController();
  const opening = tunnels.open(POD, 8080, later.signal);
  later.abort(new Error('while'));
  await assert.rejects(opening, /while/);
});
