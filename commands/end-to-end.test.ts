// The program as a user starts it: bin/run.js from a build, in a process of its own, with pipes and signals.
// (Not @oclif/test's runCommand: it takes process.stdout away from node's test runner, and results are lost.)

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ProjectDirectory } from '../src/testing/project-directory.ts';
import { build } from '../tools/build.ts';

const RUN = join(import.meta.dirname, '..', 'bin', 'run.js');
const home = mkdtempSync(join(tmpdir(), 'metactl-cli-'));

const TWO_MAPS = `
  const children = ['one', 'two'].map((name) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { name } }));
  return { children };
`;
/** More than two megabytes. */
const MANY_MAPS = `
  const children = Array.from({ length: 40 }, (_, number) => ({
    apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'map-' + number }, data: { text: 'x'.repeat(60_000) },
  }));
  return { children };
`;
/** A pod that nobody schedules. */
const NEVER_READY = `
  const spec = { schedulerName: 'nobody', containers: [{ name: 'main', image: 'nothing:1' }] };
  return { children: [{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'slow' }, spec }] };
`;

async function projectWith(hook: string): Promise<string> {
  const childResources = ['configmaps', 'pods'];
  const options = { group: 'example.com', namespace: 'default', generateSelector: true, childResources };
  const directory = await ProjectDirectory.create({ ...options, hook });
  after(() => directory.remove());
  return directory.path;
}
const project = await projectWith(TWO_MAPS);

/** A test that fails in its middle leaves a process that waits. */
const started: ChildProcess[] = [];

before(() => build());
after(() => {
  for (const child of started) child.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true });
});

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** An empty HOME and nothing of the caller's environment that says where a cluster is or what a terminal can do. */
function start(args: readonly string[], variables: Record<string, string> = {}): ChildProcess {
  const env = { PATH: process.env['PATH'], HOME: home, LANG: 'C.UTF-8', ...variables };
  const child = spawn(process.execPath, [RUN, ...args], { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] });
  started.push(child);
  return child;
}

function ended(child: ChildProcess): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
}

const run = (...args: string[]): Promise<Ended> => ended(start(args));
const inSandbox = (command: string, ...more: string[]): string[] => [command, '-f', project, '--sandbox', ...more];

/** Resolves when the stream has said the word; rejects when the process ends before. */
function says(child: ChildProcess, stream: 'stdout' | 'stderr', word: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child[stream]?.on('data', (chunk: Buffer | string) => {
      text += chunk;
      if (word.test(text)) resolve(text);
    });
    child.once('close', () => reject(new Error(`ended without ${word}: ${text}`)));
  });
}

test('--version, version and --help', async () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8'));
  for (const args of [['--version'], ['version']]) {
    const { code, stdout, stderr } = await run(...args);
    assert.deepEqual([code, stderr], [0, '']);
    assert.ok(stdout.startsWith(`metactl/${version} `), stdout);
  }
  for (const args of [['--help'], ['help'], ['-h'], []]) {
    const { code, stdout } = await run(...args);
    assert.equal(code, 0);
    for (const command of ['apply', 'plan', 'sandbox', 'schema'])
      assert.match(stdout, new RegExp(`^ {2}${command} `, 'm'));
  }
  assert.match((await run('plan', '--help')).stdout, /Exit codes:/);
});

test('wrong usage is 1, whatever oclif thinks, with nothing on stdout', async () => {
  const cases: readonly [args: string[], stderr: RegExp][] = [
    [['plann'], /there is no command "plann": did you mean "plan"\?/],
    [['plan'], /Missing required flag file/],
    [['plan', '--bogus'], /there is no flag --bogus\nsee metactl plan --help/],
    [['plan', '-f', project, 'more'], /Unexpected argument: more/],
    [['plan', '-f', project, '--color', 'pink'], /--color=pink/],
    [['plan', '-f', project, '--concurrency', 'x'], /Expected an integer/],
    [inSandbox('plan', '--context', 'c'), /both the sandbox and a cluster/],
    [inSandbox('plan', '-o', 'json', '-o', 'text'), /only one output can go to stdout/],
    [inSandbox('apply', '--timeout', 'soon'), /"soon" is not a duration/],
    [['plan', '-f', join(home, 'nothing'), '--sandbox'], /nothing/],
  ];
  for (const [args, pattern] of cases) {
    const { code, stdout, stderr } = await run(...args);
    assert.deepEqual([code, stdout], [1, ''], args.join(' '));
    assert.match(stderr, pattern);
    assert.doesNotMatch(stderr, /\n\s+at /, 'no stack for what the user did');
  }
});

test('plan: exit codes, and the same bytes twice', async () => {
  const first = await run(...inSandbox('plan'));
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stdout, /ConfigMap/);
  assert.equal((await run(...inSandbox('plan'))).stdout, first.stdout);
  assert.equal((await run(...inSandbox('plan', '--detailed-exitcode'))).code, 2);
});

test('without a cluster the sandbox is used, and said so; in CI that is an error', async () => {
  const args = ['plan', '-f', project];
  const outside = await run(...args);
  assert.equal(outside.code, 0);
  assert.match(outside.stderr, /sandbox in memory/);
  const inCi = await ended(start(args, { CI: 'true' }));
  assert.deepEqual([inCi.code, inCi.stdout], [1, '']);
  assert.match(inCi.stderr, /no cluster is configured/);
});

test('apply: from 2 to settled to 0', async () => {
  const directory = join(home, 'state');
  const flags = ['-f', project, '--sandbox-dir', directory];
  const plan = (...more: string[]): Promise<Ended> => run('plan', ...flags, '--detailed-exitcode', ...more);
  assert.equal((await plan()).code, 2);
  const applied = await run('apply', ...flags, '--yes', '--timeout', '1m');
  assert.equal(applied.code, 0, applied.stderr);
  assert.match(applied.stderr, /created ConfigMap default\/one/);
  assert.doesNotMatch(applied.stdout, /created/, 'progress is not data');
  const again = await plan();
  assert.equal(again.code, 0);
  assert.match(again.stdout, /^No changes\./m);
  assert.equal((await run('apply', ...flags)).code, 0, 'nothing to confirm');
});

test('the look of the text', async () => {
  const look = ['--show-unchanged', '--ascii', '--color', 'never', '--concurrency', '1', '-q'];
  const { code, stdout, stderr } = await run(...inSandbox('plan', ...look));
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /^[\x00-\x7f]+$/);
});

test('apply --no-wait and --target', async () => {
  const { code, stderr } = await run(...inSandbox('apply', '-y', '--no-wait', '--target', 'Thing/default/one'));
  assert.equal(code, 0, stderr);
});

test('without a terminal apply asks nothing, writes nothing and says what works', async () => {
  const { code, stderr } = await run(...inSandbox('apply'));
  assert.equal(code, 5);
  assert.match(stderr, /^ {2}metactl apply -f .* --sandbox --yes$/m);
  assert.doesNotMatch(stderr, /created/);
});

test('-o json: a document on stdout and nothing else; -o json=FILE beside the text', async () => {
  const onStdout = await run(...inSandbox('plan', '-o', 'json'));
  const plan = JSON.parse(onStdout.stdout);
  assert.equal(plan.formatVersion, '1.0');
  const file = join(home, 'plan.json');
  const beside = await run(...inSandbox('plan', '--output', `json=${file}`));
  assert.match(beside.stdout, /ConfigMap/);
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), plan);
  assert.deepEqual(
    readdirSync(home).filter((name) => name.endsWith('.tmp')),
    [],
  );
});

test('a JSON plan of megabytes gets through a pipe that is read slowly; a reader that leaves is no error', async () => {
  const big = await projectWith(MANY_MAPS);
  const args = ['plan', '-f', big, '--sandbox', '-o', 'json'];
  const child = start(args);
  child.stdout?.pause();
  setTimeout(() => child.stdout?.resume(), 300);
  const whole = await ended(child);
  assert.equal(whole.code, 0, whole.stderr);
  assert.ok(whole.stdout.length > 2_000_000, `${whole.stdout.length} characters`);
  JSON.parse(whole.stdout);

  const left = start(args);
  left.stdout?.once('data', () => left.stdout?.destroy());
  const { code, stderr } = await ended(left);
  assert.deepEqual([code, stderr], [0, '']);
});

const FULL = '/dev/full';
test('a full disk behind a stream is one line and exit code 1', {
  skip: !existsSync(FULL) && `no ${FULL}`,
}, async () => {
  const full = openSync(FULL, 'w');
  const env = { PATH: process.env['PATH'], HOME: home };
  const into = (stdout: 'pipe' | number, stderr: 'pipe' | number, args: string[]): Promise<Ended> =>
    ended(spawn(process.execPath, [RUN, ...args], { cwd: home, env, stdio: ['ignore', stdout, stderr] }));
  for (const args of [inSandbox('plan'), inSandbox('apply', '--yes'), ['--version'], ['plan', '--help']]) {
    const { code, stderr } = await into(full, 'pipe', args);
    assert.equal(code, 1, args[0]);
    assert.match(stderr, /^error: can't write to standard output: no space is left on the device/m, args[0]);
    assert.doesNotMatch(stderr, /^ {4}at /m, args[0]);
  }
  assert.equal((await into('pipe', full, inSandbox('apply', '--yes'))).code, 1);
});

test('colour: none in a pipe, some when it is asked for', async () => {
  const escapeCharacter = String.fromCharCode(27);
  assert.equal((await run(...inSandbox('plan'))).stdout.includes(escapeCharacter), false);
  assert.equal((await run(...inSandbox('plan', '--color', 'always'))).stdout.includes(escapeCharacter), true);
});

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  test(`${signal} while apply waits: it says what was done and ends with ${code}`, async () => {
    const slow = await projectWith(NEVER_READY);
    const child = start(['apply', '-f', slow, '--sandbox', '--yes']);
    const result = ended(child);
    await says(child, 'stderr', /waiting for 1: Pod/);
    child.kill(signal);
    const { code: got, stderr } = await result;
    assert.equal(got, code, stderr);
    assert.match(stderr, /interrupted/);
  });
}

test('not settled in time: 4, and what it waits for', async () => {
  const slow = await projectWith(NEVER_READY);
  const { code, stderr } = await run('apply', '-f', slow, '--sandbox', '--yes', '--timeout', '1s');
  assert.equal(code, 4, stderr);
  assert.match(stderr, /Pod default\/slow/);
});

test('schema definition and schema plan are JSON Schemas', async () => {
  for (const name of ['definition', 'plan']) {
    const { code, stdout, stderr } = await run('schema', name);
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(JSON.parse(stdout).$schema, /json-schema\.org/);
  }
});

test('sandbox snapshot and restore: there and back, and into another directory', async () => {
  const [directory, other] = [join(home, 'kept'), join(home, 'other')];
  const apply = (to: string) =>
    run('apply', '-f', project, '--sandbox-dir', to, '--yes', '--allow-empty', '--max-deletes', '5');
  assert.equal((await apply(directory)).code, 0);
  const { code, stdout } = await run('sandbox', 'snapshot', '--sandbox-dir', directory);
  assert.equal(code, 0);
  const file = join(home, 'snapshot.json');
  writeFileSync(file, stdout);
  const restored = await run('sandbox', 'restore', '--sandbox-dir', other, '--snapshot', file);
  assert.deepEqual([restored.code, restored.stdout], [0, ''], restored.stderr);
  const plan = await run('plan', '-f', project, '--sandbox-dir', other, '--detailed-exitcode');
  assert.equal(plan.code, 0, plan.stdout);
  const wrong = await run('sandbox', 'restore', '--sandbox-dir', other, '--snapshot', join(project, 'nowhere.json'));
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /can't be read/);
});

test('sandbox serve: a URL on stdout, a kubeconfig that plan understands, and it ends when told', async () => {
  const kubeconfig = join(home, 'kubeconfig');
  const server = start(['sandbox', 'serve', '--port', '0', '--write-kubeconfig', kubeconfig]);
  const result = ended(server);
  const url = (await says(server, 'stdout', /\n/)).trim();
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
  const version = (await (await fetch(`${url}/version`)).json()) as { gitVersion: string };
  assert.match(version.gitVersion, /^v1\./);
  const flags = ['-f', project, '--kubeconfig', kubeconfig, '--context', 'metactl-sandbox', '-n', 'default'];
  const applied = await run('apply', ...flags, '--yes', '--allow-empty', '--max-deletes', '5');
  assert.equal(applied.code, 0, applied.stderr);
  assert.equal((await run('plan', ...flags, '--detailed-exitcode')).code, 0);
  server.kill('SIGTERM');
  const { code, stderr } = await result;
  assert.equal(code, 143);
  assert.match(stderr, /export KUBECONFIG=/);
});
