import assert from 'node:assert/strict';
import { test } from 'node:test';
import { servePages } from './probes.ts';

const HERE = { host: '127.0.0.1', port: 0 };

test('pages, those that fail, and those that there are none of', async () => {
  let healthy = true;
  const served = await servePages(HERE, {
    '/healthz': () => (healthy ? { status: 200, body: 'ok\n' } : { status: 503, body: 'starting\n' }),
    '/metrics': () => Promise.reject(new Error('no metrics today')),
  });
  const get = async (path: string, method = 'GET'): Promise<[number, string]> => {
    const response = await fetch(`http://${served.address}${path}`, { method });
    return [response.status, await response.text()];
  };
  assert.deepEqual(await get('/healthz?verbose'), [200, 'ok\n']);
  assert.deepEqual(await get('/healthz', 'HEAD'), [200, '']);
  healthy = false;
  assert.deepEqual(await get('/healthz'), [503, 'starting\n']);
  assert.deepEqual(await get('/metrics'), [500, 'no metrics today\n']);
  assert.deepEqual(await get('/'), [404, 'not found\n']);
  const port = Number(served.address.split(':')[1]);
  await assert.rejects(servePages({ ...HERE, port }, {}), { code: 'EADDRINUSE' });
  await served.close();
});
