import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { Pool } from 'undici';
import { type Exchanged, exchange } from './index.ts';

const GET = { path: '/', method: 'GET' } as const;

/** A server, and a pool of one connection to it. */
async function serve(t: TestContext, answer: RequestListener): Promise<Pool> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const pool = new Pool(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { connections: 1 });
  t.after(async () => {
    await pool.destroy();
    server.closeAllConnections();
    server.close();
  });
  return pool;
}

async function piecesOf({ body }: Exchanged): Promise<string> {
  let text = '';
  for await (const piece of body) text += Buffer.from(piece).toString();
  return text;
}

test('an answer as a whole, and in pieces', async (t) => {
  const pool = await serve(t, (_, response) => {
    response.writeHead(203, 'So so', { 'x-a': ['1', '2'], 'set-cookie': ['a', 'b'] });
    response.write('one ');
    setImmediate(() => response.end('twö'));
  });
  const whole = await exchange(pool, GET);
  assert.deepEqual([whole.statusCode, whole.statusText], [203, 'So so']);
  assert.deepEqual(whole.headers['set-cookie'], ['a', 'b']);
  assert.equal(await whole.body.text(), 'one twö');
  assert.equal(await piecesOf(await exchange(pool, GET)), 'one twö');
});

test('a signal ends what waits for a connection at once, and it is never sent', async (t) => {
  const asked: string[] = [];
  const pool = await serve(t, (request, response) => {
    asked.push(request.url ?? '');
    if (request.url !== '/first') response.end();
  });
  const stop = new AbortController();
  const first = exchange(pool, { ...GET, path: '/first' }, { signal: stop.signal });
  const queued = new AbortController();
  const second = exchange(pool, { ...GET, path: '/second' }, { signal: queued.signal });
  queued.abort(new Error('enough'));
  await assert.rejects(second, { message: 'enough' });
  stop.abort(new Error('over'));
  await assert.rejects(first, { message: 'over' });
  await (await exchange(pool, { ...GET, path: '/third' })).body.text();
  assert.ok(!asked.includes('/second'), String(asked));
});

test('a signal ends the body, read in either way', async (t) => {
  const pool = await serve(t, (_, response) => void response.write('half'));
  for (const read of [piecesOf, ({ body }: Exchanged) => body.text()]) {
    const stop = new AbortController();
    const reading = read(await exchange(pool, GET, { signal: stop.signal }));
    stop.abort(new Error('enough'));
    await assert.rejects(reading, { message: 'enough' });
  }
});

test('what nobody reads is held back, and comes when it is read', async (t) => {
  const piece = Buffer.alloc(64 * 1024, 'x');
  let left = 500;
  const pool = await serve(t, (_, response) => {
    const more = (): void => {
      if (left-- > 0) response.write(piece, more);
      else response.end();
    };
    more();
  });
  const { body } = await exchange(pool, GET);
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.ok(left > 100, `${left} of 500 pieces are left`);
  assert.equal((await body.text()).length, piece.length * 500);
});

test('who stops in the middle ends the connection', async (t) => {
  const pool = await serve(t, (request, response) => {
    if (request.url === '/next') response.end('next');
    else response.write('half');
  });
  for await (const piece of (await exchange(pool, GET)).body) {
    assert.equal(Buffer.from(piece).toString(), 'half');
    break;
  }
  assert.equal(await (await exchange(pool, { ...GET, path: '/next' })).body.text(), 'next');
});
