import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { HookBench } from '../../testing/hook-bench.ts';
import { directoryWith, hookCall, moduleHook } from '../../testing/hook-calls.ts';
import { workerEntry } from './worker-entry.ts';

function moduleIn(t: TestContext, files: Record<string, string>, name = Object.keys(files)[0] ?? ''): string {
  return join(directoryWith(t, files), name);
}

test('TypeScript, its types stripped, with what it imports', async (t) => {
  const path = moduleIn(t, {
    'sync.ts': `
      import type { Nothing } from './absent.ts';
      import { size } from './size.ts';
      export async function sync(request: { parent: { spec: { n: number } } }): Promise<object> {
        const nothing: Nothing | undefined = undefined;
        return { status: { n: request.parent.spec.n * size, nothing }, children: [] };
      }`,
    'size.ts': 'export const size: number = 2;',
  });
  const bench = new HookBench(t);
  const call = hookCall(moduleHook(path), { request: { parent: { spec: { n: 21 } } } });
  assert.deepEqual(await bench.body(call), { status: { n: 42 }, children: [] });
  assert.deepEqual(bench.output, [], 'Node itself has nothing to say about it');
});

test('plain JavaScript, both module systems, and an export of another name', async (t) => {
  const bench = new HookBench(t);
  const directory = directoryWith(t, {
    'a.js': 'export const desired = () => ({ from: "esm" });',
    'b.mjs': 'export const desired = () => ({ from: "mjs" });',
    'c.cjs': 'exports.desired = () => ({ from: "cjs" });',
  });
  for (const [file, from] of [
    ['a.js', 'esm'],
    ['b.mjs', 'mjs'],
    ['c.cjs', 'cjs'],
  ] as const)
    assert.deepEqual(await bench.body(hookCall(moduleHook(join(directory, file), { export: 'desired' }))), { from });
});

test('integers above 2^53 come as bigint and go back whole', async (t) => {
  const path = moduleIn(t, {
    'sync.js': 'export const sync = (r) => ({ status: { n: r.parent.n, is: typeof r.parent.n } });',
  });
  const body = await new HookBench(t).body(
    hookCall(moduleHook(path), { request: { parent: { n: 9007199254740993n } } }),
  );
  assert.deepEqual(body, { status: { n: 9007199254740993n, is: 'bigint' } });
});

test('is told whether it is a dry run, and what time it is', async (t) => {
  const path = moduleIn(t, { 'sync.js': 'export const sync = (request, context) => context;' });
  const bench = new HookBench(t);
  assert.deepEqual(await bench.body(hookCall(moduleHook(path), { dryRun: true })), {
    dryRun: true,
    now: '2026-01-01T00:00:00.000Z',
  });
  bench.clock.advance(1_000);
  assert.deepEqual(await bench.body(hookCall(moduleHook(path))), { dryRun: false, now: '2026-01-01T00:00:01.000Z' });
});

test('sees the clean environment only', async (t) => {
  const path = moduleIn(t, { 'sync.js': 'export const sync = () => ({ ...process.env });' });
  const bench = new HookBench(t, {}, { environment: { PATH: '/bin', KUBECONFIG: '/secret', GITHUB_TOKEN: 'x' } });
  assert.deepEqual(await bench.body(hookCall(moduleHook(path))), { PATH: '/bin' });
});

test('what it prints goes to the output, under its name', async (t) => {
  const path = moduleIn(t, {
    'sync.js': 'export const sync = () => { console.log("one"); console.error("two\\nthree"); return {}; };',
  });
  const bench = new HookBench(t);
  await bench.body(hookCall(moduleHook(path)));
  assert.deepEqual(bench.output, ['[catset sync] one', '[catset sync] two', '[catset sync] three']);
});

describe('reloading', () => {
  const counter = (name: string): string => `let n = 0; export const sync = () => ({ name: '${name}', n: ++n });`;

  test('one worker as long as the file stays, a new one when it was changed', async (t) => {
    const path = moduleIn(t, { 'sync.js': counter('old') });
    const bench = new HookBench(t);
    const call = hookCall(moduleHook(path));
    assert.deepEqual(await bench.body(call), { name: 'old', n: 1 });
    assert.deepEqual(await bench.body(call), { name: 'old', n: 2 });
    writeFileSync(path, counter('new'));
    assert.deepEqual(await bench.body(call), { name: 'new', n: 1 });
  });

  test('a file that it imports counts too', async (t) => {
    const path = moduleIn(t, {
      'sync.ts': `import { name } from './name.ts'; export const sync = () => ({ name });`,
      'name.ts': 'export const name = "old";',
    });
    const bench = new HookBench(t);
    assert.deepEqual(await bench.body(hookCall(moduleHook(path))), { name: 'old' });
    writeFileSync(join(path, '..', 'name.ts'), 'export const name = "new";');
    assert.deepEqual(await bench.body(hookCall(moduleHook(path))), { name: 'new' });
  });

  test('a file that was missing is found once it is there', async (t) => {
    const path = moduleIn(t, { 'sync.mjs': `export { sync } from './other.mjs';` });
    const bench = new HookBench(t);
    assert.match((await bench.failure(hookCall(moduleHook(path)))).summary, /Cannot find module/);
    writeFileSync(join(path, '..', 'other.mjs'), 'export const sync = () => ({});');
    assert.deepEqual(await bench.body(hookCall(moduleHook(path))), {});
  });

  test('a broken file is reported, and mended without a restart; a deleted one is reported', async (t) => {
    const path = moduleIn(t, { 'sync.js': 'export const sync = (' });
    const bench = new HookBench(t);
    await bench.failure(hookCall(moduleHook(path)));
    writeFileSync(path, 'export const sync = () => ({});');
    assert.deepEqual(await bench.body(hookCall(moduleHook(path))), {});
    rmSync(path);
    assert.match(
      (await bench.failure(hookCall(moduleHook(path)))).summary,
      /could not be loaded: .*Cannot find module/,
    );
  });
});

describe('a hook can not take metactl with it', () => {
  test('process.exit', async (t) => {
    const path = moduleIn(t, { 'sync.mjs': 'export const sync = (r) => (r.parent.bad ? process.exit(7) : {});' });
    const bench = new HookBench(t);
    const bad = hookCall(moduleHook(path), { request: { parent: { bad: true } } });
    assert.match((await bench.failure(bad)).summary, /process.exit\(7\)/);
    assert.deepEqual(await bench.body(hookCall(moduleHook(path))), {});
  });

  test('an endless loop', async (t) => {
    const path = moduleIn(t, {
      'sync.mjs':
        'export const sync = (r) => { if (!r.parent.bad) return {}; console.error("looping"); setTimeout(() => { for (;;); }, 20); return new Promise(() => {}); };',
    });
    const bench = new HookBench(t);
    const failure = bench.failure(hookCall(moduleHook(path), { request: { parent: { bad: true } } }));
    await bench.printed('looping');
    bench.clock.advance(10_000);
    assert.equal((await failure).code, 'hook-timeout');
    assert.deepEqual(await bench.body(hookCall(moduleHook(path))), {});
  });

  test('memory', async (t) => {
    const path = moduleIn(t, {
      'sync.mjs':
        'export const sync = () => { const all = []; for (;;) all.push(new Array(100_000).fill(all.length)); };',
    });
    const diagnostic = await new HookBench(t, { moduleMemoryMiB: 32 }).failure(hookCall(moduleHook(path)));
    assert.match(diagnostic.summary, /more than 32 MiB of memory/);
  });

  test('calling it off', async (t) => {
    const path = moduleIn(t, {
      'sync.mjs': 'export const sync = () => { console.error("waiting"); return new Promise(() => {}); };',
    });
    const bench = new HookBench(t);
    const controller = new AbortController();
    const call = bench.call(hookCall(moduleHook(path)), controller.signal);
    await bench.printed('waiting');
    controller.abort(new Error('interrupted'));
    await assert.rejects(call, /interrupted/);
  });
});

test('calls wait for their turn at one worker', async (t) => {
  const path = moduleIn(t, {
    'sync.mjs': `let inside = 0; let most = 0;
      export async function sync() { most = Math.max(most, ++inside); await new Promise(setImmediate); inside--; return { most }; }`,
  });
  const bench = new HookBench(t);
  const bodies = await Promise.all(Array.from({ length: 10 }, () => bench.body(hookCall(moduleHook(path)))));
  assert.deepEqual(new Set(bodies.map((body) => (body as { most: number }).most)), new Set([1]));
});

test('an idle worker does not keep the program alive', async (t) => {
  const path = moduleIn(t, {
    'main.ts': `
      import { createHookCaller } from '${new URL('../index.ts', import.meta.url).href}';
      import { hookCall, moduleHook } from '${new URL('../../testing/hook-calls.ts', import.meta.url).href}';
      const clock = { now: () => 0, steady: () => 0, schedule: () => () => undefined };
      const caller = createHookCaller({ environment: {}, clock, onOutput: () => undefined });
      const answer = await caller.call(hookCall(moduleHook(process.argv[2])), new AbortController().signal);
      console.log(JSON.stringify(answer.body));`,
    'sync.mjs': 'export const sync = () => { console.log("hello"); return { fine: true }; };',
  });
  const { status, stdout } = spawnSync(process.execPath, [path, join(path, '..', 'sync.mjs')], {
    encoding: 'utf8',
    timeout: 30_000,
  });
  assert.deepEqual({ status, stdout }, { status: 0, stdout: '{"fine":true}\n' });
});

test('packages beside the hook are found', async (t) => {
  const path = moduleIn(t, { 'sync.mjs': 'import { name } from "a-package"; export const sync = () => ({ name });' });
  const home = join(path, '..', 'node_modules', 'a-package');
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'package.json'), '{"name":"a-package","type":"module","exports":"./index.js"}');
  writeFileSync(join(home, 'index.js'), 'export const name = "a-package";');
  assert.deepEqual(await new HookBench(t).body(hookCall(moduleHook(path))), { name: 'a-package' });
});

test('the worker’s entry: beside this code in source, beside the chunk in the bundle', () => {
  assert.equal(
    workerEntry('file:///repo/src/hooks/module/worker-entry.ts').pathname,
    '/repo/src/hooks/module/worker.ts',
  );
  assert.equal(workerEntry('file:///app/dist/chunks/abc.js').pathname, '/app/dist/chunks/hook-worker.js');
});

test('`metactl` is the SDK, wherever the file is', async (t) => {
  const path = moduleIn(t, {
    'sync.ts': `
      import { childrenOf, defineComposite } from 'metactl';
      import { condition } from 'metactl/sdk';
      export const { sync } = defineComposite({
        sync: (request) => ({ status: { pods: childrenOf(request, 'v1', 'Pod').length, conditions: [condition('Ready', true)] } }),
      });`,
  });
  const request = { children: { 'Pod.v1': { a: { metadata: { name: 'a' } } } } };
  const body = await new HookBench(t).body(hookCall(moduleHook(path), { request }));
  assert.deepEqual(body, { status: { pods: 1, conditions: [{ type: 'Ready', status: 'True' }] } });
});
