// What a hook can not get at or break by ordinary means. README.md says what it can.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject, JsonValue } from '../kit/json.ts';
import type { Hook } from '../model/definition.ts';
import { HookBench } from '../testing/hook-bench.ts';
import { directoryWith, hookCall, moduleHook, nodeHook } from '../testing/hook-calls.ts';

const PASSED = { PATH: process.env['PATH'], HOME: '/home/me', LANG: 'C', TMPDIR: '/tmp', TZ: 'UTC' };
const KEPT = [
  'KUBECONFIG',
  'KUBERNETES_SERVICE_HOST',
  'AWS_SECRET_ACCESS_KEY',
  'AZURE_CLIENT_SECRET',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'GITHUB_TOKEN',
  'CI_JOB_TOKEN',
  'ACTIONS_ID_TOKEN_REQUEST_TOKEN',
  'SSH_AUTH_SOCK',
  'DATABASE_PASSWORD',
  'METACTL_ALLOW_LOCAL_HOOKS',
  'NODE_OPTIONS',
  'LD_PRELOAD',
  'https_proxy',
];
const environment = { ...PASSED, ...Object.fromEntries(KEPT.map((name) => [name, '--no-warnings'])) };

const EXEC = `
  import { execFileSync } from 'node:child_process';
  import { createInterface } from 'node:readline';
  const child = execFileSync(process.execPath, ['-p', 'JSON.stringify(process.env)']).toString();
  for await (const _ of createInterface({ input: process.stdin }))
    console.log(JSON.stringify({ own: process.env, child: JSON.parse(child) }));
`;
const MODULE = `
  import { execFileSync } from 'node:child_process';
  export const sync = () => ({
    own: { ...process.env },
    child: JSON.parse(execFileSync(process.execPath, ['-p', 'JSON.stringify(process.env)']).toString()),
    report: process.report.getReport().environmentVariables ?? {},
  });
`;

describe('the environment', () => {
  const kinds: Record<string, (directory: string) => Hook> = {
    'exec, once': (directory) => nodeHook(directory, 'hook.mjs'),
    'exec, stream': (directory) => nodeHook(directory, 'hook.mjs', { mode: 'stream' }),
    module: (directory) => moduleHook(`${directory}/sync.mjs`),
  };
  for (const [kind, hookIn] of Object.entries(kinds))
    test(`${kind}: five variables, in the hook and in what it starts`, async (t) => {
      const directory = directoryWith(t, { 'hook.mjs': EXEC, 'sync.mjs': MODULE });
      // A request ends with its line in mode stream, with its input in mode once.
      const request = { parent: {} };
      const seen = await new HookBench(t, {}, { environment }).body(hookCall(hookIn(directory), { request }));
      for (const variables of Object.values(seen as JsonObject) as JsonObject[])
        for (const name of KEPT) assert.equal(variables[name], undefined, `${kind}: ${name}`);
      assert.deepEqual(Object.keys((seen as { own: object }).own).sort(), Object.keys(PASSED).sort());
    });

  test('exec, stream: dry runs have a process of their own, which is told', async (t) => {
    const script = `
      import { createInterface } from 'node:readline';
      let calls = 0;
      for await (const _ of createInterface({ input: process.stdin }))
        console.log(JSON.stringify({ dryRun: process.env.METACTL_DRY_RUN ?? null, calls: ++calls }));
    `;
    const hook = nodeHook(directoryWith(t, { 'hook.mjs': script }), 'hook.mjs', { mode: 'stream' });
    const bench = new HookBench(t);
    const asked: JsonValue[] = [];
    for (const dryRun of [true, false, true, false]) asked.push(await bench.body(hookCall(hook, { dryRun })));
    const [first, second] = [{ dryRun: '1' }, { dryRun: null }];
    assert.deepEqual(asked, [
      { ...first, calls: 1 },
      { ...second, calls: 1 },
      { ...first, calls: 2 },
      { ...second, calls: 2 },
    ]);
  });
});

test('module: messages of its own making and a poisoned prototype stay in its thread', async (t) => {
  const module = `
    import { parentPort } from 'node:worker_threads';
    export const sync = () => {
      Object.prototype.polluted = 'yes';
      Array.prototype.map = () => ['polluted'];
      const bad = [null, 5, 'text', {}, { output: 5 }, { output: null }, { result: 3, loaded: [], spent: false },
        { result: { ok: true }, loaded: [], spent: false }, { result: { ok: false, facts: null }, loaded: [], spent: false },
        { result: { ok: true, answer: '{}' }, loaded: 'x', spent: false }, { result: { ok: true, answer: '{}' }, loaded: [[{}]], spent: true }];
      for (const message of bad) parentPort.postMessage(message);
      return { status: { fine: true } };
    };
  `;
  const bench = new HookBench(t);
  const hook = moduleHook(`${directoryWith(t, { 'sync.mjs': module })}/sync.mjs`);
  assert.deepEqual(await bench.body(hookCall(hook)), { status: { fine: true } });
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
  assert.deepEqual([1].map(String), ['1']);
});
