import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { DiagnosticError } from '../../model/diagnostic.ts';
import type { JournalRecord } from '../journal.ts';
import { openJournal } from './index.ts';

function scratch(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'journal-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

function put(rv: number, name = `c-${rv}`): JournalRecord {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'a' }, data: { text: 'ä\n"' } };
  return { rv, verb: 'put', group: '', resource: 'configmaps', namespace: 'a', name, object };
}
const remove = (rv: number, name: string): JournalRecord => ({
  rv,
  verb: 'delete',
  group: '',
  resource: 'nodes',
  name,
});

/** A journal of the records, closed. */
async function written(directory: string, ...records: readonly JournalRecord[]): Promise<string> {
  const journal = openJournal(directory);
  for (const record of records) journal.append(record);
  await journal.close();
  return join(directory, 'log.jsonl');
}

async function read(directory: string): Promise<readonly JournalRecord[]> {
  const journal = openJournal(directory);
  try {
    return journal.replay();
  } finally {
    await journal.close();
  }
}

const refused =
  (code: string, ...texts: readonly string[]) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof DiagnosticError, String(error));
    const [diagnostic] = error.diagnostics;
    assert.equal(diagnostic?.code, code);
    for (const text of texts)
      assert.ok(JSON.stringify(diagnostic).includes(text), `${text} in ${JSON.stringify(diagnostic)}`);
    return true;
  };

test('what was appended comes back, also integers above 2^53, in one go or two', async (t) => {
  const directory = join(scratch(t), 'new', 'sandbox');
  const big = { ...put(3), object: { apiVersion: 'v1', kind: 'X', metadata: { name: 'c-3' }, n: 9007199254740993n } };
  await written(directory, put(1), big);
  const journal = openJournal(directory, { fsync: true });
  assert.deepEqual(journal.replay(), [put(1), big]);
  journal.append(remove(7, 'c-1'));
  await journal.close();
  assert.deepEqual(await read(directory), [put(1), big, remove(7, 'c-1')]);
  assert.deepEqual(readdirSync(directory).sort(), ['VERSION', 'log.jsonl']);
});

test('a half last line is cut off, everything before is kept, and the next append begins a line', async (t) => {
  const directory = scratch(t);
  const file = await written(directory, put(1), put(2));
  const whole = readFileSync(file).length;
  for (const torn of ['{', '{"crc":"00000000","record":{"rv":3', '\0\0\0\0']) {
    appendFileSync(file, torn);
    const journal = openJournal(directory);
    assert.equal(journal.tornBytes, torn.length);
    assert.deepEqual(journal.replay(), [put(1), put(2)]);
    await journal.close();
    assert.equal(readFileSync(file).length, whole);
  }
  truncateSync(file, whole - 1);
  const journal = openJournal(directory);
  journal.append(put(9));
  await journal.close();
  assert.deepEqual(await read(directory), [put(1), put(9)]);
});

const DAMAGES: readonly (readonly [reason: string, damage: (lines: string[]) => void, why: string])[] = [
  ['a changed byte', (lines) => lines.splice(1, 1, (lines[1] ?? '').replace('"c-2"', '"c-9"')), 'its checksum is'],
  ['a line that is none', (lines) => lines.splice(1, 1, 'hello'), 'has not the form'],
  ['a line cut in the middle', (lines) => lines.splice(1, 1, (lines[1] ?? '').slice(0, 60)), 'has not the form'],
  ['an empty line', (lines) => lines.splice(1, 0, ''), 'has not the form'],
  ['a line twice', (lines) => lines.splice(1, 0, lines[0] ?? ''), 'does not follow 1'],
];
for (const [reason, damage, why] of DAMAGES) {
  test(`damage in the middle is an error with file and line, and nothing is changed: ${reason}`, async (t) => {
    const directory = scratch(t);
    const file = await written(directory, put(1), put(2), put(3));
    const lines = readFileSync(file, 'utf8').split('\n');
    damage(lines);
    writeFileSync(file, lines.join('\n'));
    const before = readFileSync(file, 'utf8');
    await assert.rejects(read(directory), refused('file-unreadable', file, 'line 2', '"line":2', why));
    assert.equal(readFileSync(file, 'utf8'), before);
    assert.equal(existsSync(join(directory, 'LOCK')), false, 'the lock is given back');
  });
}

test('another VERSION is refused', async (t) => {
  const directory = scratch(t);
  await written(directory, put(1));
  writeFileSync(join(directory, 'VERSION'), 'metactl-sandbox 2\n');
  assert.throws(() => openJournal(directory), refused('unsupported', 'metactl-sandbox 2'));
});

test('a directory with other things in it is not touched; a file is no directory', (t) => {
  const directory = scratch(t);
  writeFileSync(join(directory, 'notes.txt'), 'mine');
  assert.throws(() => openJournal(directory), refused('invalid-value', 'notes.txt'));
  assert.deepEqual(readdirSync(directory), ['notes.txt']);
  assert.throws(() => openJournal(join(directory, 'notes.txt')), refused('file-unreadable', "can't be used"));
});

test('a second writer is told about sandbox serve, in this process and in another', async (t) => {
  const directory = scratch(t);
  const journal = openJournal(directory);
  assert.throws(() => openJournal(directory), refused('conflict', `process ${process.pid}`, 'metactl sandbox serve'));
  const { stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script(directory, 0)], {
    encoding: 'utf8',
  });
  assert.equal(status, 1);
  assert.match(stderr, /is in use by process/);
  await journal.close();
  await openJournal(directory).close();
});

const LOCKS: readonly (readonly [reason: string, lock: string, taken: boolean])[] = [
  ['a process that is gone', JSON.stringify({ pid: 2 ** 22 + 1, host: hostname(), started: 'x/1' }), true],
  [
    'our pid, but another process had it',
    JSON.stringify({ pid: process.pid, host: hostname(), started: 'old/1' }),
    existsSync('/proc/self/stat'),
  ],
  ['half a file', '{"pid":', true],
  ['another host', JSON.stringify({ pid: 2 ** 22 + 1, host: 'elsewhere', started: 'x/1' }), false],
];
for (const [reason, lock, taken] of LOCKS) {
  test(`a lock that was left behind: ${reason}`, async (t) => {
    const directory = scratch(t);
    await written(directory, put(1));
    writeFileSync(join(directory, 'LOCK'), lock);
    if (taken) assert.deepEqual(await read(directory), [put(1)]);
    else assert.throws(() => openJournal(directory), refused('conflict', 'sandbox serve'));
  });
}

const noProc = existsSync('/proc/self/stat') ? false : 'needs /proc';
test('a lock of a process that has ended but is still listed is taken over', { skip: noProc }, async (t) => {
  const directory = scratch(t);
  await written(directory, put(1));
  // The child ends after the shell has become a sleep, which never asks after it. (A shell would.)
  const parent = spawn('sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => parent.kill('SIGKILL'));
  const [output] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(output);
  const state = (): string => /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1] ?? '';
  while (state() !== 'Z') await new Promise((resolve) => setImmediate(resolve));
  writeFileSync(join(directory, 'LOCK'), JSON.stringify({ pid, host: hostname(), started: '' }));
  assert.deepEqual(await read(directory), [put(1)]);
});

test('kill -9: every acknowledged record is there, and the directory can be opened at once', async (t) => {
  const directory = scratch(t);
  let next = 1;
  for (const acknowledgements of [1, 40, 300]) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script(directory, next)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let acknowledged = 0;
    for await (const line of createInterface(child.stdout)) {
      acknowledged = Number(line);
      if (acknowledged >= next + acknowledgements) child.kill('SIGKILL');
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    assert.equal(child.signalCode, 'SIGKILL');
    const records = await read(directory);
    assert.ok(records.length >= acknowledged, `${records.length} records, ${acknowledged} acknowledged`);
    assert.deepEqual(
      records,
      records.map((_, index) => put(index + 1)),
    );
    next = records.length + 1;
  }
});

/** Appends put(from), put(from + 1) … for ever and prints the number of each when it is acknowledged. */
function script(directory: string, from: number): string {
  return `
    import { writeSync } from 'node:fs';
    const { openJournal } = await import(${JSON.stringify(import.meta.resolve('./index.ts'))});
    const put = ${put.toString()};
    const journal = openJournal(${JSON.stringify(directory)});
    for (let rv = ${from}; ; rv++) { journal.append(put(rv)); writeSync(1, rv + '\\n'); }`;
}
