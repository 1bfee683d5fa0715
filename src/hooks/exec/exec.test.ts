import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { HookBench } from '../../testing/hook-bench.ts';
import { directoryWith, hookCall, nodeHook } from '../../testing/hook-calls.ts';

const READ_ALL = `
  import { readFileSync } from 'node:fs';
  const text = readFileSync(0, 'utf8');
  const request = JSON.parse(text);
`;
const READ_LINES = `
  import { createInterface } from 'node:readline';
  const lines = createInterface({ input: process.stdin });
  const answer = (value) => process.stdout.write(JSON.stringify(value) + '\\n');
`;

function withScript(t: TestContext, script: string) {
  return directoryWith(t, { 'hook.mjs': script });
}

describe('mode once', () => {
  test('request on stdin, answer on stdout, in the directory of the definition', async (t) => {
    const directory = withScript(
      t,
      `${READ_ALL} console.log(JSON.stringify({ status: { parent: request.parent, cwd: process.cwd() } }))`,
    );
    const call = hookCall(nodeHook(directory, 'hook.mjs'), { request: { parent: { metadata: { name: 'ä' } } } });
    const body = (await new HookBench(t).body(call)) as { status: { parent: unknown; cwd: string } };
    assert.deepEqual(body.status.parent, { metadata: { name: 'ä' } });
    assert.ok(body.status.cwd.endsWith(directory.slice(1)));
  });

  test('an environment without our credentials', async (t) => {
    const directory = withScript(t, 'console.log(JSON.stringify(process.env))');
    const environment = {
      PATH: process.env['PATH'],
      HOME: '/home/me',
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      KUBECONFIG: '/secret',
      KUBERNETES_SERVICE_HOST: '10.0.0.1',
      AWS_SECRET_ACCESS_KEY: 'x',
      GITHUB_TOKEN: 'x',
      METACTL_PLAN_KEY: 'x',
      NODE_OPTIONS: '--no-warnings',
    };
    const hook = nodeHook(directory, 'hook.mjs', { env: { OWN: 'yes', TZ: 'Europe/Berlin' } });
    const body = (await new HookBench(t, {}, { environment }).body(hookCall(hook, { dryRun: true }))) as object;
    const { __CF_USER_TEXT_ENCODING: _added, ...seen } = body as Record<string, string>;
    assert.deepEqual(seen, {
      PATH: environment.PATH,
      HOME: '/home/me',
      LANG: 'C.UTF-8',
      TZ: 'Europe/Berlin',
      OWN: 'yes',
      METACTL_DRY_RUN: '1',
    });
  });

  test('METACTL_DRY_RUN is absent when it is no dry run', async (t) => {
    const directory = withScript(t, 'console.log(JSON.stringify([process.env.METACTL_DRY_RUN ?? null]))');
    assert.deepEqual(await new HookBench(t).body(hookCall(nodeHook(directory, 'hook.mjs'))), [null]);
  });

  test('a request that is not read does no harm', async (t) => {
    const directory = withScript(t, 'process.stdin.destroy(); console.log("{}")');
    const request = { parent: { data: 'x'.repeat(2_000_000) } };
    assert.deepEqual(await new HookBench(t).body(hookCall(nodeHook(directory, 'hook.mjs'), { request })), {});
  });

  test('an exit code says the code and the end of stderr', async (t) => {
    const directory = withScript(t, 'for (let i = 0; i < 50; i++) console.error("line " + i); process.exitCode = 3;');
    const bench = new HookBench(t);
    const diagnostic = await bench.failure(hookCall(nodeHook(directory, 'hook.mjs')));
    assert.equal(diagnostic.code, 'hook-failed');
    assert.match(
      diagnostic.summary,
      /CompositeController\/catset: sync hook failed for CatSet default\/web: .*hook.mjs ended with exit code 3/,
    );
    assert.match(diagnostic.detail ?? '', /line 49$/);
    assert.doesNotMatch(diagnostic.detail ?? '', /line 10\n/);
    assert.equal(bench.output[0], '[catset sync] line 0');
    assert.equal(bench.output.length, 50);
  });

  test('a signal that ended it is named', async (t) => {
    const directory = withScript(t, 'process.kill(process.pid, "SIGKILL"); setInterval(() => {}, 1000);');
    assert.match(
      (await new HookBench(t).failure(hookCall(nodeHook(directory, 'hook.mjs')))).summary,
      /was killed by SIGKILL/,
    );
  });

  test('control characters of stderr are dropped', async (t) => {
    const directory = withScript(t, 'console.error("\\u001b[2Jgone\\r"); process.exitCode = 1;');
    const bench = new HookBench(t);
    assert.match(
      (await bench.failure(hookCall(nodeHook(directory, 'hook.mjs')))).detail ?? '',
      /^The end of its stderr:\n\[2Jgone$/,
    );
    assert.deepEqual(bench.output, ['[catset sync] [2Jgone']);
  });

  test('silence and debug output on stdout', async (t) => {
    const directory = directoryWith(t, { 'silent.mjs': '', 'chatty.mjs': 'console.log("hello"); console.log("{}")' });
    const bench = new HookBench(t);
    const silent = await bench.failure(hookCall(nodeHook(directory, 'silent.mjs')));
    assert.equal(silent.code, 'answer-invalid');
    assert.match(silent.summary, /empty/);
    const chatty = await bench.failure(hookCall(nodeHook(directory, 'chatty.mjs')));
    assert.match(chatty.summary, /not JSON: unexpected h at line 1, column 1 of stdout/);
  });

  test('an answer that never ends is cut off', async (t) => {
    const directory = withScript(t, 'const more = () => process.stdout.write("[".repeat(10000), more); more();');
    const diagnostic = await new HookBench(t, { answerBytes: 100_000 }).failure(
      hookCall(nodeHook(directory, 'hook.mjs')),
    );
    assert.equal(diagnostic.code, 'answer-too-large');
  });

  const starts: { name: string; command: string[]; missing?: boolean; says: RegExp; hint?: RegExp }[] = [
    {
      name: 'no such command',
      command: ['no-such-command-here'],
      says: /command no-such-command-here was not found \(working directory .*metactl-hooks-/,
      hint: /PATH/,
    },
    { name: 'no such file', command: ['./absent.sh'], says: /command .\/absent.sh was not found/, hint: /path/ },
    { name: 'not executable', command: ['./plain.txt'], says: /may not be executed/, hint: /chmod/ },
    {
      name: 'no such directory',
      command: [process.execPath],
      missing: true,
      says: /working directory .* does not exist/,
    },
  ];
  for (const { name, command, missing, says, hint } of starts)
    test(name, async (t) => {
      const directory = directoryWith(t, { 'plain.txt': 'text' });
      const hook = nodeHook(missing ? join(directory, 'absent') : directory, '', { command });
      const diagnostic = await new HookBench(t).failure(hookCall(hook));
      assert.equal(diagnostic.code, 'hook-failed');
      assert.match(diagnostic.summary, says);
      if (hint) assert.match(diagnostic.hint ?? '', hint);
    });

  test('a script beside the definition', async (t) => {
    const directory = directoryWith(t, { 'hook.sh': '#!/bin/sh\necho \'{"children":[]}\'\n' });
    chmodSync(join(directory, 'hook.sh'), 0o755);
    const hook = nodeHook(directory, '', { command: ['./hook.sh'] });
    assert.deepEqual(await new HookBench(t).body(hookCall(hook)), { children: [] });
  });
});

/** A hook with a child of its own, both of which do not listen to SIGTERM; prints the child's pid. */
const STUBBORN = `
  import { spawn } from 'node:child_process';
  const deaf = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.error('child up')";
  const child = spawn(process.execPath, ['-e', deaf], { stdio: ['ignore', 'inherit', 'inherit'] });
  process.on('SIGTERM', () => {});
  console.error('pid ' + child.pid);
  setInterval(() => {}, 1000);
`;

function isAlive(pid: number): boolean {
  // A zombie waiting for a reaper is not alive; where /proc is absent, signal 0 has to do.
  if (existsSync(`/proc/${pid}/stat`)) return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Signals are delivered in the kernel's own time; the test's timeout is the limit. */
async function gone(pid: number): Promise<void> {
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe('ending a process', () => {
  test('a timeout ends the whole group, with SIGKILL when SIGTERM is not heard', async (t) => {
    const bench = new HookBench(t);
    const failure = bench.failure(hookCall(nodeHook(withScript(t, STUBBORN), 'hook.mjs', { timeoutMs: 5000 })));
    await bench.printed('child up');
    const pid = Number(/pid (\d+)/.exec(bench.output.join('\n'))?.[1]);
    assert.ok(isAlive(pid));
    bench.clock.advance(5000);
    const diagnostic = await failure;
    assert.equal(diagnostic.code, 'hook-timeout');
    assert.match(diagnostic.summary, /hook.mjs: no answer within 5s/);
    assert.match(diagnostic.detail ?? '', /pid \d+/);
    const closed = bench.caller.close();
    bench.clock.advance(2000);
    await closed;
    await gone(pid);
  });

  test('so does calling the call off', async (t) => {
    const bench = new HookBench(t);
    const controller = new AbortController();
    const call = bench.call(hookCall(nodeHook(withScript(t, STUBBORN), 'hook.mjs')), controller.signal);
    await bench.printed('child up');
    controller.abort(new Error('interrupted'));
    await assert.rejects(call, /interrupted/);
    const closed = bench.caller.close();
    bench.clock.advance(2000);
    await closed;
    await gone(Number(/pid (\d+)/.exec(bench.output.join('\n'))?.[1]));
  });

  test('a signal that is already aborted starts nothing', async (t) => {
    const directory = withScript(
      t,
      'import { writeFileSync } from "node:fs"; writeFileSync("ran", ""); console.log("{}")',
    );
    await assert.rejects(
      new HookBench(t).call(hookCall(nodeHook(directory, 'hook.mjs')), AbortSignal.abort(new Error('gone'))),
      /gone/,
    );
    assert.ok(!existsSync(join(directory, 'ran')));
  });
});

describe('mode stream', () => {
  const counting = `${READ_LINES}
    let count = 0;
    lines.on('line', (line) => answer({ status: { pid: process.pid, count: ++count, name: JSON.parse(line).parent.metadata.name } }));
  `;
  const named = (name: string) => ({ request: { parent: { metadata: { name } } } });
  type Counted = { status: { pid: number; count: number; name: string } };

  test('one process for all calls, each with its own answer', async (t) => {
    const hook = nodeHook(withScript(t, counting), 'hook.mjs', { mode: 'stream' });
    const bench = new HookBench(t);
    const names = Array.from({ length: 20 }, (_, i) => `parent-${i}`);
    const bodies = (await Promise.all(names.map((name) => bench.body(hookCall(hook, named(name)))))) as Counted[];
    assert.deepEqual(
      bodies.map((body) => body.status.name),
      names,
    );
    assert.deepEqual(
      bodies.map((body) => body.status.count),
      names.map((_, i) => i + 1),
    );
    assert.equal(new Set(bodies.map((body) => body.status.pid)).size, 1);
    await bench.caller.close();
    await gone(bodies[0]?.status.pid ?? 0);
  });

  test('a request is one line whatever is in it', async (t) => {
    const hook = nodeHook(withScript(t, counting), 'hook.mjs', { mode: 'stream' });
    const body = (await new HookBench(t).body(hookCall(hook, named('a\nb\u2028c')))) as Counted;
    assert.equal(body.status.name, 'a\nb\u2028c');
  });

  test('a process that dies fails the call in flight with what it said; the next call has a new one', async (t) => {
    const script = `${READ_LINES}
      lines.on('line', (line) => {
        if (line.includes('"bad"')) { console.error('can not do bad'); process.exit(4); }
        answer({ status: { pid: process.pid, count: 0, name: 'x' } });
      });`;
    const hook = nodeHook(withScript(t, script), 'hook.mjs', { mode: 'stream' });
    const bench = new HookBench(t);
    const first = (await bench.body(hookCall(hook, named('a')))) as Counted;
    const diagnostic = await bench.failure(hookCall(hook, named('bad')));
    assert.match(diagnostic.summary, /ended with exit code 4/);
    assert.match(diagnostic.detail ?? '', /can not do bad/);
    const second = (await bench.body(hookCall(hook, named('b')))) as Counted;
    assert.notEqual(first.status.pid, second.status.pid);
  });

  test('a timeout costs the process its life', async (t) => {
    const script = `${READ_LINES}
      lines.on('line', (line) => (line.includes('"slow"') ? console.error('thinking') : answer({ ok: true })));`;
    const hook = nodeHook(withScript(t, script), 'hook.mjs', { mode: 'stream' });
    const bench = new HookBench(t);
    const failure = bench.failure(hookCall(hook, named('slow')));
    await bench.printed('thinking');
    bench.clock.advance(10_000);
    const diagnostic = await failure;
    assert.equal(diagnostic.code, 'hook-timeout');
    assert.match(diagnostic.detail ?? '', /thinking/);
    assert.deepEqual(await bench.body(hookCall(hook, named('quick'))), { ok: true });
  });

  test('after a line too many nothing it says is taken for an answer', async (t) => {
    const script = `${READ_LINES}
      lines.on('line', (line) => process.stdout.write('{"first":1}\\n{"second":2}\\n'));`;
    const hook = nodeHook(withScript(t, script), 'hook.mjs', { mode: 'stream' });
    const bench = new HookBench(t);
    for (const name of ['a', 'b']) {
      const diagnostic = await bench.failure(hookCall(hook, named(name)));
      assert.equal(diagnostic.code, 'answer-invalid');
      assert.match(diagnostic.summary, /more than one line/);
    }
  });

  test('a line that is not JSON: the call fails, the next one starts afresh', async (t) => {
    const script = `${READ_LINES}
      let pending = true;
      lines.on('line', () => { if (pending && process.argv[2] !== 'x') process.stdout.write('debug: here\\n'); pending = false; });`;
    const hook = nodeHook(withScript(t, script), 'hook.mjs', { mode: 'stream' });
    const bench = new HookBench(t);
    for (let i = 0; i < 2; i++) assert.match((await bench.failure(hookCall(hook))).summary, /not JSON: unexpected d/);
  });

  test('an answer beyond the limit', async (t) => {
    const script = `${READ_LINES} lines.on('line', () => answer({ a: 'x'.repeat(100_000) }));`;
    const hook = nodeHook(withScript(t, script), 'hook.mjs', { mode: 'stream' });
    assert.equal((await new HookBench(t, { answerBytes: 50_000 }).failure(hookCall(hook))).code, 'answer-too-large');
  });

  test('a command that is not there', async (t) => {
    const hook = nodeHook(withScript(t, ''), '', { mode: 'stream', command: ['no-such-command-here'] });
    assert.match((await new HookBench(t).failure(hookCall(hook))).summary, /was not found/);
  });
});
