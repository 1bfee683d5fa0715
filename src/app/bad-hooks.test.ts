// What hooks do wrong, at the level of the use cases: one clear error, nothing written, no crash. What exactly each error
// says is tested in src/hooks and src/plan.

import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { assertSpeaksOfNoCrash, ONE_MAP, refusalBench } from '../testing/refusal-bench.ts';

const { stage, assertRefused } = refusalBench();

const badModules: readonly { readonly hook: string; readonly code: string }[] = [
  ...['null', '7', '"text"', '[]', 'undefined', 'Promise.resolve(null)'].map((value) => ({
    hook: `return ${value};`,
    code: 'answer-invalid',
  })),
  { hook: 'return { children: {} };', code: 'answer-invalid' },
  { hook: 'return { children: [null] };', code: 'answer-invalid' },
  { hook: 'return { children: [{ apiVersion: "v1", kind: "ConfigMap" }] };', code: 'answer-invalid' },
  { hook: 'return { children: [{ apiVersion: "v1", kind: "ConfigMap", metadata: null }] };', code: 'answer-invalid' },
  { hook: 'return { children: [{ apiVersion: "v1", kind: "ConfigMap", metadata: {} }] };', code: 'answer-invalid' },
  { hook: ONE_MAP.replace('"v1"', '1'), code: 'answer-invalid' },
  { hook: ONE_MAP.replace('{ app: "thing" }', '{ app: null }'), code: 'answer-invalid' },
  { hook: ONE_MAP.replace('name: "map"', 'name: "map", namespace: "elsewhere"'), code: 'answer-invalid' },
  { hook: 'return { status: "fine" };', code: 'answer-invalid' },
  { hook: 'return { resyncAfterSeconds: "soon" };', code: 'answer-invalid' },
  { hook: ONE_MAP.replace('ConfigMap', 'Secret'), code: 'answer-undeclared-kind' },
  {
    hook: ONE_MAP.replace('[{', '[...[1, 2].map(() => ({').replace('}]', '}))]').replace('}]', '}))]'),
    code: 'answer-duplicate',
  },
  { hook: ONE_MAP.replace('app: "thing"', 'app: "other"'), code: 'answer-selector-mismatch' },
  { hook: 'const loop = {}; loop.self = loop; return { status: loop };', code: 'answer-invalid' },
  { hook: 'return { status: { when: new Date(NaN) } };', code: 'answer-invalid' },
  { hook: 'return { status: { call: () => 1 } };', code: 'answer-invalid' },
  {
    hook: 'let deep = {}; for (let n = 0; n < 5000; n++) deep = { deep }; return { status: deep };',
    code: 'answer-invalid',
  },
  { hook: 'return { status: { text: "x".repeat(70 * 1024 * 1024) } };', code: 'answer-too-large' },
  { hook: 'throw new Error("boom");', code: 'hook-failed' },
  { hook: 'throw null;', code: 'hook-failed' },
  { hook: 'process.exit(0);', code: 'hook-failed' },
  { hook: 'return new Promise(() => {});', code: 'hook-timeout' },
  { hook: 'for (;;);', code: 'hook-timeout' },
  { hook: 'this is not JavaScript', code: 'hook-failed' },
];

describe('hooks that are modules', () => {
  for (const { hook, code } of badModules)
    test(`${hook.slice(0, 90)} → ${code}`, async () => {
      const staged = await stage(hook);
      const timeout = code === 'hook-timeout' ? { timeout: '400ms' } : {};
      await staged.project.write('controller.json', staged.definition({ module: { path: './hook.mjs', ...timeout } }));
      await assertRefused(staged, code);
    });

  test('a __proto__ key in an answer is refused or data, and changes no prototype', async () => {
    const { project, plan } = await stage(
      'return JSON.parse(\'{"status": {"__proto__": {"polluted": true}}, "__proto__": {"polluted": true}}\');',
    );
    const { diagnostics } = await plan();
    assertSpeaksOfNoCrash(diagnostics);
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
    await project.remove();
  });

  test('a file that is not there: hook-failed', async () => {
    const staged = await stage();
    await staged.project.write('controller.json', staged.definition({ module: { path: './absent.mjs' } }));
    await assertRefused(staged, 'hook-failed');
  });
});

const badDecorators: readonly { readonly hook: string; readonly code: string }[] = [
  { hook: 'return { labels: { a: 1 } };', code: 'answer-invalid' },
  { hook: 'return { labels: "a" };', code: 'answer-invalid' },
  { hook: 'return { labels: { "kubernetes.io/metadata.name": "x" } };', code: 'answer-invalid' },
  { hook: 'return { labels: { "metactl.dev/map-key-hash": "x" } };', code: 'answer-invalid' },
  { hook: 'return { annotations: { "two words": "x" } };', code: 'answer-invalid' },
  { hook: 'return { annotations: { a: {} } };', code: 'answer-invalid' },
  { hook: 'return { children: [request.parent] };', code: 'answer-undeclared-kind' },
  { hook: 'return { children: [null] };', code: 'answer-invalid' },
  { hook: ONE_MAP.replace('"v1"', '1'), code: 'answer-invalid' },
];
describe('hooks of decorators', () => {
  for (const { hook, code } of badDecorators)
    test(`${hook.slice(0, 90)} → ${code}`, async () => assertRefused(await stage(hook, 'DecoratorController'), code));
});

const node = (script: string): object => ({ command: [process.execPath, '-e', script], timeout: '1500ms' });
const badPrograms: readonly { readonly name: string; readonly hook: object; readonly code: string }[] = [
  { name: 'silent', hook: node(''), code: 'answer-invalid' },
  { name: 'half a document', hook: node('process.stdout.write(\'{"children": [\')'), code: 'answer-invalid' },
  { name: 'not JSON', hook: node('console.log("hello")'), code: 'answer-invalid' },
  { name: 'exit 3', hook: node('process.exit(3)'), code: 'hook-failed' },
  { name: 'killed', hook: node('process.kill(process.pid, "SIGKILL")'), code: 'hook-failed' },
  { name: 'late', hook: node('setTimeout(() => console.log("{}"), 60000)'), code: 'hook-timeout' },
  { name: 'no such program', hook: { command: ['no-such-program-here'] }, code: 'hook-failed' },
];

describe('hooks that are programs', () => {
  for (const { name, hook, code } of badPrograms)
    test(`${name} → ${code}`, async () => {
      const staged = await stage();
      await staged.project.write('controller.json', staged.definition({ exec: hook }));
      await assertRefused(staged, code);
    });
});

async function listening(listener: RequestListener): Promise<{ server: Server; url: string }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sync` };
}

const badWebhooks: readonly { readonly name: string; readonly listener: RequestListener; readonly code: string }[] = [
  ...[500, 301, 204, 201, 404, 401, 403].map((status) => ({
    name: String(status),
    listener: ((_, response) => {
      response.writeHead(status, { location: 'http://127.0.0.1:1/', 'retry-after': '1' }).end();
    }) satisfies RequestListener,
    code: 'hook-failed',
  })),
  { name: 'hangs', listener: () => undefined, code: 'hook-timeout' },
  {
    name: 'hangs in the middle',
    listener: (_, response) => void response.writeHead(200).write('{"children": '),
    code: 'hook-timeout',
  },
  { name: 'closes', listener: (request) => void request.socket.destroy(), code: 'hook-failed' },
  { name: 'half a document', listener: (_, response) => void response.end('{"children": ['), code: 'answer-invalid' },
  { name: 'a web page', listener: (_, response) => void response.end('<html></html>'), code: 'answer-invalid' },
  { name: 'nothing', listener: (_, response) => void response.end(), code: 'answer-invalid' },
];

describe('hooks that are webhooks', () => {
  for (const { name, listener, code } of badWebhooks)
    test(`${name} → ${code}`, async () => {
      const { server, url } = await listening(listener);
      const staged = await stage();
      await staged.project.write('controller.json', staged.definition({ webhook: { url, timeout: '500ms' } }));
      try {
        await assertRefused(staged, code);
      } finally {
        server.closeAllConnections();
        server.close();
      }
    });

  for (const status of [429, 503])
    test(`${status}: waited for within the timeout, and then it works`, async () => {
      let busy = 2;
      const { server, url } = await listening((_, response) => {
        if (busy-- > 0) response.writeHead(status, busy === 0 ? {} : { 'retry-after': '1' }).end('not now');
        else response.end('{"children": []}');
      });
      const staged = await stage();
      await staged.project.write('controller.json', staged.definition({ webhook: { url } }));
      const waits: string[] = [];
      const applied = await staged.apply({
        onProgress: (event) => event.kind === 'waiting' && waits.push(...event.on.map(({ reason }) => reason)),
      });
      assert.equal(applied.status, 'settled', JSON.stringify(applied.diagnostics));
      assert.ok(waits.includes('the sync hook is busy: it is asked again in 1 s'), JSON.stringify(waits));
      server.close();
      await staged.project.remove();
    });

  test('busy for longer than there is time: nothing is written, and the error says how often it was asked', async () => {
    let asked = 0;
    const { server, url } = await listening((_, response) => {
      asked++;
      response.writeHead(503).end();
    });
    const staged = await stage();
    await staged.project.write('controller.json', staged.definition({ webhook: { url, timeout: '1500ms' } }));
    const planned = await staged.plan();
    const applied = await staged.apply({ timeoutMs: 500 });
    for (const diagnostics of [planned.diagnostics, applied.diagnostics]) {
      assert.deepEqual(
        diagnostics.map(({ code }) => code),
        ['hook-failed'],
      );
      assert.match(diagnostics[0]?.detail ?? '', /It was asked (once|2 times in \d)/);
    }
    assert.deepEqual([applied.status, applied.applied.length, asked], ['failed', 0, 3]);
    server.close();
    await staged.project.remove();
  });

  test('nobody listens → hook-failed', async () => {
    const { server, url } = await listening(() => undefined);
    await new Promise((resolve) => server.close(resolve));
    const staged = await stage();
    await staged.project.write('controller.json', staged.definition({ webhook: { url } }));
    await assertRefused(staged, 'hook-failed');
  });
});
