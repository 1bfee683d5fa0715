// In a process of its own, which takes its pipes for terminals: listr2 asks process.stdout and writes to process.stderr.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

const PROGRAM = `
for (const stream of [process.stdout, process.stderr]) Object.assign(stream, { isTTY: true, columns: 80, rows: 24 });
for (const name of ['cursorTo', 'moveCursor', 'clearLine', 'clearScreenDown']) process.stderr[name] ??= () => true;
const { TerminalProgress } = await import(${JSON.stringify(join(import.meta.dirname, 'progress-terminal.ts'))});
const { buildChangeOf } = await import(${JSON.stringify(join(import.meta.dirname, '..', 'testing', 'plan-builder.ts'))});
const change = buildChangeOf('create', 'Pod default/a');
const view = new TerminalProgress(false);
for (let round = 0; round < 2; round++) {
  view.take({ kind: 'change.end', change, outcome: { kind: 'done' } });
  view.take({ kind: 'waiting', on: [{ ref: change.object, reason: 'not Ready' }], elapsedMs: 1000 });
}
await view.end();
process.stderr.write('the last word');
`;

test('phases that follow each other at once are all drawn, and stderr is given back', async () => {
  const args = ['--input-type=module', '--eval', PROGRAM];
  const env = { PATH: process.env['PATH'], TERM: 'xterm' };
  const [stdout, stderr] = await new Promise<[string, string]>((resolve, reject) => {
    execFile(process.execPath, args, { env }, (error, out, err) => (error ? reject(error) : resolve([out, err])));
  });
  assert.equal(stdout, '');
  for (const words of ['Plan', 'Apply: 1 done', 'Waited', 'Apply: 2 done']) assert.ok(stderr.includes(words), words);
  assert.ok(stderr.includes('the last word'), JSON.stringify(stderr.slice(-200)));
});
