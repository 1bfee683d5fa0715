// What runs until it is stopped, as a user starts it: bin/run.js from a build, with pipes and signals.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ProjectDirectory } from '../src/testing/project-directory.ts';
import { until } from '../src/testing/until.ts';
import { build } from '../tools/build.ts';

const RUN = join(import.meta.dirname, '..', 'bin', 'run.js');
const home = mkdtempSync(join(tmpdir(), 'metactl-running-'));
const started: ChildProcess[] = [];

before(() => build());
after(() => {
  for (const child of started) child.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true });
});

interface Running {
  readonly child: ChildProcess;
  readonly said: { stdout: string; stderr: string };
  readonly code: Promise<number | null>;
}

function start(...args: string[]): Running {
  const env = { PATH: process.env['PATH'], HOME: home, LANG: 'C.UTF-8' };
  const child = spawn(process.execPath, [RUN, ...args], { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] });
  started.push(child);
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  return { child, said, code: new Promise((resolve) => child.once('close', resolve)) };
}

async function project(): Promise<ProjectDirectory> {
  const hook = (text: string): string => `
    return { children: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { text: '${text}' } }] };`;
  const options = { group: 'example.com', namespace: 'default', generateSelector: true, hook: hook('1') };
  const made = await ProjectDirectory.create(options);
  after(() => made.remove());
  return made;
}

const NOWHERE = ['--health-probe-bind-address=0', '--metrics-address=0'];

test('daemon: Metacontroller’s command line, lines of JSON, SIGTERM', async () => {
  const { path } = await project();
  const files = ['-f', join(path, 'controller.json'), '--allow-local-hooks'];
  const flags = [
    '-zap-log-level=4',
    '--discovery-interval=20s',
    '-leader-election=false',
    '--zap-time-encoding=iso8601',
  ];
  const { child, said, code } = start('daemon', '--sandbox', ...files, ...flags, ...NOWHERE);
  await until('it has started', () => said.stderr.includes('"msg":"Started"'));
  child.kill('SIGTERM');
  assert.equal(await code, 143);
  assert.match(said.stderr, /^warning: --zap-time-encoding does nothing/);
  assert.match(said.stderr, /"msg":"Stopped"/);
  assert.equal(said.stdout, '');
});

test('daemon: the first SIGTERM finishes what is under way, the second ends it at once', async () => {
  const made = await project();
  const directory = join(home, 'state');
  assert.equal(await start('apply', '-f', made.path, '--sandbox-dir', directory, '--yes').code, 0);
  const asked = join(home, 'asked');
  await made.hook(`
    process.getBuiltinModule('node:fs').writeFileSync(${JSON.stringify(asked)}, '');
    return new Promise((resolve) => setTimeout(resolve, 3_600_000));`);
  const files = ['-f', join(made.path, 'controller.json'), '--allow-local-hooks', '--sandbox-dir', directory];
  const { child, said, code } = start('daemon', ...files, ...NOWHERE, '--drain-timeout=1h');
  await until('the hook is asked', () => existsSync(asked));
  child.kill('SIGTERM');
  await until('it says so', () => said.stderr.includes('"msg":"Stopping: what is under way is finished"'));
  child.kill('SIGTERM');
  assert.equal(await code, 143);
  assert.doesNotMatch(said.stderr, /"msg":"Stopped"/);
});

test('daemon: programs of files are not run unasked', async () => {
  const { path } = await project();
  const { said, code } = start('daemon', '--sandbox', '-f', join(path, 'controller.json'), ...NOWHERE);
  assert.equal(await code, 1);
  assert.match(said.stderr, /hook-refused.*this is a daemon/s);
});

test('daemon: a port that somebody has', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  after(() => other.close());
  const { port } = other.address() as { port: number };
  const { said, code } = start('daemon', '--sandbox', `--metrics-address=127.0.0.1:${port}`, NOWHERE[0] ?? '');
  assert.equal(await code, 1);
  assert.match(said.stderr, new RegExp(`--metrics-address: another process listens there already .*:${port}`));
});

test('daemon --shadow: it ends by itself, and says that nothing was decided', async () => {
  const { path } = await project();
  const files = ['-f', join(path, 'controller.json'), '--allow-local-hooks'];
  const { said, code } = start(
    'daemon',
    '--sandbox',
    ...files,
    ...NOWHERE,
    '--shadow',
    '--shadow-for=1s',
    '-o',
    'json',
  );
  assert.equal(await code, 0);
  const { score, misses } = JSON.parse(said.stdout) as { score: unknown; misses: unknown };
  assert.deepEqual([score, misses], [null, 0]);
});

test('daemon --shadow: nobody is at work: what would have been written is named, and is not', async () => {
  const made = await project();
  const directory = join(home, 'shadow');
  assert.equal(await start('apply', '-f', made.path, '--sandbox-dir', directory, '--yes').code, 0);
  await made.hook(
    `return { children: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { text: '2' } }] };`,
  );
  const files = ['-f', join(made.path, 'controller.json'), '--allow-local-hooks', '--sandbox-dir', directory];
  const { child, said, code } = start('daemon', ...files, ...NOWHERE, '--shadow', '--shadow-window=1s');
  await until('the miss is told', () => said.stderr.includes('"msg":"Not as predicted"'));
  child.kill('SIGTERM');
  assert.equal(await code, 143);
  assert.match(said.stdout, /^Shadow: 0\.0 % as predicted \(0 hits, 1 misses/);
  assert.match(
    said.stdout,
    /predicted, and never seen: update ConfigMap default\/a .*\n {2}data\.text: "2" → \(nothing\)\n/,
  );
});

for (const [line, said] of [
  ['--zap-log-lvel=4', /there is no flag --zap-log-lvel: did you mean --zap-log-level\?\nsee metactl daemon --help/],
  ['--cache-flush-interval=soon', /is not a duration/],
] as const)
  test(`daemon ${line}`, async () => {
    const daemon = start('daemon', '--sandbox', line);
    assert.equal(await daemon.code, 1);
    assert.match(daemon.said.stderr, said);
  });

test('watch: the plan, what changes, an error in a hook with its place, and Ctrl-C', async () => {
  const made = await project();
  const { child, said, code } = start('watch', '-f', made.path, '--sandbox');
  await until('the plan is there', () => said.stdout.includes('+ ConfigMap'));
  await made.hook('const broken = (;');
  await until('the error is told', () => /hook\.mjs:2/.test(said.stderr));
  assert.match(said.stderr, /changed: .*hook\.mjs/);
  await made.hook(`return { children: [] };`);
  await until('the new plan is there', () => said.stdout.split('Plan:').length === 3);
  child.kill('SIGINT');
  assert.equal(await code, 130);
});

test('watch --apply on the sandbox', async () => {
  const made = await project();
  const { child, said, code } = start('watch', '-f', made.path, '--sandbox', '--apply');
  await until('it has settled', () => said.stderr.includes('settled'));
  assert.match(said.stderr, /^created ConfigMap default\/a$/m);
  child.kill('SIGINT');
  assert.equal(await code, 130);
});
