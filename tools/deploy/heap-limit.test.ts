// The heap of a daemon in a container, with made-up files in the place of the kernel's.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';

const BIN = join(import.meta.dirname, '../../bin');
const { heapFlags } = (await import(join(BIN, 'heap-limit.js'))) as { heapFlags(root: string): string[] };
const directory = mkdtempSync(join(tmpdir(), 'metactl-heap-'));
after(() => rmSync(directory, { recursive: true, force: true }));

let roots = 0;
function rootWith(files: Readonly<Record<string, string>>): string {
  const root = join(directory, String(++roots));
  mkdirSync(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), `${text}\n`);
  }
  return root;
}

const mebibytes = (count: number): string => String(count * 2 ** 20);
const CASES: readonly (readonly [why: string, files: Readonly<Record<string, string>>, want: string])[] = [
  ['no such files, as on a Mac', {}, '2000 16'],
  ['no limit', { 'proc/self/cgroup': '0::/', 'sys/fs/cgroup/memory.max': 'max' }, '2000 16'],
  ['a container', { 'proc/self/cgroup': '0::/', 'sys/fs/cgroup/memory.max': mebibytes(512) }, '384 8'],
  [
    'a small one keeps room for what is no heap',
    { 'proc/self/cgroup': '0::/', 'sys/fs/cgroup/memory.max': mebibytes(256) },
    '180 4',
  ],
  ['a tiny one', { 'proc/self/cgroup': '0::/', 'sys/fs/cgroup/memory.max': mebibytes(100) }, '50 1'],
  ['a large one', { 'proc/self/cgroup': '0::/', 'sys/fs/cgroup/memory.max': mebibytes(4096) }, '3072 16'],
  [
    'the least of the limits around it counts',
    {
      'proc/self/cgroup': '0::/slice/unit',
      'sys/fs/cgroup/slice/memory.max': mebibytes(512),
      'sys/fs/cgroup/slice/unit/memory.max': mebibytes(1024),
    },
    '384 8',
  ],
  [
    "a path of the host's, which is not there",
    { 'proc/self/cgroup': '0::/../../kubepods/x', 'sys/fs/cgroup/memory.max': mebibytes(512) },
    '384 8',
  ],
  [
    'the old form',
    {
      'proc/self/cgroup': '5:cpu:/\n4:memory:/docker/x\n0::/',
      'sys/fs/cgroup/memory/memory.limit_in_bytes': mebibytes(512),
    },
    '384 8',
  ],
  [
    'the old form without a limit',
    { 'proc/self/cgroup': '4:memory:/', 'sys/fs/cgroup/memory/memory.limit_in_bytes': '9223372036854771712' },
    '2000 16',
  ],
];

describe('flags for a limit', () => {
  for (const [why, files, want] of CASES) {
    test(why, () => {
      const said = heapFlags(rootWith(files)).map((flag) => flag.split('=')[1]);
      assert.equal(said.join(' '), want);
    });
  }
});

describe('bin/run.js', {
  skip: process.platform === 'win32' ? 'a process replaces itself on POSIX only' : false,
}, () => {
  // With a program in the place of ours that says how it was started.
  const program = `export async function main(argv) {
    const { getHeapStatistics } = await import('node:v8');
    const heap = getHeapStatistics().heap_size_limit / 2 ** 20;
    console.log(JSON.stringify({ argv, flags: process.execArgv, small: heap < 600, pid: process.pid }));
  }`;
  const project = rootWith({ 'dist/src/cli/main.js': program, 'package.json': '{"type":"module"}' });
  cpSync(BIN, join(project, 'bin'), { recursive: true });
  const limited = rootWith({ 'proc/self/cgroup': '0::/', 'sys/fs/cgroup/memory.max': mebibytes(512) });
  const run = (argv: readonly string[], environment: Record<string, string> = {}) => {
    const env = { PATH: process.env['PATH'], METACTL_SYSTEM_ROOT: limited, ...environment };
    const { stdout, stderr, pid } = spawnSync(process.execPath, [join(project, 'bin/run.js'), ...argv], {
      env,
      encoding: 'utf8',
    });
    assert.equal(stderr, '');
    const said = JSON.parse(stdout) as { argv: string[]; flags: string[]; small: boolean; pid: number };
    return { ...said, samePid: said.pid === pid };
  };

  test('a daemon begins anew within its limit, as the same process and with its arguments', () => {
    const { argv, flags, small, samePid } = run(['daemon', '--zap-log-level', 'a b']);
    assert.deepEqual(argv, ['daemon', '--zap-log-level', 'a b']);
    assert.deepEqual(flags, ['--max-old-space-size=384', '--max-semi-space-size=8']);
    assert.deepEqual([small, samePid], [true, true]);
  });

  test('what somebody has said of the heap stays; other commands are not concerned', () => {
    assert.deepEqual(run(['daemon'], { NODE_OPTIONS: '--max_old_space_size=300' }).flags, []);
    assert.deepEqual(run(['plan']).flags, []);
  });
});
