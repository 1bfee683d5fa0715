// Files for real: what is news, and what is not.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../testing/until.ts';
import { watchNodeFiles } from './node-file-watch.ts';
import { systemClock } from './system-clock.ts';

async function stage(t: TestContext) {
  const directory = await mkdtemp(join(tmpdir(), 'metactl-watch-'));
  const at = (name: string): string => join(directory, name);
  await mkdir(at('node_modules'));
  await writeFile(at('a.yaml'), 'a: 1');
  const told: string[] = [];
  const watch = await watchNodeFiles(
    {
      roots: [directory],
      onChange: (files) => told.push(files.map((file) => file.slice(directory.length + 1)).join(' ')),
    },
    systemClock,
  );
  t.after(async () => {
    await watch.close();
    await rm(directory, { recursive: true });
  });
  return { at, told };
}

test('a change, a new file, one that goes, and one that is put in the place of another', async (t) => {
  const { at, told } = await stage(t);
  await writeFile(at('a.yaml'), 'a: 2');
  await until('the change', () => told.join() === 'a.yaml');
  await writeFile(at('hook.mjs'), 'x');
  await until('the new file', () => told.join() === 'a.yaml,hook.mjs');
  await rm(at('hook.mjs'));
  await until('that it goes', () => told.length === 3);
  await writeFile(at('a.yaml.tmp'), 'a: 3');
  await rename(at('a.yaml.tmp'), at('a.yaml'));
  await until('the one that was put in its place', () => told.length === 4);
  assert.deepEqual(told, ['a.yaml', 'hook.mjs', 'hook.mjs', 'a.yaml']);
});

test('the same content, logs, hidden files and packages are no news', async (t) => {
  const { at, told } = await stage(t);
  await writeFile(at('a.yaml'), 'a: 1');
  await utimes(at('a.yaml'), 1, 1);
  for (const name of ['hook.log', '.a.yaml.swp', '.hidden.yaml', 'node_modules/x.js']) await writeFile(at(name), 'x');
  await sleep(500);
  assert.deepEqual(told, []);
});

test('several at once are told once; a config map that is mounted flips', async (t) => {
  const { at, told } = await stage(t);
  for (const version of ['1', '2']) {
    await mkdir(at(`..v${version}`));
    await writeFile(at(`..v${version}/m.yaml`), version);
  }
  await symlink('..v1', at('..data'));
  await symlink('..data/m.yaml', at('m.yaml'));
  await writeFile(at('b.yaml'), '1');
  await until('both', () => told.length > 0);
  await sleep(300);
  assert.deepEqual(told, ['b.yaml m.yaml']);
  await symlink('..v2', at('..data_tmp'));
  await rename(at('..data_tmp'), at('..data'));
  await until('the flip', () => told.length > 1);
  assert.equal(told[1], 'm.yaml');
});
