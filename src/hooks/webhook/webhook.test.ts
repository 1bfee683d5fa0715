import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { describe, test } from 'node:test';
import type { HookCall } from '../../model/need.ts';
import { HookBench } from '../../testing/hook-bench.ts';
import { hookCall, webhookHook } from '../../testing/hook-calls.ts';
import { listenForTest as listen, serveHook as serve } from '../../testing/hook-server.ts';
import { connectionFailure } from './connection-words.ts';

test('posts the request as JSON and gives the answer back', async (t) => {
  const { url, seen } = await serve(t, () => ({ body: '{"status":{"ready":1},"children":[]}' }));
  const bench = new HookBench(t);
  const body = await bench.body(hookCall(webhookHook(`${url}?a=b`), { request: { parent: { n: 9007199254740993n } } }));
  assert.deepEqual(body, { status: { ready: 1 }, children: [] });
  const [received] = seen;
  assert.equal(received?.method, 'POST');
  assert.equal(received?.url, '/sync?a=b');
  assert.equal(received?.headers['content-type'], 'application/json');
  assert.equal(received?.headers['accept'], undefined);
  assert.equal(received?.headers['metactl-dry-run'], undefined);
  assert.equal(received?.body, '{"parent":{"n":9007199254740993}}');
});

test('says in a header that it is a dry run', async (t) => {
  const { url, seen } = await serve(t, () => ({}));
  await new HookBench(t).body(hookCall(webhookHook(url), { dryRun: true }));
  assert.equal(seen[0]?.headers['metactl-dry-run'], 'true');
});

test('user and password of the url become a header and show in no message', async (t) => {
  const { url, seen } = await serve(t, () => ({ status: 500 }));
  const withUser = url.replace('http://', 'http://me:s%40cret@');
  const diagnostic = await new HookBench(t).failure(hookCall(webhookHook(withUser)));
  assert.equal(seen[0]?.headers.authorization, `Basic ${Buffer.from('me:s@cret').toString('base64')}`);
  assert.doesNotMatch(JSON.stringify(diagnostic), /s%40cret|s@cret/);
});

test('keeps its connections', async (t) => {
  const { url, sockets } = await serve(t, () => ({}));
  const bench = new HookBench(t);
  for (let i = 0; i < 20; i++) await bench.body(hookCall(webhookHook(url)));
  // Two: a connection counts as busy for a moment after its answer is read.
  assert.ok(sockets() <= 2, `${sockets()} connections for 20 calls`);
});

for (const limits of [{ inFlight: 3 }, { perEndpoint: 3 }])
  test(`holds back calls beyond the limit ${JSON.stringify(limits)}, whatever their path`, async (t) => {
    const { url, sockets, seen } = await serve(t, () => ({}));
    const bench = new HookBench(t, limits);
    await Promise.all(Array.from({ length: 20 }, (_, i) => bench.body(hookCall(webhookHook(`${url}/${i % 4}`)))));
    assert.equal(seen.length, 20);
    assert.ok(sockets() <= 3, `${sockets()} connections`);
  });

test('a slow endpoint does not hold up another one', async (t) => {
  const slow = await serve(t, () => 'hang');
  const quick = await serve(t, () => ({}));
  const bench = new HookBench(t, { inFlight: 4, perEndpoint: 3 });
  const stop = new AbortController();
  const waiting = Array.from({ length: 8 }, () => bench.call(hookCall(webhookHook(slow.url)), stop.signal));
  await bench.body(hookCall(webhookHook(quick.url)));
  stop.abort(new Error('over'));
  for (const { status } of await Promise.allSettled(waiting)) assert.equal(status, 'rejected');
});

describe('only 200 is success', () => {
  const cases: { status: number; headers?: Record<string, string>; body?: string; detail?: RegExp; hint?: RegExp }[] = [
    {
      status: 500,
      body: 'Traceback\n\u001b[31mKeyError\u001b[0m',
      detail: /^The response body: Traceback\n\[31mKeyError\[0m$/,
    },
    { status: 201, body: '{}' },
    { status: 204, body: '' },
    { status: 404, body: 'x'.repeat(5000), detail: /^.{1,650} …$/, hint: /path of the url/ },
    {
      status: 301,
      headers: { location: 'http://elsewhere/sync' },
      hint: /redirects are not followed: write http:\/\/elsewhere/,
    },
    { status: 502, body: '', detail: /has no body/ },
  ];
  for (const { status, headers, body, detail, hint } of cases)
    test(`${status}`, async (t) => {
      const { url } = await serve(t, () => ({
        status,
        ...(headers ? { headers } : {}),
        ...(body === undefined ? {} : { body }),
      }));
      const diagnostic = await new HookBench(t).failure(hookCall(webhookHook(url)));
      assert.equal(diagnostic.code, 'hook-failed');
      assert.match(
        diagnostic.summary,
        /^CompositeController\/catset: sync hook failed for CatSet default\/web: http:.* answered/,
      );
      assert.match(diagnostic.summary, new RegExp(` answered ${status}`));
      if (detail) assert.match(diagnostic.detail ?? '', detail);
      if (hint) assert.match(diagnostic.hint ?? '', hint);
    });
});

describe('429 and 503: when to ask again', () => {
  const cases: { name: string; header?: string; want: number }[] = [
    { name: 'seconds', header: '7', want: 7 },
    { name: 'an HTTP date', header: 'Thu, 01 Jan 2026 00:01:30 GMT', want: 90 },
    { name: 'the RFC 850 form', header: 'Thursday, 01-Jan-26 00:00:10 GMT', want: 10 },
    { name: 'the asctime form', header: 'Thu Jan  1 00:00:10 2026', want: 10 },
    { name: 'a date gone by: our own pause', header: 'Wed, 31 Dec 2025 00:00:00 GMT', want: 1 },
    { name: 'no seconds: our own pause', header: '0', want: 1 },
    { name: 'nothing: our own pause', want: 1 },
    { name: 'nonsense', header: 'soon', want: 1 },
    { name: 'a negative number', header: '-5', want: 1 },
    { name: 'an ISO date', header: '2026-01-01T00:00:10Z', want: 1 },
  ];
  for (const status of [429, 503])
    for (const { name, header, want } of cases)
      test(`${status}: ${name}`, async (t) => {
        const { url } = await serve(t, () => ({ status, ...(header ? { headers: { 'retry-after': header } } : {}) }));
        const answer = await new HookBench(t).call(hookCall(webhookHook(url)));
        assert.ok(!answer.ok);
        assert.equal(answer.retryAfterSeconds, want);
        assert.match(answer.diagnostic.summary, new RegExp(` ${status} `));
        assert.match(answer.diagnostic.hint ?? '', /asked again later/);
      });

  test('the pause grows while the hook stays busy, to a limit, for each parent; an answer ends that', async (t) => {
    let busy = true;
    const { url } = await serve(t, () => (busy ? { status: 503, headers: { 'retry-after': '0' } } : {}));
    const bench = new HookBench(t);
    const pauses = async (times: number, more: Partial<HookCall> = {}): Promise<(number | undefined)[]> => {
      const found: (number | undefined)[] = [];
      for (let i = 0; i < times; i++) {
        const answer = await bench.call(hookCall(webhookHook(url), more));
        found.push(answer.ok ? undefined : answer.retryAfterSeconds);
      }
      return found;
    };
    assert.deepEqual(await pauses(7), [1, 2, 4, 8, 16, 30, 30]);
    assert.deepEqual(await pauses(1, { parent: { apiVersion: 'v1', kind: 'Other', name: 'x' } }), [1]);
    busy = false;
    assert.deepEqual(await pauses(1), [undefined]);
    busy = true;
    assert.deepEqual(await pauses(2), [1, 2]);
  });

  test('Retry-After of another status is not for us', async (t) => {
    const { url } = await serve(t, () => ({ status: 500, headers: { 'retry-after': '3' } }));
    const answer = await new HookBench(t).call(hookCall(webhookHook(url)));
    assert.ok(!answer.ok);
    assert.equal('retryAfterSeconds' in answer, false);
  });
});

describe('when no answer comes', () => {
  test('nobody listens', async (t) => {
    const server = createServer();
    const port = await listen(t, server);
    await new Promise((resolve) => server.close(resolve));
    const diagnostic = await new HookBench(t).failure(hookCall(webhookHook(`http://127.0.0.1:${port}/sync`)));
    assert.match(diagnostic.summary, new RegExp(`nothing listens at 127.0.0.1:${port}`));
    assert.match(diagnostic.hint ?? '', /start the hook's server/);
  });

  test('the connection breaks', async (t) => {
    const { url } = await serve(t, () => 'reset');
    assert.match((await new HookBench(t).failure(hookCall(webhookHook(url)))).summary, /closed the connection before/);
  });

  test('it is not HTTP', async (t) => {
    const port = await listen(t, createTcpServer((socket) => socket.end('SSH-2.0-x\r\n')) as unknown as Server);
    const diagnostic = await new HookBench(t).failure(hookCall(webhookHook(`http://127.0.0.1:${port}/`)));
    assert.match(diagnostic.summary, /not HTTP/);
  });

  test('https against a plain server', async (t) => {
    const { port } = await serve(t, () => ({}));
    const diagnostic = await new HookBench(t).failure(hookCall(webhookHook(`https://127.0.0.1:${port}/`)));
    assert.match(diagnostic.summary, /TLS/);
  });

  test('not a url', async (t) => {
    assert.match(
      (await new HookBench(t).failure(hookCall(webhookHook('ftp://x/')))).summary,
      /not an http or https url/,
    );
  });

  const names: { host: string; says: RegExp; hint: RegExp }[] = [
    {
      host: 'catset-controller.metacontroller',
      says: /does not resolve on this machine/,
      hint: /Service metacontroller\/catset-controller.*port-forward/,
    },
    { host: 'a.b.svc.cluster.local', says: /does not resolve on this machine/, hint: /Service b\/a/ },
    { host: 'hooks.example.com', says: /host name hooks.example.com does not resolve/, hint: /spelling/ },
  ];
  for (const { host, says, hint } of names)
    test(`${host} has no address`, () => {
      const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' });
      const { facts } = connectionFailure(error, new URL(`http://${host}/sync`), webhookHook(`http://${host}/sync`));
      assert.match(facts.what, says);
      assert.match(facts.hint ?? '', hint);
    });

  test('time runs out', async (t) => {
    const bench = new HookBench(t);
    const asked = Promise.withResolvers<void>();
    const { url } = await serve(t, () => {
      asked.resolve();
      return 'hang';
    });
    const failure = bench.failure(hookCall(webhookHook(url, { timeoutMs: 1500 })));
    await asked.promise;
    bench.clock.advance(1500);
    const diagnostic = await failure;
    assert.equal(diagnostic.code, 'hook-timeout');
    assert.match(diagnostic.summary, /no answer within 1.5s/);
  });

  test('the caller calls it off', async (t) => {
    const asked = Promise.withResolvers<void>();
    const { url } = await serve(t, () => {
      asked.resolve();
      return 'hang';
    });
    const controller = new AbortController();
    const call = new HookBench(t).call(hookCall(webhookHook(url)), controller.signal);
    await asked.promise;
    controller.abort(new Error('interrupted'));
    await assert.rejects(call, /interrupted/);
  });
});

describe('answers', () => {
  test('larger than the limit', async (t) => {
    const { url } = await serve(t, () => ({ body: JSON.stringify({ a: 'x'.repeat(5000) }) }));
    const diagnostic = await new HookBench(t, { answerBytes: 4096 }).failure(hookCall(webhookHook(url)));
    assert.equal(diagnostic.code, 'answer-too-large');
    assert.match(diagnostic.summary, /4096 bytes/);
  });

  test('empty', async (t) => {
    const { url } = await serve(t, () => ({ body: '' }));
    const diagnostic = await new HookBench(t).failure(hookCall(webhookHook(url)));
    assert.equal(diagnostic.code, 'answer-invalid');
    assert.match(diagnostic.summary, /empty/);
  });

  test('compressed', async (t) => {
    const { url } = await serve(t, () => ({ body: Buffer.from([0x1f, 0x8b, 0x08, 0x00, 0xff]) }));
    assert.match((await new HookBench(t).failure(hookCall(webhookHook(url)))).summary, /not UTF-8/);
  });
});
